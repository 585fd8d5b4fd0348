"""Prune: old tool results give way to notes, the least important first.

Errors, edits and the newest tool output stay; it works inside one user turn as well as over many,
for tool results are protected by tokens alone. Done in one big step, well below the mark: every
step pays for a new prefix (law 5).
"""

from collections.abc import Iterable, Sequence

from plimsoll.context.calls import EDITING
from plimsoll.context.draft import Draft, Proposal
from plimsoll.context.entries import Op, Replace, Stage, State
from plimsoll.context.excerpts import notes_for
from plimsoll.context.importance import importance
from plimsoll.context.standing import (
    Standing,
    bases_in_use,
    freed_by,
    newest_within,
    standing_results,
)

TARGET = 0.55
"""Of effective: a prune goes on until the request is this small, so that the next one is far."""
LEAST_TOKENS = 100
"""Of a result; a note is hardly shorter than less."""


def plan(draft: Draft) -> Proposal | None:
    """The prune that is due at the warning mark."""
    knobs = draft.knobs.pruning
    if not knobs.enabled or draft.load < draft.budget.warning:
        return None
    target = int(draft.budget.effective * TARGET)
    results = standing_results(draft)
    protected = newest_within(results, draft.budget.scaled(knobs.protect_tokens))
    chosen = _enough(candidates(draft, results, protected), draft, draft.tokens - target)
    ops = replacements(draft, chosen)
    if freed_by(ops, draft) < max(1, draft.budget.scaled(knobs.min_savings_tokens)):
        return None
    return Proposal(Stage.PRUNE, _why(draft, chosen), ops)


def candidates(
    draft: Draft, results: Sequence[Standing], protected: frozenset[str]
) -> list[Standing]:
    """The results that may be pruned, the first to go first; ties go by age.

    What a protected result points to stays: without it that one would stand in full again.
    """
    used = bases_in_use(draft, [each for each in results if each.result.item in protected])
    free = [
        each
        for each in results
        if each.result.item not in protected
        and may_leave(each, draft)
        and draft.fold.bases.hash_of(each.result.item) not in used
    ]
    knobs, references = draft.knobs.pruning, draft.fold.references
    return sorted(free, key=lambda each: -importance(each.result, knobs, references))


def may_leave(each: Standing, draft: Draft) -> bool:
    """Whether a result may be pruned by its kind, its size and its state."""
    if each.shown.state not in _REDUCIBLE or each.tokens < LEAST_TOKENS:
        return False
    if each.result.failed or each.result.name in EDITING:
        return False
    kept = each.result.item in draft.fold.shielded or each.group.id in draft.fold.shielded
    return not kept or draft.load >= draft.budget.blocking


_REDUCIBLE = frozenset({State.VERBATIM, State.TRUNCATED, State.REFERRED})


def replacements(draft: Draft, chosen: Sequence[Standing]) -> tuple[Op, ...]:
    """The notes in the place of the chosen results, in the order of the view."""
    leaving = {each.result.item: each for each in (*chosen, *_followers(draft, chosen))}
    notes = notes_for(draft, sorted(leaving.values(), key=lambda each: each.result.place))
    return tuple(Replace(item, text, State.PRUNED) for item, text in notes)


def _followers(draft: Draft, chosen: Sequence[Standing]) -> Iterable[Standing]:
    """The pointers that lose their base with the chosen: in full they would undo the saving."""
    used = bases_in_use(draft, standing_results(draft))
    for each in chosen:
        yield from used.get(draft.fold.bases.hash_of(each.result.item) or "", ())


def _enough(ordered: Iterable[Standing], draft: Draft, wanted: int) -> list[Standing]:
    """The first of the candidates that free so many tokens, their notes reckoned at full size."""
    chosen: list[Standing] = []
    for each in ordered:
        if wanted <= 0:
            break
        chosen.append(each)
        wanted -= max(0, each.tokens - draft.knobs.pruning.names_tokens)
    return chosen


def _why(draft: Draft, chosen: Sequence[Standing]) -> str:
    shielded = draft.fold.shielded
    forced = [each for each in chosen if each.result.item in shielded or each.group.id in shielded]
    mark = draft.budget.blocking if forced else draft.budget.warning
    name = "blocking" if forced else "warning"
    why = f"{draft.load:,} tokens reached the {name} mark of {mark:,}; {len(chosen)} old results"
    if forced:
        return f"{why}, {len(forced)} that a person had brought back among them"
    return why
