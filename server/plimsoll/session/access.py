"""Who may do something in a session now: one operation at a time, under the session's lease.

Operations come in the order in which they were asked for; small work may go beside a turn. What
runs elsewhere, in another process or as a compaction, is refused, not waited for.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Protocol

from plimsoll.errors import Busy
from plimsoll.session.running_turn import RunningTurn
from plimsoll.session.state.session_state import SessionState
from plimsoll.session.turn.beginning import take_in
from plimsoll.storage.base import Lease


class GivesWay(Protocol):
    """Background work of a session, which gives way to a person."""

    async def on_activity(self) -> None:
        """Give way to a person who asks for something."""
        ...


class SessionAccess:
    """Takes the lease of a session for one operation after another.

    Raises:
        Busy: A turn runs here or elsewhere, or the session is being compacted.
        StoreError: The lease cannot be taken, or what changed around cannot be kept.
    """

    def __init__(
        self, state: SessionState, turn: RunningTurn, background: Sequence[GivesWay]
    ) -> None:
        self.operations = asyncio.Lock()
        """Held by what must not run beside a turn; those that wait come in their order."""
        self.used = state.clock.seconds()
        """When somebody last asked for an operation, in seconds of the clock."""
        self._state = state
        self._turn = turn
        self._background = background
        self._acquiring = asyncio.Lock()
        """Held while the lease is taken, and by short work under it, which is waited for."""

    @property
    def locked(self) -> bool:
        """Whether an operation other than a turn is under way in the session."""
        return self.operations.locked() or self._acquiring.locked()

    @asynccontextmanager
    async def alone(self) -> AsyncGenerator[None]:
        """Hold the session for one operation, after those requested earlier."""
        async with self.operations:
            lease = await self.begin()
            try:
                yield
            finally:
                await self._state.writing.release(lease)

    async def begin(self, *, stirring: bool = True) -> Lease:
        """Take the lease, then read changes made meanwhile; the caller holds ``operations``.

        ``stirring``: a person asks, so background work gives way.
        """
        writing = self._state.writing
        self._turn.refuse_busy()
        writing.refuse_elsewhere()
        self.used = self._state.clock.seconds()
        async with self._acquiring:
            # Under the lock, so that whoever asks first also comes first.
            for each in self._background if stirring else ():
                await each.on_activity()
            self._refuse_held()
            lease = await writing.acquire()
            try:
                self._turn.refuse_busy()
                await take_in(self._state)
            except BaseException:
                await writing.release(lease)
                raise
        return lease

    async def beside(self, work: Callable[[], Awaitable[None]]) -> None:
        """Make a small change of the log, also during a turn; not if another process writes."""
        writing = self._state.writing
        if writing.claim() is not None:
            return
        async with self._acquiring:
            if writing.held:
                await work()
                return
            try:
                lease = await writing.acquire()
            except Busy:
                return
            try:
                await work()
            finally:
                await writing.release(lease)

    def _refuse_held(self) -> None:
        if self._state.writing.held:
            why = f"The session {self._state.record.title!r} is being compacted."
            remedy = "Wait for the end of the compaction or cancel it."
            raise Busy(why, remedy=remedy, data={"heldBy": "this server"})
