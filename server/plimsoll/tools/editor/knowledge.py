"""The port to what the editor knows of the code, and the values that cross it.

Positions are those of LSP: lines and characters from 0, characters in UTF-16 code units.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from plimsoll.text.lines import Position, PositionEncoding

Severity = Literal["error", "warning", "information", "hint"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """A named piece of code; lines from 1."""

    name: str
    kind: str
    """In the words of LSP or ctags, such as ``function``; empty where it is not known."""
    path: Path
    line: int
    """The line of its name."""
    first: int
    last: int | None
    """The last line of the whole symbol; none: it is not known."""
    container: tuple[str, ...] = ()
    """The names around it, the outermost first."""


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file that the editor named, from 1; the path is not checked yet."""

    path: Path
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """A problem that the editor reports of a file."""

    path: Path
    line: int
    """From 1."""
    severity: Severity
    message: str
    source: str = ""
    """Who reports it, and by which code."""


@dataclass(frozen=True, slots=True)
class TextEdit:
    """A range of a file, and the text that replaces it."""

    start: Position
    end: Position
    new_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameEdits:
    """All edits that a rename makes, file by file."""

    files: Mapping[Path, Sequence[TextEdit]]
    encoding: PositionEncoding = "utf-16"
    """The units of the characters in the edits."""
    other_changes: int = 0
    """Changes that are none of a text, such as files that get another name."""


class EditorKnowledge(Protocol):
    """The symbols, places and problems that the editor's extensions or servers know of the code.

    Each method returns None where the editor knows nothing, cannot be asked, or is too slow.
    Paths are as the editor names them: the caller checks them.
    """

    async def outline(self, path: Path) -> Sequence[Symbol] | None:
        """Return the symbols of a file, each before those inside of it."""
        ...

    async def symbols(self, root: Path, query: str) -> Sequence[Symbol] | None:
        """Return symbols of a folder whose names match a query in the editor's own way."""
        ...

    async def definition(self, path: Path, position: Position) -> Sequence[Place] | None:
        """Return where the symbol at a position is defined."""
        ...

    async def references(self, path: Path, position: Position) -> Sequence[Place] | None:
        """Return where the symbol at a position is used, its definition included."""
        ...

    async def diagnostics(
        self, root: Path, paths: Sequence[Path], *, changed: bool = False
    ) -> Mapping[Path, Sequence[Diagnostic]] | None:
        """Return the problems that the editor reports for files; for all files without ``paths``.

        The editor knows nothing of a file that the answer lacks. ``changed``: the files were just
        changed, so wait briefly until the editor has checked them again.
        """
        ...

    async def rename(self, path: Path, position: Position, new_name: str) -> RenameEdits | None:
        """Return the edits that give the symbol at a position another name."""
        ...


class NoKnowledge:
    """The knowledge of a terminal, or of an editor that cannot be asked: nothing."""

    async def outline(self, path: Path) -> Sequence[Symbol] | None:
        """Know no symbols."""
        del path

    async def symbols(self, root: Path, query: str) -> Sequence[Symbol] | None:
        """Know no symbols."""
        del root, query

    async def definition(self, path: Path, position: Position) -> Sequence[Place] | None:
        """Know no definition."""
        del path, position

    async def references(self, path: Path, position: Position) -> Sequence[Place] | None:
        """Know no references."""
        del path, position

    async def diagnostics(
        self, root: Path, paths: Sequence[Path], *, changed: bool = False
    ) -> Mapping[Path, Sequence[Diagnostic]] | None:
        """Know no problems."""
        del root, paths, changed

    async def rename(self, path: Path, position: Position, new_name: str) -> RenameEdits | None:
        """Know no rename."""
        del path, position, new_name
