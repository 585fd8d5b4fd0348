"""Idle time is used: while the person is away, a fuller context is compacted in good time.

The provider's cache expires anyway, so the new prefix costs nothing extra, and nobody waits.
"""

import asyncio

from plimsoll.errors import PlimsollError
from plimsoll.session.events import NoticeGiven
from plimsoll.session.reductions import compact
from plimsoll.session.session import Session
from plimsoll.storage.base import Lease


class IdleWatch:
    """Waits for quiet after each turn of a session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._waiting: asyncio.Task[None] | None = None

    def rest(self) -> None:
        """A turn has ended: begin to wait."""
        self.stir()
        settings = self._session.state.model.knobs.compaction
        if settings.auto and settings.idle_seconds > 0:
            self._waiting = asyncio.create_task(self._wait(settings.idle_seconds))

    def stir(self) -> None:
        """The person is back: wait no longer."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    async def _wait(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        if not due(self._session):
            return
        try:
            lease: Lease = await self._session.holding()
        except PlimsollError:
            # Somebody else works in the session: it is not idle.
            return
        try:
            await compact(self._session.state, "", "auto", why="the editor was quiet")
        except PlimsollError as error:
            notice = f"Could not compact while the editor was quiet: {error.message}"
            self._session.state.emit(NoticeGiven(notice, "warning"))
        finally:
            await self._session.state.environment.store.release(lease)


def due(session: Session) -> bool:
    """Whether the load is above the idle threshold and nobody has postponed."""
    state = session.state
    if session.running or not state.draft.knobs.compaction.auto:
        return False
    share = state.log.fold.view.tokens / state.model.budget.effective
    return share >= state.model.knobs.compaction.idle_threshold
