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
    """Return the status (stat) of a path; None if it cannot be read."""
    try:
        return path.stat(follow_symlinks=follow)
    except (OSError, ValueError):
        # A path that the system cannot take is a ValueError.
        return None


def real(path: Path) -> Path | None:
    """Return the real path behind all links; None if a link cannot be read."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        return None


def is_there(path: Path) -> bool:
    """Tell whether a path, or the target of a link at it, exists and can be looked at."""
    return status_of(path) is not None


def there_below(folder: Path, names: Iterable[str]) -> Iterator[Path]:
    """Yield those of these plain names that exist in a folder, as paths."""
    # Asked hundreds of times before each command: only what is there becomes a path.
    yield from (folder / name for name in names if os.access(f"{folder}/{name}", os.F_OK))


def is_folder(path: Path) -> bool:
    """Tell whether a path is a folder, or a link to one."""
    status = status_of(path)
    return status is not None and stat.S_ISDIR(status.st_mode)


def is_link(path: Path) -> bool:
    """Tell whether a path is a link, wherever it leads."""
    status = status_of(path, follow=False)
    return status is not None and stat.S_ISLNK(status.st_mode)


def is_program(path: Path) -> bool:
    """Tell whether a path is an executable file, and no folder."""
    status = status_of(path)
    return status is not None and stat.S_ISREG(status.st_mode) and os.access(path, os.X_OK)


def names_in(folder: Path, most: int = MOST_ENTRIES) -> list[str]:
    """Return the names in a folder, sorted, up to a limit; empty if it cannot be listed."""
    try:
        with os.scandir(folder) as found:
            return sorted(entry.name for entry in islice(found, most))
    except (OSError, ValueError):
        return []


def entries(folder: Path) -> Iterator[Path]:
    """Yield the paths in a folder, sorted, up to a limit; nothing if it cannot be listed."""
    return (folder / name for name in names_in(folder))


def text_of(path: Path, longest: int) -> str | None:
    """Return the text of a plain file up to a length; None if it is longer or unreadable."""
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
    """Tell whether a path lies inside of one of these folders, and is none of them."""
    named = str(path)
    # Asked hundreds of times before each command.
    return any(
        named.startswith(f"{folder}/") or (len(folder.parts) == 1 and path != folder)
        for folder in folders
    )
