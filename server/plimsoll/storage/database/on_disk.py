"""The one connection of a process to a project's database file.

A unit of work is one function on the worker thread in one transaction. Writes and checkpoints hold
a lock between processes, first come, first served: no two of them ever overlap, which SQLite's WAL-
reset defect (3.7.0 to 3.51.2) needs to destroy a file.
"""

import asyncio
import contextlib
import os
import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Thread

from plimsoll.errors import Interrupted, StoreError, StoreUnavailable
from plimsoll.private_files import private_folder, unavailable
from plimsoll.storage.database.failures import FAILURES, closed_error, damaged_error, translate
from plimsoll.storage.database.journal import Journal
from plimsoll.storage.database.migrations import version_of
from plimsoll.storage.database.opening import (
    CHECK_AT_ONCE_BYTES,
    connect_read_only,
    find_fault,
    open_database,
    remove_backups,
)
from plimsoll.storage.database.units import Start, T, Unit, finish, transact
from plimsoll.storage.database.worker import Worker
from plimsoll.storage.locate import DATABASE_FILE
from plimsoll.storage.locks.stores import FairLock, Presence

Warn = Callable[[StoreError], None]

_TURN_SECONDS = 10.0
"""Seconds that a write waits for other processes before it fails."""
_CLOSE_SECONDS = 1.0
"""Seconds for closing; a process that exits has three in all."""
_COMMITS_PER_CHECKPOINT = 64
"""About a megabyte of log; one in 64 writes then pays for two more syncs."""
_AGAIN_SECONDS = 0.02
"""Seconds between two interrupts of a check that is to stop."""


class BackgroundCheck:
    """Checks a large database on a thread and a snapshot of its own, while it is in use."""

    def __init__(self, path: Path, report: Callable[[StoreError], None]) -> None:
        """``report`` is called on the thread, only if the file is damaged."""
        self._path = path
        self._report = report
        self._stopped = False
        self._connection = connect_read_only(path)
        self._thread = Thread(target=self._check, daemon=True, name="plimsoll-check")
        self._thread.start()

    def wait(self) -> None:
        """Wait until the whole file has been checked."""
        self._thread.join()

    def stop(self) -> None:
        """Stop the check, finished or not."""
        self._stopped = True
        while self._thread.is_alive():
            # An interrupt reaches only a statement that runs already, so one may not be enough.
            with contextlib.suppress(sqlite3.ProgrammingError):  # The check has just closed it.
                self._connection.interrupt()
            self._thread.join(_AGAIN_SECONDS)

    def _check(self) -> None:
        with contextlib.closing(self._connection) as connection:
            try:
                fault = find_fault(connection)
            except sqlite3.Error as error:
                if not self._stopped:
                    self._report(translate(error, self._path))
                return
        if fault is not None:
            self._report(damaged_error(self._path, f"it is not whole ({fault})"))


