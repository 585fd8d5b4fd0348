"""Edits of LSP applied to a text. Pure."""

from collections.abc import Sequence
from itertools import pairwise

from plimsoll.text.lines import (
    Position,
    PositionEncoding,
    characters_within,
    line_spans,
    units_of,
)
from plimsoll.tools.editor.knowledge import TextEdit


def with_edits(text: str, edits: Sequence[TextEdit], encoding: PositionEncoding) -> str | None:
    """Apply edits to a text; None where they do not fit the text, or overlap."""
    lines = line_spans(text)
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
    """Return the offset of an LSP position; None outside of the text or inside a character."""
    if not 0 <= position.line < len(lines):
        return None
    start, end = lines[position.line]
    line = text[start:end]
    taken = characters_within(line, position.character, encoding)
    return start + taken if units_of(line[:taken], encoding) == position.character else None
