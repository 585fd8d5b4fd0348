"""Writes a change as a unified diff, in a time that stays short for large files too."""

from collections.abc import Collection, Iterator, Sequence

from plimsoll.text.hunks import Hunk, ShownHunk, hunks_between
from plimsoll.text.lines import line_end, split_lines, with_line_feed
from plimsoll.tools.display import escape_hidden

_CONTEXT = 3
MOST_HUNKS = 500
"""Hunks that a person can choose from; of more they are asked about the whole."""


def unified_diff(before: str | None, after: str, name: str) -> str:
    """Write the unified diff of a change for approval: hidden characters escaped, nothing omitted.

    ``before`` is None for a new file.
    """
    old, new = split_lines(before or ""), split_lines(after)
    heading = ["--- /dev/null" if before is None else f"--- a/{name}", f"+++ b/{name}"]
    groups = list(_groups(hunks_between(old, new)))
    if len({line_end(line) for line in (*old, *new)} - {""}) == 1:
        # One ending everywhere says nothing; where there are two, what changes shows as hidden.
        old, new = _with_line_feeds(old), _with_line_feeds(new)
    rows = [row for group in groups for row in _hunk(old, new, group)]
    return escape_hidden("\n".join([*heading, *rows]))


def count_changed_lines(before: str | None, after: str) -> tuple[int, int]:
    """Count the lines that a change adds and removes."""
    changes = hunks_between(split_lines(before or ""), split_lines(after))
    return sum(hunk.new_end - hunk.new_start for hunk in changes), sum(
        hunk.end - hunk.start for hunk in changes
    )


def shown_hunks(before: str, after: str) -> tuple[ShownHunk, ...]:
    """Return the hunks of a change for people to choose from; None if there are too many."""
    old, new = split_lines(before), split_lines(after)
    found = hunks_between(old, new)
    return () if len(found) > MOST_HUNKS else tuple(_escape_hunk(hunk, new) for hunk in found)


def bare_hunks(before: str, after: str, numbers: Collection[int]) -> str:
    """Write the hunks of a change with these numbers as a diff without context lines."""
    old, new = split_lines(before), split_lines(after)
    chosen = (h for n, h in enumerate(hunks_between(old, new)) if n in numbers)
    rows = (row for hunk in chosen for row in _hunk(old, new, [hunk], context=0))
    return escape_hidden("\n".join(rows))


def _escape_hunk(hunk: Hunk, new: Sequence[str]) -> ShownHunk:
    lines = _with_line_feeds(new[hunk.new_start : hunk.new_end])
    return ShownHunk(hunk.start, hunk.end, escape_hidden("".join(lines)))


def _with_line_feeds(lines: Sequence[str]) -> list[str]:
    return [with_line_feed(line) for line in lines]


def _groups(changes: Sequence[Hunk]) -> Iterator[list[Hunk]]:
    group: list[Hunk] = []
    for block in changes:
        if group and block.start - group[-1].end > 2 * _CONTEXT:
            yield group
            group = []
        group.append(block)
    if group:
        yield group


def _hunk(
    old: Sequence[str], new: Sequence[str], group: Sequence[Hunk], context: int = _CONTEXT
) -> Iterator[str]:
    lead = min(context, group[0].start)
    first_old, first_new = group[0].start - lead, group[0].new_start - lead
    tail = min(context, len(old) - group[-1].end)
    end_old, end_new = group[-1].end + tail, group[-1].new_end + tail
    yield f"@@ -{_range(first_old, end_old)} +{_range(first_new, end_new)} @@"
    at = first_old
    for hunk in group:
        yield from _rows(" ", old[at : hunk.start])
        yield from _rows("-", old[hunk.start : hunk.end])
        yield from _rows("+", new[hunk.new_start : hunk.new_end])
        at = hunk.end
    yield from _rows(" ", old[at:end_old])


def _range(first: int, end: int) -> str:
    length = end - first
    return f"{first + 1 if length else first},{length}"


def _rows(sign: str, lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield sign + line.removesuffix("\n")
        if not line_end(line):
            yield "\\ No newline at end of file"
