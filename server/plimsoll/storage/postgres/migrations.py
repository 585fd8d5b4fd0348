"""The tables of a shared PostgreSQL, made by numbered steps that two clients may start at once."""

from collections.abc import Sequence
from typing import LiteralString

import psycopg

from plimsoll.errors import StoreNewer
from plimsoll.storage.postgres.connection import Connection, PostgresDatabase
from plimsoll.storage.postgres.failures import place_of

_FIRST: Sequence[LiteralString] = (
    """
CREATE TABLE plimsoll.projects (
  id uuid PRIMARY KEY,
  name text NOT NULL UNIQUE,
  clock bigint NOT NULL DEFAULT 0,
  fingerprint_key bytea NOT NULL,
  found bigint NOT NULL DEFAULT 0,
  found_words bigint NOT NULL DEFAULT 0,
  ordered bigint
)
""",
    """
CREATE TABLE plimsoll.memories (
  project uuid NOT NULL REFERENCES plimsoll.projects (id) ON DELETE CASCADE,
  key bigint NOT NULL,
  id text NOT NULL,
  type text NOT NULL,
  class text NOT NULL,
  title text NOT NULL,
  content text NOT NULL,
  author text NOT NULL,
  trust text NOT NULL,
  state text NOT NULL,
  before text,
  pinned boolean NOT NULL,
  digest boolean NOT NULL,
  session_id text,
  message_id text,
  uri text,
  sha256 text,
  created_at text COLLATE "C" NOT NULL,
  last_used_at text,
  times_used integer NOT NULL,
  expires_at text,
  supersedes text,
  scope text NOT NULL,
  importance integer,
  tags text NOT NULL,
  removal boolean NOT NULL,
  author_name text,
  version integer,
  seen_at text,
  fingerprint text NOT NULL,
  origin text,
  changed bigint NOT NULL,
  words tsvector,
  word_count integer NOT NULL,
  PRIMARY KEY (project, key),
  UNIQUE (project, id)
)
""",
    "CREATE INDEX memories_by_fingerprint ON plimsoll.memories (project, fingerprint)",
    "CREATE INDEX memories_by_state ON plimsoll.memories (project, state, created_at, key)",
    "CREATE INDEX memories_by_origin ON plimsoll.memories (project, origin, key)",
    "CREATE INDEX memories_by_change ON plimsoll.memories (project, changed)",
    "CREATE INDEX memories_by_words ON plimsoll.memories USING gin (words)",
    """
CREATE TABLE plimsoll.memory_events (
  project uuid NOT NULL REFERENCES plimsoll.projects (id) ON DELETE CASCADE,
  key bigint NOT NULL,
  at text NOT NULL,
  memory_id text NOT NULL,
  action text NOT NULL,
  author text NOT NULL,
  reason text,
  fingerprint text,
  PRIMARY KEY (project, key)
)
""",
    "CREATE INDEX memory_events_of ON plimsoll.memory_events (project, memory_id, key)",
    """
CREATE TABLE plimsoll.memory_tombstones (
  project uuid NOT NULL REFERENCES plimsoll.projects (id) ON DELETE CASCADE,
  fingerprint text NOT NULL,
  memory_id text NOT NULL,
  at text NOT NULL,
  PRIMARY KEY (project, fingerprint)
)
""",
    """
CREATE TABLE plimsoll.memory_cursors (
  project uuid NOT NULL REFERENCES plimsoll.projects (id) ON DELETE CASCADE,
  session_id text NOT NULL,
  read_by text NOT NULL,
  message_id text NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (project, session_id, read_by)
)
""",
    """
CREATE TABLE plimsoll.pins (
  project uuid NOT NULL REFERENCES plimsoll.projects (id) ON DELETE CASCADE,
  number integer NOT NULL,
  id text NOT NULL,
  at text NOT NULL,
  text text,
  scope text NOT NULL,
  author_name text,
  PRIMARY KEY (project, number),
  UNIQUE (project, id)
)
""",
    """
CREATE TABLE plimsoll.sessions (
  project uuid NOT NULL REFERENCES plimsoll.projects (id) ON DELETE CASCADE,
  key bigint NOT NULL,
  id text NOT NULL,
  workspace text NOT NULL,
  title text NOT NULL,
  mode text NOT NULL,
  model text NOT NULL,
  created_at text NOT NULL,
  updated_at text COLLATE "C" NOT NULL,
  turns integer NOT NULL,
  parent_id text,
  preview text NOT NULL,
  agent text,
  depth integer NOT NULL,
  addresses text NOT NULL,
  length integer NOT NULL,
  written bigint,
  fence bigint NOT NULL DEFAULT 0,
  holder text,
  held_until timestamptz,
  PRIMARY KEY (project, key),
  UNIQUE (project, id)
)
""",
    """
CREATE TABLE plimsoll.entries (
  project uuid NOT NULL,
  session bigint NOT NULL,
  place integer NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (project, session, place),
  FOREIGN KEY (project, session) REFERENCES plimsoll.sessions (project, key) ON DELETE CASCADE
)
""",
)
"""Plain SQL that PostgreSQL 13 to 18 runs, without an extension; no advisory lock, no LISTEN."""

STEPS: Sequence[Sequence[LiteralString]] = (_FIRST,)
"""What brings the tables from each version to the next; a step that was released never changes."""

_BEGINNING = (
    "CREATE SCHEMA IF NOT EXISTS plimsoll",
    """
CREATE TABLE IF NOT EXISTS plimsoll.versions (
  version integer PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now()
)
""",
)


async def migrate(database: PostgresDatabase, url: str) -> None:
    """Create missing tables, and update existing ones to the version of this program.

    Raises:
        StoreNewer: A newer version of the program has made them.
        StoreUnavailable: The engine cannot be used, or the role may make no tables.
    """
    await database.write(_begin)
    await bring_up_to_date(database, url)


async def bring_up_to_date(database: PostgresDatabase, url: str) -> None:
    """Update existing tables to the version of this program; raises as `migrate`."""
    found = await database.read(version_of)
    if found > len(STEPS):
        raise StoreNewer(
            f"The tables at {place_of(url)} have version {found}; "
            f"this program knows up to {len(STEPS)}.",
            remedy="Update Plimsoll on this machine.",
        )
    for version in range(found + 1, len(STEPS) + 1):
        await database.write(lambda connection, version=version: _step(connection, version))


async def version_of(connection: Connection) -> int:
    """Read the version of the tables; 0 if there are no tables yet."""
    row = await (
        await connection.execute("SELECT coalesce(max(version), 0) FROM plimsoll.versions")
    ).fetchone()
    return 0 if row is None else int(row[0])


async def _begin(connection: Connection) -> None:
    try:
        async with connection.transaction():
            for statement in _BEGINNING:
                await connection.execute(statement)
    except (psycopg.errors.UniqueViolation, psycopg.errors.DuplicateTable):
        # Two clients that make it at once collide in the catalogue: the other one has made it.
        return


async def _step(connection: Connection, version: int) -> None:
    """Run one migration, unless it has run; waits for another process that is running it."""
    done = await connection.execute(
        "INSERT INTO plimsoll.versions (version) VALUES (%s) ON CONFLICT DO NOTHING", (version,)
    )
    if done.rowcount:
        for statement in STEPS[version - 1]:
            await connection.execute(statement)
