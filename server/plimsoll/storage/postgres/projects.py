"""The projects of a shared PostgreSQL: each has a name, an id, and a clock that orders changes."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, LiteralString
from uuid import UUID, uuid4

from psycopg.sql import SQL, Composed

from plimsoll.errors import InvalidInput, NotFound
from plimsoll.storage.postgres.connection import Connection

Statement = LiteralString | SQL | Composed
_INSERT = """
INSERT INTO plimsoll.projects (id, name, fingerprint_key) VALUES (%s, %s, %s)
ON CONFLICT (name) DO NOTHING
"""
_KEY_BYTES = 32


async def create_project(connection: Connection, name: str) -> UUID:
    """Make a project; raises InvalidInput when the name is taken."""
    project = uuid4()
    values = (project, name, secrets.token_bytes(_KEY_BYTES))
    done = await connection.execute(_INSERT, values)
    if not done.rowcount:
        raise InvalidInput(
            f"There is a project {name!r} on this server already.",
            remedy="Join it, or give the new one another name.",
        )
    return project


async def find_project(connection: Connection, name: str) -> UUID:
    """Return the id of a project; raises NotFound."""
    row = await first_row(connection, "SELECT id FROM plimsoll.projects WHERE name = %s", (name,))
    if row is None:
        raise NotFound("project", name, remedy="Ask a colleague for the name, or create it.")
    return row[0]


async def next_change(connection: Connection, project: UUID) -> int:
    """Return the number of the change that this transaction makes, and keep others from making one.

    Whoever writes waits here for who wrote before, so that changes become visible in the order of
    their numbers: who has read up to one has missed none.
    """
    row = await first_row(
        connection,
        "UPDATE plimsoll.projects SET clock = clock + 1 WHERE id = %s RETURNING clock",
        (project,),
    )
    if row is None:
        raise NotFound(
            "project", str(project), remedy="Ask whoever runs the server whether it was removed."
        )
    return int(row[0])


async def first_row(
    connection: Connection, statement: Statement, values: Sequence[Any] | Mapping[str, Any]
) -> tuple[Any, ...] | None:
    """Run a statement and return its first row, where there is one."""
    return await (await connection.execute(statement, values)).fetchone()


async def all_rows(
    connection: Connection, statement: Statement, values: Sequence[Any] | Mapping[str, Any]
) -> list[tuple[Any, ...]]:
    """Run a statement and return its rows."""
    return await (await connection.execute(statement, values)).fetchall()
