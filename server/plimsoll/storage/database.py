"""The one connection to a project's database, and the one way to use it.

A unit of work is one function on the worker thread in one transaction. Writes and checkpoints
are made under a lock between processes, first come, first served: no two of them ever overlap,
which is what SQLite's WAL-reset defect (3.7.0 to 3.51.2) needs to destroy a file.
"""

import asyncio
import contextlib
import os
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from plimsoll.errors import Interrupted, StoreError, StoreUnavailable
from plimsoll.storage.checking import BackgroundCheck
from plimsoll.storage.failures import translated
from plimsoll.storage.files import private_folder, unavailable
from plimsoll.storage.finishing import Start, finish
from plimsoll.storage.migrations import version_of
from plimsoll.storage.opening import (
    CHECK_AT_ONCE_BYTES,
    DATABASE_FILE,
    connect_read_only,
    open_database,
)
from plimsoll.storage.turnstile import Turnstile

T = TypeVar("T")
Unit = Callable[[sqlite3.Connection], T]
Warn = Callable[[StoreError], None]

_TURN_SECONDS = 10.0
"""How long a write waits for other processes before it is refused."""
_CLOSE_SECONDS = 1.0
"""A process that ends has three seconds in all."""
_COMMITS_PER_CHECKPOINT = 64
"""About a megabyte of log; one in 64 writes pays for two more syncs."""


class Database:
    """The database of one project, open in this process; ``open_project_database`` opens it."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, thread: ThreadPoolExecutor, warn: Warn
    ) -> None:
        """``thread`` is one thread, on which alone the connection is used."""
        self._path = path
        self._connection = connection
        self._thread = thread
        self._warn = warn
        self._turnstile = Turnstile(path.parent)
        self._identity = path.stat()
        self._loop = asyncio.get_running_loop()
        self._commits = 0
        self._closed = False
        self.check: BackgroundCheck | None = None
        """Of a database that is too large to be read through when it is opened."""

    async def read(self, unit: Unit[T]) -> T:
        """Run a function that reads, on one snapshot."""
        return await self._begun(partial(self._transact, "BEGIN", unit))

    async def write(self, unit: Unit[T]) -> T:
        """Run a function that writes: all of it is durable when this returns, or nothing is.

        Cancelled before it began, nothing is written. Cancelled later, it is completed, its
        result is returned, and the cancellation takes effect at the caller's next await.
        """
        start = Start()
        return await finish(self._begun(partial(self._write, unit, start)), start)

    async def scrub(self) -> None:
        """Empty the write-ahead log, so that it keeps nothing of what was deleted.

        Raises:
            StoreUnavailable: Another program is still reading an older state.
        """
        if self.check is not None:
            # Its snapshot would keep the log; the next opening checks again.
            self.check.stop()
        await finish(self._begun(self._scrub))

    def check_in_background(self) -> None:
        """Read the whole file through; what is wrong comes as a warning."""
        self.check = BackgroundCheck(self._path, self._warn_from_thread)

    async def close(self) -> None:
        """Close the file and end the thread, once; the last one to close leaves a single file."""
        if self._closed:
            return
        self._closed = True
        if self.check is not None:
            self.check.stop()
        try:
            await finish(self._submitted(self._shut))
        finally:
            self._thread.shutdown()

    def _begun(self, function: Callable[[], T]) -> asyncio.Future[T]:
        if self._closed:
            raise StoreUnavailable(
                f"The store {self._path} is closed.", remedy="Restart Plimsoll to go on."
            )
        return self._submitted(function)

    def _submitted(self, function: Callable[[], T]) -> asyncio.Future[T]:
        return self._loop.run_in_executor(self._thread, function)

    def _write(self, unit: Unit[T], start: Start) -> T:
        with self._turnstile.hold(_TURN_SECONDS):
            if not start.begin():
                raise Interrupted("The write was cancelled before it began.")
            self._require_file()
            result = self._transact("BEGIN IMMEDIATE", unit)
            self._count_commit()
        return result

    def _transact(self, begin: str, unit: Unit[T]) -> T:
        connection = self._connection
        try:
            connection.execute(begin)
            result = unit(connection)
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise translated(error, self._path) from error
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        return result

    def _require_file(self) -> None:
        """Refuse to write to a file that has lost its name: it would be gone with this process."""
        try:
            here = os.path.samestat(self._identity, self._path.stat())
        except OSError as error:
            raise unavailable("find", self._path, error) from error
        if not here:
            raise StoreUnavailable(
                f"The store {self._path} was replaced while it was open.",
                remedy="Restart Plimsoll to use the new file.",
            )

    def _count_commit(self) -> None:
        self._commits += 1
        if self._commits % _COMMITS_PER_CHECKPOINT:
            return
        try:
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        except sqlite3.Error as error:
            # What was committed is safe in the log; only moving it to its place has failed.
            self._warn_from_thread(translated(error, self._path))

    def _scrub(self) -> None:
        with self._turnstile.hold(_TURN_SECONDS):
            emptied = self._empty_log()
        if not emptied:
            raise StoreUnavailable(
                f"Deleted, but {self._path}-wal keeps traces while another program reads it.",
                remedy="Close other editors on this folder: the last one to close removes them.",
            )

    def _empty_log(self) -> bool:
        try:
            answer = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error as error:
            raise translated(error, self._path) from error
        return answer[0] == 0

    def _shut(self) -> None:
        connection = self._connection
        try:
            with self._turnstile.hold(_CLOSE_SECONDS):
                connection.close()
        except StoreUnavailable:
            # The last connection to close makes a checkpoint, which must not happen without the
            # turn; a reader beside it, which cannot make one, is the last instead.
            with contextlib.closing(connect_read_only(self._path)) as reader:
                version_of(reader)
                connection.close()

    def _warn_from_thread(self, error: StoreError) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._warn, error)


async def open_project_database(
    folder: Path, warn: Warn, check_at_once_bytes: int = CHECK_AT_ONCE_BYTES
) -> Database:
    """Open, create or update the database of a project's folder.

    ``warn`` is called on the event loop when the check in the background finds damage, or when a
    checkpoint fails.

    Raises:
        StoreDamaged: The file is not a store of ours or not whole.
        StoreNewer: It was written by a newer version.
        StoreUnavailable: It cannot be read or written.
    """
    private_folder(folder)
    path = folder / DATABASE_FILE
    # The interpreter waits at its end for this thread: a transaction that runs is completed.
    thread = ThreadPoolExecutor(1, thread_name_prefix="plimsoll-store")
    connect = partial(_connected, folder, check_at_once_bytes)
    try:
        connection = await finish(asyncio.get_running_loop().run_in_executor(thread, connect))
    except BaseException:
        thread.shutdown(wait=False)
        raise
    database = Database(path, connection, thread, warn)
    if path.stat().st_size > check_at_once_bytes:
        database.check_in_background()
    return database


def _connected(folder: Path, check_at_once_bytes: int) -> sqlite3.Connection:
    with Turnstile(folder).hold(_TURN_SECONDS):
        return open_database(folder, check_at_once_bytes)
