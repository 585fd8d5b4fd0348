"""Refer: a result whose text is already in view enters as a pointer, or with only its new lines.

The prefix is not rewritten, for nothing old changes. The fold shows the whole text again as soon as
the content referred to leaves the view.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from plimsoll.context.index.results import ToolResult
from plimsoll.context.log.entries import ItemState, Refer, Said
from plimsoll.context.pipeline.proposal import NextRequest
from plimsoll.context.stages.results.placeholders import (
    changed_lines_pointer,
    folded_text,
    lines_pointer,
    same_content_pointer,
)
from plimsoll.context.view.bases import cut_hash
from plimsoll.text.lines import version_of

LEAST_TOKENS = 100
"""The least tokens of a result; a pointer to a smaller one would hardly be shorter."""
LEAST_CHANGED = 250
"""Tokens from which a result may enter with only its changed or new lines."""
POINTER_SHARE = 0.5
"""The largest share of a result that a pointer may have."""
CHANGED_SHARE = 0.4
"""The largest share for its changed lines: beyond it the whole reads better."""
FOLDED_SHARE = 0.7
"""The largest share for it with its known lines folded."""
MOST_BASES = 3
"""How many results are compared, those that share the most lines."""


def refer(said: Said, next_request: NextRequest) -> Refer | None:
    """Choose the pointer with which a result enters; None if it enters in full."""
    if not next_request.settings.refer.enabled:
        return None
    result = next_request.indexes.results.about(said)
    tokens = next_request.fold.ledger.bare(result.part.text)
    if tokens < LEAST_TOKENS:
        return None
    found = _point_to_same(result, next_request)
    if found is not None:
        return found if _tokens(found, next_request) <= tokens * POINTER_SHARE else None
    if tokens < LEAST_CHANGED:
        return None
    found = _point_with_changes(result, next_request)
    if found is not None and _tokens(found, next_request) <= tokens * CHANGED_SHARE:
        return found
    found = _fold_known_lines(result, next_request)
    return found if found and _tokens(found, next_request) <= tokens * FOLDED_SHARE else None


def refer_cut(said: Said, next_request: NextRequest, cut: str) -> Refer | None:
    """Point a result that would be truncated to the truncated result of the same call in view.

    The middle is in neither, so nothing is lost; ``cut`` is the text without the pointer.
    """
    if not next_request.settings.refer.enabled:
        return None
    result = next_request.indexes.results.about(said)
    most = next_request.fold.ledger.bare(cut) * CHANGED_SHARE
    for base in next_request.indexes.results.same_call(result.name, result.arguments):
        if (
            not result.arguments
            or not _is_before(base, result, next_request)
            or not _first_kept(base, next_request)
        ):
            continue
        turn = _turn(base, next_request)
        if base.part.text == result.part.text:
            text = same_content_pointer(result, base, turn)
        else:
            lines = changed_lines(base.part.text, result.part.text)
            text = changed_lines_pointer(base, turn, lines) if lines else ""
        found = Refer(result.item, cut_hash(version_of(base.part.text)), text)
        return found if text and _tokens(found, next_request) <= most else None
    return None


def _tokens(op: Refer, next_request: NextRequest) -> int:
    return next_request.fold.ledger.bare(op.text)


def _point_to_same(result: ToolResult, next_request: NextRequest) -> Refer | None:
    """Point to the same content, or to a read that shows these lines of the same version."""
    base = next(_verbatim_results(next_request, result, version_of(result.part.text)), None)
    if base is not None:
        return _refer(result, base, same_content_pointer(result, base, _turn(base, next_request)))
    if result.lines is None or result.version is None or not result.traits.reads:
        return None
    for whole in _verbatim_reads(result, next_request):
        if whole.version == result.version and _covers(whole, result.lines):
            return _refer(
                result, whole, lines_pointer(whole, result.lines, _turn(whole, next_request))
            )
    return None


def _point_with_changes(result: ToolResult, next_request: NextRequest) -> Refer | None:
    """Show only the lines that differ from the newest verbatim result of the same call."""
    for base in next_request.indexes.results.same_call(result.name, result.arguments):
        if (
            result.arguments
            and _is_before(base, result, next_request)
            and is_verbatim(base, next_request)
        ):
            lines = changed_lines(base.part.text, result.part.text)
            return (
                _refer(result, base, changed_lines_pointer(base, _turn(base, next_request), lines))
                if lines
                else None
            )
    return None


def _fold_known_lines(result: ToolResult, next_request: NextRequest) -> Refer | None:
    """Fold the lines of a result that are verbatim in one earlier result."""
    for item in next_request.indexes.shared.sharing(result.part.text, MOST_BASES):
        base = next_request.indexes.results.of(item)
        if (
            base is not None
            and _is_before(base, result, next_request)
            and is_verbatim(base, next_request)
        ):
            lines, runs = folded_lines(base.part.text, result.part.text)
            if runs:
                return _refer(result, base, folded_text(base, _turn(base, next_request), lines))
    return None


def _refer(result: ToolResult, base: ToolResult, text: str) -> Refer:
    return Refer(result.item, version_of(base.part.text), text)


def _verbatim_results(
    next_request: NextRequest, result: ToolResult, content: str
) -> Iterator[ToolResult]:
    """Yield the results with this content that are verbatim before a result, newest first."""
    for group in reversed(next_request.fold.groups_with_content(content)):
        for shown in group.results:
            base = next_request.indexes.results.of(shown.item)
            if (
                base
                and next_request.fold.name_of(shown) == content
                and _is_before(base, result, next_request)
            ):
                yield base


def _verbatim_reads(result: ToolResult, next_request: NextRequest) -> Iterator[ToolResult]:
    """Yield the reads of the same file that are verbatim before a result, newest first."""
    for base in reversed(next_request.indexes.results.all()):
        same = base.name == result.name and base.same_file(result)
        if same and _is_before(base, result, next_request) and is_verbatim(base, next_request):
            yield base


def is_verbatim(result: ToolResult, next_request: NextRequest) -> bool:
    """Tell whether a result is in view word for word."""
    return _has_state(result, ItemState.VERBATIM, next_request)


def _first_kept(result: ToolResult, next_request: NextRequest) -> bool:
    return _has_state(result, ItemState.TRUNCATED, next_request)


def _has_state(result: ToolResult, state: ItemState, next_request: NextRequest) -> bool:
    group = next_request.fold.group(result.group)
    shown = next_request.fold.rendered_groups()[group.index].results if group else ()
    return any(s.item == result.item and s.state is state for s in shown)


def _is_before(base: ToolResult, result: ToolResult, next_request: NextRequest) -> bool:
    """Tell whether a base comes before a result, in an earlier group or in its own."""
    first, second = next_request.fold.group(base.group), next_request.fold.group(result.group)
    if first is None or base.item == result.item:
        return False
    return second is None or first.index <= second.index


def _turn(result: ToolResult, next_request: NextRequest) -> int:
    group = next_request.fold.group(result.group)
    return group.turn if group else 0


def _covers(whole: ToolResult, lines: tuple[int, int]) -> bool:
    return whole.lines is None or (whole.lines[0] <= lines[0] and lines[1] <= whole.lines[1])


_NUMBERED = re.compile(r"\s*(\d+)(?:\t|→)")
STEPS = (1, 10)
"""Tools number every line, or the first and every tenth."""
MOST_NOTES = 2
"""How many notes in brackets a tool puts below a file at most."""
LEAST_RUN = 6
"""The least lines to fold; fewer are easier to read as they are."""
LEAST_FOLDED = 150
"""The least characters to fold."""
MOST_STARTS = 20
"""How many places are compared for a line that occurs hundreds of times."""
LONGEST_QUOTE = 40
"""Characters of the first and the last line that are quoted for a folded run."""
MOST_LINES = 2_000
"""The most lines that are compared; comparing more takes longer than it saves."""


def changed_lines(old: str, new: str) -> list[str]:
    """List removed (``-``) and added (``+``) lines in hunks; empty if that would not help.

    The line numbers of a tool are ignored; each hunk gives its place: ``@@ -12,3 +12,5 @@``.
    """
    before, after = _listing(old.split("\n")), _listing(new.split("\n"))
    if before.step != after.step:
        before, after = _Listing(old.split("\n")), _Listing(new.split("\n"))
    start = _count_common(before.lines, after.lines)
    end = _count_common(before.lines[start:][::-1], after.lines[start:][::-1])
    one, other = before.within(start, end), after.within(start, end)
    if max(len(one.lines), len(other.lines)) > MOST_LINES:
        return []
    return list(_hunks(one, other))


def folded_lines(base: str, new: str) -> tuple[list[str], int]:
    """Fold each run of lines that is in another text; return the text and the number of runs."""
    shown = new.split("\n")
    lines, rows = _listing(shown).lines, _listing(base.split("\n")).lines
    starts = _starts(rows)
    folded: list[str] = []
    at = runs = 0
    while at < len(lines):
        ends = lines[at], lines[min(at + LEAST_RUN, len(lines)) - 1]
        run = max(
            (_run_length(lines, at, rows, start) for start in starts.get(ends, ())), default=0
        )
        if run >= LEAST_RUN and sum(map(len, lines[at : at + run])) >= LEAST_FOLDED:
            folded.append(_fold_mark(lines[at : at + run]))
            runs, at = runs + 1, at + run
        else:
            folded.append(shown[at])
            at += 1
    return folded, runs


def _starts(rows: Sequence[str]) -> dict[tuple[str, str], list[int]]:
    """Index the places where runs of the least length begin, by their first and last line."""
    seen: Counter[str] = Counter()
    starts: dict[tuple[str, str], list[int]] = {}
    for start, ends in enumerate(zip(rows, rows[LEAST_RUN - 1 :], strict=False)):
        seen[ends[0]] += 1
        if seen[ends[0]] <= MOST_STARTS:
            starts.setdefault(ends, []).append(start)
    return starts


def _run_length(lines: Sequence[str], at: int, rows: Sequence[str], start: int) -> int:
    """Count the equal lines of two texts from a place in each on."""
    found, most = 0, min(len(lines) - at, len(rows) - start)
    while found < most and lines[at + found] == rows[start + found]:
        found += 1
    return found


def _fold_mark(run: Sequence[str]) -> str:
    first, last = (line.strip()[:LONGEST_QUOTE] for line in (run[0], run[-1]))
    return f"[{len(run)} lines as there: {first} ... {last}]"


@dataclass(frozen=True, slots=True)
class _Listing:
    """Lines without the line numbers of a tool."""

    lines: Sequence[str]
    first: int = 1
    """The number of the first line."""
    step: int = 0
    """The distance of numbered lines; 0 if there were no numbers."""

    def within(self, start: int, end: int) -> "_Listing":
        """Return the listing without its first ``start`` and last ``end`` lines."""
        return _Listing(self.lines[start : len(self.lines) - end], self.first + start, self.step)


def _listing(lines: Sequence[str]) -> _Listing:
    """Strip the line numbers if they count up; other figures are content."""
    first = _parse_number(lines[0])
    if first is None:
        return _Listing(lines)
    for step in STEPS:
        marked = [at for at in range(len(lines)) if at == 0 or (first + at) % step == 0]
        while marked and len(lines) - marked[-1] <= MOST_NOTES and lines[marked[-1]][:1] == "[":
            marked.pop()
        if len(marked) > 1 and all(_parse_number(lines[at]) == first + at for at in marked):
            plain = [*lines]
            for at in marked:
                plain[at] = _NUMBERED.sub("", lines[at], count=1)
            return _Listing(plain, first, step)
    return _Listing(lines)


def _parse_number(line: str) -> int | None:
    found = _NUMBERED.match(line)
    return int(found[1]) if found else None


def _count_common(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the equal lines at the start of two texts."""
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
