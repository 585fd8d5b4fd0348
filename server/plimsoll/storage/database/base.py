"""What a store needs of a database, whatever holds it."""

import sqlite3
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

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
        """Run a function that reads, on one snapshot."""
        ...

    def write(self, unit: Unit[T]) -> Awaitable[T]:
        """Run a function that writes: all of it is durable when this returns, or nothing is."""
        ...

    def scrub(self) -> Awaitable[None]:
        """Leave no trace of what was deleted beside the tables."""
        ...

    def remove_backups(self) -> None:
        """Remove copies of the database, which keep what is deleted afterwards."""
        ...

    def close(self) -> Awaitable[None]:
        """Close it, once."""
        ...


def transact(connection: sqlite3.Connection, begin: str, unit: Unit[T]) -> T:
    """Run a unit of work in one transaction, which its failure rolls back."""
    try:
        connection.execute(begin)
        result = unit(connection)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    return result
