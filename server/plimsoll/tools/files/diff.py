"""Writes a change as a unified diff, in a time that stays short for large files too."""

import difflib
from collections.abc import Iterator, Sequence

from plimsoll.tools.display import revealed

_CONTEXT = 3
# Comparing costs lines times lines; above this a changed middle is shown as one block.
_MOST_PAIRS = 4_000_000

# Tag, then first and end of the old lines and of the new ones.
Block = tuple[str, int, int, int, int]


def unified(before: str | None, after: str, name: str) -> str:
    """Write the diff as a person must see it: hidden characters as escapes, nothing left out.

    ``before`` is none for a new file.
    """
    old, new = _lines(before or ""), _lines(after)
    heading = ["--- /dev/null" if before is None else f"--- a/{name}", f"+++ b/{name}"]
    groups = list(_groups(_changes(old, new)))
    if len({line.endswith("\r\n") for line in (*old, *new) if line.endswith("\n")}) == 1:
        # One ending everywhere says nothing; where there are two, what changes shows as hidden.
        old, new = _with_line_feeds(old), _with_line_feeds(new)
    rows = [row for group in groups for row in _hunk(old, new, group)]
    return revealed("\n".join([*heading, *rows]))


def counted(before: str | None, after: str) -> tuple[int, int]:
    """Count the lines that a change adds and removes."""
    changes = _changes(_lines(before or ""), _lines(after))
    return sum(block[4] - block[3] for block in changes), sum(
        block[2] - block[1] for block in changes
    )


def _lines(text: str) -> list[str]:
    """Split into lines with what ends them: a changed ending is a changed line."""
    lines = text.split("\n")
    ended = [f"{line}\n" for line in lines[:-1]]
    return [*ended, lines[-1]] if lines[-1] else ended


def _with_line_feeds(lines: Sequence[str]) -> list[str]:
    return [line.replace("\r\n", "\n") for line in lines]


def _changes(old: Sequence[str], new: Sequence[str]) -> list[Block]:
    start = _common(old, new)
    end = min(_common(old[::-1], new[::-1]), len(old) - start, len(new) - start)
    middle_old, middle_new = old[start : len(old) - end], new[start : len(new) - end]
    if len(middle_old) * len(middle_new) > _MOST_PAIRS:
        return [("replace", start, len(old) - end, start, len(new) - end)]
    blocks = difflib.SequenceMatcher(None, middle_old, middle_new, autojunk=False).get_opcodes()
    return [
        (tag, first + start, last + start, to + start, until + start)
        for tag, first, last, to, until in blocks
        if tag != "equal"
    ]


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))


def _groups(changes: Sequence[Block]) -> Iterator[list[Block]]:
    group: list[Block] = []
    for block in changes:
        if group and block[1] - group[-1][2] > 2 * _CONTEXT:
            yield group
            group = []
        group.append(block)
    if group:
        yield group


def _hunk(old: Sequence[str], new: Sequence[str], group: Sequence[Block]) -> Iterator[str]:
    lead = min(_CONTEXT, group[0][1])
    first_old, first_new = group[0][1] - lead, group[0][3] - lead
    tail = min(_CONTEXT, len(old) - group[-1][2])
    end_old, end_new = group[-1][2] + tail, group[-1][4] + tail
    yield f"@@ -{_range(first_old, end_old)} +{_range(first_new, end_new)} @@"
    at = first_old
    for _, start, end, to, until in group:
        yield from _rows(" ", old[at:start])
        yield from _rows("-", old[start:end])
        yield from _rows("+", new[to:until])
        at = end
    yield from _rows(" ", old[at:end_old])


def _range(first: int, end: int) -> str:
    length = end - first
    return f"{first + 1 if length else first},{length}"


def _rows(sign: str, lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield sign + line.removesuffix("\n")
        if not line.endswith("\n"):
            yield "\\ No newline at end of file"
