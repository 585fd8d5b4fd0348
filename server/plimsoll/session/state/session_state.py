"""The state of one live session, which its operations share, and its log."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from plimsoll.context.budget import (
    Load,
    Measured,
    Meter,
    TurnLoads,
    Zone,
    meter_of,
    turns_left,
)
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import (
    SUMMARIES,
    Edited,
    Entry,
    Framed,
    Noted,
    Origin,
    Said,
)
from plimsoll.context.log.notes import TOLD, notes_of_kind
from plimsoll.context.report.history import RequestHistory
from plimsoll.context.report.receipts import Receipt, receipt_of
from plimsoll.context.stages.pipeline import NextRequest, Proposal, ReductionPlan, as_edit
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.view import View
from plimsoll.providers.base import Usage
from plimsoll.session.log.session_log import SessionLog
from plimsoll.session.ports.entries import new_note
from plimsoll.session.ports.environment import MODES, Environment, Mode, Model
from plimsoll.session.ports.events import (
    AgentShown,
    Event,
    MeterMoved,
    NoticeGiven,
    ReductionApplied,
    ReductionPlanned,
    SessionChanged,
    UsageReported,
)
from plimsoll.session.state.ahead import NothingAhead, WritesAhead
from plimsoll.session.state.approvals import Approvals
from plimsoll.session.state.cost import SpentTokens
from plimsoll.session.state.edit_spans import note_edits
from plimsoll.session.state.foreign_text import ForeignText
from plimsoll.session.state.held import held_agent
from plimsoll.session.state.made_unasked import MadeByCommands
from plimsoll.session.state.notes import postponed_until
from plimsoll.session.state.planning import PlansAhead
from plimsoll.session.state.prompt_cache import PromptCache
from plimsoll.session.state.queue import PromptQueue
from plimsoll.session.state.shown import open_turn, shown_note
from plimsoll.session.state.standing_permissions import Permissions
from plimsoll.storage.base import SessionRecord
from plimsoll.tools.base import AgentTask, Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPlace:
    """Where a call stands."""

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


class Agents(Protocol):
    """Lets other agents work."""

    def check(self, state: "SessionState", task: AgentTask) -> None:
        """Raise ToolFailed where a session may not let an agent do the task."""
        ...

    async def call(self, state: "SessionState", place: CallPlace, task: AgentTask) -> Outcome:
        """Let an agent do a task for a session, to its end."""
        ...


class SessionState:
    """Record, log and model of a session, and its voice."""

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
        self.caller = caller
        """Who this session works for; none: the person at the editor."""
        self.agents: Agents | None = None
        """Lets other agents work for it; none: it calls nobody."""
        self.ahead_of_mark: WritesAhead = NothingAhead()
        """Writes its summary before it is needed."""
        permissions = Permissions(environment.store.permissions, environment.clock)
        answers = caller.state.approvals.answers if caller else None
        self.approvals = Approvals(environment.asker, environment.rules, permissions, answers)
        self.queue = PromptQueue(partial(environment.listener, record.id))
        self.agent = held_agent(log.fold.entries)
        self.begun_calls: set[str] = set()
        """The items of the calls whose tools were set to work here."""
        self.running_outputs: dict[str, Callable[[], Awaitable[str]]] = {}
        """What reads the output so far of a command that runs, by the id of its call."""
        self.made = MadeByCommands()
        """What commands made of protected names."""
        self.instructions_read = False
        """Whether the instructions were looked at since the session was opened here."""
        self.files_seen: dict[Path, tuple[int, int] | None] = {}
        """The time and size of each file that was read, when it was looked at last; none: gone."""
        self.folders_left: dict[Path, tuple[int, int]] = {}
        """When the agent's edits last changed each folder, and when others had done so before."""
        self.foreign_text = ForeignText()
        self.on_summary: Callable[[], None] | None = None
        """Called when a summary has taken the place of the old part of the conversation."""
        self.requests = RequestHistory()
        self.spent = SpentTokens()
        self._record = record
        self._model = model
        self._measured: Measured | None = None
        self._zone = Zone.OK
        self._postponed_until = postponed_until(log.fold.entries)
        self._warned = False
        self._unkept: tuple[Noted, ...] = ()
        self._unsent_memories: tuple[str, ...] = ()
        self._told = {note.text("about") for note in notes_of_kind(log.fold.entries, TOLD)}
        self._expected: tuple[Framed, ...] = ()
        self._with_expected: tuple[tuple[Fold, int], Indexes] | None = None
        self._plans = PlansAhead()
        self._prompt_cache = PromptCache()
        self._turn_loads = TurnLoads()

    @property
    def id(self) -> str:
        """The session's id."""
        return self._record.id

    @property
    def record(self) -> SessionRecord:
        """What is known of the session beside its log, without what is known as a secret by now."""
        return self.environment.redacted(self._record)

    @property
    def model(self) -> Model:
        """The model that answers."""
        return self._model

    @property
    def measured(self) -> Measured | None:
        """What the provider reported of the last request."""
        return self._measured

    @property
    def zone(self) -> Zone:
        """The zone of the load as it was shown last."""
        return self._zone

    @property
    def postponed_until(self) -> int:
        """The number of turns until which no automatic compaction runs."""
        return self._postponed_until

    @property
    def warned(self) -> bool:
        """The person knows of the compaction that is near; until it comes or the zone is left."""
        return self._warned

    def claim(self) -> str | None:
        """Become the one that writes the session; returns the other process that does, if any."""
        return self.environment.store.writers.claim(self.id)

    @property
    def mode(self) -> Mode:
        """The mode, which says which tools may run: of a subagent it is its caller's."""
        return self.caller.state.mode if self.caller else MODES.get(self.record.mode, "ask")

    @property
    def origin(self) -> Origin:
        """Whose conversation the turns of the session are."""
        return Origin.SUBAGENT if self.caller else Origin.PERSON

    @property
    def indexes_ahead(self) -> Indexes:
        """The log with its indexes, and what the first prompt brings while nothing was said."""
        fold = self.log.fold
        if fold.groups or not self._expected:
            return self.log.indexes
        now = fold, len(fold.entries)
        if self._with_expected is None or self._with_expected[0] != now:
            whole = Indexes(Fold(fold.ledger, (*fold.entries, *self._expected), fold.tools))
            self._with_expected = now, whole
        return self._with_expected[1]

    def expect(self, frames: tuple[Framed, ...]) -> None:
        """Show these frames in view and meter until something is said; the log stays as it is."""
        if frames != self._expected:
            self._expected, self._with_expected = frames, None

    @property
    def next_request(self) -> NextRequest:
        """The next request as the log has it now."""
        settings = self.model.settings
        if self.record.turns < self.postponed_until:
            settings = replace(settings, compaction=replace(settings.compaction, auto=False))
        return NextRequest(
            indexes=self.indexes_ahead,
            budget=self.model.budget,
            settings=settings,
            cold=self.cache_expired,
            written=self.ahead_of_mark.ready,
        )

    @property
    def cache_expired(self) -> bool:
        """Whether the provider's cache holds nothing of this session any more."""
        log, now = self.log.fold.entries, self.environment.clock.now()
        seconds = self.model.settings.cache.cache_seconds
        return self._prompt_cache.is_cold(log, self.model.id, now, seconds)

    async def use_model(self, model: Model) -> None:
        """Count and ask with this model from now on."""
        if model.ledger is not self._model.ledger:
            await self.log.reprice(model.ledger)
            self._with_expected = None
            self._plans.forget()
        self._model = model

    def report_usage(self, turn: str, counted: int, usage: Usage) -> None:
        """Keep and tell what the provider reported of a request that we had counted."""
        self._measured = Measured(turn, usage.input, counted, usage.cached)
        self.emit(UsageReported(turn, "turn", self._model.name, usage))

    def warn(self, planned: ReductionPlanned) -> None:
        """Tell the person of the compaction that is near."""
        self._warned = True
        self.emit(planned)

    def postpone(self, until: int) -> None:
        """Let no automatic compaction run until so many turns; after it, the person is warned."""
        self._postponed_until, self._warned = until, False

    def end_postponement(self) -> None:
        """End the postponement, as a compaction has run."""
        self._postponed_until = 0

    def told_once(self, about: str, notice: NoticeGiven) -> tuple[Noted, ...]:
        """Give a notice unless this session was given it before, by whichever process.

        Returns what is to be appended, so that no later process gives it again.
        """
        if about in self._told:
            return ()
        self._told.add(about)
        self.emit(notice)
        return (new_note(self.environment.clock, TOLD, {"about": about}),)

    async def tell_once(self, about: str, notice: NoticeGiven) -> None:
        """Give a notice unless this session was given it before, and keep that it was."""
        if note := self.told_once(about, notice):
            await self.log.append(*note)

    def put_memories(self, memories: tuple[str, ...]) -> None:
        """Note memories that have entered the view and that no request has carried yet."""
        self._unsent_memories = memories

    def take_unsent_memories(self) -> tuple[str, ...]:
        """Take the memories that no request had carried yet, each once."""
        names, self._unsent_memories = self._unsent_memories, ()
        return names

    async def settle_commands(self, turn: str | None = None) -> None:
        """Move aside what commands that still run made of protected names, and say so."""
        commands = self.environment.commands
        for moved in await commands.settle() if commands.running else ():
            words = f"{moved.told()}. You are asked about it when the command has ended."
            self.emit(NoticeGiven(self.environment.redact(words), "warning", turn))

    def emit(self, event: Event) -> None:
        """Tell whoever listens; a notice of a turn is kept with the next entries."""
        if isinstance(event, NoticeGiven) and event.turn is not None:
            self.keep_shown(event)
        self.environment.listener(self.id, event)

    def keep_shown(self, notice: NoticeGiven) -> None:
        """Keep, with the next entries, that a person was shown this."""
        self.keep_with_next(shown_note(notice, self.environment.clock))

    def keep_with_next(self, note: Noted) -> None:
        """Keep a note with the next entries: one that is no loss where none come any more."""
        self._unkept += (note,)

    def take_unkept(self) -> tuple[Noted, ...]:
        """Take the notes that are to be kept with the next entries, each once."""
        notes, self._unkept = self._unkept, ()
        return notes

    async def append(self, *entries: Entry) -> None:
        """Keep entries, then show that the load has moved."""
        await self.log.append(*self.take_unkept(), *entries)
        note_edits(self.environment.tracer, entries)
        self.emit(MeterMoved(self._meter(self._plans.load(self.next_request))))

    def kept(self, said: Said) -> Said:
        """Return a message as the log has it: what is told of it holds no secret either."""
        index = self.log.fold.index_of(said.id)
        assert index is not None
        entry = self.log.fold.entries[index]
        assert isinstance(entry, Said)
        return entry

    async def apply(self, proposal: Proposal, *with_it: Entry) -> Receipt:
        """Keep a reduction, with what changes together with it, and tell what it did."""
        clock = self.environment.clock
        edit = as_edit(proposal, clock.new_id("e"), clock.now())
        return await self.keep(edit, *with_it)

    async def keep(self, edit: Edited, *with_it: Entry) -> Receipt:
        """Keep an edit and tell what it did."""
        await self.append(edit, *with_it)
        if edit.stage in SUMMARIES:
            # What was announced has come; the next one is announced anew.
            self._warned = False
            if self.on_summary is not None:
                self.on_summary()
        # As the log has it: what is told about an edit holds no secret either.
        receipt = receipt_of(self.log.fold.edits[edit.id], self.log.indexes)
        self.emit(ReductionApplied(receipt))
        return receipt

    def ahead(self) -> ReductionPlan:
        """Compute what the pre-flight would do now, once for each state of the log."""
        return self._plans.plan(self.next_request)

    def meter(self, draft_tokens: int = 0) -> Meter:
        """Measure the next request with the edits that the pre-flight would add now."""
        return self._meter(self.ahead().view, draft_tokens)

    def _meter(self, load: View | Load, draft_tokens: int = 0) -> Meter:
        meter = meter_of(
            load,
            self.model.budget,
            draft=draft_tokens,
            before=self._zone,
            basis=self.model.basis,
            margin=self.model.margin(load.tokens + draft_tokens),
            measured=self._measured,
            turns_left=self.turns_left(load.tokens),
        )
        meter = replace(meter, window_source=self.model.window_source)
        if not draft_tokens:
            self._zone = meter.zone
            self._warned = self._warned and meter.zone != Zone.OK
        return meter

    def turns_left(self, load: int) -> int | None:
        """Estimate the turns from a load of so many tokens until the compact mark."""
        return turns_left(self._turn_loads.of(self.log.fold.entries), load, self.model.budget)

    async def save(self, record: SessionRecord) -> None:
        """Keep what is known of the session beside its log; what others wrote of it stays."""
        self._record = await self.environment.store.update(record, self._record)
        self.emit(self.changed())

    def take_record(self, record: SessionRecord) -> bool:
        """Take in what another process has written of the session beside its log, if anything.

        The model stays the one that this process asks, until the session is loaded again.
        """
        before = self._record
        self._record = replace(record, model=before.model)
        return replace(self._record, updated_at=before.updated_at) != before

    def changed(self) -> SessionChanged:
        """Tell what is known of the session beside its log, and who else writes it."""
        held_by = self.claim()
        return SessionChanged(self.record, held_by, held_by is not None and self.has_open_turn)

    @property
    def has_open_turn(self) -> bool:
        """Whether the log says that a turn of a person began, and not that it ended."""
        return open_turn(self.log.fold.entries) is not None