class FileDatabase:
    """A ``Database`` in a file; made by ``open_project_database``."""

    def __init__(
        self, path: Path, worker: Worker, warn: Warn, presence: Presence, *, journal: Journal
    ) -> None:
        """``journal``: the one that the connection uses."""
        self._path = path
        self._presence = presence
        self._worker = worker
        self._connection = worker.connection
        self._warn = warn
        self._lock = FairLock(path.parent)
        self._journal = journal
        self._identity = path.stat()
        self._loop = asyncio.get_running_loop()
        self._commits = 0
        self._closed = False
        self.check: BackgroundCheck | None = None
        """The background check of a database that is too large to check when opened."""
        self._keeper = asyncio.create_task(self._close_with_the_loop())

    async def read(self, unit: Unit[T]) -> T:
        """Run a unit of work that reads, on one snapshot."""
        return await self._start_work(partial(self._read, unit))

    async def write(self, unit: Unit[T]) -> T:
        """Run a unit of work that writes: all of it is durable when this returns, or nothing is.

        If it is cancelled before the unit begins, nothing is written. Later, the unit is completed,
        its result is returned, and the cancellation takes effect at the caller's next await.
        """
        start = Start()
        return await finish(self._start_work(partial(self._write, unit, start)), start)

    async def scrub(self) -> None:
        """Empty the write-ahead log, so that it has no trace of deleted rows.

        Raises:
            StoreUnavailable: Another program is still reading an older state.
        """
        if self.check is not None:
            # Its snapshot would keep the log; the next opening checks again.
            self.check.stop()
        await finish(self._start_work(self._scrub))

    def remove_backups(self) -> None:
        """Remove the copies made before migrations."""
        remove_backups(self._path.parent)

    def check_in_background(self) -> None:
        """Check the whole file in the background; damage is reported as a warning."""
        self.check = BackgroundCheck(self._path, self._warn_from_thread)

    async def close(self) -> None:
        """Close the file and end the thread, once; the last process leaves a single file."""
        if self._closed:
            return
        self._closed = True
        if self.check is not None:
            self.check.stop()
        try:
            await finish(asyncio.ensure_future(self._worker.run(self._close_connection)))
        finally:
            await self._worker.close()
            self._presence.leave()
            self._keeper.cancel()

    def _start_work(self, function: Callable[[], T]) -> asyncio.Future[T]:
        if self._closed:
            raise closed_error(self._path)
        return asyncio.ensure_future(self._worker.run(function))

    async def _close_with_the_loop(self) -> None:
        # The interpreter waits for the thread at its end, and a loop that ends, however it ends,
        # cancels its tasks: this one closes what nobody else has closed.
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            await self.close()

    def _read(self, unit: Unit[T]) -> T:
        # Beside a rollback journal readers and writers exclude each other, and SQLite's waiting is
        # a lottery: three seconds were seen among four processes. So readers line up as well.
        with contextlib.nullcontext() if self._journal == "wal" else self._lock.hold(_TURN_SECONDS):
            return self._transact("BEGIN", unit)

    def _write(self, unit: Unit[T], start: Start) -> T:
        with self._lock.hold(_TURN_SECONDS):
            if not start.begin():
                raise Interrupted("The write was cancelled before it began.")
            self._require_file()
            result = self._transact("BEGIN IMMEDIATE", unit)
            self._count_commit()
        return result

    def _transact(self, begin: str, unit: Unit[T]) -> T:
        try:
            return transact(self._connection, begin, unit)
        except FAILURES as error:
            raise translate(error, self._path) from error

    def _require_file(self) -> None:
        """Raise if the file was deleted or replaced: what is written would be lost."""
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
            self._warn_from_thread(translate(error, self._path))

    def _scrub(self) -> None:
        with self._lock.hold(_TURN_SECONDS):
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
            raise translate(error, self._path) from error
        return answer[0] == 0

    def _close_connection(self) -> None:
        connection = self._connection
        try:
            with self._lock.hold(_CLOSE_SECONDS):
                connection.close()
        except StoreUnavailable:
            # The last connection to close makes a checkpoint, which must not happen without the
            # turn; a reader beside it, which cannot make one, is the last instead.
            with (
                contextlib.suppress(sqlite3.Error),  # The file is gone: none is needed.
                contextlib.closing(connect_read_only(self._path)) as reader,
            ):
                version_of(reader)
                connection.close()

    def _warn_from_thread(self, error: StoreError) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._warn, error)


async def open_project_database(
    folder: Path,
    warn: Warn,
    check_at_once_bytes: int = CHECK_AT_ONCE_BYTES,
    journal: Journal | None = None,
) -> FileDatabase:
    """Open, create or update the database of a project's folder.

    ``warn`` is called on the event loop when the check in the background finds damage, or when a
    checkpoint fails. ``journal``: as ``open_database`` has it.

    Raises:
        StoreDamaged: The file is not a store of ours or not whole.
        StoreNewer: It was written by a newer version.
        StoreUnavailable: It cannot be read or written.
    """
    private_folder(folder)
    path = folder / DATABASE_FILE
    connect = partial(_connect, folder, check_at_once_bytes, journal)
    presence = Presence(folder)
    try:
        worker, used = await finish(asyncio.ensure_future(_begin(connect)))
    except BaseException:
        presence.leave()
        raise
    database = FileDatabase(path, worker, warn, presence, journal=used)
    # With a rollback journal, whoever reads the whole file keeps all writers out.
    if path.stat().st_size > check_at_once_bytes and used == "wal":
        database.check_in_background()
    return database


async def _begin(connect: Callable[[], sqlite3.Connection]) -> tuple[Worker, Journal]:
    """Connect on a thread of its own; also return the journal that the connection uses.

    The file itself is not looked at: once any descriptor of it is closed, the process has lost its
    locks on it (POSIX), and the next one to leave removes the write-ahead log that is in use.
    """
    worker = await Worker.connect(connect)
    return worker, await worker.run(lambda: _journal_in_use(worker.connection))


def _journal_in_use(connection: sqlite3.Connection) -> Journal:
    mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
    return "wal" if mode == "wal" else "delete"


def _connect(folder: Path, check_at_once_bytes: int, journal: Journal | None) -> sqlite3.Connection:
    with FairLock(folder).hold(_TURN_SECONDS):
        return open_database(folder, check_at_once_bytes, journal=journal)
