"""Prune: old tool results give way to notes, at the warning or as soon as it clearly pays.

What errors and edits say of themselves and the newest tool output stay; it works inside one user
turn as well as over many, for tool results are protected by tokens alone. Done in big steps: every
step pays for a new prefix (law 5). At the warning the least important go first, down to well below
the mark; while there is room the net gain decides from where on all of them go.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate

from plimsoll.context.index.net_gain import (
    Horizon,
    Prices,
    PruneCandidate,
    PrunePoint,
    PruneQuestion,
    best_cut,
    pays,
    turns_to_come,
)
from plimsoll.context.log.entries import ItemState, Op, Replace, Stage
from plimsoll.context.stages.images import seen_images
from plimsoll.context.stages.pipeline import (
    LEAST_STEP,
    NextRequest,
    Proposal,
    as_edit,
    due,
    newest_answer,
    reached_compact,
    rewritten_tokens,
)
from plimsoll.context.stages.placeholders import note_size, notes_for
from plimsoll.context.stages.visible_results import (
    LEAST_TOKENS,
    REDUCIBLE,
    VisibleResult,
    bases_in_use,
    free_results,
    is_brought_back,
    is_exempt,
    newest_results,
    newest_within,
    prune_candidates,
    results_of_last_turns,
    visible_result,
    visible_results,
)
from plimsoll.context.view.view import SettledGroup

TARGET = 0.30
"""The share of effective down to which a prune goes, so that the next one is far."""
CLEAR = 0.25
"""The gain must be this many times the cost of the rewriting."""
READ_SHARE = 0.15
"""The share of effective that files may take which are kept to be read again: beside them the
newest result and the next one have room below the compact mark."""
PACE = 6
"""Groups whose size says how fast the request grows."""


def _mark(next_request: NextRequest) -> tuple[str, int]:
    """Return the mark at which a prune is due.

    That is the warning while the provider's cache is cold, for rewriting then costs no more, and
    the compact mark, before the digest, while the cache is warm (law 5).
    """
    if next_request.cold:
        return "warning", next_request.budget.warning
    return "compact", next_request.budget.compact


def _at_mark(next_request: NextRequest) -> bool:
    if not _may_prune(next_request):
        return False
    if next_request.cold:
        return next_request.tokens >= next_request.budget.warning
    return reached_compact(next_request)


def _may_prune(next_request: NextRequest) -> bool:
    return next_request.settings.pruning.enabled


@due(_at_mark)
def plan(next_request: NextRequest) -> Proposal | None:
    """Propose the prune that brings the request well below the mark, if it frees enough.

    It rewrites the prefix from its first result on, so whatever pays from there on goes with it.
    """
    settings = next_request.settings.pruning
    target = int(next_request.budget.effective * TARGET)
    protected = [
        *newest_within(next_request, next_request.budget.scaled(settings.protect_tokens)),
        *results_of_last_turns(next_request, settings.protect_turns),
    ]
    chosen = _enough(
        prune_candidates(next_request, protected), next_request, next_request.tokens - target
    )
    blocking = next_request.load >= next_request.budget.blocking
    if blocking:
        chosen = [*chosen, *_at_blocking(next_request, chosen)]
    first = min((each.group.index for each in chosen), default=0)
    ops = replacements(next_request, [*chosen, *results_that_pay(next_request, chosen, first, 1)])
    ops = (*ops, *seen_images(next_request, protected))
    least = 0 if blocking else next_request.budget.scaled(settings.min_savings_tokens)
    return (
        Proposal(stage=Stage.PRUNE, why=_why(next_request, chosen), ops=ops, least=least)
        if ops
        else None
    )


def _enough(
    ordered: Iterable[VisibleResult], next_request: NextRequest, wanted: int
) -> list[VisibleResult]:
    """Take candidates until they free ``wanted`` tokens, with their notes at full size."""
    chosen: list[VisibleResult] = []
    for each in ordered:
        if wanted <= 0:
            break
        chosen.append(each)
        wanted -= _freed(next_request, each)
    return chosen


def _at_blocking(next_request: NextRequest, chosen: Sequence[VisibleResult]) -> list[VisibleResult]:
    """Take newer results too, as far as needed: what was seen goes before what was not is cut."""
    taken = {each.result.item for each in chosen}
    rest = [e for e in prune_candidates(next_request, ()) if e.result.item not in taken]
    left = next_request.tokens - sum(_freed(next_request, each) for each in chosen)
    return _enough(rest, next_request, left - next_request.budget.compact + 1)


def _freed(next_request: NextRequest, each: VisibleResult) -> int:
    """Estimate the tokens that a note in the place of a result frees at least."""
    return max(0, each.tokens - note_size(next_request, each))


def _why(next_request: NextRequest, chosen: Sequence[VisibleResult]) -> str:
    forced = [each for each in chosen if is_brought_back(each, next_request.fold)]
    name, mark = ("blocking", next_request.budget.blocking) if forced else _mark(next_request)
    reached = f"{next_request.load:,} tokens reached the {name} mark of {mark:,}"
    why = f"{reached}; {_old_results(len(chosen))}"
    if forced:
        return f"{why}, {len(forced)} that a person had brought back among them"
    return why


def _old_results(count: int) -> str:
    return "1 old result" if count == 1 else f"{count} old results"


@due(_may_prune)
def in_room(next_request: NextRequest) -> Proposal | None:
    """Propose the prune from the cut with the largest gain, checked in the view that it leaves."""
    least = max(1, int(next_request.budget.window * LEAST_STEP))
    sent = -1 if next_request.cold else newest_answer(next_request.fold)
    if not can_any_pay(next_request, sent, least):
        return None
    chosen = results_that_pay(next_request, (), sent, least)
    return (
        _checked(next_request, replacements(next_request, chosen), sent, least) if chosen else None
    )


def can_any_pay(next_request: NextRequest, sent: int, least: int) -> bool:
    """Say whether `results_that_pay` may find anything.

    Its cost grows with what is new, not with the session.
    """
    prices, to_come = prices_of(next_request), horizon(next_request)
    if not next_request.settings.pruning.net_gain or to_come.turns <= 0:
        return False
    outlook, names_tokens = next_request.fold.outlook, next_request.settings.pruning.names_tokens
    outlook.catch_up(next_request.fold.settled(), names_tokens, partial(_prunable, next_request))
    if outlook.freed < least:
        return False
    kept = frozenset(each.result.item for each in _kept(next_request))
    saved = prices.read * to_come.after(outlook.freed)
    cost = (1 + CLEAR) * (prices.write - prices.read)
    return outlook.can_any_pay(
        PruneQuestion(
            sent=sent,
            unseen=newest_answer(next_request.fold),
            kept=kept,
            least=least,
            saved=saved,
            cost=cost,
        )
    )


def _prunable(next_request: NextRequest, settled: SettledGroup) -> Iterator[PruneCandidate]:
    """Yield the results of a group that may be pruned some day."""
    for shown in settled.results:
        result = next_request.fold.results.of(shown.item)
        if result and shown.tokens >= LEAST_TOKENS and shown.state in REDUCIBLE:
            each = VisibleResult(result, shown, settled.group)
            freed = each.tokens - note_size(next_request, each)
            if freed > 0 and not is_exempt(each):
                yield PruneCandidate(shown.item, freed)


def _checked(
    next_request: NextRequest, ops: tuple[Op, ...], sent: int, least: int
) -> Proposal | None:
    """Return the proposal if it pays in the view that it would really leave.

    A big step also moves to the head what entered at the tail; that too is written anew.
    """
    to_come, prices, before = horizon(next_request), prices_of(next_request), next_request.fold.view
    unsent = sum(group.tokens for group in next_request.fold.settled()[max(0, sent) :])
    with next_request.fold.supposing(
        as_edit(Proposal(stage=Stage.PRUNE, why="", ops=ops), "trial")
    ) as view:
        freed = before.tokens - view.tokens
        anew = max(0, rewritten_tokens(before, view) - unsent)
    turns = to_come.after(freed)
    if freed < least or not pays(freed, anew, turns=turns, prices=prices, ratio=CLEAR):
        return None
    saved = prices.read * turns * freed
    cost = (prices.write - prices.read) * anew
    why = (
        f"net gain: {freed:,} tokens of {_old_results(len(ops))} leave, which saves about "
        f"{saved:,.0f} over {turns:.0f} requests to come; rewriting {anew:,} cached tokens costs "
        f"{cost:,.0f}"
    )
    return Proposal(stage=Stage.PRUNE, why=why, ops=ops)


def horizon(next_request: NextRequest) -> Horizon:
    """Estimate for how many requests a prune saves: until the session or the room ends."""
    newest = next_request.fold.settled()[-PACE:]
    pace = sum(group.tokens for group in newest) / len(newest) if newest else 0
    room = max(0, next_request.budget.compact - next_request.tokens)
    return Horizon(turns_to_come(next_request.fold.requests), room, pace)


def prices_of(next_request: NextRequest) -> Prices:
    """Return the prices of the model's provider."""
    return Prices(next_request.settings.cache.price_read, next_request.settings.cache.price_write)


