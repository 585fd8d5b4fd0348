"""What the next request of a session weighs, and when it is reduced."""

from dataclasses import replace

from plimsoll.context.budget import (
    Load,
    Measured,
    Meter,
    TurnLoads,
    WindowSource,
    Zone,
    meter_of,
    turns_left,
)
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Framed
from plimsoll.context.pipeline.proposal import NextRequest
from plimsoll.context.pipeline.reduction import ReductionPlan
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.view import View
from plimsoll.providers.base import Usage
from plimsoll.session.log.session_log import SessionLog
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.model import Model, Models
from plimsoll.session.state.ahead import NothingAhead, WritesAhead
from plimsoll.session.state.notes import postponed_until
from plimsoll.session.state.planning import PlansAhead
from plimsoll.session.state.prompt_cache import PromptCache
from plimsoll.tokens.correction import Correction


class SessionLoad:
    """A session's model, its next request, its meter, and the warnings already given.

    One class, as all of it is counted of one next request, which another model changes as a whole.
    """

    def __init__(self, log: SessionLog, model: Model, clock: Clock, models: Models) -> None:
        self.turns = 0
        """How many turns a person has begun."""
        self.ahead_of_mark: WritesAhead = NothingAhead()
        """Writes its summary before it is needed."""
        self._log = log
        self._model = model
        self._clock = clock
        self._models = models
        self._measured: Measured | None = None
        self._zone = Zone.OK
        self._postponed_until = postponed_until(log.fold.entries)
        self._warned = False
        self._expected: tuple[Framed, ...] = ()
        self._with_expected: tuple[tuple[Fold, int], Indexes] | None = None
        self._held_in: str | None = None
        """The turn in which a hook holds compaction back; none: no hook does."""
        self._plans = PlansAhead()
        self._prompt_cache = PromptCache()
        self._turn_loads = TurnLoads()

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
        """Whether the person was told of a compaction that is near."""
        return self._warned

    @property
    def indexes(self) -> Indexes:
        """The indexes of the log; before the first prompt, with the expected memories."""
        fold = self._log.fold
        if fold.groups or not self._expected:
            return self._log.indexes
        now = fold, len(fold.entries)
        if self._with_expected is None or self._with_expected[0] != now:
            whole = Indexes(Fold(fold.ledger, (*fold.entries, *self._expected), fold.tools))
            self._with_expected = now, whole
        return self._with_expected[1]

    def expect(self, frames: tuple[Framed, ...]) -> None:
        """Count expected frames in view and meter until the first prompt, without logging them."""
        if frames != self._expected:
            self._expected, self._with_expected = frames, None

    @property
    def next_request(self) -> NextRequest:
        """The next request as the log has it now."""
        settings = self._model.settings
        held = (
            self._held_in is not None and self._log.fold.view.tokens < self._model.budget.blocking
        )
        if held or self.turns < self._postponed_until:
            settings = replace(settings, compaction=replace(settings.compaction, auto=False))
        return NextRequest(
            indexes=self.indexes,
            budget=self._model.budget,
            settings=settings,
            cold=self.cache_expired,
            written=self.ahead_of_mark.ready,
        )

    @property
    def cache_expired(self) -> bool:
        """Whether the provider's cache holds nothing of this session any more."""
        seconds = self._model.settings.cache.cache_seconds
        now = self._clock.now()
        return self._prompt_cache.is_cold(self._log.fold.entries, self._model.id, now, seconds)

    async def use_model(self, model: Model) -> None:
        """Use this model from now on, for counting and for requests."""
        if model.ledger is not self._model.ledger:
            await self._log.reprice(model.ledger)
            self._with_expected = None
            self._plans.forget()
        self._model = model

    async def correct(self, learned: Correction) -> None:
        """Count with another correction from now on."""
        await self.use_model(self._models.with_correction(self._model, learned))

    async def use_window(self, window: int, source: WindowSource) -> None:
        """Change the window of the model from now on, in every session."""
        await self.use_model(self._models.with_window(self._model, window, source))

    async def follow_settings(self) -> None:
        """Apply changed marks and stages from the next request on; model and window stay."""
        await self.use_model(self._models.as_set(self._model))

    def take_usage(self, turn: str, counted: int, usage: Usage) -> None:
        """Keep what the provider reported of a request that we had counted."""
        self._measured = Measured(turn, usage.input, counted, usage.cached)

    def take_warning(self) -> None:
        """Note that the person was told of the compaction that is near."""
        self._warned = True

    def forget_warning(self) -> None:
        """Note that the announced compaction has come: the next one is announced anew."""
        self._warned = False

    def postpone(self, until: int) -> None:
        """Postpone automatic compaction until a turn count; then the person is warned again."""
        self._postponed_until, self._warned = until, False

    def end_postponement(self) -> None:
        """End the postponement, as a compaction has run."""
        self._postponed_until = 0

    def hold_compaction(self, turn: str) -> None:
        """Hold automatic compaction back in a turn while there is room."""
        self._held_in = turn

    def release_compaction(self, turn: str) -> None:
        """End what a hook held back in another turn than this."""
        if self._held_in != turn:
            self._held_in = None

    def plan(self) -> ReductionPlan:
        """Plan the reductions of the pre-flight as of now, once for each state of the log."""
        return self._plans.plan(self.next_request)

    def meter(self, draft_tokens: int = 0) -> Meter:
        """Measure the next request with the edits that the pre-flight would add now."""
        return self._measure(self.plan().view, draft_tokens)

    def quick_meter(self) -> Meter:
        """Measure after an append, and plan the pre-flight only where it may act."""
        return self._measure(self._plans.load(self.next_request))

    def turns_left(self, load: int) -> int | None:
        """Estimate the turns from a load of so many tokens until the compact mark."""
        return turns_left(self._turn_loads.of(self._log.fold.entries), load, self._model.budget)

    def _measure(self, load: View | Load, draft_tokens: int = 0) -> Meter:
        model = self._model
        meter = meter_of(
            load,
            model.budget,
            draft=draft_tokens,
            before=self._zone,
            basis=model.basis,
            margin=model.margin(load.tokens + draft_tokens),
            measured=self._measured,
            turns_left=self.turns_left(load.tokens),
        )
        meter = replace(meter, window_source=model.window_source)
        if not draft_tokens:
            self._zone = meter.zone
            self._warned = self._warned and meter.zone != Zone.OK
        return meter
