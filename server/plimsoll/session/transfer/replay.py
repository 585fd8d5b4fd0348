"""Plays a recorded session through the pipeline, without a model: the same each time."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from plimsoll.context.budget import Budget, Meter, budget_for, meter_of
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import BIG_STEPS, Edited, Entry, Said
from plimsoll.context.log.messages import Message, Role, canonical
from plimsoll.context.log.traits import Tools
from plimsoll.context.pipeline.proposal import NextRequest
from plimsoll.context.pipeline.reduction import ReductionPlan, Weight
from plimsoll.context.pipeline.settings import PipelineSettings
from plimsoll.context.report.receipts import Receipt, receipt_of
from plimsoll.context.stages.preflight import preflight
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.ledger import Ledger, Violation, violations
from plimsoll.context.view.request_messages import render
from plimsoll.context.view.view import View
from plimsoll.session.ports.clock import CountedClock
from plimsoll.session.ports.entries import new_edit
from plimsoll.session.ports.foreign import FOREIGN_TOOLS
from plimsoll.session.reduction.ingest import ingest_edits, too_long
from plimsoll.session.transfer.incoming import Incoming, entries_of


@dataclass(frozen=True, slots=True)
class RequestMade:
    """A request that would have been sent."""

    index: int
    tokens: int
    sha256: str
    """The hash of the whole request as canonical JSON, without ids of ours."""
    broken: tuple[Violation, ...]
    """What is wrong with it; empty, or Plimsoll has a defect."""


@dataclass(frozen=True, slots=True)
class RequestUnfit:
    """A request that cannot be made to fit."""

    index: int
    missing: int
    heaviest: tuple[Weight, ...]


ReplayEvent = RequestMade | RequestUnfit | Receipt | Meter


class Replay:
    """One run; `play` once, then look at `fold` for the report."""

    def __init__(
        self,
        window: int,
        ledger: Ledger,
        settings: PipelineSettings | None = None,
        tools: Tools | None = None,
    ) -> None:
        self.settings = settings or PipelineSettings()
        self.budget: Budget = budget_for(window, self.settings.budget)
        self.fold = Fold(ledger, tools={**FOREIGN_TOOLS, **(tools or {})})
        self.indexes = Indexes(self.fold)
        self.clock = CountedClock()
        self._index = 0
        self._lightened = False
        """Whether the log itself has made the next request lighter."""
        self._hashes = Hashes()

    def play(self, messages: Sequence[Incoming]) -> Iterator[ReplayEvent]:
        """Play recorded messages: a request before each answer, a meter after each turn."""
        for message in messages:
            for entry in entries_of((message,), self.fold, self.clock, system=True):
                yield from self._before(entry)
                self.fold.append(entry)
                if isinstance(entry, Said) and entry.role is Role.TOOL:
                    next_request = self._next_request()
                    cut = too_long(entry, next_request)
                    edits = ingest_edits(entry, next_request, self.clock, cut=cut)
                    self.fold.extend(edits)
                    yield from (receipt_of(edit, self.indexes) for edit in edits)
        yield self._meter()

    def play_log(self, entries: Iterable[Entry]) -> Iterator[ReplayEvent]:
        """Play an exported log: its own edits, and what this window needs besides."""
        for entry in entries:
            yield from self._before(entry)
            self.fold.append(entry)
            if isinstance(entry, Edited):
                self._lightened |= entry.stage in BIG_STEPS
                yield receipt_of(entry, self.indexes)
        yield self._meter()

    def _before(self, entry: Entry) -> Iterator[ReplayEvent]:
        """Yield the events before an entry: the end of a turn, or a model request."""
        if not isinstance(entry, Said):
            return
        if entry.role is Role.USER and self._index:
            yield self._meter()
        if entry.role is Role.ASSISTANT:
            yield from self._request()

    def _request(self) -> Iterator[ReplayEvent]:
        reduced = self._preflight()
        for proposal in reduced.proposals:
            edit = new_edit(proposal, self.clock)
            self.fold.append(edit)
            yield receipt_of(edit, self.indexes)
        index, self._index = self._index, self._index + 1
        if reduced.missing:
            yield RequestUnfit(index, reduced.missing, reduced.heaviest)
            return
        view = self.fold.view
        messages = render(view)
        broken = violations(messages, self.fold.pins.values(), view.tokens, self.budget.effective)
        yield RequestMade(index, view.tokens, self._hashes.of(view, messages), broken)

    def _preflight(self) -> ReductionPlan:
        """Run the pre-flight of a request, unless the log has its own edits and the view fits."""
        lightened, self._lightened = self._lightened, False
        view = self.fold.view
        if lightened and view.tokens <= self.budget.effective:
            return ReductionPlan((), view)
        return preflight(self._next_request())

    def _next_request(self) -> NextRequest:
        return NextRequest(indexes=self.indexes, budget=self.budget, settings=self.settings)

    def _meter(self) -> Meter:
        return meter_of(self.fold.view, self.budget)


class Hashes:
    """Hashes requests; a message that was hashed before is not written out again."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Message, bytes]] = {}

    def of(self, view: View, messages: Sequence[Message]) -> str:
        """Hash with SHA-256 over the hashes of the schemas and of the messages."""
        whole = hashlib.sha256()
        for shown in view.tools:
            whole.update(hashlib.sha256(shown.part.text.encode()).digest())
        for message in messages:
            whole.update(self._digest(message))
        return whole.hexdigest()

    def _digest(self, message: Message) -> bytes:
        known = self._known.get(id(message))
        if known is None or known[0] is not message:
            known = (message, hashlib.sha256(_body(message).encode("utf-8", "replace")).digest())
            self._known[id(message)] = known
        return known[1]


def _body(message: Message) -> str:
    """Return a message as a provider would read it, without our own ids."""
    return canonical(
        {
            "role": message.role,
            "text": message.text,
            "reasoning": message.reasoning,
            "calls": [[call.id, call.name, call.arguments] for call in message.calls],
            "callId": message.call_id,
            "images": [image.data for image in message.images],
        }
    )