def results_that_pay(
    next_request: NextRequest, chosen: Sequence[VisibleResult], sent: int, least: int
) -> list[VisibleResult]:
    """Find what pays besides the chosen results, if groups before ``sent`` are cached.

    What a person brought back is never among it: that goes only where it must, and is said.
    """
    settings = next_request.settings.pruning
    if not settings.net_gain:
        return []
    taken = frozenset(each.result.item for each in chosen)
    free = [
        each
        for each in free_results(next_request, _kept(next_request))
        if each.result.item not in taken and not is_brought_back(each, next_request.fold)
    ]
    sizes = [_freed(next_request, each) for each in free]
    if sum(sizes) < least:
        return []
    points = _points(next_request, free, sizes, sent)
    to_come, prices = horizon(next_request), prices_of(next_request)
    cut = best_cut(points, to_come, prices, ratio=CLEAR, least=least)
    return free[cut.start :] if cut else []


def _kept(next_request: NextRequest) -> list[VisibleResult]:
    """Return what stays while there is room: the newest results, protected turns, what is in use.

    In use is what one of the last answers referred to, which is soon needed again, word for word,
    and the files that will likely be read again.
    """
    settings = next_request.settings.pruning
    recent = next_request.fold.references.recent(settings.keep_referenced)
    referenced = (found for item in recent if (found := visible_result(next_request, item)))
    return [
        *newest_results(next_request, settings.keep_results),
        *results_of_last_turns(next_request, settings.protect_turns),
        *referenced,
        *_read_again(next_request),
    ]


