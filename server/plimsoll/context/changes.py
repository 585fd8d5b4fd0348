"""The lines in which one output differs from another; numbers of lines are no difference."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

_NUMBERED = re.compile(r"\s*(\d+)(?:\t|→)")
STEPS = (1, 10)
"""Tools number every line, or the first and every tenth."""
MOST_NOTES = 2
"""Lines in brackets that a tool puts below a file."""
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

    Line numbers of a tool do not count as a difference; each hunk says where it begins:
    ``@@ -12,3 +12,5 @@``.
    """
    before, after = _listing(old.split("\n")), _listing(new.split("\n"))
    if before.step != after.step:
        before, after = _Listing(old.split("\n")), _Listing(new.split("\n"))
    start = _common(before.lines, after.lines)
    end = _common(before.lines[start:][::-1], after.lines[start:][::-1])
    one, other = before.within(start, end), after.within(start, end)
    if max(len(one.lines), len(other.lines)) > MOST_LINES:
        return []
    return list(_hunks(one, other))


def folded_lines(base: str, new: str) -> tuple[list[str], int]:
    """A text with each run of lines that stands in another one folded, and the number of runs."""
    shown = new.split("\n")
    lines, rows = _listing(shown).lines, _listing(base.split("\n")).lines
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
            folded.append(shown[at])
            at += 1
    return folded, runs


def _run(lines: Sequence[str], at: int, rows: Sequence[str], start: int) -> int:
    """The number of equal lines from two places on."""
    most = min(len(lines) - at, len(rows) - start)
    return next((n for n in range(most) if lines[at + n] != rows[start + n]), most)


def _fold(run: Sequence[str]) -> str:
    first, last = (line.strip()[:LONGEST_QUOTE] for line in (run[0], run[-1]))
    return f"[{len(run)} lines as there: {first} ... {last}]"


@dataclass(frozen=True, slots=True)
class _Listing:
    """Lines without the numbers that a tool put before them."""

    lines: Sequence[str]
    first: int = 1
    """The number of the first line, as its tool counts."""
    step: int = 0
    """Every so many lines bore a number; 0: none did."""

    def within(self, start: int, end: int) -> "_Listing":
        """Without so many lines at the start and at the end."""
        return _Listing(self.lines[start : len(self.lines) - end], self.first + start, self.step)


def _listing(lines: Sequence[str]) -> _Listing:
    """The lines without their numbers, if those count on: other figures are content."""
    first = _number(lines[0])
    if first is None:
        return _Listing(lines)
    for step in STEPS:
        marked = [at for at in range(len(lines)) if at == 0 or (first + at) % step == 0]
        while marked and len(lines) - marked[-1] <= MOST_NOTES and lines[marked[-1]][:1] == "[":
            marked.pop()
        if len(marked) > 1 and all(_number(lines[at]) == first + at for at in marked):
            plain = [*lines]
            for at in marked:
                plain[at] = _NUMBERED.sub("", lines[at], count=1)
            return _Listing(plain, first, step)
    return _Listing(lines)


def _number(line: str) -> int | None:
    found = _NUMBERED.match(line)
    return int(found[1]) if found else None


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """The number of equal lines at the start."""
    same = 0
    for first, second in zip(one, other, strict=False):
        if first != second:
            break
        same += 1
    return same


def _hunks(before: _Listing, after: _Listing) -> Iterator[str]:
    matcher = SequenceMatcher(None, before.lines, after.lines, autojunk=False)
    for tag, first, last, first_new, last_new in matcher.get_opcodes():
        if tag == "equal":
            continue
        old, new = before.lines[first:last], after.lines[first_new:last_new]
        at_old, at_new = before.first + first, after.first + first_new
        yield f"@@ -{at_old},{len(old)} +{at_new},{len(new)} @@"
        yield from (f"-{line}" for line in old)
        yield from (f"+{line}" for line in new)
