"""Looks at paths that anybody may have named; what cannot be looked at counts as missing.

An entry of PATH, HOME or a settings file may be unreadable, dangling, looping or on a mount that
is gone; ``pathlib`` raises for some of these. Where a sandbox is looked for, one such entry must
cost that entry, and never the sandbox.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

MOST_ENTRIES = 5_000


def status_of(path: Path, *, follow: bool = True) -> os.stat_result | None:
    """Return what the system says of a path; none where it says nothing."""
    try:
        return path.stat(follow_symlinks=follow)
    except (OSError, ValueError):
        # A path that the system cannot take is a ValueError.
        return None


def real(path: Path) -> Path | None:
    """Return where a path leads, all links followed; none where a link cannot be read."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        return None


def is_there(path: Path) -> bool:
    """Tell whether a path, or where it leads as a link, can be looked at."""
    return status_of(path) is not None


def there_below(folder: Path, names: Iterable[str]) -> Iterator[Path]:
    """Yield those of these names, all plain ones, that are there below a folder."""
    # Asked hundreds of times before each command: only what is there becomes a path.
    yield from (folder / name for name in names if os.access(f"{folder}/{name}", os.F_OK))


def is_folder(path: Path) -> bool:
    """Tell whether it is a folder, or a link that leads to one."""
    status = status_of(path)
    return status is not None and stat.S_ISDIR(status.st_mode)


def is_link(path: Path) -> bool:
    """Tell whether it is a link, wherever that leads."""
    status = status_of(path, follow=False)
    return status is not None and stat.S_ISLNK(status.st_mode)


def is_program(path: Path) -> bool:
    """Tell whether it is a file that may be run; a folder may be entered, which is no program."""
    status = status_of(path)
    return status is not None and stat.S_ISREG(status.st_mode) and os.access(path, os.X_OK)


def names_in(folder: Path, most: int = MOST_ENTRIES) -> list[str]:
    """Return the first names of a folder in their order; none where it is closed."""
    try:
        with os.scandir(folder) as found:
            return sorted(entry.name for entry in islice(found, most))
    except (OSError, ValueError):
        return []


def entries(folder: Path) -> Iterator[Path]:
    """Yield the first entries of a folder in order of their names; none where it is closed."""
    return (folder / name for name in names_in(folder))


def text_of(path: Path, longest: int) -> str | None:
    """Return the text of a file; none where it is no plain file, is longer or cannot be read."""
    try:
        # Whatever else it is, such as a FIFO, must not be waited for.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return None
            read = file.read(longest + 1)
    except (OSError, ValueError):
        return None
    return read.decode("utf-8", "replace") if len(read) <= longest else None


def within(path: Path, folders: Iterable[Path]) -> bool:
    """Tell whether a path lies in one of these folders, and is none of them."""
    named = str(path)
    # Asked hundreds of times before each command.
    return any(
        named.startswith(f"{folder}/") or (len(folder.parts) == 1 and path != folder)
        for folder in folders
    )
