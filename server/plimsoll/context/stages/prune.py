"""Prune: old tool results give way to notes, at the warning or as soon as it clearly pays.

Errors, edits and the newest tool output stay; it works inside one user turn as well as over many,
for tool results are protected by tokens alone. Done in big steps: every step pays for a new prefix
(law 5). At the warning the least important go first, down to well below the mark; while there is
room the net gain decides from where on all of them go.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate

from plimsoll.context.calls import EDITING
from plimsoll.context.draft import Draft, Proposal
from plimsoll.context.entries import Op, Replace, Stage, State
from plimsoll.context.excerpts import note_size, notes_for
from plimsoll.context.gain import LEAST_FREED, Place, Prices, best_cut, pays, turns_to_come
from plimsoll.context.importance import importance
from plimsoll.context.messages import Role
from plimsoll.context.pipeline import as_edit, rewritten
from plimsoll.context.standing import (
    Standing,
    bases_in_use,
    freed_by,
    newest_results,
    newest_within,
    reducible_results,
    standing_results,
)

TARGET = 0.30
"""Of effective: a prune goes on until the request is this small, so that the next one is far."""
LEAST_TOKENS = 40
"""Of a result; a note is hardly shorter than less."""
CLEAR = 0.5
"""The gain must be this many times the cost of the rewriting."""


def plan(draft: Draft) -> Proposal | None:
    """The prune that is due, or that pays while there is room.

    It is due at the warning when the provider's cache is cold, for rewriting then costs no more,
    and at the compact mark, before the digest, while the cache is warm (law 5).
    """
    if not draft.knobs.pruning.enabled:
        return None
    due = draft.load >= (draft.budget.warning if draft.cold else draft.budget.compact)
    return (_at_warning(draft) if due else None) or _in_room(draft)


def _at_warning(draft: Draft) -> Proposal | None:
    """The prune that brings the request well below the mark, if it frees enough.

    It rewrites the prefix from its first result on, so whatever pays from there on goes with it.
    """
    knobs = draft.knobs.pruning
    target = int(draft.budget.effective * TARGET)
    protected = newest_within(draft, draft.budget.scaled(knobs.protect_tokens))
    chosen = _enough(candidates(draft, protected), draft, draft.tokens - target)
    first = min((each.group.place for each in chosen), default=0)
    ops = replacements(draft, [*chosen, *_paying(draft, chosen, first, 1)])
    if freed_by(ops, draft) < max(1, draft.budget.scaled(knobs.min_savings_tokens)):
        return None
    return Proposal(Stage.PRUNE, _why(draft, chosen), ops)


def _in_room(draft: Draft) -> Proposal | None:
    """The prune from the cut with the largest gain, checked against the view that it leaves."""
    least = max(1, int(draft.tokens * LEAST_FREED))
    sent = -1 if draft.cold else _newest_answer(draft)
    paying = _paying(draft, (), sent, least)
    return _checked(draft, replacements(draft, paying), sent, least) if paying else None


def _paying(draft: Draft, chosen: Sequence[Standing], sent: int, least: int) -> list[Standing]:
    """The results whose pruning pays besides the chosen, if groups before ``sent`` are cached."""
    knobs = draft.knobs.pruning
    if not knobs.net_gain:
        return []
    newest = newest_results(draft, knobs.keep_results)
    taken = frozenset(each.result.item for each in chosen)
    free = [e for e in free_results(draft, newest) if e.result.item not in taken]
    places = _places(draft, free, sent)
    turns = turns_to_come(draft.fold.requests)
    cut = best_cut(places, turns, _prices(draft), ratio=CLEAR, least=least)
    return free[cut.start :] if cut else []


def _places(draft: Draft, free: Sequence[Standing], sent: int) -> list[Place]:
    """Where a prune may begin: at each result that may leave, in the order of the view."""
    groups = draft.fold.groups
    behind = [*accumulate((g.tokens for g in reversed(groups[: max(0, sent)])), initial=0)]
    return [
        Place(
            max(0, behind[max(0, sent - each.group.place)] - each.group.lines[0].tokens),
            max(0, each.tokens - note_size(draft, each)),
            each.group.place < sent,
        )
        for each in free
    ]


def _newest_answer(draft: Draft) -> int:
    """The place of the newest message of the assistant: what stands before it was sent."""
    groups = reversed(draft.fold.groups)
    return next((g.place for g in groups if g.said[0].role is Role.ASSISTANT), -1)


def _prices(draft: Draft) -> Prices:
    return Prices(draft.knobs.cache.price_read, draft.knobs.cache.price_write)


def _checked(draft: Draft, ops: tuple[Op, ...], sent: int, least: int) -> Proposal | None:
    """The proposal, if it pays in the view that it would really leave.

    A big step also moves to the head what entered at the tail; that too is written anew.
    """
    turns, prices, before = turns_to_come(draft.fold.requests), _prices(draft), draft.fold.view
    unsent = sum(group.tokens for group in draft.fold.groups[max(0, sent) :])
    with draft.fold.supposing(as_edit(Proposal(Stage.PRUNE, "", ops), "trial")) as view:
        freed = before.tokens - view.tokens
        anew = max(0, rewritten(before, view) - unsent)
    if freed < least or not pays(freed, anew, turns, prices, CLEAR):
        return None
    saved = prices.read * turns * freed
    cost = (prices.write - prices.read) * anew
    why = (
        f"net gain: {len(ops)} old results free {freed:,} tokens, which saves about {saved:,.0f} "
        f"over {turns:.0f} requests to come; rewriting {anew:,} cached tokens costs {cost:,.0f}"
    )
    return Proposal(Stage.PRUNE, why, ops)


def candidates(draft: Draft, protected: Sequence[Standing]) -> list[Standing]:
    """The results that may be pruned, the least important first; ties go by age."""
    knobs, references = draft.knobs.pruning, draft.fold.references
    free = free_results(draft, protected)
    return sorted(free, key=lambda each: -importance(each.result, knobs, references))


def free_results(draft: Draft, protected: Sequence[Standing]) -> list[Standing]:
    """The results that may be pruned, in the order of the view.

    What a protected result points to stays: without it that one would stand in full again.
    """
    kept = {each.result.item for each in protected}
    used = bases_in_use(draft, protected)
    return [
        each
        for each in reducible_results(draft, LEAST_TOKENS)
        if each.result.item not in kept
        and may_leave(each, draft)
        and draft.fold.bases.hash_of(each.result.item) not in used
    ]


def may_leave(each: Standing, draft: Draft) -> bool:
    """Whether a result may be pruned: errors and edits stay, and what a person brought back."""
    if each.result.failed or each.result.name in EDITING:
        return False
    kept = each.result.item in draft.fold.shielded or each.group.id in draft.fold.shielded
    return not kept or draft.load >= draft.budget.blocking


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
        wanted -= max(0, each.tokens - note_size(draft, each))
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
