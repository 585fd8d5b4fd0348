"""Finds the lines of a file that match an expression."""

import codecs
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from plimsoll.errors import ToolFailed
from plimsoll.text.lines import file_lines, lines_of
from plimsoll.tools.files import content
from plimsoll.tools.files.opening import open_regular_file
from plimsoll.tools.search.halt import Halt

if TYPE_CHECKING:
    import regex

# A larger file is data; both engines leave it out and the result says so.
LARGEST_FILE = 5_000_000
# Characters of a line that are searched whatever it takes; a minified file is one line of
# megabytes, on which a harmless expression can take minutes.
SEARCHED = 10_000
# A longer line is shown by pieces around its matches; a minified file is one line of megabytes.
SHOWN = 2_000
_PIECE = 500
_BEFORE = 150
_MOST_PIECES = 4
MOST_MATCHES = 1_000
_BLOCK = 500
_READ = 1_000_000
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# A beginning by which the encoding of a file is told that is too large to hold.
_BEGINNING = 65_536
# Characters of a block that has so many already: a line can have millions.
_BLOCK_FULL = 1_000_000
_BLOCK_SECONDS = 0.05
# What looks beyond the text it takes, or gives nothing back: there the lines around matter.
_NOT_IN_BLOCKS = re.compile(r"\(\?(?![:i]|P?<\w)|\\[AZzGKRX]|[*+?}]\+")
# A line of 10,000 characters takes under a millisecond with any sane expression.
_LINE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class LineMatch:
    """A line that matches the expression."""

    path: Path
    line: int
    """The line's number, from 1."""
    text: str


@dataclass(slots=True)
class FirstMatches:
    """The first matches of a search, in order, and the number of all matches."""

    matches: list[LineMatch] = field(default_factory=list[LineMatch])
    """The first matches, at most ``MOST_MATCHES``."""
    count: int = 0

    def add(self, match: LineMatch) -> None:
        """Add a match."""
        self.count += 1
        if len(self.matches) < MOST_MATCHES:
            self.matches.append(match)

    def take(self, other: "FirstMatches") -> None:
        """Add the matches of the next file."""
        self.count += other.count
        self.matches += other.matches[: MOST_MATCHES - len(self.matches)]


@dataclass(slots=True, kw_only=True)
class Findings(FirstMatches):
    """The matches of a search so far, and the files that it skipped."""

    largest: float = LARGEST_FILE
    """The most bytes of a file that is searched; a file that was named has no such limit."""
    too_large: list[Path] = field(default_factory=list[Path])
    unreadable: list[str] = field(default_factory=list[str])
    binary: int = 0
    """The number of files that were passed over, as they hold no text."""
    cut_lines: int = 0
    """The number of very long lines of which only the beginning was searched."""
    whole: bool = True
    """True if every file was searched in time."""


