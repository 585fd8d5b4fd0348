"""Turns a subagent's session into the person's own once they go on with it."""

from dataclasses import replace

from plimsoll.context.log.entries import Entry, Framed, Slot
from plimsoll.context.view.fold import Fold
from plimsoll.session.layers.custom_agents import OWN_SLOT
from plimsoll.session.layers.framing import BRIEF
from plimsoll.session.ports.agent import MAIN
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_frame, renew
from plimsoll.session.state.held import agent_note
from plimsoll.session.state.session_state import SessionState


async def become_own(state: SessionState) -> None:
    """Turn a subagent's session into the person's own, without a subagent's limits."""
    if state.agent == MAIN:
        return
    await state.append(*own_entries(state.log.fold, state.clock))
    state.agent = MAIN
    await state.save(replace(state.record, agent=None, depth=0))


def own_entries(fold: Fold, clock: Clock) -> tuple[Entry, ...]:
    """Return the entries that turn the log of a subagent, or its copy, into a person's own."""
    held, own = fold.frames.get(BRIEF), fold.frames.get(OWN_SLOT)
    gone = own is not None and own.text is not None
    custom = (new_frame(clock, OWN_SLOT, Slot.INSTRUCTIONS, None),) if gone else ()
    brief = () if held is None or held.text is None else (_without_role(held, clock),)
    return (agent_note(MAIN, clock), *brief, *custom)


def _without_role(held: Framed, clock: Clock) -> Framed:
    text = without_role(held.text or "")
    return replace(renew(held, clock), text=text)


def without_role(brief: str) -> str | None:
    """Return a brief without the subagent's role, for a session that is now a person's own."""
    return brief.partition("\n\n")[2] or None
