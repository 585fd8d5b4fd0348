"""Closing what a turn leaves open: calls without a result are answered, its end is noted."""

from dataclasses import replace

from plimsoll.context.log.call_end import NEVER_RUN, CallEnd
from plimsoll.context.log.entries import Noted
from plimsoll.context.log.messages import Part, PartKind, part_item
from plimsoll.context.log.notes import INTERRUPTED_CALL
from plimsoll.context.view.rendering import pair_results
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_note
from plimsoll.session.ports.events import TurnEnded
from plimsoll.session.reduction.ingest import keep_result
from plimsoll.session.state.session_state import SessionState
from plimsoll.session.state.shown import open_turn, turn_note

STOPPED = "[stopped by the user while it ran: it may have done its work, or a part of it]"
"""The result of a call that was cut off."""
NOT_BEGUN = "[not run: the user stopped the turn before it began]"
"""The result of a call that waited for its turn, or for an answer, as the turn was stopped."""
INTERRUPTED = (
    "[interrupted before it came to its end: whether it did its work is not known, so look before "
    "you repeat it]"
)
"""The result of a call that had none as its turn, or its process, broke off."""
AGENT_INTERRUPTED = "[interrupted: the agent did not come to its end]"
"""The result of a call whose agent was at work as its process ended."""
NOT_RUN = "[not run: the turn was stopped, as the model was in a loop]"
"""The result of a call that comes behind the one at which a loop was found."""


async def close_calls(state: SessionState, turn: str | None, *, looped: bool = False) -> None:
    """Answer the calls of the last message that will not run any more, each with its end.

    ``turn``: the turn being stopped; None: it broke off earlier. ``looped``: a loop ended it.
    """
    if not state.log.fold.groups:
        return
    group, clock = state.log.fold.groups[-1], state.clock
    for message, closing in pair_results(group.visible):
        numbers = {part.call_id: number for number, part in enumerate(message.parts)}
        for call_id in closing:
            call, item = message.parts[numbers[call_id]], part_item(message.id, numbers[call_id])
            begun = not looped and item in state.begun_calls
            ended, text = _call_end(call, turn, begun=begun, looped=looped)
            closed = replace(
                call, kind=PartKind.RESULT, text=text, opaque=None, failed=True, ended=ended
            )
            notes = () if ended in NEVER_RUN else (_interruption_note(item, clock),)
            await keep_result(state, turn, message, closed, with_it=notes)


def _call_end(call: Part, turn: str | None, *, begun: bool, looped: bool) -> tuple[CallEnd, str]:
    """Return the end of a call without a result, and the words for it."""
    if looped:
        return CallEnd.NOT_RUN, NOT_RUN
    if turn is None:
        return CallEnd.INTERRUPTED, AGENT_INTERRUPTED if call.traits.delegates else INTERRUPTED
    return (CallEnd.STOPPED, STOPPED) if begun else (CallEnd.NOT_RUN, NOT_BEGUN)


def _interruption_note(call: str, clock: Clock) -> Noted:
    return new_note(clock, INTERRUPTED_CALL, item=call)


async def close_turn(state: SessionState) -> None:
    """Log that the last turn was interrupted, if its process ended in it; no turn runs now."""
    await close_calls(state, None)
    record, fold = state.record, state.log.fold
    turn = open_turn(fold.entries, record.created_at if record.parent_id else "")
    if turn is not None:
        ended = TurnEnded(turn, "interrupted")
        await state.append(turn_note(ended, fold.view.tokens, state.clock))
