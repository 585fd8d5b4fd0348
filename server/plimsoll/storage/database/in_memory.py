"""A database in memory: for tests, and for a server that stores nothing."""

import sqlite3
from functools import cache
from pathlib import Path

from plimsoll.storage.database.failures import closed_error, translate
from plimsoll.storage.database.migrations import migrate
from plimsoll.storage.database.units import T, Unit, transact

_PATH = Path(":memory:")


class InMemoryDatabase:
    """A ``Database`` in memory, opened at its first use.

    Units of work run in the calling thread, since they wait for no disk.
    """

    def __init__(self) -> None:
        self._opened: sqlite3.Connection | None = None
        self._closed = False

    async def read(self, unit: Unit[T]) -> T:
        """Run a unit of work that reads."""
        return self._transact("BEGIN", unit)

    async def write(self, unit: Unit[T]) -> T:
        """Run a unit of work that writes, completely or not at all."""
        return self._transact("BEGIN IMMEDIATE", unit)

    async def scrub(self) -> None:
        """Do nothing: there is no file that could keep a trace."""

    def remove_backups(self) -> None:
        """Do nothing: it is never copied."""

    async def close(self) -> None:
        """Close the database and lose its content."""
        self._closed = True
        if self._opened is not None:
            self._opened.close()

    def _transact(self, begin: str, unit: Unit[T]) -> T:
        if self._closed:
            raise closed_error(_PATH)
        try:
            return transact(self._connection(), begin, unit)
        except sqlite3.Error as error:
            raise translate(error, _PATH) from error

    def _connection(self) -> sqlite3.Connection:
        if self._opened is None:
            self._opened = sqlite3.connect(_PATH.name, isolation_level=None)
            _empty_tables().backup(self._opened)
            self._opened.execute("PRAGMA foreign_keys = ON")
        return self._opened


@cache
def _empty_tables() -> sqlite3.Connection:
    """Make the tables once for the process: to copy them takes a hundredth of making them."""
    connection = sqlite3.connect(_PATH.name, isolation_level=None, check_same_thread=False)
    migrate(connection)
    return connection
