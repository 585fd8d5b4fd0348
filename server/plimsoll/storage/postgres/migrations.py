"""The tables of a shared PostgreSQL, made by numbered steps that two clients may start at once."""

from collections.abc import Sequence
from typing import LiteralString

import psycopg

from plimsoll.errors import StoreUnavailable
from plimsoll.storage.postgres.connection import Connection, PostgresDatabase
from plimsoll.storage.postgres.failures import newer_tables, older_tables
from plimsoll.storage.postgres.policies import POLICIES
from plimsoll.storage.postgres.tables import TABLES
from plimsoll.storage.shared.reasons import Reason

STEPS: Sequence[Sequence[LiteralString]] = ((*TABLES, *POLICIES),)
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

_OWNER = """
SELECT tableowner FROM pg_catalog.pg_tables WHERE schemaname = 'plimsoll' AND tablename = 'versions'
"""


async def migrate(database: PostgresDatabase, url: str) -> None:
    """Create missing tables, and update existing ones to the version of this program.

    Raises:
        StoreNewer: A newer version of the program has made them.
        StoreUnavailable: The engine cannot be used, or the role may make no tables.
    """
    if not await database.read(_has_tables):
        await database.write(_begin)
    await bring_up_to_date(database, url)


async def bring_up_to_date(database: PostgresDatabase, url: str) -> None:
    """Update existing tables to the version of this program; raises as `migrate`."""
    found = await database.read(lambda connection: refuse_newer(connection, url))
    for version in range(found + 1, len(STEPS) + 1):
        try:
            await database.write(lambda connection, version=version: _step(connection, version))
        except StoreUnavailable as error:
            if error.data["reason"] != Reason.RIGHTS:
                raise
            raise older_tables(url, found, await database.read(_owner)) from error


async def refuse_newer(connection: Connection, url: str) -> int:
    """Read the version of the tables; raises StoreNewer for one that this program does not know."""
    found = await version_of(connection)
    if found > len(STEPS):
        raise newer_tables(url, found, len(STEPS))
    return found


async def version_of(connection: Connection) -> int:
    """Read the version of the tables; 0 if there are no tables yet."""
    row = await (
        await connection.execute("SELECT coalesce(max(version), 0) FROM plimsoll.versions")
    ).fetchone()
    return 0 if row is None else int(row[0])


async def _has_tables(connection: Connection) -> bool:
    found = await connection.execute("SELECT to_regclass('plimsoll.versions') IS NOT NULL")
    return (await found.fetchone()) == (True,)


async def _owner(connection: Connection) -> str:
    """Read the role that owns the tables."""
    row = await (await connection.execute(_OWNER)).fetchone()
    return "whoever made them" if row is None else str(row[0])


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
