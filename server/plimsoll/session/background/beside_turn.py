"""The summary that the model writes beside the turn, so that nobody waits for it at the mark.

From the warning mark on the utility model is asked in the background; what it wrote takes the place
of the old part when the compact mark is reached (`context/stages/compact.py`). It lives in this
process alone: after a restart it is written anew.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from plimsoll.context.pipeline.due import reached_compact
from plimsoll.context.pipeline.proposal import NextRequest
from plimsoll.context.pipeline.written import CoveredGroup, WrittenSummary, as_they_are
from plimsoll.context.stages.compact import covered_groups
from plimsoll.context.stages.compaction_plan import CompactionPlan, least_gain, plan_compaction
from plimsoll.errors import PlimsollError
from plimsoll.session.asking.gate import may_work_beside
from plimsoll.session.asking.spending import spending_unasked
from plimsoll.session.ports.events import NoticeGiven
from plimsoll.session.ports.model import Model
from plimsoll.session.ports.prices import Tokens
from plimsoll.session.reduction.breaker import SummaryBreaker
from plimsoll.session.reduction.model_compaction import (
    LEAST_SUMMARY,
    Declined,
    commission_for,
    facts_of,
    prepare_compaction,
    writer_for,
)
from plimsoll.session.reduction.summarising import Failure, written_by
from plimsoll.session.session import Session
from plimsoll.session.state.ahead import NothingAhead
from plimsoll.session.state.session_state import SessionState

Wait = Callable[[float], Awaitable[object]]
"""Waits for so many seconds."""
AHEAD = 0.1
"""The share of effective before the compact mark from which it is written at the latest: as far as
the warning mark lies before it, unless the compact mark is set lower."""
LONG_WAIT = 1.0
"""Seconds for which a tool has run, or a person was asked, before the turn's own server is asked
for a summary: most tools are done sooner, and a request that is given up was in vain."""
UNUSABLE = (
    "The model's summary failed: {why}. When the context is nearly full, an automatic one is used."
)


class SummaryBeside:
    """Writes the summary of a session beside its turns, one at a time."""

    def __init__(self, session: Session, wait: Wait = asyncio.sleep) -> None:
        self._session = session
        self._wait_for = wait
        self._written: WrittenSummary | None = None
        self._writing: asyncio.Task[None] | None = None
        self._at_own_server = False
        """What is being written is asked of the server that answers the turn."""
        self._covers: tuple[CoveredGroup, ...] = ()
        """What is being written covers."""
        self._turn_waits = False
        """The turn waits for a tool or a person, so its server is free."""
        session.state.load.ahead_of_mark = self

    @property
    def ready(self) -> WrittenSummary | None:
        """The written summary; the stage that uses it checks whether it is still valid."""
        return self._written

    def begin(self, *, waiting: bool) -> None:
        """Begin to write a summary, if it is due and no valid one is there."""
        request = self._state.load.next_request
        self._turn_waits = waiting
        if self._busy or not is_due(request):
            return
        if self._written is not None and self._holds(self._written.covers):
            return
        self._written = None
        if plan_compaction(request) is not None:
            self._writing = asyncio.create_task(self._write_or_tell(), name="summary")

    async def make_way(self) -> None:
        """Give up a summary that is void or blocks the turn's server; update one that is ready."""
        self._turn_waits = False
        if self._at_own_server or not self._holds(self._covers):
            await self.give_up()
        await self._bring_up_to_date()

    async def give_up(self) -> None:
        """Stop writing; the tokens used by then are still counted."""
        if self._busy and self._writing is not None:
            self._writing.cancel()
            await asyncio.wait([self._writing])

    async def settle(self) -> None:
        """Wait for the summary being written; update one that is ready."""
        if self._busy and self._writing is not None:
            await asyncio.wait([self._writing])
        await self._bring_up_to_date()

    def on_turn_end(self, *, failed: bool = False) -> None:
        """Keep writing: a summary that was begun is of use in the next turn."""

    async def on_activity(self) -> None:
        """Keep writing: nobody waits for the summary, and it holds no lease."""

    async def on_close(self) -> None:
        """Stop writing, and release the session, which is used no more."""
        await self.give_up()
        self._written, self._state.load.ahead_of_mark = None, NothingAhead()

    @property
    def _state(self) -> SessionState:
        return self._session.state

    @property
    def _busy(self) -> bool:
        return self._writing is not None and not self._writing.done()

    async def _bring_up_to_date(self) -> None:
        if self._written is not None:
            facts = await facts_of(self._state)
            # It may have been used, or the session closed, while the branch was looked up.
            self._written = self._written and replace(self._written, facts=facts)

    def _holds(self, covers: tuple[CoveredGroup, ...]) -> bool:
        return covered_groups(self._state.load.next_request, covers) is not None

    async def _write_or_tell(self) -> None:
        """Write the summary, or tell the person why it came to nothing."""
        try:
            await self._write()
        except PlimsollError as error:
            self._tell(error.message)
        finally:
            self._at_own_server, self._covers = False, ()

    async def _write(self) -> None:
        """Write the summary, if a model may be asked for it now."""
        state, keep = self._state, self._session.note
        breaker = SummaryBreaker(state, keep)
        utility = await writer_for(state.model, state.models, state.voice)
        if isinstance(utility, Declined):
            if utility.failed and not breaker.is_open(""):
                await breaker.count_failure("")
                self._tell(utility.reason)
            return
        if breaker.is_open(utility.id):
            return
        if not may_work_beside(state, utility.id, "compaction"):
            return
        self._at_own_server = shares_server(utility, state.model)
        if self._at_own_server:
            # The agents that a session calls ask there too, side by side.
            if not self._turn_waits or state.caller is not None:
                return
            await self._wait_for(LONG_WAIT)
        chosen = plan_compaction(state.load.next_request)
        if chosen is not None:
            await self._written_by(utility, chosen)

    async def _written_by(self, utility: Model, chosen: CompactionPlan) -> None:
        state, keep = self._state, self._session.note
        covers = self._covers = as_they_are(chosen.groups, state.log.fold)
        room = await prepare_compaction(state, chosen)
        if room.room < LEAST_SUMMARY + least_gain(state.load.next_request):
            return
        commission = commission_for(state.load, room, utility, "", keep=keep)
        coming = Tokens(chosen.tokens, 0, commission.target)
        with spending_unasked(state, utility.id, coming) as may:
            written = await written_by(utility, state, commission) if may else None
        if isinstance(written, Failure):
            self._tell(written.reason)
        elif written is not None:
            await SummaryBreaker(state, keep).close(utility.id)
            self._written = WrittenSummary(
                text=written.text,
                model=utility.id,
                spent=written.spent,
                covers=covers,
                facts=room.facts,
            )

    def _tell(self, why: str) -> None:
        words = self._state.redact(UNUSABLE.format(why=why.rstrip(".")))
        self._state.voice.emit(NoticeGiven(words, "warning"))


def is_due(request: NextRequest) -> bool:
    """Tell whether a summary should be begun: the load is near the compact mark, but below it.

    At the mark the next request brings a digest: a summary begun there would be in vain.
    """
    settings, budget = request.settings.compaction, request.budget
    begin = min(budget.warning, budget.compact - int(budget.effective * AHEAD))
    wanted = settings.auto and settings.at_mark == "model"
    return wanted and request.tokens >= begin and not reached_compact(request)


def shares_server(utility: Model, model: Model) -> bool:
    """Tell whether two models share a server on this machine, which takes one request at a time."""
    ports = {each.address.rpartition(":")[2] for each in (utility, model)}
    return utility.local and model.local and len(ports) == 1
