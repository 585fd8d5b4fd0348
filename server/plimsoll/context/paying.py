"""Which results pay to be pruned while there is room, by the net gain."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate

from plimsoll.context.calls import READING
from plimsoll.context.draft import Draft
from plimsoll.context.excerpts import note_size
from plimsoll.context.gain import Place, Prices, best_cut, turns_to_come
from plimsoll.context.groups import SettledGroup
from plimsoll.context.messages import Role
from plimsoll.context.outlook import Candidate, Question
from plimsoll.context.pruning import LEAST_TOKENS, free_results, is_exempt, unseen_from
from plimsoll.context.standing import (
    REDUCIBLE,
    Standing,
    newest_results,
    standing_result,
)

PACE = 6
"""Groups whose size says how fast the request grows."""
CLEAR = 0.5
"""The gain must be this many times the cost of the rewriting."""


def paying(draft: Draft, chosen: Sequence[Standing], sent: int, least: int) -> list[Standing]:
    """The results whose pruning pays besides the chosen, if groups before ``sent`` are cached."""
    knobs = draft.knobs.pruning
    if not knobs.net_gain:
        return []
    taken = frozenset(each.result.item for each in chosen)
    free = [e for e in free_results(draft, _kept(draft)) if e.result.item not in taken]
    sizes = [max(0, each.tokens - note_size(draft, each)) for each in free]
    if sum(sizes) < least:
        return []
    places = _places(draft, free, sizes, sent)
    turns = horizon(draft)
    cut = best_cut(places, turns, prices_of(draft), ratio=CLEAR, least=least)
    return free[cut.start :] if cut else []


def _kept(draft: Draft) -> list[Standing]:
    """What stays while there is room: the newest results, and those that are in use.

    In use is what one of the last answers referred to, and a file that was read for one of them:
    it is soon needed again, word for word.
    """
    knobs = draft.knobs.pruning
    recent = draft.fold.references.recent(knobs.keep_referenced)
    referenced = (found for item in recent if (found := standing_result(draft, item)))
    return [
        *newest_results(draft, knobs.keep_results),
        *referenced,
        *_read_lately(draft, knobs.keep_referenced),
    ]


def _read_lately(draft: Draft, answers: int) -> Iterator[Standing]:
    """The files that were read for one of the last so many answers."""
    for each in reversed(draft.fold.settled()):
        if answers <= 0:
            return
        answers -= each.group.said[0].role is Role.ASSISTANT
        for shown in each.results:
            result = draft.fold.results.of(shown.item)
            if result and result.name in READING:
                yield Standing(result, shown, each.group)


def may_pay(draft: Draft, sent: int, least: int) -> bool:
    """Whether `paying` may find anything; its cost grows with what is new, not with the session."""
    prices, turns = prices_of(draft), horizon(draft)
    if not draft.knobs.pruning.net_gain or turns <= 0:
        return False
    outlook, names_tokens = draft.fold.outlook, draft.knobs.pruning.names_tokens
    outlook.catch_up(draft.fold.settled(), names_tokens, partial(_prunable, draft))
    kept = frozenset(each.result.item for each in _kept(draft))
    saved, cost = prices.read * turns, (1 + CLEAR) * (prices.write - prices.read)
    return outlook.may_pay(Question(sent, unseen_from(draft), kept, least, saved, cost))


def _prunable(draft: Draft, settled: SettledGroup) -> Iterator[Candidate]:
    """What may leave a group some day."""
    for shown in settled.results:
        result = draft.fold.results.of(shown.item)
        if result and shown.tokens >= LEAST_TOKENS and shown.state in REDUCIBLE:
            each = Standing(result, shown, settled.group)
            freed = each.tokens - note_size(draft, each)
            if freed > 0 and not is_exempt(each):
                yield Candidate(shown.item, freed)


def _places(draft: Draft, free: Sequence[Standing], sizes: Sequence[int], sent: int) -> list[Place]:
    """Where a prune may begin: at each result that may leave, in the order of the view."""
    settled = draft.fold.settled()
    cached = settled[free[0].group.place : max(0, sent)]
    behind = [*accumulate((group.tokens for group in reversed(cached)), initial=0)]
    return [
        Place(
            max(
                0,
                behind[max(0, sent - each.group.place)] - settled[each.group.place].lines[0].tokens,
            ),
            freed,
            each.group.place < sent,
        )
        for each, freed in zip(free, sizes, strict=True)
    ]


def horizon(draft: Draft) -> float:
    """The requests for which a prune saves: at the load line what it takes would go anyway."""
    newest = draft.fold.settled()[-PACE:]
    pace = sum(group.tokens for group in newest) / len(newest) if newest else 0
    room = max(0, draft.budget.compact - draft.tokens)
    return min(turns_to_come(draft.fold.requests), room / max(1.0, pace))


def prices_of(draft: Draft) -> Prices:
    """What the model's provider asks."""
    return Prices(draft.knobs.cache.price_read, draft.knobs.cache.price_write)
