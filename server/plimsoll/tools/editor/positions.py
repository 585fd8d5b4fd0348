"""Edits of LSP applied to a text. Pure."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from plimsoll.tools.editor.knowledge import Position, PositionEncoding, TextEdit

_LINE_END = re.compile(r"\r\n|\r|\n")
_UNITS: Mapping[PositionEncoding, Callable[[str], int]] = {
    "utf-8": lambda character: len(character.encode("utf-8", "surrogatepass")),
    "utf-16": lambda character: 1 + (character > "\uffff"),
    "utf-32": lambda _character: 1,
}


def with_edits(text: str, edits: Sequence[TextEdit], encoding: PositionEncoding) -> str | None:
    """Return the text with all edits made; none: they do not fit it, or overlap."""
    ends = list(_LINE_END.finditer(text))
    lines = list(
        zip(
            [0, *(end.end() for end in ends)],
            [*(end.start() for end in ends), len(text)],
            strict=True,
        )
    )
    placed: set[tuple[int, int, str]] = set()
    for edit in edits:
        first, last = (_offset(place, text, lines, encoding) for place in (edit.start, edit.end))
        if first is None or last is None or first > last:
            return None
        placed.add((first, last, edit.new_text))
    ordered = sorted(placed)
    if any(later[0] < one[1] for one, later in pairwise(ordered)):
        return None
    for first, last, new in reversed(ordered):
        text = text[:first] + new + text[last:]
    return text


def _offset(
    position: Position, text: str, lines: Sequence[tuple[int, int]], encoding: PositionEncoding
) -> int | None:
    """Return where a position stands in a text; none: nowhere, or amid a character."""
    if not 0 <= position.line < len(lines) or position.character < 0:
        return None
    at, end = lines[position.line]
    left, units = position.character, _UNITS[encoding]
    while left > 0 and at < end:
        left -= units(text[at])
        at += 1
    return at if left == 0 else None
