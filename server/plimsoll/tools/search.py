"""Lines of files that match an expression, found in Python; the other engine is ripgrep."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from plimsoll.errors import ToolFailed
from plimsoll.tools import content
from plimsoll.tools.opening import opened
from plimsoll.tools.walk import Halt

if TYPE_CHECKING:
    import regex

# A larger file is data; both engines leave it out and the result says so.
LARGEST_FILE = 5_000_000
# Characters of a line that are searched in Python; minified files hold megabytes in one line.
SEARCHED = 10_000
SHOWN = 2_000
MOST_MATCHES = 1_000
# Files between two looks at the clock are bounded by this many lines.
_LINES_BETWEEN_LOOKS = 1_000
# A line of 10,000 characters takes under a millisecond with any sane expression.
_LINE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Match:
    """A line that matches."""

    path: Path
    line: int
    """From 1."""
    text: str


@dataclass(slots=True)
class Findings:
    """What a search found so far."""

    matches: list[Match] = field(default_factory=list[Match])
    """The first ``MOST_MATCHES``, by path and line."""
    count: int = 0
    """All of them."""
    too_large: list[Path] = field(default_factory=list[Path])
    unreadable: list[str] = field(default_factory=list[str])
    whole: bool = True
    """Whether every file was searched in time."""

    def add(self, match: Match) -> None:
        """Take one more, in order."""
        self.count += 1
        if len(self.matches) < MOST_MATCHES:
            self.matches.append(match)


def search_files(
    paths: Sequence[Path], expression: "regex.Pattern[str]", findings: Findings, halt: Halt
) -> None:
    """Search files on disk; binary ones are passed over."""
    for path in paths:
        if halt:
            findings.whole = False
            return
        text = readable_text(path, findings)
        if text is not None:
            search_text(path, text, expression, findings, halt)


def search_text(
    path: Path, text: str, expression: "regex.Pattern[str]", findings: Findings, halt: Halt
) -> None:
    """Search one text line by line.

    Raises:
        ToolFailed: The expression takes too long on a line.
    """
    for number, line in enumerate(content.lines_of(text), 1):
        if number % _LINES_BETWEEN_LOOKS == 0 and halt:
            findings.whole = False
            return
        try:
            found = expression.search(line[:SEARCHED], timeout=_LINE_SECONDS)
        except TimeoutError as error:
            raise ToolFailed(
                f"The pattern takes too long: over {_LINE_SECONDS:.0f} s on line {number} of "
                f"{path.name}. Avoid a repetition inside a repetition, such as (a+)+."
            ) from error
        if found is not None:
            findings.add(Match(path, number, shortened(line)))


def readable_text(path: Path, findings: Findings) -> str | None:
    """A file's text, or none when it is binary, too large or cannot be read; then it is noted."""
    try:
        with opened(path) as descriptor, os.fdopen(os.dup(descriptor), "rb") as file:
            if os.fstat(descriptor).st_size > LARGEST_FILE:
                findings.too_large.append(path)
                return None
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        findings.unreadable.append(f"{path.name}: {error.strerror}")
        return None
    return searchable(data)


def searchable(data: bytes) -> str | None:
    """What both engines search: a marked encoding, else UTF-8 with stray bytes replaced."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = content.decode(data)
        return None if text is None else text.text
    if b"\0" in data:
        return None
    return data.decode("utf-8", "replace").removeprefix("\ufeff")


def shortened(line: str) -> str:
    """A line as it is shown; a cut says how much is left out."""
    if len(line) <= SHOWN:
        return line
    return f"{line[:SHOWN]}… ({len(line) - SHOWN} more characters)"


def grouped(paths: Sequence[Path], size: int) -> Iterator[Sequence[Path]]:
    """Paths in runs that fit a command line of ``size`` bytes."""
    first, length = 0, 0
    for place, path in enumerate(paths):
        cost = len(os.fsencode(path)) + 1
        if place > first and length + cost > size:
            yield paths[first:place]
            first, length = place, 0
        length += cost
    if first < len(paths):
        yield paths[first:]
