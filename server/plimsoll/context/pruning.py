"""Which results may be pruned, which of them pay, and what takes their place."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from plimsoll.context.calls import EDITING
from plimsoll.context.draft import Draft
from plimsoll.context.entries import Op, Replace, State
from plimsoll.context.excerpts import note_size, notes_for
from plimsoll.context.gain import Place, Prices, best_cut, turns_to_come
from plimsoll.context.groups import Group
from plimsoll.context.importance import importance
from plimsoll.context.messages import Role
from plimsoll.context.outlook import Candidate, Outlook, Question
from plimsoll.context.standing import (
    REDUCIBLE,
    Standing,
    bases_in_use,
    newest_results,
    reducible_results,
    standing_results,
)

LEAST_TOKENS = 40
"""Of a result; a note is hardly shorter than less."""
CLEAR = 0.5
"""The gain must be this many times the cost of the rewriting."""


def candidates(draft: Draft, protected: Sequence[Standing]) -> list[Standing]:
    """The results that may be pruned, the least important first; ties go by age."""
    knobs, references = draft.knobs.pruning, draft.fold.references
    free = free_results(draft, protected)
    return sorted(free, key=lambda each: -importance(each.result, knobs, references))


def free_results(draft: Draft, protected: Sequence[Standing]) -> list[Standing]:
    """The results that may be pruned, in the order of the view.

    What a protected result points to stays: without it that one would stand in full again. What
    the model has not answered to yet stays until blocking, however much came at once.
    """
    kept = {each.result.item for each in protected}
    used = bases_in_use(draft, protected)
    unseen = _unseen(draft)
    return [
        each
        for each in reducible_results(draft, LEAST_TOKENS)
        if each.group.place < unseen
        and each.result.item not in kept
        and may_leave(each, draft)
        and draft.fold.bases.name_of(each.shown) not in used
    ]


def may_leave(each: Standing, draft: Draft) -> bool:
    """Whether a result may be pruned: errors and edits stay, and what a person brought back."""
    if _exempt(each):
        return False
    kept = each.result.item in draft.fold.shielded or each.group.id in draft.fold.shielded
    return not kept or draft.load >= draft.budget.blocking


def _exempt(each: Standing) -> bool:
    return each.result.failed or each.result.name in EDITING


def _unseen(draft: Draft) -> int:
    """The place from which on results stay, since the model has not answered to them yet."""
    if draft.load >= draft.budget.blocking:
        return len(draft.fold.groups)
    return newest_answer(draft)


def replacements(draft: Draft, chosen: Sequence[Standing]) -> tuple[Op, ...]:
    """The notes in the place of the chosen results, in the order of the view."""
    leaving = {each.result.item: each for each in (*chosen, *_followers(draft, chosen))}
    notes = notes_for(draft, sorted(leaving.values(), key=lambda each: each.result.place))
    return tuple(Replace(item, text, State.PRUNED) for item, text in notes)


def _followers(draft: Draft, chosen: Sequence[Standing]) -> Iterable[Standing]:
    """The pointers that lose their base with the chosen: in full they would undo the saving."""
    used = bases_in_use(draft, standing_results(draft))
    for each in chosen:
        yield from used.get(draft.fold.bases.name_of(each.shown) or "", ())


def paying(draft: Draft, chosen: Sequence[Standing], sent: int, least: int) -> list[Standing]:
    """The results whose pruning pays besides the chosen, if groups before ``sent`` are cached."""
    knobs = draft.knobs.pruning
    if not knobs.net_gain:
        return []
    newest = newest_results(draft, knobs.keep_results)
    taken = frozenset(each.result.item for each in chosen)
    free = [e for e in free_results(draft, newest) if e.result.item not in taken]
    sizes = [max(0, each.tokens - note_size(draft, each)) for each in free]
    if sum(sizes) < least:
        return []
    places = _places(draft, free, sizes, sent)
    turns = turns_to_come(draft.fold.requests)
    cut = best_cut(places, turns, prices_of(draft), ratio=CLEAR, least=least)
    return free[cut.start :] if cut else []


def may_pay(draft: Draft, sent: int, least: int) -> bool:
    """Whether `paying` may find anything; its cost grows with what is new, not with the session."""
    knobs, outlook = draft.knobs.pruning, _outlook(draft)
    if not knobs.net_gain:
        return False
    prices, turns = prices_of(draft), turns_to_come(draft.fold.requests)
    kept = frozenset(each.result.item for each in newest_results(draft, knobs.keep_results))
    saved, cost = prices.read * turns, (1 + CLEAR) * (prices.write - prices.read)
    return outlook.may_pay(Question(sent, _unseen(draft), kept, least, saved, cost))


def _outlook(draft: Draft) -> Outlook:
    """What may leave some day, with the groups that are new or stand otherwise than before."""
    _ = draft.fold.view
    if draft.fold.outlook.names_tokens != draft.knobs.pruning.names_tokens:
        draft.fold.outlook = Outlook(draft.knobs.pruning.names_tokens)
    outlook = draft.fold.outlook
    for group in draft.fold.groups[outlook.known :]:
        outlook.learn(group, _prunable(draft, group))
    return outlook


def _prunable(draft: Draft, group: Group) -> Iterator[Candidate]:
    for shown in group.results:
        result = draft.fold.results.of(shown.item)
        if result and shown.tokens >= LEAST_TOKENS and shown.state in REDUCIBLE:
            each = Standing(result, shown, group)
            freed = each.tokens - note_size(draft, each)
            if freed > 0 and not _exempt(each):
                yield Candidate(shown.item, freed)


def _places(draft: Draft, free: Sequence[Standing], sizes: Sequence[int], sent: int) -> list[Place]:
    """Where a prune may begin: at each result that may leave, in the order of the view."""
    cached = draft.fold.groups[free[0].group.place : max(0, sent)]
    behind = [*accumulate((group.tokens for group in reversed(cached)), initial=0)]
    return [
        Place(
            max(0, behind[max(0, sent - each.group.place)] - each.group.lines[0].tokens),
            freed,
            each.group.place < sent,
        )
        for each, freed in zip(free, sizes, strict=True)
    ]


def prices_of(draft: Draft) -> Prices:
    """What the model's provider asks."""
    return Prices(draft.knobs.cache.price_read, draft.knobs.cache.price_write)


def newest_answer(draft: Draft) -> int:
    """The place of the newest message of the assistant: what stands before it was sent."""
    groups = reversed(draft.fold.groups)
    return next((g.place for g in groups if g.said[0].role is Role.ASSISTANT), -1)
