"""The workplace of a live session as it is now, and what has changed of it."""

import asyncio

from plimsoll.context.log.entries import Framed
from plimsoll.context.log.messages import clean
from plimsoll.session.layers.workplace import (
    DATE,
    ENVIRONMENT,
    Workplace,
    branch_of,
    date_text,
    environment_text,
    layer_frame,
)
from plimsoll.session.ports.agent import Agent
from plimsoll.session.ports.environment import Environment
from plimsoll.session.state.held import held_profile
from plimsoll.session.state.session_state import SessionState


def workplace_of(environment: Environment, agent: Agent) -> Workplace:
    """Find out the workplace of a session of this agent; blocks."""
    root = environment.root
    return Workplace(machine=environment.machine, folder=root, branch=branch_of(root), agent=agent)


async def changed_workplace(state: SessionState) -> tuple[Framed, ...]:
    """Return the frames to append so that the view states the present workplace and date.

    They enter at the tail, also in a session of an earlier version, which has none.
    """
    held, environment = state.log.fold.frames, state.environment
    if "system" not in held:
        return ()
    around = await asyncio.to_thread(workplace_of, environment, state.agent)
    slim = held_profile(state.log.fold.entries) == "slim"
    wanted = {
        ENVIRONMENT: environment_text(around, slim=slim),
        DATE: date_text(environment.clock.today()),
    }
    return tuple(
        layer_frame(slot, text, environment.clock, "tail")
        for slot, text in wanted.items()
        if slot not in held or held[slot].text != environment.redact(clean(text))
    )
