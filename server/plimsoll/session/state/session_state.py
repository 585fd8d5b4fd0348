"""The state of one live session, which its operations share, and its log."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from plimsoll.context.log.entries import (
    SUMMARIES,
    Edited,
    Entry,
    Origin,
)
from plimsoll.context.pipeline.proposal import Proposal
from plimsoll.context.report.history import RequestHistory
from plimsoll.context.report.receipts import Receipt, receipt_of
from plimsoll.session.log.session_log import SessionLog
from plimsoll.session.ports.entries import new_edit
from plimsoll.session.ports.environment import MODES, Environment, Mode
from plimsoll.session.ports.events import (
    AgentShown,
    MeterMoved,
    NoticeGiven,
    ReductionApplied,
    SessionChanged,
)
from plimsoll.session.ports.model import Model
from plimsoll.session.resources.files import FileCopies, folder_files
from plimsoll.session.resources.hook_record import HookRecord
from plimsoll.session.resources.memories import SessionMemories, SessionRecall
from plimsoll.session.resources.models import SessionModels
from plimsoll.session.resources.writing import WriteAccess
from plimsoll.session.state.account import SessionAccount
from plimsoll.session.state.approvals import Approvals
from plimsoll.session.state.edit_spans import note_edits
from plimsoll.session.state.held import held_agent, machines_before
from plimsoll.session.state.load import SessionLoad
from plimsoll.session.state.made_unasked import MadeByCommands
from plimsoll.session.state.queue import PromptQueue
from plimsoll.session.state.shown import open_turn
from plimsoll.session.state.standing_permissions import Permissions
from plimsoll.session.state.voice import SessionVoice
from plimsoll.storage.base import SessionRecord
from plimsoll.tools.ports.conversation_values import AgentTask
from plimsoll.tools.ports.hooks import HookEvent
from plimsoll.tools.ports.intent import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPlace:
    """The place of a call in the log: its turn, message and item."""

    turn: str
    call_id: str
    item: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """The call by which another session lets this one work."""

    state: "SessionState"
    place: CallPlace
    shown: AgentShown
    """This session, as people are shown it there."""
    environment: Environment
    """What this session works with: that of the other one, unless it works apart."""


class Agents(Protocol):
    """The port by which a session calls other agents."""

    def check(self, state: "SessionState", task: AgentTask) -> AgentTask:
        """Return the task as an agent would do it; ToolFailed where the session may call none."""
        ...

    async def call(self, state: "SessionState", place: CallPlace, task: AgentTask) -> Outcome:
        """Run a subagent on a task for a session, to its end."""
        ...


class SessionState:
    """The state of a live session: its record, log, load and voice."""

    def __init__(
        self,
        record: SessionRecord,
        log: SessionLog,
        model: Model,
        environment: Environment,
        caller: Caller | None = None,
    ) -> None:
        self.log = log
        self.environment = environment
        self.clock = environment.clock
        self.redact = environment.redact
        self.tracer = environment.tracer
        self.caller = caller
        """Who this session works for; none: the person at the editor."""
        self.agents: Agents | None = None
        """Lets other agents work for it; none: it calls nobody."""
        self.writing = WriteAccess(environment.store, environment.travelling, record.id)
        self.files = folder_files(environment)
        self.copies = FileCopies(environment, record.id)
        self.copies.left_behind = machines_before(log.fold.entries)
        self.memories = SessionMemories(environment.memories, environment.rules, record.id)
        self.recall = SessionRecall(environment.store.recall, environment.rules, record.id)
        self.voice = SessionVoice(log, environment.listener, environment.clock)
        self.models = SessionModels(environment)
        self.load = SessionLoad(log, model, environment.clock, environment.models)
        permissions = Permissions(environment.store.permissions, environment.clock)
        answers = caller.state.approvals.answers if caller else None
        self.approvals = Approvals(environment.asker, environment.rules, permissions, answers)
        self.account = SessionAccount(log, environment.cost_of, environment.rules)
        self.queue = PromptQueue(partial(environment.listener, record.id))
        self.agent = held_agent(log.fold.entries)
        self.begun_calls: set[str] = set()
        """The items of the calls whose tools were set to work here."""
        self.running_outputs: dict[str, Callable[[], Awaitable[str]]] = {}
        """What reads the output so far of a command that runs, by the id of its call."""
        self.hooks = HookRecord()
        self.made = MadeByCommands()
        """What commands made of protected names."""
        self.instructions_read = False
        """Whether the instructions were looked at since the session was opened here."""
        self.files_seen: dict[Path, tuple[int, int] | None] = {}
        """The time and size of each file that was read, when it was looked at last; none: gone."""
        self.on_summary: Callable[[], None] | None = None
        """Called when a summary has taken the place of the old part of the conversation."""
        self.requests = RequestHistory()
        self._hold(record)

    @property
    def id(self) -> str:
        """The session's id."""
        return self._record.id

    @property
    def record(self) -> SessionRecord:
        """The session's record, without the secrets known so far."""
        return self.environment.redact_record(self._record)

    @property
    def model(self) -> Model:
        """The model that answers."""
        return self.load.model

    @property
    def mode(self) -> Mode:
        """The mode, which says which tools may run; a subagent has its caller's."""
        return self.caller.state.mode if self.caller else MODES.get(self.record.mode, "ask")

    @property
    def origin(self) -> Origin:
        """The origin of the session's turns: the person, or a subagent."""
        return Origin.SUBAGENT if self.caller else Origin.PERSON

    def has_hooks(self, event: HookEvent) -> bool:
        """Tell whether the person has hooks for an event."""
        return any(hook.event == event for hook in self.environment.rules().hooks)

    async def settle_commands(self, turn: str | None = None) -> None:
        """Move aside protected files made by commands that still run, and tell the person."""
        commands = self.environment.commands
        for moved in await commands.settle() if commands.running else ():
            words = f"{moved.describe()}. You are asked about it when the command has ended."
            self.voice.emit(NoticeGiven(self.redact(words), "warning", turn))

    async def append(self, *entries: Entry) -> None:
        """Append entries to the log, then show the new load."""
        await self.log.append(*self.voice.take_unkept(), *entries)
        note_edits(self.tracer, entries)
        self.voice.emit(MeterMoved(self.load.quick_meter()))

    async def apply(self, proposal: Proposal, *with_it: Entry) -> Receipt:
        """Append a reduction and the entries that belong to it, and send its receipt."""
        return await self.keep(new_edit(proposal, self.clock), *with_it)

    async def keep(self, edit: Edited, *with_it: Entry) -> Receipt:
        """Append an edit and send its receipt."""
        await self.append(edit, *with_it)
        if edit.stage in SUMMARIES:
            # What was announced has come; the next one is announced anew.
            self.load.forget_warning()
            if self.on_summary is not None:
                self.on_summary()
        # As the log has it: what is told about an edit holds no secret either.
        receipt = receipt_of(self.log.fold.edits[edit.id], self.log.indexes)
        self.voice.emit(ReductionApplied(receipt))
        return receipt

    async def save(self, record: SessionRecord) -> None:
        """Store changed fields of the session's record; other processes' changes stay."""
        self._hold(await self.environment.store.update(record, self._record))
        self.voice.emit(self.changed_event())

    def take_record(self, record: SessionRecord) -> bool:
        """Adopt another process's changes of the session's record; tell whether there were any.

        The model stays the one that this process asks, until the session is loaded again.
        """
        before = self._record
        self._hold(replace(record, model=before.model))
        return replace(self._record, updated_at=before.updated_at) != before

    def _hold(self, record: SessionRecord) -> None:
        self._record = record
        self.load.turns = record.turns

    def changed_event(self) -> SessionChanged:
        """Make the event of a changed session: its record, and another process that writes it."""
        held_by = self.writing.claim()
        return SessionChanged(self.record, held_by, held_by is not None and self.has_open_turn)

    @property
    def has_open_turn(self) -> bool:
        """Whether the log has a turn of a person without its end."""
        return open_turn(self.log.fold.entries) is not None


def person_of(state: SessionState) -> SessionState:
    """Return the person's session for which this one works, or itself."""
    while state.caller is not None:
        state = state.caller.state
    return state
