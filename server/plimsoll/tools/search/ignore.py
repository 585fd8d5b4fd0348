"""Reads ignore files, and tells what one of them says of a path: its last line that matches.

Law: an ignore file is a stranger's. Trying a line without wildcards costs nothing, however
many there are; the others are tried together, and each costs the search a unit of its work.
"""

import codecs
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from plimsoll.errors import ToolFailed
from plimsoll.tools.files.opening import open_regular_file
from plimsoll.tools.search.halt import LINE_WORK, WILDCARD_WORK, Halt
from plimsoll.tools.search.patterns import FOLDER_MARK, translate_glob

# A larger ignore file is not written by hand.
_LARGEST = 1_000_000
# A longer line is not written by hand either; what it costs on one path grows with its length.
_LONGEST_LINE = 1_000
_WILD = re.compile(r"[*?\[\\]")
# The wildcard of most lines that people write: ``*.log``.
_ENDING = re.compile(r"\*([^*?\[\\/]+)", re.DOTALL)
# Of one file, those last in it: without them 100,000 names would cost hours.
_MOST_WILD = 1_000
# Together in one expression: more cost less each, but a cancel is heard between two alone.
_BLOCK_LINES = 50
# Characters of ignore files, kept parsed: a search reads the same files again and again.
_MOST_KEPT = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of an ignore file."""

    number: int
    body: str
    """The pattern, without marks and without the slash at either end."""
    includes: bool
    """True if it brings back what an earlier line left out (``!``)."""
    folders_only: bool
    by_name: bool
    """True if it is about names in any folder below, not about paths."""


@dataclass(frozen=True, slots=True)
class _WildBlock:
    """Several lines with wildcards of an ignore file, last first, in one expression."""

    expression: re.Pattern[str]
    numbers: tuple[int, ...]

    def last_match(self, subject: str) -> int:
        """Return the number of the last line that matches, or zero."""
        found = self.expression.match(subject)
        return self.numbers[found.lastindex - 1] if found and found.lastindex else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class IgnoreFile:
    """The parsed lines of an ignore file; those about folders end in a mark."""

    plain: dict[bool, dict[str, int]]
    """Lines without wildcards, by whether they are about names: the last line for each subject."""
    endings: dict[str, int]
    """Lines about the end of a name, such as ``*.log``: the last line for each end."""
    lengths: tuple[int, ...]
    """The lengths of the endings."""
    blocks: dict[bool, tuple[_WildBlock, ...]]
    """All other lines, last first, by whether they are about names."""
    bringing_back: frozenset[int]
    """The numbers of the lines with ``!``."""
    lines: tuple[Line, ...] = ()
    """All lines that are applied, first to last."""
    notes: tuple[str, ...] = ()
    """Notes on the parts of the file that are not applied."""

    def decides(self, relative: str, halt: Halt, *, is_folder: bool) -> bool | None:
        """Tell whether the file's last matching line ignores a path; None if no line matches."""
        if not relative.isascii():
            # To git a character is a byte.
            relative = os.fsencode(relative).decode("latin-1")
        marks = ("", FOLDER_MARK) if is_folder else ("",)
        name = relative.rpartition("/")[2]
        by_name = self._last([name + mark for mark in marks], halt, by_name=True)
        by_path = self._last([relative + mark for mark in marks], halt, by_name=False)
        last = max(by_name, by_path)
        return last not in self.bringing_back if last else None

    def _last(self, subjects: Sequence[str], halt: Halt, *, by_name: bool) -> int:
        last = max(self.plain[by_name].get(each, 0) for each in subjects)
        if by_name:
            halt.spend(len(self.lengths))
            ends = (each[-length:] for each in subjects for length in self.lengths)
            last = max(last, *(self.endings.get(end, 0) for end in ends), 0)
        for block in self.blocks[by_name]:
            if block.numbers[0] < last or halt:
                return last
            halt.spend(len(block.numbers))
            found = block.last_match(subjects[-1])
            if found:
                return max(found, last)
        return last


class IgnoreReader:
    """Reads ignore files for several threads, and parses each text once."""

    def __init__(self) -> None:
        self._kept: dict[str, IgnoreFile] = {}
        self._size = 0
        self._lock = Lock()

    def read(self, file: Path, halt: Halt) -> IgnoreFile:
        """Read an ignore file; a missing one, or as in git a link, has no lines."""
        data = _bytes_of(file)
        whole = len(data) <= _LARGEST
        # Half a line could say anything.
        applied = data if whole else data[:_LARGEST].rpartition(b"\n")[0]
        text = applied.removeprefix(codecs.BOM_UTF8).decode("latin-1")
        known = self._kept.get(text)
        if known is None:
            known = parse_ignore_file(text, halt, whole=whole)
            if not halt:
                self._keep(text, known)
        return known

    def _keep(self, text: str, lines: IgnoreFile) -> None:
        with self._lock:
            if text in self._kept:
                return
            self._kept[text] = lines
            self._size += len(text)
            while self._size > _MOST_KEPT:
                oldest = next(iter(self._kept))
                del self._kept[oldest]
                self._size -= len(oldest)


