"""What a session takes in before it goes on: what has changed around it since its last request."""

from collections.abc import Sequence

from plimsoll.context.log.entries import Framed, Origin
from plimsoll.context.log.messages import Part
from plimsoll.session.layers.current import changed_workplace
from plimsoll.session.layers.custom_agents import changed_agents
from plimsoll.session.layers.instructions import changed_instructions
from plimsoll.session.layers.machines import changed_machine
from plimsoll.session.layers.mcp import changed_servers
from plimsoll.session.layers.pins import pin_changes
from plimsoll.session.layers.skills import changed_skills
from plimsoll.session.log.session_log import SessionLog
from plimsoll.session.memory.injecting import changed_memories, memories_in, memory_frames
from plimsoll.session.memory.recall import recall_frames
from plimsoll.session.state.session_state import SessionState
from plimsoll.storage.project import BeforeRequest


async def take_in(state: SessionState) -> None:
    """Fold entries of other processes, and append changes around the session: folder, date."""
    found, fold = await _before_request(state.log), state.log.fold
    if state.take_record(found.record):
        state.voice.emit(state.changed_event())
    clock = state.clock
    fresh = (
        *(pin_changes(fold, found.pins, clock) if found.pins or fold.pins else ()),
        *await changed_skills(state),
        *await changed_agents(state),
        *changed_servers(state),
        *await changed_instructions(state),
        *await changed_memories(state, found.standing),
        *await changed_machine(state),
        *await changed_workplace(state),
    )
    if fresh:
        await state.append(*fresh)


async def _before_request(log: SessionLog) -> BeforeRequest:
    told = memories_in(log.fold)
    found = await log.before_request(told)
    now = memories_in(log.fold)
    # Another process may have told the session of other memories meanwhile.
    return found if now == told else await log.before_request(now)


async def first_frames_of(state: SessionState, parts: Sequence[Part]) -> tuple[Framed, ...]:
    """Return the frames of memories and recall that enter with a session's first prompt."""
    if state.caller is not None:
        # It was told what its caller was told; what others said is not its matter.
        return ()
    groups = state.log.fold.groups
    # What was imported was said elsewhere.
    if any(said.origin is not Origin.IMPORT for group in groups for said in group.said):
        return ()
    told = await memory_frames(state, parts)
    recall = await recall_frames(state.recall, state.model, state.clock, parts)
    return (*told, *recall)
