"""Files and folders of ours, which only their owner can read, whatever the umask is.

Whoever makes one makes it here: a mode that is given to the system alone loses what the umask takes
away, and under an umask of 0777 the owner could not open it again.
"""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from plimsoll.errors import StoreUnavailable

FOLDER_MODE = 0o700
FILE_MODE = 0o600

_NEW = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW
_SHARED = os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW
_AT_THE_END = os.O_CREAT | os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC


def private_folder(path: Path) -> Path:
    """Make a folder and its missing parents for its owner alone; return it.

    Raises:
        StoreUnavailable: It cannot be made, or something else has its name.
    """
    try:
        for folder in (*reversed(path.parents), path):
            if not folder.exists():
                folder.mkdir(mode=FOLDER_MODE, exist_ok=True)
                # What the umask took away comes back: without it the next one could not be made.
                folder.chmod(FOLDER_MODE)
        if path.stat().st_mode & 0o777 != FOLDER_MODE:
            path.chmod(FOLDER_MODE)
    except OSError as error:
        raise unavailable("make", path, error) from error
    if not path.is_dir():
        raise unavailable("use", path, NotADirectoryError("not a folder"))
    return path


def create_private(path: Path) -> int:
    """Create a file for its owner alone and return its descriptor; never follows or reuses one."""
    return _restrict_mode(os.open(path, _NEW, FILE_MODE))


def append_private(path: Path) -> int:
    """Open a file for writing at its end, created for its owner alone if it is missing."""
    return _restrict_mode(os.open(path, _AT_THE_END, FILE_MODE))


def open_private(path: Path) -> int:
    """Open a file for reading and writing, created for its owner alone if it is missing."""
    return _restrict_mode(os.open(path, _SHARED, FILE_MODE))


def replace_private(path: Path, text: str | bytes) -> None:
    """Replace a whole file at once: a reader sees the old text or the new one, never a part.

    Raises:
        StoreUnavailable: The text cannot be kept whole.
    """
    beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        write_private(beside, text)
        beside.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        # Where no file can be made, none can be removed.
        with suppress(OSError):
            beside.unlink()
        raise unavailable("write", path, error) from error


def write_private(path: Path, text: str | bytes) -> None:
    """Write a new file through to the disk; a file that could not be kept whole is removed."""
    descriptor = create_private(path)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode("utf-8", "replace") if isinstance(text, str) else text)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        with suppress(OSError):
            path.unlink()
        raise


def sync_folder(path: Path) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def unavailable(action: str, path: Path, error: OSError) -> StoreUnavailable:
    """Make the error for a file that the operating system refuses, with the reason it gave."""
    reason = error.strerror or str(error)
    return StoreUnavailable(
        f"Cannot {action} {path}: {reason}.",
        remedy="Free disk space or correct the permissions, or set PLIMSOLL_DATA_DIR to "
        "a folder that you can write.",
    )


def _restrict_mode(descriptor: int) -> int:
    if os.fstat(descriptor).st_mode & 0o777 != FILE_MODE:
        os.fchmod(descriptor, FILE_MODE)
    return descriptor
