"""The tables of a project's database, as migrations in order.

Each version is reached in one transaction, which records it.
"""

import sqlite3
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

SESSION_TABLES = (
    """
CREATE TABLE sessions (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  workspace TEXT NOT NULL,
  title TEXT NOT NULL,
  mode TEXT NOT NULL,
  model TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  turns INTEGER NOT NULL,
  parent_id TEXT,
  preview TEXT NOT NULL
) STRICT
""",
    "CREATE INDEX sessions_by_use ON sessions (updated_at DESC, key DESC)",
    """
CREATE TABLE entries (
  session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (session, place)
) STRICT
""",
)

MEMORY_TABLES = (
    """
CREATE TABLE memories (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  class TEXT NOT NULL,
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  author TEXT NOT NULL,
  trust TEXT NOT NULL,
  state TEXT NOT NULL,
  before TEXT,
  pinned INTEGER NOT NULL,
  digest INTEGER NOT NULL,
  session_id TEXT,
  message_id TEXT,
  uri TEXT,
  sha256 TEXT,
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  times_used INTEGER NOT NULL,
  expires_at TEXT,
  supersedes TEXT,
  fingerprint TEXT NOT NULL,
  origin TEXT,
  context TEXT NOT NULL,
  names TEXT NOT NULL
) STRICT
""",
    """
CREATE VIEW memory_records AS
SELECT key, id, type, class, title, content, author, trust, state, before, pinned, digest,
  session_id, message_id, uri, sha256, created_at, last_used_at, times_used, expires_at, supersedes
FROM memories
""",
    "CREATE INDEX memories_by_fingerprint ON memories (fingerprint)",
    "CREATE INDEX memories_by_origin ON memories (origin, key) WHERE origin IS NOT NULL",
    "CREATE INDEX memories_by_state ON memories (state, created_at)",
    """
CREATE INDEX memories_foremost ON memories (pinned, class = 'priority', created_at)
WHERE state IN ('active', 'stale')
""",
    """
CREATE INDEX memories_passing ON memories (digest, created_at)
WHERE class = 'working' AND state IN ('active', 'stale')
""",
    """
CREATE VIRTUAL TABLE memory_texts USING fts5(
  title, content, context, names,
  content = 'memories', content_rowid = 'key', tokenize = 'porter unicode61 remove_diacritics 2'
)
""",
    """
CREATE TABLE memory_events (
  key INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  action TEXT NOT NULL,
  author TEXT NOT NULL,
  reason TEXT,
  fingerprint TEXT NOT NULL
) STRICT
""",
    "CREATE INDEX memory_events_by_memory ON memory_events (memory_id, key)",
    """
CREATE TABLE memory_tombstones (
  fingerprint TEXT PRIMARY KEY,
  memory_id TEXT NOT NULL,
  at TEXT NOT NULL
) STRICT, WITHOUT ROWID
""",
    """
CREATE TABLE memory_cursors (
  session_id TEXT PRIMARY KEY,
  message_id TEXT NOT NULL,
  count INTEGER NOT NULL
) STRICT, WITHOUT ROWID
""",
    "CREATE TABLE memory_key (value BLOB NOT NULL) STRICT",
    "INSERT INTO memory_key VALUES (randomblob(32))",
)
"""Forgotten memories and those of the inbox are in no full-text index: searches cannot find
them."""

PIN_TABLES = (
    # AUTOINCREMENT keeps the highest number ever given, so that none is given twice.
    """
CREATE TABLE workspace_pins (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  at TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT
""",
)

MEMORY_FIELDS = (
    "ALTER TABLE memories ADD COLUMN scope TEXT NOT NULL DEFAULT 'private'",
    "ALTER TABLE memories ADD COLUMN importance INTEGER",
    "ALTER TABLE memories ADD COLUMN tags TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE memories ADD COLUMN removal INTEGER NOT NULL DEFAULT 0",
    "DROP VIEW memory_records",
    """
CREATE VIEW memory_records AS
SELECT key, id, type, class, title, content, author, trust, state, before, pinned, digest,
  session_id, message_id, uri, sha256, created_at, last_used_at, times_used, expires_at, supersedes,
  scope, importance, tags, removal
FROM memories
""",
    "DROP INDEX memories_foremost",
    """
CREATE INDEX memories_foremost
ON memories (pinned, class = 'priority', coalesce(importance, 3), created_at)
WHERE state IN ('active', 'stale')
""",
)

RECALL_TABLES = (
    """
CREATE TABLE exchanges (
  key INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL,
  place INTEGER NOT NULL,
  at TEXT NOT NULL,
  asked TEXT NOT NULL,
  concluded TEXT NOT NULL,
  names TEXT NOT NULL,
  UNIQUE (session_id, place)
) STRICT
""",
    """
CREATE VIRTUAL TABLE exchange_texts USING fts5(
  asked, concluded, names,
  content = 'exchanges', content_rowid = 'key', tokenize = 'porter unicode61 remove_diacritics 2'
)
""",
)

AGENT_TABLES = (
    """
CREATE TABLE agents (
  session INTEGER PRIMARY KEY REFERENCES sessions (key) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  depth INTEGER NOT NULL
) STRICT
""",
    """
CREATE VIEW session_records AS
SELECT sessions.key, id, workspace, title, mode, model, created_at, updated_at, turns, parent_id,
  preview, agents.kind AS agent, coalesce(agents.depth, 0) AS depth
FROM sessions LEFT JOIN agents ON agents.session = sessions.key
""",
)
"""A separate table, so that stored sessions keep their columns."""

SKILL_TABLES = (
    """
CREATE TABLE skills_off (
  name TEXT PRIMARY KEY,
  at TEXT NOT NULL
) STRICT, WITHOUT ROWID
""",
)

ADDRESS_TABLES = (
    """
CREATE TABLE session_addresses (
  session INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  address TEXT NOT NULL,
  machine TEXT,
  UNIQUE (session, place)
) STRICT
""",
)

PERMISSION_TABLES = (
    """
CREATE TABLE permissions (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  what TEXT NOT NULL,
  covers TEXT NOT NULL,
  defined_by TEXT NOT NULL,
  UNIQUE (kind, subject)
) STRICT
""",
)

ORDER_TABLES = (
    """
CREATE TABLE memory_order (
  event INTEGER NOT NULL
) STRICT
""",
    "CREATE INDEX memories_of_files ON memories (sha256) WHERE sha256 IS NOT NULL",
    "CREATE INDEX memories_expiring ON memories (expires_at) WHERE expires_at IS NOT NULL",
)

SAID_TABLES = (
    """
CREATE TABLE said_stretches (
  key INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES sessions (key),
  first INTEGER NOT NULL,
  last INTEGER NOT NULL
) STRICT
""",
    "CREATE INDEX said_stretches_by_session ON said_stretches (session)",
    """
CREATE VIRTUAL TABLE said_texts USING fts5(
  words, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1'
)
""",
    """
CREATE TABLE said_mark (
  entry INTEGER NOT NULL,
  session INTEGER NOT NULL,
  place INTEGER NOT NULL,
  unicode TEXT NOT NULL
) STRICT
""",
)
"""``first``, ``last`` and ``entry`` are row numbers of entries; searches fill the tables in
pieces."""

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
