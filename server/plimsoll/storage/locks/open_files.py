"""Locks of open files, with the name of whoever holds one.

The lock is what counts; the name written into the file only tells people who holds it, so neither a
reused process id nor a file left over by a crash can fool anyone.
"""

import os
from pathlib import Path

from plimsoll.errors import StoreUnavailable
from plimsoll.private_files import open_private, unavailable

LONGEST_NAME = 96
"""Characters that are read of who holds a lock."""


def lock(descriptor: int) -> None:
    """Wait for the lock of an open file, in the kernel's queue."""
    # Loaded late here and below: where the module is missing, this file must still load.
    import fcntl

    fcntl.flock(descriptor, fcntl.LOCK_EX)


def try_lock(descriptor: int, *, shared: bool = False) -> None:
    """Take the lock of an open file now; raises BlockingIOError while it is taken.

    ``shared``: beside others who share it.
    """
    import fcntl

    fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


def unlock(descriptor: int) -> None:
    """Give the lock of an open file back."""
    import fcntl

    fcntl.flock(descriptor, fcntl.LOCK_UN)


def locked(path: Path, *, shared: bool = False) -> int:
    """Open a file and lock it now; one that has lost its name meanwhile is opened anew.

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
    """Tell whether an open file is still the one that has this name."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def free(descriptor: int) -> None:
    """Give the lock of an open file back and close the file."""
    unlock(descriptor)
    os.close(descriptor)


def without_locks(path: Path, error: OSError) -> StoreUnavailable:
    """Make the error for a file system that knows no locks."""
    return StoreUnavailable(
        f"The file system of {path} does not lock files: {error.strerror}.",
        remedy="Set PLIMSOLL_DATA_DIR to a folder on a local disk.",
    )


def sign(descriptor: int, path: Path, name: str) -> None:
    """Write who holds a lock; one that cannot be signed is given back at once."""
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, name.encode(), 0)
    except OSError as error:
        free(descriptor)
        raise unavailable("write", path, error) from error


def signed(path: Path) -> str:
    """Read who holds a lock; whoever has just taken it has not signed yet."""
    try:
        return path.read_text("utf-8", "replace")[:LONGEST_NAME] or "another process"
    except OSError:
        return "another process"
