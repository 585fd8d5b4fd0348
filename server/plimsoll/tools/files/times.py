"""When files and folders were last changed, as the file system says it."""

import os
from pathlib import Path

from plimsoll.tools.ports.times import FolderTime


def time_of(path: Path) -> int | None:
    """Return when a file or folder was last changed, in nanoseconds since 1970; None if missing.

    The later of its two times (mtime, ctime): a file that is moved into place keeps its mtime.
    """
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return max(status.st_mtime_ns, status.st_ctime_ns)


def folders_above(path: Path) -> tuple[FolderTime, ...]:
    """Return the times of a file's folder and, while folders are missing, of those above it."""
    found: list[FolderTime] = []
    for folder in path.parents:
        found.append(FolderTime(folder, time_of(folder)))
        if found[-1].at is not None:
            break
    return tuple(found)


def times_again(folders: tuple[FolderTime, ...]) -> tuple[FolderTime, ...]:
    """Return the same folders with the times that they have now."""
    return tuple(FolderTime(each.path, time_of(each.path)) for each in folders)
