"""Finds programs of a workspace that a person's PATH finds before others of their names.

Whoever types such a name, an editor that calls git among them, runs what stands in the workspace.
Where packages are installed, programs come and go with every day's work.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from plimsoll.tools.process.confinement.protection.links import follow, inside, join_path
from plimsoll.tools.process.confinement.protection.listing import DEPENDENCIES

_MOST = 2_000
"""Programs of one folder that are looked at."""
_OF_ENVIRONMENT = frozenset({"activate", "python", "python3"})
_INTERPRETERS = ("python", "pypy")
_NATIVE = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")


@dataclass(frozen=True, slots=True)
class PathProgram:
    """A program in a folder of PATH that lies in the workspace."""

    packaged: bool
    """Whether packages are installed in that folder."""
    is_link: bool
    before: str
    """The program of its name that PATH would find without it."""
    stamp: tuple[int, int]
    """Its inode, and when it was changed."""

    @property
    def why(self) -> str:
        """The reason why the program is protected."""
        return f"PATH finds it before {self.before}"


class PathPrograms:
    """Finds programs in those folders of PATH that lie in one workspace."""

    def __init__(self, root: Path, search_path: str) -> None:
        """``search_path``: the person's own PATH; its relative folders start at the workspace."""
        self._root = root
        self._entries = tuple(
            join_path(str(root), entry) for entry in search_path.split(os.pathsep) if entry
        )

        self._packaged: dict[str, bool] = {}

    def look(self) -> Iterator[tuple[str, PathProgram]]:
        """Yield the programs by their paths from the workspace; blocks."""
        ends = [follow(self._root, entry).end or entry for entry in self._entries]
        below = [inside(str(self._root), end) for end in ends]
        for at, folder in enumerate(below):
            if folder is not None and folder not in below[:at]:
                later = [end for end, own in zip(ends[at:], below[at:], strict=True) if own is None]
                yield from self._programs(folder, later)

    def _programs(self, folder: str, later: list[str]) -> Iterator[tuple[str, PathProgram]]:
        found: list[os.DirEntry[str]] = []
        with suppress(OSError), os.scandir(f"{self._root}/{folder}") as entries:
            found = sorted(islice(entries, _MOST), key=lambda entry: entry.name)
        # As it was first seen: a command must not make it one by what it writes there.
        packaged = self._packaged.setdefault(
            folder,
            not DEPENDENCIES.isdisjoint(folder.split("/"))
            or not _OF_ENVIRONMENT.isdisjoint(entry.name for entry in found),
        )
        for entry in found:
            other = next(
                (path for path in later if os.access(f"{path}/{entry.name}", os.X_OK)), None
            )
            if other is None or entry.is_dir(follow_symlinks=False):
                continue
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            stamp = status.st_ino, status.st_ctime_ns
            program = PathProgram(packaged, entry.is_symlink(), f"{other}/{entry.name}", stamp)
            yield f"{folder}/{entry.name}", program


def newly_before(
    before: Mapping[str, PathProgram], after: Mapping[str, PathProgram]
) -> Iterator[tuple[str, str]]:
    """Yield the new programs that no package can have brought, each with the reason; blocks.

    A package may bring a script whose name is taken, and an environment has its interpreter.
    """
    for path, program in after.items():
        interpreter = path.rpartition("/")[2].startswith(_INTERPRETERS)
        if path not in before and not interpreter and _is_native(program.before):
            yield path, program.why


def _is_native(path: str) -> bool:
    try:
        with Path(path).open("rb") as file:
            return file.read(4).startswith(_NATIVE)
    except OSError:
        return True
