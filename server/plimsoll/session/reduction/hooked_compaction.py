"""Compactions with the person's hooks around them; without hooks nothing of that is loaded."""

from plimsoll.context.log.entries import SUMMARIES
from plimsoll.context.pipeline.proposal import Proposal
from plimsoll.context.pipeline.reduction import ReductionPlan, measure_in_trial
from plimsoll.context.report.receipts import Receipt
from plimsoll.errors import InvalidInput
from plimsoll.session.ports.events import NoticeGiven
from plimsoll.session.state.session_state import SessionState

PUT_OFF = "A hook of yours put the compaction off."
NO_ROOM = "What your hooks wanted kept would have left no room, so it was left out of the summary."


async def kept_by_hooks(
    state: SessionState, instructions: str, *, by_hand: bool
) -> tuple[str, ...]:
    """Return what hooks want kept in a compaction between turns.

    Raises:
        InvalidInput: A hook put it off; one that a person asked for is not put off.
    """
    if not state.has_hooks("PreCompact"):
        return ()
    # Late, as wherever hooks run: most people have none.
    from plimsoll.session.hooks.compaction import before_compaction

    trigger = "manual" if by_hand else "auto"
    said = await before_compaction(state, "", trigger, instructions)
    if said.postponed:
        raise InvalidInput(PUT_OFF, remedy="Send `/compact` to have it done all the same.")
    return said.keep


async def held_back(
    state: SessionState, turn: str | None, reduced: ReductionPlan
) -> tuple[str, ...] | None:
    """Return what hooks want kept in a compaction that is due; None: they put it off.

    One that is put off is so until the turn ends, or the blocking mark is reached.
    """
    planned = any(proposal.stage in SUMMARIES for proposal in reduced.proposals)
    if not planned or not state.has_hooks("PreCompact"):
        return ()
    from plimsoll.session.hooks.compaction import before_compaction

    said = await before_compaction(state, turn or "", "auto")
    if said.postponed:
        state.load.hold_compaction(turn or "")
        return None
    return said.keep


def add_kept(state: SessionState, proposal: Proposal, keep: tuple[str, ...]) -> Proposal:
    """Add what hooks want kept to a compaction, unless it would be no lighter or not fit then."""
    if not keep or proposal.stage not in SUMMARIES:
        return proposal
    from plimsoll.session.hooks.compaction import with_kept

    longer = measure_in_trial(state.load.next_request, with_kept(proposal, keep))
    fits = longer.after <= state.model.budget.effective
    if fits and longer.after < longer.before:
        return longer
    state.voice.emit(NoticeGiven(NO_ROOM, "warning"))
    return proposal


async def tell_hooks(state: SessionState, turn: str | None, receipt: Receipt) -> None:
    """Give hooks the receipt of a compaction, and its summary."""
    if receipt.stage not in SUMMARIES or not state.has_hooks("PostCompact"):
        return
    from plimsoll.session.hooks.compaction import after_compaction

    await after_compaction(state, turn or "", receipt)
