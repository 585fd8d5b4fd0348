"""Finds the other names of protected files: what has two hard links can be changed by either.

A read-only mount covers one name. A command cannot make another, since a mount ends where it does;
but one may have been made before.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from plimsoll.tools.process.walking import walk

MOST_IN_FOLDERS = 2_000
"""Files in protected folders whose links are counted; what lies beyond is not looked at."""
MOST_WALKED = 200_000
"""Entries of writable folders among which other names are looked for."""
# Git reads what its objects hold by their hashes: a changed one is a broken one. A local clone
# shares them by hard links.
_OBJECTS = "objects"

_File = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Aliases:
    """The other hard links of protected files, by which a command could change these files."""

    inside: tuple[str, ...] = ()
    """Those below the workspace, as paths from there."""
    open: str | None = None
    """A protected file that has or may have one elsewhere; none: there is no such file."""


def aliases(root: Path, protected: Iterable[str], writable: Iterable[Path]) -> Aliases:
    """Find other hard links of protected files wherever a command may write; blocks.

    The folders are walked only where a protected file has more than one link. ``protected``: paths
    from the root, without folders of which only parts are protected.
    """
    kept = set(protected)
    linked = {
        (status.st_dev, status.st_ino): path
        for path, status in _files(root, kept)
        if status.st_nlink > 1
    }
    if not linked:
        return Aliases()
    found, whole = _find_names((root, *writable), linked)
    names = {path: str(path.relative_to(root)) for path in found if root in path.parents}
    elsewhere = next((linked[file] for path, file in found.items() if path not in names), None)
    inside = (name for name in names.values() if not _is_kept(name, kept))
    return Aliases(
        tuple(sorted(inside)), elsewhere or (None if whole else next(iter(linked.values())))
    )


def _is_kept(name: str, kept: Iterable[str]) -> bool:
    return any(name == path or name.startswith(f"{path}/") for path in kept)


def _files(root: Path, kept: Iterable[str]) -> Iterator[tuple[str, os.stat_result]]:
    left = MOST_IN_FOLDERS
    for path in sorted(kept):
        status = _status(root / path)
        if status is not None and stat.S_ISREG(status.st_mode):
            yield path, status
        elif status is not None and stat.S_ISDIR(status.st_mode):
            for below in _below(root / path):
                if left <= 0:
                    break
                left -= 1
                held = _status(below)
                if held is not None:
                    yield str(below.relative_to(root)), held


def _below(folder: Path) -> Iterator[Path]:
    for above, names, files in walk(folder):
        names[:] = [name for name in names if name != _OBJECTS]
        yield from (above / name for name in files)


def _find_names(folders: Iterable[Path], files: Iterable[_File]) -> tuple[dict[Path, _File], bool]:
    """Find the paths of these files in folders, and tell whether every folder was walked."""
    sought = set(files)
    inodes = {inode for _, inode in sought}
    found: dict[Path, _File] = {}
    pending = [str(folder) for folder in folders]
    whole, left = True, MOST_WALKED
    while pending and left > 0:
        try:
            entries = list(os.scandir(pending.pop()))
        except FileNotFoundError:
            continue
        except OSError:
            # A command may open what its owner closed.
            whole = False
            continue
        left -= len(entries)
        pending += [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
        for path in [Path(entry.path) for entry in entries if entry.inode() in inodes]:
            status = _status(path)
            if status is not None and (status.st_dev, status.st_ino) in sought:
                found[path] = (status.st_dev, status.st_ino)
    return found, whole and not pending


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.lstat()
    except OSError:
        return None
