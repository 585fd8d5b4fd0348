"""Shortens a request that is too long, by our count or as the provider says, and learns from it."""

from dataclasses import replace

from plimsoll.context.budget import Budget
from plimsoll.context.log.entries import Replace
from plimsoll.context.pipeline.proposal import NextRequest, Proposal
from plimsoll.context.pipeline.reduction import measure_in_trial
from plimsoll.context.report.receipts import part_of
from plimsoll.context.report.titles import item_title
from plimsoll.context.stages import digest
from plimsoll.context.stages.trim import shrink
from plimsoll.errors import ProviderOverflow
from plimsoll.session.asking.calibration import calibrate, sent_count
from plimsoll.session.model.window import learn_window
from plimsoll.session.ports.events import NoticeGiven
from plimsoll.session.reduction.compaction import apply_big_step
from plimsoll.session.reduction.hooked_compaction import tell_hooks
from plimsoll.session.state.session_state import SessionState

WHY = "the provider says that the prompt is too long"
RATE_WHY = "the account may send no more than {rate:,} tokens at a time"
RATE_MARGIN = 0.1
"""The share of a request that is freed beyond what is over the limit: it may count otherwise."""


async def recover(state: SessionState, turn: str, error: ProviderOverflow) -> None:
    """Reduce a request that the provider found too long, once, and tell the person.

    The window and count in the error are learned. A digest that frees too
    little is followed by trimming, and where all of that leaves too much, what the person said is
    cut too: there is no second recovery.

    Raises:
        ProviderOverflow: Nothing can leave the view.
    """
    why, target = await _learn(state, turn, error)
    proposal = digest.propose(state.load.next_request, why, least_kept=True, by_hand=True)
    if proposal is None and _shrink(state.load.next_request, target) is None:
        raise error
    automatic = state.load.next_request.settings.compaction.auto
    off = "" if automatic else ", although automatic compaction is off"
    state.voice.emit(
        NoticeGiven(f"Recovering: {why}, so the context is reduced{off}.", "warning", turn)
    )
    if proposal is not None:
        shorter = measure_in_trial(state.load.next_request, proposal)
        await tell_hooks(state, turn, await apply_big_step(state, shorter))
    if state.log.fold.view.tokens > target:
        rest = _shrink(state.load.next_request, target)
        if rest is not None:
            await apply_big_step(state, measure_in_trial(state.load.next_request, rest))
    if state.log.fold.view.tokens > state.model.budget.effective:
        raise error


async def _learn(state: SessionState, turn: str, error: ProviderOverflow) -> tuple[str, int]:
    """Learn the error's window and count; returns the reduction's reason and target tokens."""
    rate, requested = error.data.get("rate"), error.data.get("requested")
    if isinstance(rate, int) and isinstance(requested, int):
        # What may be sent in a time says nothing of the window, nor of how we count.
        used = state.log.fold.view.tokens
        over = requested - rate + int(RATE_MARGIN * used)
        return RATE_WHY.format(rate=rate), max(used - over, used // 4)
    limit, tokens = error.data.get("limit"), error.data.get("tokens")
    if isinstance(tokens, int) and tokens > 0:
        sent = sent_count(state.log.fold.view, state.model)
        learned = state.model.correction.learn_size(sent, tokens)
        await calibrate(state.load, state.voice, learned, state.clock)
    if isinstance(limit, int):
        await learn_window(state, limit, turn)
    return WHY, _target(state.log.fold.view.tokens, state.model.budget)


def _target(used: int, budget: Budget) -> int:
    """Return the target of the reduction, in tokens."""
    # Where it should have fitted by all that is known, our count is too low by we know not what.
    return budget.warning if used > budget.effective else used * 2 // 3


def _shrink(request: NextRequest, target: int) -> Proposal | None:
    """Propose cuts as in a window of the target's size, also of results and prompts."""
    budget = replace(request.budget, effective=target)
    return shrink(replace(request, budget=budget), target, WHY, cut="words")


CUT_WHY = "what must stay would not fit"
CUT = (
    "The next request would be {over:,} tokens too long for the {room:,} that the window leaves, "
    "so only beginning and end are sent of: {names}. The whole stays in the session; a model with "
    "a larger window would read all of it."
)


async def cut_to_fit(state: SessionState, turn: str | None) -> bool:
    """Cut attached and pasted texts to head and tail if the request fits then; tell the person."""
    fold, room = state.log.fold, state.model.budget.effective
    over = fold.view.tokens - room
    proposal = shrink(state.load.next_request, state.model.budget.warning, CUT_WHY, cut="pasted")
    if proposal is None:
        return False
    proposal = measure_in_trial(state.load.next_request, proposal)
    if proposal.after > room:
        return False
    cut = (op.item for op in proposal.ops if isinstance(op, Replace))
    found = (part_of(item, fold) for item in cut)
    names = [item_title(part, said, fold) for part, said in filter(None, found)]
    await state.apply(proposal)
    words = state.redact(CUT.format(over=over, room=room, names=", ".join(names)))
    state.voice.emit(NoticeGiven(words, "warning", turn))
    return True
