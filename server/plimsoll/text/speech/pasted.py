"""Which characters of a text were pasted, and what is left of that when the text is changed.

The law, kept by every place where prompts are written: what is changed of a paste stays pasted,
what is typed inside one is pasted, and what is typed at its ends is typed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

Ranges = tuple[tuple[int, int], ...]
"""From and to of what was pasted, in characters, in order, apart from each other and not empty."""


@dataclass(frozen=True, slots=True)
class WrittenText:
    """A text that a person sent."""

    text: str
    pasted: Ranges | None = None
    """What of it was pasted; none: nobody said."""


def whole(text: str) -> Ranges:
    """Return the ranges of a text of which everything was pasted."""
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
    """A change of a text: what stood from start to end gave way to a length of characters."""

    start: int
    end: int
    length: int


def replacement(before: str, after: str, caret: int | None = None) -> Replaced:
    """Find what changed between two texts.

    ``caret``: where it stands behind what was inserted, which tells equal characters apart.
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
    """Return what is pasted after a change; ``typed``: what came in was typed."""
    start, end, shift = change.start, change.end, change.length - (change.end - change.start)
    left = [(first, min(last, start)) for first, last in pasted]
    right = [(max(first, end) + shift, last + shift) for first, last in pasted if last > end]
    own = typed and not _touches(pasted, start, end)
    came = [] if own else [(start, start + change.length)]
    return in_order([*left, *right, *came])


def _touches(pasted: Ranges, start: int, end: int) -> bool:
    """Tell whether a change lies inside a paste, or takes a part of one and leaves another."""
    return any(
        (first < start < last or first < end < last) and start < last and end > first
        for first, last in pasted
    )


def rewritten(written: WrittenText, text: str) -> WrittenText:
    """Return another form of the same text, as without its secrets, with what was pasted of it."""
    if not written.pasted or text == written.text:
        return WrittenText(text, written.pasted)
    change = replacement(written.text, text)
    touched = any(first < change.end and last > change.start for first, last in written.pasted)
    return WrittenText(text, after_change(written.pasted, change, typed=not touched))


def typed_spans(written: WrittenText) -> Iterator[tuple[int, int]]:
    """Yield from and to of what stands between the pastes."""
    borders = [(0, 0), *(written.pasted or ()), (len(written.text), len(written.text))]
    yield from ((end, start) for (_, end), (start, _) in pairwise(borders) if end < start)


def from_utf16(ranges: Iterable[tuple[int, int]], text: str) -> Ranges | None:
    """Convert ranges from UTF-16 units to characters; none where they do not lie in the text.

    A range that ends amid a character holds all of it.
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
