"""Units of work: the interface of a database that runs them, each completely or not at all."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from threading import Lock
from typing import Protocol, TypeVar

from plimsoll.cancellation import wait_through_cancel

T = TypeVar("T")
Unit = Callable[[sqlite3.Connection], T]
"""A unit of work: a function that runs inside one transaction."""


class Database(Protocol):
    """Runs units of work, one after another.

    Raises:
        StoreUnavailable: The database cannot be read or written, or is closed.
        StoreDamaged: It is not whole.
    """

    def read(self, unit: Unit[T]) -> Awaitable[T]:
        """Run a unit of work that reads, on one snapshot."""
        ...

    def write(self, unit: Unit[T]) -> Awaitable[T]:
        """Run a unit of work that writes: all of it is durable when this returns, or nothing is."""
        ...

    def scrub(self) -> Awaitable[None]:
        """Remove traces of deleted rows outside of the tables."""
        ...

    def remove_backups(self) -> None:
        """Remove copies of the database, which still have what is deleted afterwards."""
        ...

    def close(self) -> Awaitable[None]:
        """Close the database, once."""
        ...


def transact(connection: sqlite3.Connection, begin: str, unit: Unit[T]) -> T:
    """Run a unit of work in one transaction, rolled back if it fails."""
    try:
        connection.execute(begin)
        result = unit(connection)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    return result


class Start:
    """Decides once whether a unit of work begins or is abandoned."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._begun: bool | None = None

    def begin(self) -> bool:
        """Begin the unit of work, unless it was abandoned; return whether it has begun."""
        return self._decide(begun=True)

    def give_up(self) -> bool:
        """Abandon the unit of work, unless it has begun; return whether it was abandoned."""
        return not self._decide(begun=False)

    def _decide(self, *, begun: bool) -> bool:
        with self._guard:
            if self._begun is None:
                self._begun = begun
            return self._begun


async def finish(work: asyncio.Future[T], start: Start | None = None) -> T:
    """Wait for a unit of work so that its caller always learns its outcome.

    A cancellation before the unit begins abandons it: nothing is written. After that, and always
    without a ``start``, the unit is waited for, its result is returned, and the cancellation takes
    effect at the caller's next await; so the caller's memory and the store never diverge.
    """
    try:
        await asyncio.wait([work])
    except asyncio.CancelledError:
        if start is not None and start.give_up():
            work.cancel()
            raise
        await wait_through_cancel(work)
        _cancel_later()
    return work.result()


def _cancel_later() -> None:
    task = asyncio.current_task()
    if task is not None:
        # The pair keeps the count of requests, which time-outs and task groups compare.
        task.uncancel()
        task.cancel()
