"""The background loop that exchanges changes with a team's server, at its pace."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Literal

from plimsoll.session.ports.clock import Clock
from plimsoll.team.pace import Pace

Asked = Literal["answered", "failed", "ended"]
"""Whether the server could be asked; ``ended``: the folder takes part in no project any more."""
Wait = Callable[[asyncio.Event, float], Awaitable[None]]
"""Waits until an event, for so many seconds at the most."""
_LONGEST_CLOSING = 2.0
"""Seconds to wait for a statement at the server when the folder is closed."""

log = logging.getLogger(__name__)


async def wait_for(event: asyncio.Event, seconds: float) -> None:
    """Wait until an event, for so many seconds at the most."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


class ExchangeLoop:
    """Calls ``ask`` when it is due, until it says that the exchange has ended, or until closed."""

    def __init__(
        self,
        ask: Callable[[], Awaitable[Asked]],
        is_sending: Callable[[], Awaitable[bool]],
        clock: Clock,
        wait: Wait = wait_for,
        *,
        is_holding: Callable[[], bool] = lambda: False,
    ) -> None:
        """``is_sending``: whether changes wait that can be sent; ``is_holding``: leases to keep."""
        self._ask = ask
        self._is_sending = is_sending
        self._clock = clock
        self._wait = wait
        self._is_holding = is_holding
        self._woken = asyncio.Event()
        self._pace = Pace(used_at=clock.seconds())
        self._is_closed = False
        self._task = asyncio.create_task(self._run())

    def wake(self) -> None:
        """Note that somebody has done something in the folder."""
        self._pace = self._pace.note_use(self._clock.seconds())
        self._woken.set()

    async def ask_now(self) -> None:
        """Ask at once, whenever it is due; the pace goes on from there."""
        await self._goes_on()

    async def close(self) -> None:
        """End the loop; an operation just sent is settled by its key in a later exchange."""
        self._is_closed = True
        self._task.cancel()
        _, unfinished = await asyncio.wait([self._task], timeout=_LONGEST_CLOSING)
        if unfinished:
            log.info("the team's server did not end its last statement in time")

    async def _run(self) -> None:
        while not self._is_closed:
            self._woken.clear()
            left = self._pace.seconds_left(
                self._clock.seconds(), sending=await self._is_sending(), holding=self._is_holding()
            )
            if left > 0:
                await self._wait(self._woken, left)
            elif not await self._goes_on():
                return

    async def _goes_on(self) -> bool:
        self._pace = self._pace.note_asking(self._clock.seconds())
        try:
            asked = await self._ask()
        except Exception:
            # A defect of ours must not end the exchange for the rest of the process.
            log.exception("the exchange with the team's server failed")
            asked = "failed"
        self._pace = self._pace.note_answer() if asked == "answered" else self._pace.note_failure()
        return asked != "ended"
