"""Compaction between turns: when a person asks for it, and in idle time.

While the person is away the provider's cache expires anyway, so the new prefix costs nothing extra,
and nobody waits.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

from plimsoll.context.log.entries import ON_ARRIVAL
from plimsoll.context.report.receipts import Receipt
from plimsoll.errors import InvalidInput, PlimsollError
from plimsoll.session.ports.events import NoticeGiven
from plimsoll.session.reduction.compaction import Strategy, compact
from plimsoll.session.session import Session
from plimsoll.session.state.notes import failures_so_far


async def compact_in(
    session: Session,
    instructions: str = "",
    strategy: Strategy = "auto",
    until: str | None = None,
    *,
    anyway: bool = True,
) -> Receipt:
    """Compact a session between turns; raises Busy during a turn, else as ``compact``."""
    async with session.holding():
        return await compact(session.state, instructions, strategy, anyway=anyway, until=until)


Wait = Callable[[float], Awaitable[object]]
"""Waits for so many seconds."""


class IdleWatch:
    """Waits for quiet after each turn of a session."""

    def __init__(self, session: Session, wait: Wait = asyncio.sleep) -> None:
        self._session = session
        self._wait_for = wait
        self._waiting: asyncio.Task[None] | None = None
        self._in_vain: tuple[str, ...] | None = None
        """The situation in which the model was asked for nothing; it is not asked in it again."""

    def on_turn_end(self, *, failed: bool = False) -> None:
        """Start waiting for quiet after a turn, also a failed one."""
        del failed
        if self._waiting is not None:
            self._waiting.cancel()
        settings = self._session.state.model.settings.compaction
        if settings.auto and settings.idle_seconds > 0:
            self._waiting = asyncio.create_task(self._wait(settings.idle_seconds))

    async def on_activity(self) -> None:
        """Stop waiting, as the person is back; give up a running compaction and free its lease."""
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            waiting.cancel()
            await asyncio.wait([waiting])

    async def on_close(self) -> None:
        """Give up a running compaction, as the session is used no more."""
        await self.on_activity()

    async def _wait(self, seconds: float) -> None:
        await self._wait_for(seconds)
        if not is_compaction_due(self._session) or self._in_vain == situation(self._session):
            return
        async with AsyncExitStack() as until_done:
            try:
                await until_done.enter_async_context(self._session.holding(stirring=False))
            except PlimsollError:
                # Somebody else works in the session: it is not idle.
                return
            await self._compact()

    async def _compact(self) -> None:
        state = self._session.state
        failed = failures_so_far(state.log.fold.entries)
        try:
            receipt = await compact(state, why="the editor was quiet", by_hand=False)
        except InvalidInput as error:
            # Where no model was asked it is no news for the person.
            if failures_so_far(state.log.fold.entries) > failed:
                self._in_vain = situation(self._session)
                notice = f"{error.message} {error.remedy}"
                state.voice.emit(NoticeGiven(notice, "warning"))
            return
        except PlimsollError as error:
            notice = f"Could not compact while the editor was quiet: {error.message}"
            state.voice.emit(NoticeGiven(notice, "warning"))
            return
        freed = receipt.before - receipt.after
        notice = f"Compacted while the editor was quiet: {freed:,} tokens freed. /undo reverts it."
        state.voice.emit(NoticeGiven(notice, data={"editId": receipt.id}))


def situation(session: Session) -> tuple[str, ...]:
    """Return a key of model and reductions: while it is equal, a failed try would fail again."""
    edits = session.state.log.fold.edits.values()
    return (session.state.model.id, *(edit.id for edit in edits if edit.stage not in ON_ARRIVAL))


def is_compaction_due(session: Session) -> bool:
    """Tell whether the load is above the idle threshold and compaction is not postponed."""
    state = session.state
    if session.running or not state.load.next_request.settings.compaction.auto:
        return False
    share = state.log.fold.view.tokens / state.model.budget.effective
    return share >= state.model.settings.compaction.idle_threshold
