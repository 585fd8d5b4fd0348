"""When files and folders were last changed, as the file system says it."""

import os
from pathlib import Path

from plimsoll.tools.ports.times import FolderTime


def time_of(path: Path) -> int | None:
    """Return when a file or folder was last changed, in nanoseconds since 1970; none: it is gone.

    The later of both times that are kept: a file that is moved into place keeps that of its text.
    """
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return max(status.st_mtime_ns, status.st_ctime_ns)


def folders_above(path: Path) -> tuple[FolderTime, ...]:
    """Return the folder of a file and, while that is missing, the one above, with their times."""
    found: list[FolderTime] = []
    for folder in path.parents:
        found.append(FolderTime(folder, time_of(folder)))
        if found[-1].at is not None:
            break
    return tuple(found)


def times_again(folders: tuple[FolderTime, ...]) -> tuple[FolderTime, ...]:
    """Read the times of folders again."""
    return tuple(FolderTime(each.path, time_of(each.path)) for each in folders)
