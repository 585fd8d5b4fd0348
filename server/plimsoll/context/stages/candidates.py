"""Which results may be pruned, and what takes their place."""

from collections.abc import Iterable, Sequence

from plimsoll.context.index.references import References
from plimsoll.context.index.results import ToolResult
from plimsoll.context.log.entries import ItemState, Op, Replace
from plimsoll.context.log.messages import Role
from plimsoll.context.stages.excerpts import notes_for
from plimsoll.context.stages.next_request import NextRequest, PruningSettings
from plimsoll.context.stages.visible_results import (
    VisibleResult,
    bases_in_use,
    reducible_results,
    visible_results,
)

LEAST_TOKENS = 40
"""Of a result; a note is hardly shorter than less."""


def candidates(draft: NextRequest, protected: Sequence[VisibleResult]) -> list[VisibleResult]:
    """The results that may be pruned, the least important first; ties go by age."""
    settings, references = draft.settings.pruning, draft.fold.references
    free = free_results(draft, protected)
    return sorted(free, key=lambda each: -importance(each.result, settings, references))


def free_results(draft: NextRequest, protected: Sequence[VisibleResult]) -> list[VisibleResult]:
    """The results that may be pruned, in the order of the view.

    What a protected result points to stays: without it that one would stand in full again. What
    the model has not answered to yet stays until blocking, however much came at once.
    """
    kept = {each.result.item for each in protected}
    used = bases_in_use(draft, protected)
    unseen = unseen_from(draft)
    return [
        each
        for each in reducible_results(draft, LEAST_TOKENS)
        if each.group.place < unseen
        and each.result.item not in kept
        and may_leave(each, draft)
        and draft.fold.name_of(each.shown) not in used
    ]


def may_leave(each: VisibleResult, draft: NextRequest) -> bool:
    """Whether a result may be pruned: what a person brought back stays until blocking."""
    if is_exempt(each):
        return False
    kept = each.result.item in draft.fold.shielded or each.group.id in draft.fold.shielded
    return not kept or draft.load >= draft.budget.blocking


def is_exempt(each: VisibleResult) -> bool:
    """Whether a result never goes: errors and edits."""
    return each.result.failed or each.result.traits.edits


def unseen_from(draft: NextRequest) -> int:
    """The place from which on results stay, since the model has not answered to them yet."""
    if draft.load >= draft.budget.blocking:
        return len(draft.fold.groups)
    return newest_answer(draft)


def replacements(draft: NextRequest, chosen: Sequence[VisibleResult]) -> tuple[Op, ...]:
    """The notes in the place of the chosen results, in the order of the view."""
    leaving = {each.result.item: each for each in (*chosen, *_followers(draft, chosen))}
    notes = notes_for(draft, sorted(leaving.values(), key=lambda each: each.result.place))
    return tuple(Replace(item, text, ItemState.PRUNED) for item, text in notes)


def _followers(draft: NextRequest, chosen: Sequence[VisibleResult]) -> Iterable[VisibleResult]:
    """The pointers that lose their base with the chosen: in full they would undo the saving."""
    used = bases_in_use(draft, visible_results(draft))
    for each in chosen:
        yield from used.get(draft.fold.name_of(each.shown) or "", ())


def newest_answer(draft: NextRequest) -> int:
    """The place of the newest message of the assistant: what stands before it was sent."""
    groups = reversed(draft.fold.groups)
    return next((g.place for g in groups if g.said[0].role is Role.ASSISTANT), -1)


def importance(result: ToolResult, settings: PruningSettings, references: References) -> int:
    """Points by which a result gives way: the highest goes first."""
    weight = settings.weights.get(result.name, result.traits.weight)
    if weight is None:
        weight = settings.weights.get("unknown", 50)
    weight -= settings.reference_points * references.counts().get(result.item, 0)
    return weight - (settings.decision_points if result.item in references.decided() else 0)
