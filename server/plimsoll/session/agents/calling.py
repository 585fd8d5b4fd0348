"""Calling a subagent: its session is begun, waited for and reported of; a cancel ends it too."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Protocol

from plimsoll.cancellation import wait_through_cancel
from plimsoll.context.log.entries import Entry
from plimsoll.errors import PlimsollError, ToolFailed
from plimsoll.session.agents.brief import (
    MEMORIES_SHARE,
    MOST_TOKENS,
    SHARE,
    brief_text,
    carried_memories,
    carried_pins,
)
from plimsoll.session.agents.called import called_note
from plimsoll.session.agents.charging import charge
from plimsoll.session.agents.report import GOOD, report_text
from plimsoll.session.layers.instructions import opening_frames
from plimsoll.session.layers.mcp import opening_servers
from plimsoll.session.memory.extraction_input import conversation_of
from plimsoll.session.model.profile import first_entries
from plimsoll.session.ports.agent import Agent
from plimsoll.session.ports.content import preview_of
from plimsoll.session.ports.events import AgentShown, CallChanged, TurnEnded
from plimsoll.session.ports.ids import new_session_id
from plimsoll.session.ports.model import Model
from plimsoll.session.session import Session
from plimsoll.session.state.session_state import Caller, CallPlace, SessionState
from plimsoll.storage.base import SessionRecord
from plimsoll.tools.ports.conversation_values import AgentTask
from plimsoll.tools.ports.intent import Outcome

DEEPEST = 2
"""How many agents may stand between a subagent and the person."""
TOO_DEEP = "An agent that was called by a called agent calls no further one. Do the task yourself."
ONLY_READS = "An explore agent can start only explore agents, as it changes nothing."
NOT_NOW = "No work agent runs {where}. An explore agent does."


def check_task(state: SessionState, task: AgentTask) -> None:
    """Raise ToolFailed where a session may not call an agent for a task."""
    if state.agent.depth >= DEEPEST:
        raise ToolFailed(TOO_DEEP)
    if task.kind == "explore":
        return
    if state.agent.kind == "explore":
        raise ToolFailed(ONLY_READS)
    if state.mode == "plan":
        raise ToolFailed(NOT_NOW.format(where="in plan mode"))
    if not state.files.trusted():
        raise ToolFailed(NOT_NOW.format(where="in a folder that the user has not trusted"))


class AgentSessions(Protocol):
    """The port that makes sessions for subagents; the project implements it."""

    def agent(
        self, record: SessionRecord, entries: tuple[Entry, ...], caller: Caller
    ) -> AbstractAsyncContextManager[Session]:
        """Open a session that works for another one, and drop it from memory at the end."""
        ...


class AgentCalls:
    """Calls subagents for the sessions of a folder."""

    def __init__(self, sessions: AgentSessions) -> None:
        self._sessions = sessions

    def check(self, state: SessionState, task: AgentTask) -> None:
        """Raise ToolFailed where a session may not let an agent do the task."""
        check_task(state, task)

    async def call(self, state: SessionState, place: CallPlace, task: AgentTask) -> Outcome:
        """Run a subagent on a task to its end; an error of it becomes a failed result."""
        try:
            async with self._begin_session(state, place, task) as session:
                ended = await _serve_to_end(session, task.prompt)
                said = list(conversation_of(session.state.log.fold))
        except PlimsollError as error:
            return Outcome(text=f"No agent could be called: {error.message}", failed=True)
        return Outcome(text=report_text(said, ended), failed=ended.reason not in GOOD)

    @asynccontextmanager
    async def _begin_session(
        self, state: SessionState, place: CallPlace, task: AgentTask
    ) -> AsyncGenerator[Session]:
        environment = state.environment
        model = await state.models.open_for_agent(state.model.id)
        clock = environment.clock
        agent, now = Agent(task.kind, state.agent.depth + 1), clock.now()
        shown = AgentShown(
            session=new_session_id(clock),
            kind=task.kind,
            description=environment.redact(task.description),
        )
        record = SessionRecord(
            id=shown.session,
            workspace=environment.workspace,
            title=" ".join(shown.description.split()),
            mode=state.mode,
            model=model.id,
            created_at=now,
            updated_at=now,
            parent_id=state.id,
            preview=preview_of(task.prompt),
            agent=agent.kind,
            depth=agent.depth,
        )
        caller = Caller(state=state, place=place, shown=shown)
        entries = await _first_entries(state, model, agent=agent, task=task)
        async with self._sessions.agent(record, entries, caller) as session:
            session.state.log.heard_by = partial(charge, caller)
            # Whoever sends updates learns first whose session it is.
            session.state.voice.emit(session.state.changed_event())
            await state.log.append(called_note(place.item, shown, clock))
            state.voice.emit(
                CallChanged(turn=place.turn, call_id=place.call_id, status="running", agent=shown)
            )
            try:
                yield session
            finally:
                state.approvals.allowances.under_way.pop(session.id, None)


async def _first_entries(
    state: SessionState, model: Model, *, agent: Agent, task: AgentTask
) -> tuple[Entry, ...]:
    """Make the first entries of the subagent's log: its frames, the brief, memories and pins."""
    environment, effective = state.environment, model.budget.effective
    most = min(MOST_TOKENS, effective // SHARE)

    def first() -> tuple[Entry, ...]:
        brief = brief_text(state, task.kind, most, model.ledger.bare)
        return first_entries(state.mode, model, environment, agent=agent, brief=brief)

    fold, clock = state.log.fold, environment.clock
    opening = await asyncio.to_thread(first)
    return (
        *opening,
        *await opening_frames(environment, model),
        *(() if agent.kind == "explore" else opening_servers(opening, environment, model)),
        *carried_memories(fold, effective // MEMORIES_SHARE, clock),
        *carried_pins(fold, clock),
    )


async def _serve_to_end(session: Session, prompt: str) -> TurnEnded:
    """Wait for the end of the subagent's turn; a cancel first ends everything it runs."""
    try:
        await session.serve(prompt)
        ended = await session.wait()
    except asyncio.CancelledError:
        await wait_through_cancel(asyncio.ensure_future(session.cancel()))
        raise
    assert ended is not None
    return ended
