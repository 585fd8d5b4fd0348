"""Moves what a command made to a place where nothing acts on it; nothing is ever deleted."""

import os
import secrets
import stat
import time
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Self

from plimsoll.private_files import FOLDER_MODE
from plimsoll.tools.files.opening import folder
from plimsoll.tools.process.confinement.base import MovedAside
from plimsoll.tools.process.walking import walk

_SUFFIX = ".aside"
_LONGEST_NAME = 255
"""Bytes that a name may have; a command can make such names, and the suffix must fit."""
PLACE_INSIDE = "plimsoll-moved-aside"
"""Where it goes in the workspace, if it can go nowhere else."""
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | _NO_LINK


class Mover:
    """Moves files into one folder named by the time, each at its path below that."""

    def __init__(self, root: Path, aside: Path) -> None:
        self._root = root
        self._places = (aside, root / PLACE_INSIDE)
        self._stamp = f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}"
        self._tops: dict[Path, int] = {}
        self._ends = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.close()

    def move(self, path: str, why: str) -> MovedAside:
        """Move aside the file or folder at a path from the root, and return where it is; blocks.

        If neither place can be used, the file is renamed in its own folder: a command may
        have taken the name of the one in the workspace, or be on a file system of its own.
        """
        source, name = self._root / path, PurePosixPath(path)
        own = name.parent / f"{PLACE_INSIDE}-{self._stamp}-{name.name}"
        ways = [(place / self._stamp, name) for place in self._places]
        reason = ""
        # A rename leaves what it holds as it is; between file systems there is none.
        for top, named in (*ways, (self._root, own)):
            into = named.with_name(_with_suffix(named.name))
            try:
                with (
                    self._open_below(self._root, name.parent, create=False) as above,
                    self._open_below(top, into.parent, create=top != self._root) as below,
                    _writable(above),
                    writable_itself(above, name.name),
                ):
                    os.rename(name.name, into.name, src_dir_fd=above, dst_dir_fd=below)
            except OSError as error:
                reason = error.strerror or str(error)
            else:
                return MovedAside(path=source, place=top / into, why=why)
        return MovedAside(path=source, place=source, why=f"{why}; it could not be moved: {reason}")

    def hand_over(self, source: Path, path: str, why: str) -> MovedAside:
        """Move aside the files that a command wrote to the private folder of a path; blocks."""
        moved = self.move_from(source, why)
        return replace(moved, path=self._root / path)

    def move_from(self, source: Path, why: str) -> MovedAside:
        """Move aside a file or folder from outside of the workspace; blocks."""
        target = self._places[0] / self._stamp / f"{source.name}{_SUFFIX}"
        try:
            with (
                folder(source.parent) as above,
                folder(target.parent, create=FOLDER_MODE) as below,
                writable_itself(above, source.name),
            ):
                os.rename(source.name, target.name, src_dir_fd=above, dst_dir_fd=below)
        except OSError as error:
            reason = error.strerror or str(error)
            why = f"{why}; it could not be moved: {reason}"
            return MovedAside(path=source, place=source, why=why)
        return MovedAside(path=source, place=target, why=why)

    @contextmanager
    def _open_below(self, top: Path, path: PurePosixPath, *, create: bool) -> Generator[int | None]:
        """Open a folder below another without following a link; the upper one stays open."""
        at = self._top(top, create=create)
        if at is None:
            # A platform without descriptors of folders.
            with folder(top / path, create=FOLDER_MODE if create else None) as descriptor:
                yield descriptor
            return
        # One at a time: a command makes more folders in each other than descriptors are left.
        at = os.dup(at)
        try:
            for name in path.parts:
                above, at = at, _open_child(at, name, create=create)
                os.close(above)
            yield at
        finally:
            os.close(at)

    def _top(self, top: Path, *, create: bool) -> int | None:
        if top not in self._tops:
            mode = FOLDER_MODE if create else None
            found = self._ends.enter_context(folder(top, create=mode))
            if found is None:
                return None
            self._tops[top] = found
        return self._tops[top]


def _open_child(above: int, name: str, *, create: bool) -> int:
    if create:
        try:
            return os.open(name, _FOLDER, dir_fd=above)
        except FileNotFoundError:
            os.mkdir(name, FOLDER_MODE, dir_fd=above)
    return os.open(name, _FOLDER, dir_fd=above)


def _with_suffix(name: str) -> str:
    return os.fsdecode(os.fsencode(name)[: _LONGEST_NAME - len(_SUFFIX)]) + _SUFFIX


@contextmanager
def _writable(folder: int | None) -> Generator[None]:
    """Make a folder writable for the block, as a command may have closed it."""
    if folder is None:
        yield
        return
    status = os.fstat(folder)
    mode = stat.S_IMODE(status.st_mode)
    if mode & stat.S_IRWXU == stat.S_IRWXU or status.st_uid != os.geteuid():
        yield
        return
    link = f"/proc/self/fd/{folder}"
    Path(link).chmod(mode | stat.S_IRWXU)
    try:
        yield
    finally:
        Path(link).chmod(mode)


@contextmanager
def writable_itself(above: int | None, name: str) -> Generator[None]:
    """Make a folder writable while it is moved, since moving changes an entry in it."""
    if above is None:
        yield
        return
    try:
        moved = os.open(name, _FOLDER, dir_fd=above)
    except NotADirectoryError:
        yield
        return
    try:
        with _writable(moved):
            yield
    finally:
        os.close(moved)


def lying_aside(root: Path, aside: Path) -> Iterator[tuple[Path, Path]]:
    """Yield the files that lie moved aside, newest first, by their old and present path; blocks."""
    stamps = [stamp for place in (aside, root / PLACE_INSIDE) for stamp in _list_folder(place)]
    for stamp in sorted(stamps, key=lambda path: path.name, reverse=True):
        for at, folders, files in walk(stamp):
            kept = sorted(name for name in (*folders, *files) if name.endswith(_SUFFIX))
            for place in (at / name for name in kept):
                yield root / str(place.relative_to(stamp)).removesuffix(_SUFFIX), place
            # What lies in one of them belongs to it.
            folders[:] = [name for name in folders if name not in kept]


def _list_folder(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []
