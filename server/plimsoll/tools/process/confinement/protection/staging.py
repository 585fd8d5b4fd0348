"""Lays private folders over protected ones that are missing, so that no command makes them.

Programs that run already act at once on what appears there. What a command writes in them lies in
the private folder, and is handed over when it ends. To lay something over a name it must be there:
for as long as a command runs an empty folder stands in its place.
"""

import fcntl
import json
import logging
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import cast

from plimsoll.private_files import private_folder
from plimsoll.tools.process.confinement.base import MovedAside
from plimsoll.tools.process.confinement.protection.moving import Mover

log = logging.getLogger(__name__)

STAGED: Mapping[str, str] = {
    ".git": "an editor runs git in a new repository at once",
    ".vscode": "the editor takes settings from it at once",
    ".idea": "the editor takes settings from it at once",
}
"""Folders at the top of a workspace that are laid over, each with the reason.

Not all on which something acts at once: each stands there empty while a command runs, and is seen.
"""
_POINTS = "points.json"
_LOCK = "lock"
_NOT_YET = "new-"


def vacant(root: Path) -> frozenset[str]:
    """Return which of the protected names that may be staged are empty folders; blocks."""
    return frozenset(name for name in STAGED if _is_empty(root / name))


class Staging:
    """The private folders of one command; whoever makes them calls ``close`` when it has ended."""

    def __init__(self, root: Path, place: Path) -> None:
        """Make the private folders, and the empty folders to mount them over; blocks.

        Raises:
            OSError: The disk is full, or a folder belongs to another user.
        """
        self._root, self._place = root, place
        token = secrets.token_hex(8)
        new, self._folder = place / f"{_NOT_YET}{token}", place / token
        private_folder(new)
        self._lock = os.open(new / _LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        new.rename(self._folder)
        names = [name for name in STAGED if _is_empty(root / name) or not _is_there(root / name)]
        # Whoever is killed in between leaves empty folders, and this note of them.
        self._points = dict.fromkeys(names, 0)
        self._note()
        for name in names:
            (self._folder / name).mkdir(mode=0o700)
            self._points[name] = self._lay(root / name)
        self._note()

    @property
    def mounts(self) -> Iterator[tuple[Path, Path]]:
        """Yield each private folder with the path that it is mounted over."""
        return ((self._folder / name, self._root / name) for name in self._points)

    def close(self, aside: Path) -> tuple[MovedAside, ...]:
        """Move aside the files in the private folders, and remove the folders; blocks."""
        if not self._folder.exists():
            return ()
        with Mover(self._root, aside) as mover:
            written = [name for name in self._points if not _is_empty(self._folder / name)]
            moved = tuple(
                mover.hand_over(self._folder / name, name, STAGED[name]) for name in written
            )
        _remove_points(self._place, self._folder, self._root, self._points)
        _remove_folder(self._folder)
        os.close(self._lock)
        return moved

    def _lay(self, at: Path) -> int:
        try:
            at.mkdir()
            return at.lstat().st_ino
        except FileExistsError:
            inode = at.lstat().st_ino
            others = _others(self._place, self._folder, self._root)
            # One that a person made stays when all have ended.
            return inode if any(points.get(at.name) == inode for points in others) else -1

    def _note(self) -> None:
        told = json.dumps({"root": str(self._root), "points": self._points})
        (self._folder / _POINTS).write_text(told, "utf-8")


def staged_variables(
    covered: Iterable[Path], environment: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield variables for programs that would take an empty ``.git`` folder for a repository."""
    if any(path.name == ".git" for path in covered):
        # Go asks git about the folder of what it builds, and fails where git finds nothing.
        yield "GOFLAGS", f"{environment.get('GOFLAGS', '')} -buildvcs=false".strip()


def clear_leftovers(place: Path, root: Path, aside: Path) -> None:
    """Remove the private folders that a killed server has left in this workspace; blocks."""
    for folder in _folders(place):
        of, points = _read_points(folder)
        if of != str(root) or _is_held(folder):
            continue
        if any(not _is_empty(folder / name) for name in points):
            log.warning("what a command wrote in protected folders is kept in %s", aside)
            private_folder(aside)
            for name in points:
                if not _is_empty(folder / name) and _is_there(folder / name):
                    (folder / name).rename(aside / f"{folder.name}-{name.lstrip('.')}")
        _remove_points(place, folder, root, points)
        _remove_folder(folder)


def _remove_points(place: Path, own: Path, root: Path, points: Mapping[str, int]) -> None:
    used = {name for other in _others(place, own, root) for name in other}
    for name, inode in points.items():
        at = root / name
        if name in used or inode < 0 or not _is_empty(at):
            continue
        if inode in {0, at.lstat().st_ino}:
            with suppress(OSError):
                at.rmdir()


def _others(place: Path, own: Path, root: Path) -> list[Mapping[str, int]]:
    """Return the paths that private folders of other running commands are mounted over."""
    folders = [folder for folder in _folders(place) if folder != own and _is_held(folder)]
    noted = map(_read_points, folders)
    return [points for of, points in noted if of == str(root)]


def _folders(place: Path) -> list[Path]:
    try:
        return [path for path in place.iterdir() if not path.name.startswith(_NOT_YET)]
    except OSError:
        return []


def _read_points(folder: Path) -> tuple[str, Mapping[str, int]]:
    try:
        told = json.loads((folder / _POINTS).read_text("utf-8"))
        return cast(str, told["root"]), cast(Mapping[str, int], told["points"])
    except (OSError, ValueError, KeyError, TypeError):
        return "", {}


def _is_held(folder: Path) -> bool:
    """Tell whether the server that made a private folder still runs."""
    try:
        with (folder / _LOCK).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _remove_folder(folder: Path) -> None:
    for path in folder.iterdir():
        with suppress(OSError):
            if path.is_dir() and not path.is_symlink():
                path.rmdir()
            else:
                path.unlink()
    with suppress(OSError):
        folder.rmdir()


def _is_there(path: Path) -> bool:
    return os.path.lexists(path)


def _is_empty(path: Path) -> bool:
    """Tell whether a path is an empty folder and no link."""
    if path.is_symlink():
        return False
    try:
        with os.scandir(path) as entries:
            return next(entries, None) is None
    except OSError:
        return False