def _read_again(next_request: NextRequest) -> Iterator[VisibleResult]:
    """Yield the files that it pays to keep, as far as they take a share of the window.

    To keep a token for an answer costs a read, to let it go costs a write times the chance that
    the answer asks for it again. What this session has done so far tells that chance, and it goes
    where the gain is clear. Those in front come first: what leaves there has more rewritten.
    """
    rereads, prices = next_request.fold.rereads, prices_of(next_request)
    if prices.read >= (1 + CLEAR) * rereads.rate() * prices.write:
        return
    found = (visible_result(next_request, item) for item in rereads.lately())
    room = next_request.budget.effective * READ_SHARE
    for each in sorted((e for e in found if e), key=lambda each: each.result.index):
        if each.tokens <= room:
            room -= each.tokens
            yield each


def _points(
    next_request: NextRequest, free: Sequence[VisibleResult], sizes: Sequence[int], sent: int
) -> list[PrunePoint]:
    """List where a prune may begin: at each result that may leave, in the order of the view."""
    settled = next_request.fold.settled()
    cached = settled[free[0].group.index : max(0, sent)]
    behind = [*accumulate((group.tokens for group in reversed(cached)), initial=0)]
    return [
        PrunePoint(
            max(
                0,
                behind[max(0, sent - each.group.index)] - settled[each.group.index].lines[0].tokens,
            ),
            freed,
            each.group.index < sent,
        )
        for each, freed in zip(free, sizes, strict=True)
    ]


def replacements(next_request: NextRequest, chosen: Sequence[VisibleResult]) -> tuple[Op, ...]:
    """Replace the chosen results by their notes, in the order of the view."""
    leaving = {each.result.item: each for each in (*chosen, *_followers(next_request, chosen))}
    notes = notes_for(next_request, sorted(leaving.values(), key=lambda each: each.result.index))
    return tuple(Replace(item, text, ItemState.PRUNED) for item, text in notes)


def _followers(
    next_request: NextRequest, chosen: Sequence[VisibleResult]
) -> Iterable[VisibleResult]:
    """Find the pointers that lose their base with the chosen: in full they undo the saving."""
    used = bases_in_use(next_request, visible_results(next_request))
    for each in chosen:
        yield from used.get(next_request.fold.name_of(each.shown) or "", ())
