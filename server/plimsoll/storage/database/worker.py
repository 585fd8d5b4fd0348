"""aiosqlite's connection and thread, used to run whole functions.

The one file that uses private names of aiosqlite, as a subclass may: ``_execute`` and ``_conn``.
Its public calls run one statement each, so that other tasks could come between those of a
transaction, and each row would cross two threads. ``pyproject.toml`` pins the version exactly.
"""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from functools import partial
from threading import Event
from typing import TypeVar, cast

import aiosqlite

from plimsoll.errors import Interrupted, PlimsollError

T = TypeVar("T")

_ROWS_AT_ONCE = 64
"""aiosqlite's own default for its cursors, none of which is used."""


class Worker(aiosqlite.Connection):
    """Runs functions that use a SQLite connection, one after another, on its own thread."""

    @classmethod
    async def connect(cls, connect: Callable[[], sqlite3.Connection]) -> "Worker":
        """Start the thread and connect on it; raises what ``connect`` raises."""
        failures: list[PlimsollError] = []

        def connection() -> sqlite3.Connection:
            # aiosqlite does not wait for its thread when connecting fails, and the thread then
            # breaks on an event loop that may be gone: so it gets a connection in every case.
            try:
                return connect()
            except PlimsollError as error:
                failures.append(error)
                return sqlite3.connect(":memory:")

        worker = cls(connection, _ROWS_AT_ONCE)
        await worker
        if failures:
            await worker.close()
            raise failures[0]
        return worker

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection, only for functions that run on the thread."""
        return self._conn

    async def run(self, function: Callable[[], T]) -> T:
        """Run a function on the thread and return its result.

        If it is cancelled before its turn, it is never called; later, it runs to its end.
        """
        # What aiosqlite leaves without a type.
        execute = cast("Callable[[Callable[[], T]], Awaitable[T]]", self._execute)
        cancelled = Event()
        try:
            return await execute(partial(_unless, cancelled, function))
        except asyncio.CancelledError:
            cancelled.set()
            raise


def _unless(cancelled: Event, function: Callable[[], T]) -> T:
    if cancelled.is_set():
        raise Interrupted("The change to the store was cancelled before it began.")
    return function()
