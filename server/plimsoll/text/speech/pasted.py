"""Tracks which characters of a text were pasted while the text is changed.

The law, kept by every prompt editor: changed parts of a paste stay pasted, what is typed inside a
paste counts as pasted, and what is typed at its ends as typed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

Ranges = tuple[tuple[int, int], ...]
"""Start and end of pasted text in characters: sorted, separate and not empty."""


@dataclass(frozen=True, slots=True)
class WrittenText:
    """A text that a person sent, with the ranges of it that were pasted."""

    text: str
    pasted: Ranges | None = None
    """The ranges of pasted text; none: unknown."""


def whole(text: str) -> Ranges:
    """Return the ranges of pasted text for a text that was pasted as a whole."""
    return ((0, len(text)),) if text else ()


def in_order(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Sort ranges, join those that touch, and leave out empty ones."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(each for each in ranges if each[0] < each[1]):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((start, end))
    return tuple(merged)


@dataclass(frozen=True, slots=True)
class Replaced:
    """A change of a text: a range that is replaced by a number of characters."""

    start: int
    end: int
    length: int


def replacement(before: str, after: str, caret: int | None = None) -> Replaced:
    """Return the change that turns one text into another.

    ``caret``: the caret's offset after an insertion, which decides between equal characters.
    """
    shorter = min(len(before), len(after))
    most = shorter if caret is None else min(shorter, len(after) - caret)
    behind = 0
    while behind < most and before[-1 - behind] == after[-1 - behind]:
        behind += 1
    start = 0
    while start < shorter - behind and before[start] == after[start]:
        start += 1
    return Replaced(start, len(before) - behind, len(after) - behind - start)


def after_change(pasted: Ranges, change: Replaced, *, typed: bool) -> Ranges:
    """Return the pasted ranges after a change; ``typed``: whether the new text was typed."""
    start, end, shift = change.start, change.end, change.length - (change.end - change.start)
    left = [(first, min(last, start)) for first, last in pasted]
    right = [(max(first, end) + shift, last + shift) for first, last in pasted if last > end]
    own = typed and not _touches(pasted, start, end)
    came = [] if own else [(start, start + change.length)]
    return in_order([*left, *right, *came])


def _touches(pasted: Ranges, start: int, end: int) -> bool:
    """Tell whether a change is inside a paste, or removes part of one."""
    return any(
        (first < start < last or first < end < last) and start < last and end > first
        for first, last in pasted
    )


def carry_over(written: WrittenText, text: str) -> WrittenText:
    """Map the pasted ranges to another form of the text, such as one without its secrets."""
    if not written.pasted or text == written.text:
        return WrittenText(text, written.pasted)
    change = replacement(written.text, text)
    touched = any(first < change.end and last > change.start for first, last in written.pasted)
    return WrittenText(text, after_change(written.pasted, change, typed=not touched))


def typed_spans(written: WrittenText) -> Iterator[tuple[int, int]]:
    """Yield start and end of each stretch of text between pasted ranges."""
    borders = [(0, 0), *(written.pasted or ()), (len(written.text), len(written.text))]
    yield from ((end, start) for (_, end), (start, _) in pairwise(borders) if end < start)


def from_utf16(ranges: Iterable[tuple[int, int]], text: str) -> Ranges | None:
    """Convert ranges from UTF-16 units to characters; None if they do not fit the text.

    A range that ends inside a character includes all of it.
    """
    given = list(ranges)
    length = len(text) + sum(each > "\uffff" for each in text)
    if not all(0 <= start <= end <= length for start, end in given):
        return None
    if length == len(text):
        return in_order(given)
    units = [index for index, each in enumerate(text) for _ in range(1 + (each > "\uffff"))]
    found = ((units[start], units[end - 1] + 1) for start, end in given if start < end)
    return in_order(found)


def to_utf16(ranges: Ranges, text: str) -> Ranges:
    """Convert ranges from characters to UTF-16 units."""

    def units(at: int) -> int:
        return at + sum(each > "\uffff" for each in text[:at])

    return tuple((units(start), units(end)) for start, end in ranges)
