"""Dedup: a result whose content is in a later one is replaced by a note that names it.

Three cases: the same call with the same result; a read that a later read of the same file covers; a
grep that a later read of the whole file covers. The covering result must be verbatim, complete if
it claims to be, and successful; an edit by a person only marks stale. Results that no request has
carried stay, and so do protected ones unless the very same text is in the later one: what a file
said before an edit may still be needed.
"""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from plimsoll.context.index.results import ToolResult
from plimsoll.context.log.entries import ItemState, Op, Replace, Stage
from plimsoll.context.pipeline.due import at_warning_or_cold, due
from plimsoll.context.pipeline.proposal import NextRequest, Proposal
from plimsoll.context.stages.results.placeholders import superseded_note
from plimsoll.context.stages.results.protection import (
    is_brought_back,
    pointers_to,
    protected_results,
)
from plimsoll.context.stages.results.visible_results import (
    VisibleResult,
    visible_results,
)
from plimsoll.context.view.unseen import newest_answer

LEAST_TOKENS = 60
"""The least tokens of a result; a note on a smaller one would hardly be shorter."""
LEAST_FREED = 2_000
"""Tokens at full scale that a warm cache requires to be freed: a new prefix must be worth it."""


@due(at_warning_or_cold)
def plan(next_request: NextRequest) -> Proposal | None:
    """Propose the duplicates to replace by notes."""
    ops = tuple(_ops(next_request))
    if not ops:
        return None
    why = "the same text stands again further down"
    least = 0 if next_request.cold else next_request.budget.scale_tokens(LEAST_FREED)
    return Proposal(stage=Stage.DEDUP, why=why, ops=ops, least=least)


def _ops(next_request: NextRequest) -> Iterator[Op]:
    results = visible_results(next_request)
    used = pointers_to(next_request.fold, results)
    told = any(_whole_truth(each.result) for each in results)
    covering = _Covering(results, next_request.indexes.read_notes.stale if told else frozenset())
    protected = {each.result.item for each in protected_results(next_request)}
    for each in results:
        later = covering.of(each) if _may_leave(each, next_request) else None
        if later is None or next_request.fold.name_of(each.shown) in used:
            continue
        if each.result.item in protected and each.result.part.text != later.result.part.text:
            continue
        text = superseded_note(each.result, later.result, later.group.turn)
        if next_request.fold.ledger.bare(text) * 2 <= each.tokens:
            yield Replace(each.result.item, text, ItemState.SUPERSEDED)


def _may_leave(each: VisibleResult, next_request: NextRequest) -> bool:
    reducible = each.shown.state in {ItemState.VERBATIM, ItemState.TRUNCATED}
    unseen = each.group.index >= newest_answer(next_request.fold)
    if unseen or not reducible or each.tokens < LEAST_TOKENS or each.result.failed:
        return False
    kept = is_brought_back(each, next_request.fold)
    return not kept or next_request.load >= next_request.budget.blocking


class _Covering:
    """Finds the later result that holds the content of an earlier one."""

    def __init__(self, results: Sequence[VisibleResult], stale: AbstractSet[str]) -> None:
        self._order = {each.result.item: index for index, each in enumerate(results)}
        self._same: dict[tuple[str, str, str], VisibleResult] = {}
        self._reads: dict[str, list[VisibleResult]] = {}
        for each in results:
            if each.whole and not each.result.failed:
                self._same[_identity(each.result)] = each
                if _whole_truth(each.result) and each.result.item not in stale:
                    self._reads.setdefault(each.result.file, []).append(each)

    def of(self, each: VisibleResult) -> VisibleResult | None:
        """Return the newest result that holds the content of this one."""
        same = self._same.get(_identity(each.result))
        if same is not None and self._later(same, each):
            return same
        for read in reversed(self._reads.get(each.result.file, ())):
            if self._later(read, each) and covers(read.result, each.result):
                return read
        return None

    def _later(self, one: VisibleResult, other: VisibleResult) -> bool:
        return self._order[one.result.item] > self._order[other.result.item]


def _whole_truth(result: ToolResult) -> bool:
    """Tell whether the tool itself reported which lines of which file it read."""
    return result.traits.reads and result.part.source is not None and bool(result.file)


def _identity(result: ToolResult) -> tuple[str, str, str]:
    return result.name, result.arguments, result.part.text


def covers(read: ToolResult, earlier: ToolResult) -> bool:
    """Tell whether a read shows all that is still true of an earlier read or grep of its file.

    A part of a file covers only reads of the same version: after an edit the old lines may be
    anywhere in the file.
    """
    if not earlier.traits.repeatable or not read.same_file(earlier):
        return False
    if read.lines is None:
        return True
    lines, same = earlier.lines, read.version is not None and read.version == earlier.version
    return same and lines is not None and read.lines[0] <= lines[0] and lines[1] <= read.lines[1]
