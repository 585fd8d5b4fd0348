"""Calling a subagent: its session is begun, waited for and reported of; a cancel ends it too."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import Protocol

from plimsoll.cancellation import wait_through_cancel
from plimsoll.context.log.entries import Entry
from plimsoll.errors import PlimsollError, ToolFailed
from plimsoll.session.agents.apart import WorkApart, work_apart
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
from plimsoll.session.agents.custom import (
    ChosenAgent,
    choose_agent,
    settle_task,
    shown_description,
)
from plimsoll.session.agents.report import GOOD, report_text
from plimsoll.session.layers.instructions import opening_frames
from plimsoll.session.layers.mcp import opening_servers
from plimsoll.session.memory.extraction_input import conversation_of
from plimsoll.session.model.profile import first_entries
from plimsoll.session.ports.content import preview_of
from plimsoll.session.ports.events import AgentShown, CallChanged, TurnEnded
from plimsoll.session.ports.ids import new_session_id
from plimsoll.session.session import Session
from plimsoll.session.state.session_state import Caller, CallPlace, SessionState
from plimsoll.storage.base import SessionRecord
from plimsoll.tools.ports.conversation_values import AgentTask
from plimsoll.tools.ports.intent import Outcome

DEEPEST = 2
"""How many agents may stand between a subagent and the person."""
TOO_DEEP = "An agent that was called by a called agent calls no further one. Do the task yourself."
ONLY_READS = "An explore agent can start only explore agents, as it changes nothing."
ONLY_WORK = "Only a work agent has a worktree of its own: an explore agent writes nothing."
APART_ALREADY = (
    "You work in a worktree of your own already, and agents of yours work in the same one: call "
    "them without `isolated`."
)
NOT_NOW = "No work agent runs {where}. An explore agent does."


def check_task(state: SessionState, task: AgentTask) -> None:
    """Raise ToolFailed where a session may not call an agent for a task."""
    if state.agent.depth >= DEEPEST:
        raise ToolFailed(TOO_DEEP)
    if task.kind == "explore":
        if task.isolated:
            raise ToolFailed(ONLY_WORK)
        return
    if task.isolated and state.environment.call_context.own_folder is not None:
        raise ToolFailed(APART_ALREADY)
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

    def check(self, state: SessionState, task: AgentTask) -> AgentTask:
        """Return the task as an agent would do it; ToolFailed where the session may call none."""
        settled = settle_task(state, task)
        check_task(state, settled)
        return settled

    async def call(self, state: SessionState, place: CallPlace, task: AgentTask) -> Outcome:
        """Run a subagent on a task to its end; an error of it becomes a failed result."""
        session = new_session_id(state.clock)
        try:
            if not task.isolated:
                _, outcome = await self._run(state, place, task, session=session)
                return outcome
            async with work_apart(state, task, session) as apart:
                shown, outcome = await self._run(state, place, task, session=session, apart=apart)
                if not outcome.failed:
                    await apart.review(place, shown)
                told = await apart.end()
        except PlimsollError as error:
            return Outcome(text=f"No agent could be called: {error.message}", failed=True)
        return replace(outcome, text="\n\n".join(filter(None, (outcome.text, told))))

    async def _run(
        self,
        state: SessionState,
        place: CallPlace,
        task: AgentTask,
        *,
        session: str,
        apart: WorkApart | None = None,
    ) -> tuple[AgentShown, Outcome]:
        """Run a subagent to its end; return how it is shown, and its report."""
        shown = AgentShown(
            session=session,
            kind=task.kind,
            description=state.redact(shown_description(task)),
            isolated=task.isolated,
        )
        environment = apart.environment if apart else state.environment
        caller = Caller(state=state, place=place, shown=shown, environment=environment)
        async with self._begin_session(caller, task, apart) as begun:
            ended = await _serve_to_end(begun, task.prompt)
            said = list(conversation_of(begun.state.log.fold))
        failed = ended.reason not in GOOD
        return shown, Outcome(text=report_text(said, ended), failed=failed)

    @asynccontextmanager
    async def _begin_session(
        self, caller: Caller, task: AgentTask, apart: WorkApart | None
    ) -> AsyncGenerator[Session]:
        state, place, shown = caller.state, caller.place, caller.shown
        chosen = await choose_agent(state, task)
        agent, model, now = chosen.agent, chosen.model, state.clock.now()
        record = SessionRecord(
            id=shown.session,
            workspace=caller.environment.workspace,
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
        place_told = apart.brief if apart else ""
        entries = await _first_entries(caller, chosen, place_told)
        async with self._sessions.agent(record, entries, caller) as session:

            async def hear(fresh: Sequence[Entry]) -> None:
                await charge(caller, fresh)
                if apart is not None:
                    await apart.hear(fresh)

            session.state.log.heard_by = hear
            # Whoever sends updates learns first whose session it is.
            session.state.voice.emit(session.state.changed_event())
            await state.log.append(called_note(place.item, shown, state.clock))
            state.voice.emit(
                CallChanged(turn=place.turn, call_id=place.call_id, status="running", agent=shown)
            )
            try:
                yield session
            finally:
                state.approvals.allowances.under_way.pop(session.id, None)


async def _first_entries(caller: Caller, chosen: ChosenAgent, place: str) -> tuple[Entry, ...]:
    """Make the first entries of the subagent's log: its frames, the brief, memories and pins.

    ``place``: what it is told of the folder that it works in.
    """
    agent, model = chosen.agent, chosen.model
    state, environment, effective = caller.state, caller.environment, model.budget.effective
    most = min(MOST_TOKENS, effective // SHARE)

    def first() -> tuple[Entry, ...]:
        brief = brief_text(state, agent.kind, most, model.ledger.bare, place=place)
        return first_entries(state.mode, model, environment, agent=agent, brief=brief)

    fold, clock = state.log.fold, environment.clock
    opening = await asyncio.to_thread(first)
    return (
        *opening,
        *chosen.frames,
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
