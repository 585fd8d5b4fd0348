"""The migrations of a project's database, in order.

Each version is reached in one transaction, which records it.
"""

import sqlite3
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from plimsoll.storage.database.tables import (
    ADDRESS_TABLES,
    AGENT_TABLES,
    MEMORY_FIELDS,
    MEMORY_TABLES,
    ORDER_TABLES,
    PERMISSION_TABLES,
    PIN_TABLES,
    RECALL_TABLES,
    SAID_TABLES,
    SESSION_TABLES,
    SKILL_TABLES,
    TEAM_TABLES,
)

APPLICATION_ID = 0x506C696D
"""The letters "Plim" in the file's header, which mark it as ours."""

Migration = Callable[[sqlite3.Connection], None]


def m001_sessions(connection: sqlite3.Connection) -> None:
    """Create the tables of sessions and their entries."""
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


def m005_agents(connection: sqlite3.Connection) -> None:
    """Create the table of subagents' sessions."""
    for statement in AGENT_TABLES:
        connection.execute(statement)


def m006_memory_fields(connection: sqlite3.Connection) -> None:
    """Add scope, importance, tags and suggested removals to the memories."""
    for statement in MEMORY_FIELDS:
        connection.execute(statement)


def m007_skills(connection: sqlite3.Connection) -> None:
    """Create the table of switched-off skills."""
    for statement in SKILL_TABLES:
        connection.execute(statement)


def m008_addresses(connection: sqlite3.Connection) -> None:
    """Create the table of addresses that sessions may be sent to."""
    for statement in ADDRESS_TABLES:
        connection.execute(statement)


def m009_permissions(connection: sqlite3.Connection) -> None:
    """Create the table of permissions."""
    for statement in PERMISSION_TABLES:
        connection.execute(statement)


def m010_memory_order(connection: sqlite3.Connection) -> None:
    """Create the record of the last consolidated event, and the indexes for consolidation."""
    for statement in ORDER_TABLES:
        connection.execute(statement)


def m011_said(connection: sqlite3.Connection) -> None:
    """Create the empty index of messages, and the tables that say which entries it covers."""
    for statement in SAID_TABLES:
        connection.execute(statement)


def m012_team(connection: sqlite3.Connection) -> None:
    """Create the tables of what is shared with a team, and of what waits to be sent."""
    for statement in TEAM_TABLES:
        connection.execute(statement)


MIGRATIONS: Sequence[Migration] = (
    m001_sessions,
    m002_memories,
    m003_workspace_pins,
    m004_recall,
    m005_agents,
    m006_memory_fields,
    m007_skills,
    m008_addresses,
    m009_permissions,
    m010_memory_order,
    m011_said,
    m012_team,
)


def version_of(connection: sqlite3.Connection) -> int:
    """Read the version of the schema: how many migrations were applied to the file."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Apply the missing migrations in order; a failed one leaves the version before."""
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
