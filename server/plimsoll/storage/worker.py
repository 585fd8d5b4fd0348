"""One thread with one connection, on which whole functions run."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from operator import methodcaller
from threading import Lock
from typing import TypeVar, cast

import aiosqlite

from plimsoll.errors import PlimsollError

T = TypeVar("T")


class Worker(aiosqlite.Connection):
    """aiosqlite's thread and connection, used for functions instead of single statements."""

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, iter_chunk_size=64)
        # A process whose event loop died must end all the same: what the thread still does is
        # one transaction, which is whole or absent.
        self._thread.daemon = True

    @classmethod
    async def started(cls, connect: Callable[[], sqlite3.Connection]) -> "Worker":
        """Start the thread and connect on it; raises what ``connect`` raises."""
        failures: list[PlimsollError] = []

        def connected() -> sqlite3.Connection:
            # aiosqlite does not wait for its thread when connecting fails, and the thread then
            # breaks on an event loop that may be gone: so it gets a connection in every case.
            try:
                return connect()
            except PlimsollError as error:
                failures.append(error)
                return sqlite3.connect(":memory:")

        worker = cls(connected)
        await worker
        if not failures:
            return worker
        await worker.close()
        raise failures[0]

    @property
    def database(self) -> sqlite3.Connection:
        """The connection, for functions that run on the thread."""
        return self._conn

    async def call(self, function: Callable[[], T]) -> T:
        """Run a function on the thread and return its result."""
        # aiosqlite has no public way to run a function, only single statements.
        return await cast("Awaitable[T]", methodcaller("_execute", function)(self))


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
