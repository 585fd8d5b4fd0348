"""The lines in which one output differs from another, with the numbers that its tool gave them."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

_NUMBERED = re.compile(r"\s*\d+(?:\t|→)")
LEAST_RUN = 6
"""Lines that are folded; fewer are easier to read where they stand."""
LEAST_FOLDED = 150
"""Characters of such a run."""
MOST_STARTS = 20
"""Places at which a line is looked for, for lines that occur hundreds of times."""
LONGEST_QUOTE = 40
"""Characters of the first and the last line of a run that say which one it is."""
MOST_LINES = 2_000
"""Of the part that differs; comparing more takes longer than it saves."""


def changed_lines(old: str, new: str) -> list[str]:
    """The lines that left (``-``) and came (``+``), in hunks; empty when that says nothing.

    Line numbers of a tool stay on the lines but do not count as a difference, and each hunk says
    where it begins: ``@@ -12,3 +12,5 @@``.
    """
    before, after = old.split("\n"), new.split("\n")
    plain_before, plain_after = _plain(before), _plain(after)
    start = _common(plain_before, plain_after)
    end = _common(plain_before[start:][::-1], plain_after[start:][::-1])
    middle = (plain_before[start : len(before) - end], plain_after[start : len(after) - end])
    if max(map(len, middle)) > MOST_LINES:
        return []
    return list(_hunks(before, after, middle, start))


def folded_lines(base: str, new: str) -> tuple[list[str], int]:
    """A text with each run of lines that stands in another one folded, and the number of runs."""
    lines, rows = new.split("\n"), base.split("\n")
    places: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        places.setdefault(row, []).append(place)
    folded: list[str] = []
    at = runs = 0
    while at < len(lines):
        starts = places.get(lines[at], ())[:MOST_STARTS]
        run = max((_run(lines, at, rows, start) for start in starts), default=0)
        if run >= LEAST_RUN and sum(map(len, lines[at : at + run])) >= LEAST_FOLDED:
            folded.append(_fold(lines[at : at + run]))
            runs, at = runs + 1, at + run
        else:
            folded.append(lines[at])
            at += 1
    return folded, runs


def _run(lines: Sequence[str], at: int, rows: Sequence[str], start: int) -> int:
    """The number of equal lines from two places on."""
    most = min(len(lines) - at, len(rows) - start)
    return next((n for n in range(most) if lines[at + n] != rows[start + n]), most)


def _fold(run: Sequence[str]) -> str:
    first, last = (line.strip()[:LONGEST_QUOTE] for line in (run[0], run[-1]))
    return f"[{len(run)} lines as there: {first} ... {last}]"


def _plain(lines: Sequence[str]) -> list[str]:
    """The lines without the numbers that a tool put before them, if it numbered them all."""
    rows = [line for line in lines if line.strip()]
    if not rows or not all(_NUMBERED.match(line) for line in rows[:-1]):
        return list(lines)
    return [_NUMBERED.sub("", line, count=1) for line in lines]


def _first(lines: Sequence[str]) -> int:
    """The number of the first line, as its tool counts."""
    found = _NUMBERED.match(lines[0])
    return int(found.group().strip().rstrip("→")) if found else 1


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """The number of equal lines at the start."""
    same = 0
    for first, second in zip(one, other, strict=False):
        if first != second:
            break
        same += 1
    return same


def _hunks(
    before: Sequence[str],
    after: Sequence[str],
    middle: tuple[Sequence[str], Sequence[str]],
    start: int,
) -> Iterator[str]:
    matcher = SequenceMatcher(None, *middle, autojunk=False)
    for tag, first, last, first_new, last_new in matcher.get_opcodes():
        if tag == "equal":
            continue
        old, new = before[start + first : start + last], after[start + first_new : start + last_new]
        at_old, at_new = start + first + _first(before), start + first_new + _first(after)
        yield f"@@ -{at_old},{len(old)} +{at_new},{len(new)} @@"
        yield from (f"-{line}" for line in old)
        yield from (f"+{line}" for line in new)
