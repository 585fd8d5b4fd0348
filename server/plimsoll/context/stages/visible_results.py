"""The tool results that stand in the view, and which of them may be pruned."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from plimsoll.context.index.names import References
from plimsoll.context.index.results import ToolResult
from plimsoll.context.log.entries import Entry, ItemState, Noted, Refer
from plimsoll.context.log.notes import FRESH, STALE, note_fields
from plimsoll.context.stages.pipeline import NextRequest, PruningSettings, newest_answer
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.view import Group, RenderedItem


@dataclass(frozen=True, slots=True)
class VisibleResult:
    """A tool result in the view."""

    result: ToolResult
    shown: RenderedItem
    group: Group

    @property
    def tokens(self) -> int:
        """Tokens in its present form."""
        return self.shown.tokens

    @property
    def whole(self) -> bool:
        """Whether the result stands word for word."""
        return self.shown.state is ItemState.VERBATIM


REDUCIBLE = frozenset({ItemState.VERBATIM, ItemState.TRUNCATED, ItemState.REFERRED})
"""Forms that hold more than a note."""


def visible_results(next_request: NextRequest) -> list[VisibleResult]:
    """Return the tool results in the view, in its order."""
    return results_from(next_request, 0)


def results_from(next_request: NextRequest, index: int) -> list[VisibleResult]:
    """Return the tool results in the view from a group on, in its order."""
    of = next_request.fold.results.of
    return [
        VisibleResult(result, shown, each.group)
        for each in next_request.fold.settled()[max(0, index) :]
        for shown in each.results
        if (result := of(shown.item)) is not None
    ]


def reducible_results(next_request: NextRequest, least: int) -> list[VisibleResult]:
    """Return results with at least ``least`` tokens in a form that may become shorter still."""
    of = next_request.fold.results.of
    return [
        VisibleResult(result, shown, each.group)
        for each in next_request.fold.settled()
        for shown in each.results
        if shown.tokens >= least and shown.state in REDUCIBLE
        if (result := of(shown.item)) is not None
    ]


def newest_results(next_request: NextRequest, count: int) -> list[VisibleResult]:
    """Return the newest results in the view, in its order."""
    found: list[VisibleResult] = []
    of = next_request.fold.results.of
    for each in reversed(next_request.fold.settled()):
        if len(found) >= count:
            break
        results = ((of(shown.item), shown) for shown in reversed(each.results))
        found.extend(
            VisibleResult(result, shown, each.group) for result, shown in results if result
        )
    return found[:count][::-1]


def results_of_last_turns(next_request: NextRequest, count: int) -> list[VisibleResult]:
    """Return the results in the view of the last so many turns of a person, in its order."""
    settled = next_request.fold.settled()
    if not count or not settled:
        return []
    first = sorted({each.group.turn for each in settled})[-count:][0]
    start = next(each.index for each in settled if each.group.turn >= first)
    return results_from(next_request, start)


def visible_result(next_request: NextRequest, item: str) -> VisibleResult | None:
    """Return a tool result, if it stands in the view."""
    result, group = next_request.fold.results.of(item), next_request.fold.group_of(item)
    if result is None or group is None:
        return None
    shown = (each for each in next_request.fold.settled()[group.index].results if each.item == item)
    return next((VisibleResult(result, each, group) for each in shown), None)


def bases_in_use(
    next_request: NextRequest, results: Sequence[VisibleResult]
) -> dict[str, list[VisibleResult]]:
    """Map each content that a pointer in view refers to, to the results that point to it."""
    found: dict[str, list[VisibleResult]] = {}
    for each in results:
        if each.shown.state is ItemState.REFERRED:
            for base in _bases(next_request, each.shown):
                found.setdefault(base, []).append(each)
    return found


def _bases(next_request: NextRequest, shown: RenderedItem) -> Iterator[str]:
    for edit, form in next_request.fold.forms.get(shown.item, ()):
        if edit == shown.edit and isinstance(form, Refer):
            yield form.base


def newest_within(next_request: NextRequest, tokens: int) -> list[VisibleResult]:
    """Return the newest results that take ``tokens`` tokens together with what they point to."""
    results = visible_results(next_request)
    named = {next_request.fold.name_of(each.shown): each for each in results}
    kept: list[VisibleResult] = []
    counted: set[str] = set()
    room = tokens
    for each in reversed(results):
        bases = _bases(next_request, each.shown) if each.shown.state is ItemState.REFERRED else ()
        for one in (each, *(named[base] for base in bases if base in named)):
            if one.result.item not in counted:
                counted.add(one.result.item)
                room -= one.tokens
        if room < 0:
            break
        kept.append(each)
    return kept


def stale_items(entries: Iterable[Entry]) -> frozenset[str]:
    """Return the items whose file was changed since they were read."""
    stale: set[str] = set()
    for entry in entries:
        if not isinstance(entry, Noted) or not entry.item or entry.what not in {STALE, FRESH}:
            continue
        if note_fields(entry) is None:
            continue
        change = stale.add if entry.what == STALE else stale.discard
        change(entry.item)
    return frozenset(stale)


LEAST_TOKENS = 40
"""Tokens; a note is hardly shorter than a result that has less."""


def prune_candidates(
    next_request: NextRequest, protected: Sequence[VisibleResult]
) -> list[VisibleResult]:
    """Return the results that may be pruned, the least important first; ties go by age."""
    settings, references = next_request.settings.pruning, next_request.fold.references
    free = free_results(next_request, protected)
    return sorted(free, key=lambda each: -importance(each.result, settings, references))


def free_results(
    next_request: NextRequest, protected: Sequence[VisibleResult]
) -> list[VisibleResult]:
    """Return the results that may be pruned, in the order of the view.

    What the model has not answered to yet stays, however much came at once. What that or a
    protected result points to stays too: without it the pointer would stand in full again.
    """
    kept = {each.result.item for each in protected}
    unseen = newest_answer(next_request.fold)
    used = bases_in_use(next_request, [*protected, *results_from(next_request, unseen)])
    return [
        each
        for each in reducible_results(next_request, LEAST_TOKENS)
        if each.group.index < unseen
        and each.result.item not in kept
        and may_leave(each, next_request)
        and next_request.fold.name_of(each.shown) not in used
    ]


def may_leave(each: VisibleResult, next_request: NextRequest) -> bool:
    """Tell whether a result may be pruned: what a person brought back stays until blocking."""
    if is_exempt(each):
        return False
    kept = is_brought_back(each, next_request.fold)
    return not kept or next_request.load >= next_request.budget.blocking


def is_brought_back(each: VisibleResult, fold: Fold) -> bool:
    """Tell whether a person brought back the result or its group."""
    return each.result.item in fold.shielded or each.group.id in fold.shielded


LONGEST_ERROR = 1_000
"""Tokens; a failed result that has more is the log of a command, and goes as others do."""
LONGEST_EDIT = 100
"""Tokens; the result of an edit that has more shows the file again: what was changed stands in its
call, which never goes."""


def is_exempt(each: VisibleResult) -> bool:
    """Tell whether a result never goes: what an error or an edit says of itself.

    On a recorded day with tests that fail at length, logs that had to stay doubled the cost; on one
    of another agent, whose edits show the file, they made a sixth of it.
    """
    if each.result.failed:
        return each.tokens <= LONGEST_ERROR
    return each.result.traits.edits and each.tokens <= LONGEST_EDIT


def importance(result: ToolResult, settings: PruningSettings, references: References) -> int:
    """Rate how soon a result gives way, in points: the highest goes first."""
    weight = settings.weights.get(result.name, result.traits.weight)
    if weight is None:
        weight = settings.weights.get("unknown", 50)
    weight -= settings.reference_points * references.counts().get(result.item, 0)
    return weight - (settings.decision_points if result.item in references.decided() else 0)
