"""Prune: old tool results are replaced by one-line notes.

What the work at hand needs stays while there is room: below the compact mark nothing of the last
turns or of the newest tool output leaves, and older results leave only where it clearly pays. At
the mark turns are not protected any more, and the least important of the older results goes first,
even inside one turn. Done in big steps: every step pays for a new prefix (law 5).
"""

from collections.abc import Iterable, Sequence

from plimsoll.context.index.net_gain import Horizon, Prices, pays, turns_to_come
from plimsoll.context.log.entries import ItemState, Op, Replace, Stage
from plimsoll.context.pipeline.due import due, reached_compact
from plimsoll.context.pipeline.proposal import NextRequest, Proposal, as_edit
from plimsoll.context.pipeline.reduction import rewritten_tokens
from plimsoll.context.stages.results.images import seen_images
from plimsoll.context.stages.results.placeholders import NOTE_TOKENS, notes_for
from plimsoll.context.stages.results.protection import (
    free_results,
    is_brought_back,
    pointers_to,
    protected_results,
    tokens_without_turn,
)
from plimsoll.context.stages.results.visible_results import (
    VisibleResult,
    ordered_by_importance,
    visible_results,
)
from plimsoll.context.view.unseen import newest_answer

TARGET = 0.30
"""The share of effective at which a prune stops, so that the next one is far."""
CLEAR = 2.0
"""While there is room, the gain must be this many times the cost of rewriting: on long work at 200k
a quarter of it saved nothing more, and 3 % of what answers repeated was out of view."""
PACE = 6
"""How many of the newest groups measure how fast the request grows."""


def _at_mark(next_request: NextRequest) -> bool:
    return next_request.settings.pruning.enabled and reached_compact(next_request)


def _in_room(next_request: NextRequest) -> bool:
    return next_request.settings.pruning.enabled and next_request.load < next_request.budget.compact


@due(_at_mark)
def plan(next_request: NextRequest) -> Proposal | None:
    """Propose the prune that brings the request well below the mark, if it frees enough."""
    wanted = next_request.tokens - int(next_request.budget.effective * TARGET)
    protected = protected_results(next_request)
    free = free_results(next_request, protected)
    chosen = _take_until(ordered_by_importance(next_request, free), wanted)
    blocking = next_request.load >= next_request.budget.blocking
    if blocking:
        chosen = [*chosen, *_at_blocking(next_request, chosen)]
    ops = (*replacements(next_request, chosen), *seen_images(next_request, protected))
    if not ops:
        return None
    least = 0 if blocking else least_saving(next_request)
    return Proposal(stage=Stage.PRUNE, why=_why(next_request, chosen), ops=ops, least=least)


def least_saving(next_request: NextRequest) -> int:
    """Return the least tokens that a prune must free."""
    return next_request.budget.scale_tokens(next_request.settings.pruning.min_savings_tokens)


def _take_until(ordered: Iterable[VisibleResult], wanted: int) -> list[VisibleResult]:
    """Take results in order until they free ``wanted`` tokens."""
    chosen: list[VisibleResult] = []
    for each in ordered:
        if wanted <= 0:
            break
        chosen.append(each)
        wanted -= _tokens_freed(each)
    return chosen


def _at_blocking(next_request: NextRequest, chosen: Sequence[VisibleResult]) -> list[VisibleResult]:
    """Add newer results as far as needed: seen results leave before unseen ones are cut."""
    taken = {each.result.item for each in chosen}
    rest = [each for each in free_results(next_request, ()) if each.result.item not in taken]
    left = next_request.tokens - sum(map(_tokens_freed, chosen))
    return _take_until(rest, left - next_request.budget.compact + 1)


def _tokens_freed(each: VisibleResult) -> int:
    """Estimate the tokens freed by a note in place of a result."""
    return max(0, each.tokens - NOTE_TOKENS)


