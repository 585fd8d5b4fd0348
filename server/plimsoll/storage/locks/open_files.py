"""Locks on open files, with the name of the holder in the file.

Only the lock counts; the name tells people who holds it, so that neither a reused process id nor a
file left by a crash can deceive.
"""

import os
from pathlib import Path

from plimsoll.errors import StoreUnavailable
from plimsoll.private_files import open_private, unavailable

LONGEST_NAME = 96
"""Characters of a holder's name that are read."""


def lock(descriptor: int) -> None:
    """Wait for the lock of an open file, first come, first served."""
    # Loaded late here and below: where the module is missing, this file must still load.
    import fcntl

    fcntl.flock(descriptor, fcntl.LOCK_EX)


def try_lock(descriptor: int, *, shared: bool = False) -> None:
    """Take the lock of an open file now; raises BlockingIOError while it is taken.

    ``shared``: several holders may share it.
    """
    import fcntl

    fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


def unlock(descriptor: int) -> None:
    """Release the lock of an open file."""
    import fcntl

    fcntl.flock(descriptor, fcntl.LOCK_UN)


def open_locked(path: Path, *, shared: bool = False) -> int:
    """Open a file and lock it now; open it again if it was replaced meanwhile.

    Raises:
        BlockingIOError: Its lock is taken.
        StoreUnavailable: It cannot be opened or locked.
    """
    while True:
        try:
            descriptor = open_private(path)
        except OSError as error:
            raise unavailable("open the lock", path, error) from error
        try:
            try_lock(descriptor, shared=shared)
            if is_current(descriptor, path):
                return descriptor
        except BlockingIOError:
            os.close(descriptor)
            raise
        except OSError as error:
            os.close(descriptor)
            raise without_locks(path, error) from error
        os.close(descriptor)


def is_current(descriptor: int, path: Path) -> bool:
    """Tell whether an open file is still the one at this path."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def unlock_and_close(descriptor: int) -> None:
    """Release the lock of an open file and close it."""
    unlock(descriptor)
    os.close(descriptor)


def without_locks(path: Path, error: OSError) -> StoreUnavailable:
    """Build the error for a file system without locks."""
    return StoreUnavailable(
        f"The file system of {path} does not lock files: {error.strerror}.",
        remedy="Set PLIMSOLL_DATA_DIR to a folder on a local disk.",
    )


def write_holder(descriptor: int, path: Path, name: str) -> None:
    """Write the holder's name into a locked file; release it if that fails."""
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, name.encode(), 0)
    except OSError as error:
        unlock_and_close(descriptor)
        raise unavailable("write", path, error) from error


def read_holder(path: Path) -> str:
    """Read the holder's name; one that has just taken the lock may not have written it yet."""
    try:
        return path.read_text("utf-8", "replace")[:LONGEST_NAME] or "another process"
    except OSError:
        return "another process"
