"""One thread with one connection, on which whole functions run."""

import sqlite3
from collections.abc import Awaitable, Callable
from operator import methodcaller
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
