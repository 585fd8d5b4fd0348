"""Hunks: the places in which two texts differ, each of which can be applied by itself.

Law: applying all hunks gives the one text, applying none gives the other, byte for byte.
"""

import difflib
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from plimsoll.text.lines import split_lines

_MOST_PAIRS = 4_000_000
"""The limit for comparing all lines with all; larger texts are split at lines that are unique in
both."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines of an old text, and the lines of a new one that replace them.

    Line numbers are from 0, ends excluded. Between two hunks is at least one line.
    """

    start: int
    end: int
    new_start: int
    new_end: int


@dataclass(frozen=True, slots=True)
class ShownHunk:
    """A hunk of a planned change, as it is shown to people."""

    start: int
    """The first line that it replaces, from 0."""
    end: int
    """The line after the last one."""
    text: str
    """The new text, with hidden characters escaped."""


def hunks_between(old: Sequence[str], new: Sequence[str]) -> list[Hunk]:
    """Return the hunks in which the lines of two texts differ, in order."""
    return list(_between(old, new, Hunk(0, len(old), 0, len(new))))


def with_hunks(old: str, new: str, taken: Collection[int]) -> str:
    """Return the old text with only the ``taken`` hunks of the new text, by their numbers."""
    before, after = split_lines(old), split_lines(new)
    rows: list[str] = []
    at = 0
    for number, hunk in enumerate(hunks_between(before, after)):
        rows += before[at : hunk.start]
        if number in taken:
            rows += after[hunk.new_start : hunk.new_end]
        else:
            rows += before[hunk.start : hunk.end]
        at = hunk.end
    return "".join([*rows, *before[at:]])


def rebase(old: str, new: str, now: str) -> str:
    """Apply to the old text the changes that lead from the new text to ``now``.

    A hunk between old and new text that such a change touches is kept whole, as in ``now``.
    """
    base, left, rows = split_lines(old), split_lines(new), split_lines(now)
    ours = [(hunk.new_start, hunk.new_end, hunk) for hunk in hunks_between(base, left)]
    theirs = [(hunk.start, hunk.end, hunk) for hunk in hunks_between(left, rows)]
    made: list[str] = []
    at = 0
    for cluster in _clusters(
        [(*each, False) for each in ours] + [(*each, True) for each in theirs]
    ):
        made += left[at : cluster[0][0]]
        at = cluster[0][0]
        changed = [hunk for _, _, hunk, is_theirs in cluster if is_theirs]
        end = max(end for _, end, _, _ in cluster)
        if not changed:
            made += base[cluster[0][2].start : cluster[0][2].end]
            at = end
        for hunk in changed:
            made += left[at : hunk.start]
            made += rows[hunk.new_start : hunk.new_end]
            at = hunk.end
        made += left[at:end]
        at = end
    return "".join([*made, *left[at:]])


_Placed = tuple[int, int, Hunk, bool]
"""First line and end in the text that two changes share, the hunk, and whether it is theirs."""


def _clusters(placed: Sequence[_Placed]) -> Iterator[list[_Placed]]:
    """Group the hunks of two comparisons that touch the same lines, in order."""
    cluster: list[_Placed] = []
    end = 0
    for each in sorted(placed, key=lambda one: (one[0], one[1])):
        start = cluster[0][0] if cluster else 0
        at_one_point = start == end == each[0] == each[1]
        if cluster and not (each[0] < end or at_one_point):
            yield cluster
            cluster = []
        cluster.append(each)
        end = max(end, each[1]) if len(cluster) > 1 else each[1]
    if cluster:
        yield cluster


def _between(old: Sequence[str], new: Sequence[str], within: Hunk) -> Iterator[Hunk]:
    """Yield the hunks in a range of lines of both texts."""
    one, other = old[within.start : within.end], new[within.new_start : within.new_end]
    head = _common(one, other)
    tail = min(_common(one[::-1], other[::-1]), len(one) - head, len(other) - head)
    one, other = one[head : len(one) - tail], other[head : len(other) - tail]
    if not one and not other:
        return
    start, new_start = within.start + head, within.new_start + head
    whole = Hunk(start, start + len(one), new_start, new_start + len(other))
    if len(one) * len(other) > _MOST_PAIRS:
        pieces = list(_pieces(one, other))
        if pieces == [(0, len(one), 0, len(other))]:
            yield whole
            return
        for first, end, to, until in pieces:
            piece = Hunk(start + first, start + end, new_start + to, new_start + until)
            yield from _between(old, new, piece)
        return
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    for tag, first, end, to, until in matcher.get_opcodes():
        if tag != "equal":
            yield Hunk(start + first, start + end, new_start + to, new_start + until)


def _pieces(one: Sequence[str], other: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Split two texts at the lines that occur once in both and in the same order."""
    at, to = 0, 0
    for first, second in _anchors(one, other):
        if first > at or second > to:
            yield at, first, to, second
        at, to = first + 1, second + 1
    yield at, len(one), to, len(other)


def _anchors(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """Return the longest common subsequence of lines that are unique in each."""
    places = _once(other)
    pairs = [(at, places[line]) for line, at in _once(one).items() if line in places]
    ends: list[int] = []
    """For each length of a run, the smallest index at which one of that length ends."""
    runs: list[tuple[int, int]] = []
    """The pair of lines that ends each run."""
    before: dict[tuple[int, int], tuple[int, int] | None] = {}
    for pair in sorted(pairs):
        length = bisect_left(ends, pair[1])
        if length == len(ends):
            ends.append(pair[1])
            runs.append(pair)
        else:
            ends[length], runs[length] = pair[1], pair
        before[pair] = runs[length - 1] if length else None
    found: list[tuple[int, int]] = []
    last = runs[-1] if runs else None
    while last is not None:
        found.append(last)
        last = before[last]
    return found[::-1]


def _once(lines: Sequence[str]) -> dict[str, int]:
    places: dict[str, int] = {}
    twice: set[str] = set()
    for at, line in enumerate(lines):
        if line in places:
            twice.add(line)
        places[line] = at
    return {line: at for line, at in places.items() if line not in twice}


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))
