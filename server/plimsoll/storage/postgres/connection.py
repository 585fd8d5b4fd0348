"""Units of work on a shared PostgreSQL: whole or absent, tried again where others were first."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Any, LiteralString, TypeVar

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from plimsoll.errors import StoreUnavailable
from plimsoll.storage.database.units import finish
from plimsoll.storage.postgres.failures import (
    is_of_engine,
    place_of,
    reason_of,
    translate,
    unavailable,
)
from plimsoll.storage.shared.reasons import Reason

T = TypeVar("T")
Connection = AsyncConnection[TupleRow]
Unit = Callable[[Connection], Awaitable[T]]
"""A unit of work: a coroutine function that runs inside one transaction."""

LONGEST_WAIT = 10.0
"""Seconds to wait for a connection, and for a packet to be acknowledged."""
LONGEST_UNIT = 20.0
"""Seconds for a whole unit of work: a pooler may keep its clients waiting for a dead server."""
_TRIES = 12
_FIRST_PAUSE, _LONGEST_PAUSE = 0.01, 0.5
"""Seconds between two tries, before chance is added."""
_CONNECTIONS = 4
"""Of one process to one engine; poolers count them."""
_OPTIONS: dict[str, Any] = {
    # A pooler in transaction mode gives each transaction another session of the server.
    "prepare_threshold": None,
    "connect_timeout": int(LONGEST_WAIT),
    "application_name": "plimsoll",
    "tcp_user_timeout": int(LONGEST_WAIT * 1000),
}
# For each transaction: a pooler refuses what is asked for a whole connection.
# No object of another schema may stand in for one of the engine's own.
_WRITING = "SET LOCAL statement_timeout = '10 s'; SET LOCAL search_path = ''"
_READING = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; " + _WRITING
_CHANCE = random.SystemRandom()
_BEFORE_US = (psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected)
"""What says that nothing was done because another transaction was first (40001, 40P01)."""


class PostgresDatabase:
    """Runs units of work on one engine, each on a connection of a small pool.

    Raises:
        StoreUnavailable: The engine is away, refuses, cannot be written to, or is full.
        StoreNewer: Its tables are those of a newer version.
    """

    def __init__(self, url: str, longest_unit: float = LONGEST_UNIT) -> None:
        """Connects with the first unit of work; raises StoreUnavailable for a malformed address.

        ``longest_unit``: seconds after which a unit of work is given up.
        """
        place_of(url)
        self._url = url
        self._longest_unit = longest_unit
        self._pool: AsyncConnectionPool | None = None
        self._opening = asyncio.Lock()

    async def read(self, unit: Unit[T]) -> T:
        """Run a coroutine function that reads, on one snapshot."""
        return await self._run_again(unit, _READING)

    async def write(self, unit: Unit[T], *, repeatable: bool = False) -> T:
        """Run a coroutine function that writes: all of it is durable on return.

        After an error nothing is, but where the connection broke at the commit: then it is unknown.
        ``repeatable``: to run it once more after it was committed changes nothing.
        """
        run = self._run_again if repeatable else self._run
        # A cancelled caller must know what became of it, as with every store.
        return await finish(asyncio.ensure_future(run(unit, _WRITING)))

    async def close(self) -> None:
        """Close all connections."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await pool.close()

    async def _run_again(self, unit: Unit[T], begin: LiteralString) -> T:
        """Run a unit of work, on another connection where one that stood idle was cut."""
        for _ in range(_CONNECTIONS):
            try:
                return await self._run(unit, begin)
            except StoreUnavailable as error:
                if not _was_cut(error.__cause__):
                    raise
        return await self._run(unit, begin)

    async def _run(self, unit: Unit[T], begin: LiteralString) -> T:
        for tried in range(_TRIES):
            try:
                return await self._transact(unit, begin)
            except _BEFORE_US:
                if tried == _TRIES - 1:
                    break
                pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2**tried)
                # Whoever was in each other's way must not be so again at the same moment.
                await asyncio.sleep(pause * (0.5 + _CHANCE.random()))
            except PoolTimeout as error:
                raise translate(await self._why_not(), self._url) from error
            except TimeoutError as error:
                await self.close()
                raise unavailable(Reason.TIMEOUT, self._url) from error
            except psycopg.Error as error:
                if not is_of_engine(error):
                    raise
                if reason_of(error) is Reason.AWAY:
                    # A pool waits ever longer to connect again; the next unit of work must not.
                    await self.close()
                raise translate(error, self._url) from error
        raise translate(psycopg.errors.SerializationFailure(), self._url)

    async def _transact(self, unit: Unit[T], begin: LiteralString) -> T:
        pool = await self._open_pool()
        async with (
            asyncio.timeout(self._longest_unit),
            pool.connection() as connection,
            connection.transaction(),
        ):
            await connection.execute(begin)
            return await unit(connection)

    async def _open_pool(self) -> AsyncConnectionPool:
        async with self._opening:
            if self._pool is None:
                # A pool says only that it has waited; a connection of our own says what is wrong.
                await (await AsyncConnection.connect(self._url, **_OPTIONS)).close()
                self._pool = AsyncConnectionPool(
                    self._url,
                    min_size=0,
                    max_size=_CONNECTIONS,
                    open=False,
                    timeout=LONGEST_WAIT,
                    kwargs=_OPTIONS,
                )
                await self._pool.open()
            return self._pool

    async def _why_not(self) -> psycopg.Error:
        """Connect once more, and return the error for which no connection could be made."""
        try:
            await (await AsyncConnection.connect(self._url, **_OPTIONS)).close()
        except psycopg.Error as error:
            return error
        return psycopg.errors.TooManyConnections()


def _was_cut(cause: BaseException | None) -> bool:
    """Tell whether a connection that had been made was cut, not whether one could be made."""
    if isinstance(cause, psycopg.errors.AdminShutdown | psycopg.errors.IdleSessionTimeout):
        return True
    if isinstance(cause, psycopg.InternalError):
        return cause.sqlstate is None
    return isinstance(cause, psycopg.OperationalError) and "closed the connection" in str(cause)