@dataclass(frozen=True, slots=True)
class Search:
    """Finds the matching lines of files in Python."""

    expression: "regex.Pattern[str]"
    """The expression; its ``^`` and ``$`` mean the ends of a line."""
    halt: Halt
    in_blocks: bool
    """True if a match in a line is surely one in any text around that line; then many lines are
    searched in one call, at the cost of one."""

    def file(self, path: Path, findings: Findings) -> None:
        """Search a file on disk; a binary file is skipped.

        Raises:
            ToolFailed: The expression takes too long on a line.
        """
        try:
            with open_regular_file(path) as descriptor, os.fdopen(os.dup(descriptor), "rb") as file:
                self._file(path, file, findings)
        except OSError as error:
            findings.unreadable.append(f"{path.name}: {error.strerror}")

    def lines(self, path: Path, lines: Iterable[str], findings: Findings) -> None:
        """Search lines, block by block: a block without any match is skipped at once."""
        held = FirstMatches()
        rows = iter(lines)
        number = 1
        while block := _block(rows):
            if self.halt:
                findings.whole = False
                break
            if findings.count + held.count > MOST_MATCHES:
                break
            if self._may_hold(block):
                for line, text in enumerate(block, number):
                    if self._matches(text, line, path, findings):
                        held.add(LineMatch(path, line, shorten_line(text, self._starts(text))))
            number += len(block)
        findings.take(held)

    def _may_hold(self, block: Sequence[str]) -> bool:
        """Tell whether a block of lines may hold a match, by one search in the whole block."""
        if not self.in_blocks:
            return True
        try:
            return (
                self.expression.search("\n".join(block), timeout=_BLOCK_SECONDS, concurrent=True)
                is not None
            )
        except TimeoutError:
            return True

    def _file(self, path: Path, file: BinaryIO, findings: Findings) -> None:
        size = os.fstat(file.fileno()).st_size
        if size > findings.largest:
            findings.too_large.append(path)
        elif size > LARGEST_FILE:
            self._in_pieces(path, file, findings)
        else:
            text = searchable(file.read(LARGEST_FILE + 1))
            findings.binary += text is None
            self.lines(path, lines_of(text or ""), findings)

    def _in_pieces(self, path: Path, file: BinaryIO, findings: Findings) -> None:
        """Search a file that is too large for memory in pieces; a NUL anywhere makes it binary."""
        found = Findings()
        like = content.decode(content.beginning(file.read(_BEGINNING)))
        file.seek(0)
        codec = "utf-8" if like is None else like.codec
        rows = (_text_row(row, codec) for row in file_lines(file, LARGEST_FILE))
        try:
            self.lines(path, rows, found)
            # What follows the last match that is shown is read for this alone.
            for piece in iter(lambda: b"" if self.halt else file.read(_READ), b""):
                _text_row(piece, codec)
        except _BinaryError:
            findings.binary += 1
            return
        findings.take(found)
        findings.cut_lines += found.cut_lines
        findings.whole = findings.whole and found.whole

    def _starts(self, text: str) -> Iterator[int]:
        """Yield the offsets at which matches in a line begin, until finding them takes too long."""
        try:
            for match in self.expression.finditer(text, timeout=_BLOCK_SECONDS, concurrent=True):
                yield match.start()
        except TimeoutError:
            return

    def _matches(self, text: str, line: int, path: Path, findings: Findings) -> bool:
        if len(text) <= SEARCHED:
            return self._matches_line(text, line, path)
        try:
            return self.expression.search(text, timeout=_BLOCK_SECONDS, concurrent=True) is not None
        except TimeoutError:
            findings.cut_lines += 1
            return self._matches_line(text[:SEARCHED], line, path)

    def _matches_line(self, text: str, line: int, path: Path) -> bool:
        try:
            return self.expression.search(text, timeout=_LINE_SECONDS, concurrent=True) is not None
        except TimeoutError as error:
            raise ToolFailed(
                f"The pattern takes too long: over {_LINE_SECONDS:.0f} s on line {line} of "
                f"{path.name}. Avoid a repetition inside a repetition, such as (a+)+."
            ) from error


def searched_in_blocks(pattern: str) -> bool:
    """Tell whether a block of lines can be searched at once to rule out a match in a line."""
    return _NOT_IN_BLOCKS.search(pattern) is None


def _block(rows: Iterator[str]) -> list[str]:
    block: list[str] = []
    size = 0
    for row in islice(rows, _BLOCK):
        block.append(row)
        size += len(row)
        if size >= _BLOCK_FULL:
            break
    return block


class _BinaryError(Exception):
    """A file turned out to be binary while it was searched."""


def _text_row(row: bytes, codec: str) -> str:
    if b"\0" in row:
        raise _BinaryError
    return row.decode(codec, "replace").rstrip("\r\n")


def searchable(data: bytes) -> str | None:
    """Decode a file for a search; None if the file is binary, as ripgrep would say too."""
    if b"\0" in data and not data.startswith(_UTF16) and content.unmarked_utf16(data) is None:
        return None
    text = content.decode(data)
    return data.decode("utf-8", "replace") if text is None else text.text


def shorten_line(line: str, starts: Iterable[int]) -> str:
    """Shorten a line to the text around its first matches, each piece with its place in the line.

    ``starts``: the offsets of the matches, in order; None if they are not known.
    """
    if len(line) <= SHOWN:
        return line
    pieces: list[str] = []
    end = 0
    for start in chain(starts, (0,)):
        if start < end or (pieces and not start):
            continue
        if len(pieces) == _MOST_PIECES:
            pieces.append("… (more matches in this line)")
            break
        first = max(end, start - _BEFORE)
        end = min(len(line), first + _PIECE)
        pieces.append(f"[characters {first + 1}-{end} of {len(line)}] {line[first:end]}")
    return " ".join(pieces)
