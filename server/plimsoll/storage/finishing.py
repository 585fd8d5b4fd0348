"""Units of work that are whole or absent, whenever their caller is cancelled."""

import asyncio
from threading import Lock
from typing import TypeVar

T = TypeVar("T")


class Start:
    """Decides, once, whether a unit of work begins or is given up."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._begun: bool | None = None

    def begin(self) -> bool:
        """Begin, unless it was given up before."""
        return self._decide(begun=True)

    def give_up(self) -> bool:
        """Give up, unless it has begun."""
        return not self._decide(begun=False)

    def _decide(self, *, begun: bool) -> bool:
        with self._guard:
            if self._begun is None:
                self._begun = begun
            return self._begun


async def finish(work: asyncio.Future[T], start: Start | None = None) -> T:
    """Wait for a unit of work so that its caller always knows what became of it.

    A cancellation before the unit begins gives it up: nothing is written. After that, and always
    without a ``start``, the unit is waited for, its result is returned, and the cancellation takes
    effect at the caller's next await; so what the caller holds in memory and what is stored never
    part ways.
    """
    cancelled = False
    while not work.done():
        try:
            await asyncio.wait({work})
        except asyncio.CancelledError:
            if start is not None and start.give_up():
                work.cancel()
                raise
            cancelled = True
    if cancelled:
        _cancel_later()
    return work.result()


def _cancel_later() -> None:
    task = asyncio.current_task()
    if task is not None:
        # The pair keeps the count of requests, which time-outs and task groups compare.
        task.uncancel()
        task.cancel()
