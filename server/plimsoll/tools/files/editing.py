"""Applies an edit to a text; nothing here touches a file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from plimsoll.errors import ToolFailed
from plimsoll.text.lines import line_end, line_number, lines_of, split_lines
from plimsoll.tools.display import visible_line

_MOST_PLACES = 10
_ANY_ENDING = r"(?:\r\n|\r(?!\n)|(?<!\r)\n)"


@dataclass(frozen=True, slots=True)
class Replacement:
    """A change that puts one text in the place of another."""

    old: str
    new: str
    everywhere: bool = False
    """True if every occurrence of ``old`` is replaced; else it must occur once."""


@dataclass(frozen=True, slots=True)
class Content:
    """A change that writes a whole new text."""

    text: str


Change = Replacement | Content


def apply_change(current: str | None, change: Change, name: str) -> str:
    """Apply a change to a text, keeping its line endings; ``None`` is a missing file.

    Raises:
        ToolFailed: The old text is not there, or is there more than once, or nothing would change.
    """
    match change:
        case Content(text):
            result = _with_endings(text.removeprefix("\ufeff"), current or "")
        case Replacement():
            result = replace_text(current or "", change, name)
        case _:
            assert_never(change)
    if result == current:
        raise ToolFailed(f"{name} already reads so; nothing would change.")
    return result


def ending_of(text: str) -> str:
    """Return the line ending that most lines have; LF when there is none."""
    windows = text.count("\r\n")
    counts = {"\n": text.count("\n") - windows, "\r\n": windows, "\r": text.count("\r") - windows}
    return max(counts, key=lambda ending: counts[ending])


def _with_endings(text: str, like: str) -> str:
    return text if "\r\n" in text else text.replace("\n", ending_of(like))


def places_of(old: str, text: str) -> list[int]:
    """Return the offsets of a text in another, overlapping ones too, whatever the line endings."""
    return list(_starts(_tolerant(old), text))


def replace_text(text: str, change: Replacement, name: str) -> str:
    """Replace the only occurrence of a text in a text, or every occurrence.

    Raises:
        ToolFailed: The old text is not there, or more than once and not all are meant.
    """
    old = _tolerant(change.old)
    starts = places_of(change.old, text)
    if not starts:
        raise ToolFailed(_absent(text, change, name))
    if len(starts) > 1 and not change.everywhere:
        raise ToolFailed(_ambiguous(text, starts, name))
    return old.sub(lambda found: _fitting(change.new, found.group(), text), text)


def _tolerant(text: str) -> re.Pattern[str]:
    """Compile a pattern that finds a text with any line endings, which a model does not see."""
    pieces = (_ANY_ENDING if line_end(piece) else "" for piece in split_lines(text))
    rows = map(re.escape, lines_of(text))
    return re.compile("".join(f"{row}{ending}" for row, ending in zip(rows, pieces, strict=True)))


def _fitting(new: str, replaced: str, text: str) -> str:
    """Give the new text the line endings of the replaced text, or else of the whole file."""
    ending = ending_of(replaced if "\n" in replaced or "\r" in replaced else text)
    return new.replace("\r\n", "\n").replace("\n", ending)


def _starts(old: re.Pattern[str], text: str) -> Iterator[int]:
    """Yield the offset of every match, overlapping ones too: ``aa`` occurs twice in ``aaa``."""
    found = old.search(text)
    while found is not None:
        yield found.start()
        found = old.search(text, found.start() + 1)


def _ambiguous(text: str, starts: list[int], name: str) -> str:
    lines = [str(line_number(text, start)) for start in starts[:_MOST_PLACES]]
    more = f" and {len(starts) - _MOST_PLACES} more" if len(starts) > _MOST_PLACES else ""
    return (
        f"old_string occurs {len(starts)} times in {name}: lines {', '.join(lines)}{more}. "
        "Give more of the text around it, or set replace_all."
    )


def _absent(text: str, change: Replacement, name: str) -> str:
    told = f"old_string does not occur in {name}."
    if re.search(r"^\d+\t", change.old, re.MULTILINE):
        return f"{told} Leave out the line numbers and tabs that file_read puts before lines."
    wanted = next((line.strip() for line in lines_of(change.old) if line.strip()), "")
    rows = enumerate(lines_of(text), 1)
    near = next(((number, row) for number, row in rows if wanted and wanted in row), None)
    if near is None:
        return f"{told} Read the file again and copy the text exactly."
    return (
        f"{told} Line {near[0]} comes close: {visible_line(near[1])} "
        "Check the white space and the lines that follow."
    )