def _why(next_request: NextRequest, chosen: Sequence[VisibleResult]) -> str:
    if any(is_brought_back(each, next_request.fold) for each in chosen):
        return "the context reached the stop mark, so what was brought back had to go too"
    return "the context reached the compact mark"


@due(_in_room)
def in_room(next_request: NextRequest) -> Proposal | None:
    """Propose to prune all unprotected results while there is room, if it clearly pays."""
    least = least_saving(next_request)
    if tokens_without_turn(next_request) < max(1, least):
        return None
    free = [
        each
        for each in free_results(next_request, protected_results(next_request))
        if not is_brought_back(each, next_request.fold)
    ]
    most = sum(each.tokens for each in free)
    if most < max(1, least) or not _may_pay(next_request, free[0], most):
        return None
    ops = replacements(next_request, free)
    if not _pays_in_view(next_request, ops):
        return None
    why = "keeping what is so old costs more than it helps"
    return Proposal(stage=Stage.PRUNE, why=why, ops=ops, least=least)


def _may_pay(next_request: NextRequest, first: VisibleResult, most: int) -> bool:
    """Estimate from the sizes of groups whether a prune from a result on may pay.

    ``most``: the tokens of all that would leave, an upper bound of what it frees.
    """
    rendered = next_request.fold.rendered_groups()
    behind = sum(
        group.tokens for group in rendered[first.group.index : _first_uncached(next_request)]
    )
    return _pays(next_request, most, max(0, behind - most))


def _pays_in_view(next_request: NextRequest, ops: tuple[Op, ...]) -> bool:
    """Tell whether a prune pays, measured in the view after it.

    A big step also moves frames at the tail to the head; that too is written again.
    """
    before, rendered = next_request.fold.view, next_request.fold.rendered_groups()
    unsent = sum(group.tokens for group in rendered[_first_uncached(next_request) :])
    trial = as_edit(Proposal(stage=Stage.PRUNE, why="", ops=ops), next_request.edit_name)
    with next_request.fold.trial_edit(trial) as view:
        freed, anew = before.tokens - view.tokens, rewritten_tokens(before, view)
    return _pays(next_request, freed, max(0, anew - unsent))


def _pays(next_request: NextRequest, freed: int, rewritten: int) -> bool:
    turns = horizon(next_request).after(freed)
    return pays(freed, rewritten, turns=turns, prices=prices_of(next_request), ratio=CLEAR)


def _first_uncached(next_request: NextRequest) -> int:
    """Return the index of the first group that the provider's cache does not hold."""
    return 0 if next_request.cold else max(0, newest_answer(next_request.fold))


def horizon(next_request: NextRequest) -> Horizon:
    """Estimate for how many requests a prune saves: until the session or the room ends."""
    newest = next_request.fold.rendered_groups()[-PACE:]
    pace = sum(group.tokens for group in newest) / len(newest) if newest else 0
    room = max(0, next_request.budget.compact - next_request.tokens)
    return Horizon(turns_to_come(next_request.fold.requests), room, pace)


def prices_of(next_request: NextRequest) -> Prices:
    """Return the prices of the model's provider."""
    return Prices(next_request.settings.cache.price_read, next_request.settings.cache.price_write)


def replacements(next_request: NextRequest, chosen: Sequence[VisibleResult]) -> tuple[Op, ...]:
    """Replace the chosen results by their notes, in the order of the view."""
    leaving = {each.result.item: each for each in (*chosen, *_followers(next_request, chosen))}
    notes = notes_for(next_request, sorted(leaving.values(), key=lambda each: each.result.index))
    return tuple(Replace(item, text, ItemState.PRUNED) for item, text in notes)


def _followers(
    next_request: NextRequest, chosen: Sequence[VisibleResult]
) -> Iterable[VisibleResult]:
    """Find the pointers whose base is chosen: shown in full they would undo the saving."""
    fold = next_request.fold
    used = pointers_to(fold, visible_results(next_request)) if chosen else {}
    for each in chosen:
        yield from used.get(fold.name_of(each.shown) or "", ())
