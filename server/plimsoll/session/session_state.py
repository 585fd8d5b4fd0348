"""The state of one live session, which its operations share."""

from dataclasses import replace

from plimsoll.context.budget import Zone
from plimsoll.context.log.entries import SUMMARIES, Edited, Entry, Said
from plimsoll.context.report.meter import Measured, Meter, meter_of
from plimsoll.context.report.receipts import Receipt, receipt_of
from plimsoll.context.stages.next_request import NextRequest
from plimsoll.context.stages.pipeline import Proposal, as_edit
from plimsoll.context.stages.pipeline import ReductionPlan as Ahead
from plimsoll.providers.base import Usage
from plimsoll.session.environment import MODES, Environment, Mode, Model
from plimsoll.session.events import (
    Event,
    MeterMoved,
    ReductionApplied,
    ReductionPlanned,
    SessionChanged,
    UsageReported,
)
from plimsoll.session.log import SessionLog
from plimsoll.session.reduction.forecast import turns_left
from plimsoll.session.reduction.postponing import postponed_until
from plimsoll.session.reduction.preflight import preflight
from plimsoll.session.turn.approvals import Approvals
from plimsoll.storage.base import SessionRecord


class SessionState:
    """Record, log and model of a session, and its voice."""

    def __init__(
        self, record: SessionRecord, log: SessionLog, model: Model, environment: Environment
    ) -> None:
        self.log = log
        self.environment = environment
        self.approvals = Approvals(environment.asker)
        self._record = record
        self._model = model
        self._measured: Measured | None = None
        self._zone = Zone.OK
        self._postponed_until = postponed_until(log.fold.entries)
        self._warned = False
        self._unsent_memories: tuple[str, ...] = ()
        self._asked_at: float | None = None
        self._ahead: tuple[tuple[int, NextRequest], Ahead] | None = None

    @property
    def id(self) -> str:
        """The session's id."""
        return self._record.id

    @property
    def record(self) -> SessionRecord:
        """What is known of the session beside its log."""
        return self._record

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

    @property
    def mode(self) -> Mode:
        """Which tools may run."""
        return MODES.get(self.record.mode, "ask")

    @property
    def draft(self) -> NextRequest:
        """The next request as the log has it now."""
        settings = self.model.settings
        if self.record.turns < self.postponed_until:
            settings = replace(settings, compaction=replace(settings.compaction, auto=False))
        return NextRequest(
            fold=self.log.fold, budget=self.model.budget, settings=settings, cold=self.cold
        )

    @property
    def cold(self) -> bool:
        """Whether the provider's cache holds nothing of this session any more."""
        if self._asked_at is None:
            return True
        quiet = self.environment.clock.seconds() - self._asked_at
        return quiet > self.model.settings.cache.cache_seconds

    def asked(self) -> None:
        """A request goes out: the provider's cache is warm from now on."""
        self._asked_at = self.environment.clock.seconds()

    def cool(self) -> None:
        """Another model: its cache knows nothing of this session."""
        self._asked_at = None

    async def use_model(self, model: Model) -> None:
        """Count and ask with this model from now on."""
        if model.ledger is not self._model.ledger:
            await self.log.reprice(model.ledger)
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
        """A compaction has run: the next one is not put off."""
        self._postponed_until = 0

    def put_memories(self, memories: tuple[str, ...]) -> None:
        """Memories have entered the view; no request has carried them yet."""
        self._unsent_memories = memories

    def take_unsent_memories(self) -> tuple[str, ...]:
        """The memories that no request had carried yet, each once."""
        names, self._unsent_memories = self._unsent_memories, ()
        return names

    def emit(self, event: Event) -> None:
        """Tell whoever listens."""
        self.environment.listener(self.id, event)

    async def append(self, *entries: Entry) -> None:
        """Keep entries, then show that the load has moved."""
        await self.log.append(*entries)
        self.emit(MeterMoved(self.meter()))

    def kept(self, said: Said) -> Said:
        """A message as the log has it: what is told of it holds no secret either."""
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
        # What was announced has come; the next one is announced anew.
        self._warned = self._warned and edit.stage not in SUMMARIES
        # As the log has it: what is told about an edit holds no secret either.
        receipt = receipt_of(self.log.fold.edits[edit.id], self.log.fold)
        self.emit(ReductionApplied(receipt))
        return receipt

    def ahead(self) -> Ahead:
        """What the pre-flight would do now; worked out once for each state of the log.

        Every keystroke of a prompt asks for the meter, and the request that follows asks again.
        """
        now = len(self.log.fold.entries), self.draft
        if self._ahead is None or self._ahead[0] != now:
            self._ahead = now, preflight(now[1])
        return self._ahead[1]

    def meter(self, draft_tokens: int = 0) -> Meter:
        """The load of the next request, with the edits that the pre-flight would add now."""
        view = self.ahead().view
        meter = meter_of(
            view,
            self.model.budget,
            draft=draft_tokens,
            before=self._zone,
            basis=self.model.basis,
            margin=self.model.margin(view.tokens + draft_tokens),
            measured=self._measured,
            turns_left=turns_left(self.log.fold.entries, view.tokens, self.model.budget),
        )
        if not draft_tokens:
            self._zone = meter.zone
            self._warned = self._warned and meter.zone != Zone.OK
        return meter

    async def save(self, record: SessionRecord) -> None:
        """Keep what is known of the session beside its log."""
        await self.environment.store.update(record)
        self._record = record
        self.emit(SessionChanged(record))
