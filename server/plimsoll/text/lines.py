"""Lines and positions of a text as in the Language Server Protocol, and hashes of texts.

Laws: a line ends with LF, CRLF or CR only, so that form feed, U+2028 and the other separators of
``str.splitlines`` are within a line, as in every editor; joined lines give the text again.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO, Literal

PositionEncoding = Literal["utf-8", "utf-16", "utf-32"]
"""The units in which a client counts characters."""

_LINE_END = re.compile(r"\r\n|\r|\n")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_LINE_OF_BYTES = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_UNITS: Mapping[PositionEncoding, Callable[[str], int]] = {
    "utf-8": lambda text: len(text.encode("utf-8", "surrogatepass")),
    "utf-16": lambda text: len(text.encode("utf-16-le", "surrogatepass")) // 2,
    "utf-32": len,
}


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A position between two characters: its line, and the units before it in the line, from 0."""

    line: int
    character: int


def version_of(text: str) -> str:
    """Return the version of a text: its SHA-256, the same in a buffer and on disk."""
    return version_of_bytes(text.encode("utf-8", "surrogatepass"))


def version_of_bytes(data: bytes) -> str:
    """Return the version of bytes: their SHA-256 as hexadecimal text."""
    return hashlib.sha256(data).hexdigest()


def version_of_lines(lines: Iterable[str]) -> str:
    """Return the version of a list of lines, ignoring their line ends."""
    return version_of("\n".join(lines))


def lines_of(text: str) -> Iterator[str]:
    """Split a text into lines without line ends; there is no empty last one."""
    rows = _LINE_END.sub("\n", text).split("\n") if "\r" in text else text.split("\n")
    if rows[-1] == "":
        rows.pop()
    return iter(rows)


def split_lines(text: str) -> list[str]:
    """Split a text into lines with line ends; there is no empty last one."""
    return _LINE.findall(text)


def line_end(line: str) -> str:
    """Return the line end of a line; empty if it has none."""
    return line[len(line.rstrip("\r\n")) :]


def with_line_feed(line: str) -> str:
    """Return a line of `split_lines` with LF as its line end."""
    return line.rstrip("\r\n") + "\n" if line_end(line) else line


def line_number(text: str, offset: int) -> int:
    """Return the number, from 1, of the line in which a character of a text stands."""
    return position_at(text, offset, "utf-32").line + 1


def line_spans(text: str) -> list[tuple[int, int]]:
    """Return start and end of each line without its line end; the last one may be empty."""
    ends = list(_LINE_END.finditer(text))
    starts = [0, *(end.end() for end in ends)]
    return list(zip(starts, [*(end.start() for end in ends), len(text)], strict=True))


def file_lines(file: BinaryIO, most: int) -> Iterator[bytes]:
    """Yield the lines of an open file with their line ends; long ones in pieces.

    ``most``: a line of more bytes comes in pieces, each of at most twice as many.
    """
    held = b""
    for read in iter(lambda: file.readline(most), b""):
        *whole, held = _LINE_OF_BYTES.findall(held + read)
        yield from whole
        # What ends with CR may go on with LF.
        if held.endswith(b"\n") or (len(held) >= most and not held.endswith(b"\r")):
            yield held
            held = b""
    if held:
        yield held


def offset_at(text: str, position: Position, encoding: PositionEncoding) -> int:
    """Convert a client's position to an offset in characters.

    As in LSP, a character after the end of a line means that end, and so does a line after the last
    one. A position inside a character means its start.
    """
    start = _line_start(text, position.line)
    if start is None:
        return len(text)
    end = _line_end(text, start)
    return start + characters_within(text[start:end], position.character, encoding)


def position_at(text: str, offset: int, encoding: PositionEncoding) -> Position:
    """Convert an offset to a client's position; one inside CRLF is the end of that line."""
    before = text[:offset]
    if before.endswith("\r") and text[offset : offset + 1] == "\n":
        before = before[:-1]
    lines = before.count("\n") + before.count("\r") - before.count("\r\n")
    start = max(before.rfind("\n"), before.rfind("\r")) + 1
    return Position(lines, units_of(before[start:], encoding))


def units_of(text: str, encoding: PositionEncoding) -> int:
    """Count the units of a text in a client's encoding of positions."""
    return _UNITS[encoding](text)


def characters_within(line: str, units: int, encoding: PositionEncoding) -> int:
    """Return how many whole characters of a line fit in a number of units."""
    units = max(units, 0)
    if line.isascii() or encoding == "utf-32":
        return min(units, len(line))
    if encoding == "utf-16":
        data = line.encode("utf-16-le", "surrogatepass")[: 2 * units]
        read = data.decode("utf-16-le", "surrogatepass")
        # Half of a pair, at the end, is no character of the line.
        return len(read) - (read[-1:] != line[len(read) - 1 : len(read)])
    data = line.encode("utf-8", "surrogatepass")
    while units < len(data) and data[units] & 0xC0 == 0x80:
        units -= 1
    return len(data[:units].decode("utf-8", "surrogatepass"))


def with_change(
    text: str, place: tuple[Position, Position], new: str, encoding: PositionEncoding
) -> str:
    """Replace the text between two positions that a client gave."""
    start, end = sorted(offset_at(text, each, encoding) for each in place)
    return _whole_pairs(text[:start], new, text[end:])


def _whole_pairs(*pieces: str) -> str:
    """Join pieces of text; two surrogate halves that meet become one character.

    An editor that counts in UTF-16 can send them separately.
    """
    text = "".join(pieces)
    seams = "".join(piece[:1] + piece[-1:] for piece in pieces)
    if _SURROGATE.search(seams) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _line_start(text: str, line: int) -> int | None:
    """Return the offset at which a line begins; None if there are fewer lines."""
    if line <= 0:
        return 0
    if text.count("\r") == text.count("\r\n"):
        *above, rest = text.split("\n", line)
        return len(text) - len(rest) if len(above) == line else None
    end = next(islice(_LINE_END.finditer(text), line - 1, line), None)
    return None if end is None else end.end()


def _line_end(text: str, start: int) -> int:
    found = _LINE_END.search(text, start)
    return len(text) if found is None else found.start()


def line_range(first: int, last: int) -> str:
    """Format line numbers: ``12``, or ``12-20``."""
    return str(first) if first == last else f"{first}-{last}"


def lines_said(first: int, last: int) -> str:
    """Format line numbers in words: ``line 12``, or ``lines 12-20``."""
    return f"line{'' if first == last else 's'} {line_range(first, last)}"