def parse_ignore_file(text: str, halt: Halt, *, whole: bool = True) -> IgnoreFile:
    """Parse the lines of an ignore file; a line that git cannot read matches no path.

    A search that ends meanwhile leaves the rest out, and is not whole then.
    """
    applied: list[Line] = []
    plain: dict[bool, dict[str, int]] = {True: {}, False: {}}
    endings: dict[str, int] = {}
    wild: list[Line] = []
    bringing_back: set[int] = set()
    too_long = 0
    for line in _lines(text, halt):
        if len(line.body) > _LONGEST_LINE:
            too_long += 1
            continue
        applied.append(line)
        if line.includes:
            bringing_back.add(line.number)
        ending = _ENDING.fullmatch(line.body) if line.by_name else None
        if ending is None and _WILD.search(line.body):
            wild.append(line)
            continue
        exact = plain[line.by_name] if ending is None else endings
        mark = FOLDER_MARK if line.folders_only else ""
        exact[(ending[1] if ending else line.body) + mark] = line.number
    notes = [] if whole else [f"only its first {_LARGEST:,} bytes are applied"]
    if too_long:
        notes.append(f"{too_long:,} lines of over {_LONGEST_LINE:,} characters are not applied")
    passed_over = max(0, len(wild) - _MOST_WILD)
    if passed_over:
        notes.append(f"its first {passed_over:,} lines with wildcards are not applied")
    unapplied = {line.number for line in wild[:passed_over]}
    wild = wild[passed_over:][::-1]
    blocks = {
        by_name: tuple(_blocks([line for line in wild if line.by_name is by_name], halt))
        for by_name in (True, False)
    }
    return IgnoreFile(
        plain=plain,
        endings=endings,
        lengths=tuple({len(ending) for ending in endings}),
        blocks=blocks,
        bringing_back=frozenset(bringing_back),
        lines=tuple(line for line in applied if line.number not in unapplied),
        notes=tuple(notes),
    )


def _lines(text: str, halt: Halt) -> Iterator[Line]:
    for number, row in enumerate(text.split("\n"), 1):
        if halt:
            return
        halt.spend(LINE_WORK)
        # To git a NUL ends the line; it could else be taken for the mark of a folder.
        pattern = _strip_trailing_spaces(row.removesuffix("\r").partition("\0")[0])
        if not pattern or pattern.startswith("#"):
            continue
        includes = pattern.startswith("!")
        body = pattern[includes:]
        folders_only = body.endswith("/")
        body = body.removesuffix("/")
        by_name = "/" not in body
        yield Line(
            number=number,
            body=body.removeprefix("/"),
            includes=includes,
            folders_only=folders_only,
            by_name=by_name,
        )


def _strip_trailing_spaces(row: str) -> str:
    """Strip trailing spaces from a line, save one after a backslash."""
    bare = row.rstrip(" ")
    backslashes = len(bare) - len(bare.rstrip("\\"))
    return f"{bare} " if backslashes % 2 and len(bare) < len(row) else bare


def _blocks(lines: Sequence[Line], halt: Halt) -> Iterator[_WildBlock]:
    for start in range(0, len(lines), _BLOCK_LINES):
        if halt:
            return
        block = lines[start : start + _BLOCK_LINES]
        halt.spend(len(block) * WILDCARD_WORK)
        readable = [(line.number, each) for line in block if (each := _expression(line))]
        if readable:
            joined = re.compile("|".join(f"({each})" for _, each in readable), re.DOTALL)
            yield _WildBlock(joined, tuple(number for number, _ in readable))


def _expression(line: Line) -> str | None:
    end = FOLDER_MARK if line.folders_only else f"{FOLDER_MARK}?"
    try:
        return rf"{translate_glob(line.body, strict=False)}{end}\Z"
    except ValueError:
        return None


def _bytes_of(file: Path) -> bytes:
    try:
        with open_regular_file(file) as descriptor, open(descriptor, "rb", closefd=False) as stream:
            return stream.read(_LARGEST + 1)
    except (OSError, ToolFailed):
        return b""
