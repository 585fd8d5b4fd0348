"""The versions of the database, in order; each is reached in one transaction with its record."""

import sqlite3
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from plimsoll.storage.database.schema import (
    MEMORY_TABLES,
    PIN_TABLES,
    RECALL_TABLES,
    SESSION_TABLES,
)

APPLICATION_ID = 0x506C696D
"""The letters "Plim" in the header of the file mark it as ours."""

Migration = Callable[[sqlite3.Connection], None]


def m001_sessions(connection: sqlite3.Connection) -> None:
    """Create the tables of sessions and the entries of their logs."""
    for statement in SESSION_TABLES:
        connection.execute(statement)


def m002_memories(connection: sqlite3.Connection) -> None:
    """Create the tables of memories: full-text index, history, tombstones and cursors."""
    for statement in MEMORY_TABLES:
        connection.execute(statement)


def m003_workspace_pins(connection: sqlite3.Connection) -> None:
    """Create the table of the folder's pins."""
    for statement in PIN_TABLES:
        connection.execute(statement)


def m004_recall(connection: sqlite3.Connection) -> None:
    """Create the table of exchanges with its full-text index."""
    for statement in RECALL_TABLES:
        connection.execute(statement)


MIGRATIONS: Sequence[Migration] = (
    m001_sessions,
    m002_memories,
    m003_workspace_pins,
    m004_recall,
)


def version_of(connection: sqlite3.Connection) -> int:
    """Read the version of the schema: how many migrations were applied to the file."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Apply what is missing, in order; one that fails leaves the file at the version before it."""
    for number, migration in enumerate(
        migrations[version_of(connection) :], version_of(connection)
    ):
        _apply(connection, migration, number + 1)


def _apply(connection: sqlite3.Connection, migration: Migration, version: int) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute(_RECORDS)
        migration(connection)
        record = (version, migration.__name__, datetime.now(UTC).isoformat())
        connection.execute("INSERT INTO migrations VALUES (?, ?, ?)", record)
        # Both are fields of the file's header and part of the transaction.
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {version}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


_RECORDS = """
CREATE TABLE IF NOT EXISTS migrations (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  applied_at TEXT NOT NULL
) STRICT
"""
