"""The projects of a shared PostgreSQL: each has a name, an id, and a clock that orders changes."""

import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, LiteralString, TypeVar
from uuid import UUID, uuid4

from psycopg.rows import dict_row
from psycopg.sql import SQL, Composed

from plimsoll.errors import InvalidInput, NotFound
from plimsoll.storage.postgres.connection import Connection, PostgresDatabase

T = TypeVar("T")
Statement = LiteralString | SQL | Composed
_INSERT = """
INSERT INTO plimsoll.projects (id, name, fingerprint_key) VALUES (%s, %s, %s)
ON CONFLICT (name) DO NOTHING
"""
_NEXT = "UPDATE plimsoll.projects SET clock = clock + 1 WHERE id = %(project)s RETURNING clock"
_KEY_BYTES = 32


async def create_project(connection: Connection, name: str) -> UUID:
    """Create a project; raises InvalidInput if the name is taken."""
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
    found = await connection.execute("SELECT id FROM plimsoll.projects WHERE name = %s", (name,))
    row = await found.fetchone()
    if row is None:
        raise NotFound("project", name, remedy="Ask a colleague for the name, or create it.")
    return row[0]


@dataclass(frozen=True, slots=True)
class SharedProject:
    """One project in one transaction; each statement gets the project's id as ``project``."""

    connection: Connection
    id: UUID

    async def execute(self, statement: Statement, **values: object) -> int:
        """Run a statement and return how many rows it has changed."""
        return (await self.connection.execute(statement, self._given(values))).rowcount

    async def execute_many(
        self, statement: Statement, rows: Iterable[Mapping[str, object]]
    ) -> None:
        """Run a statement once with each of these rows of parameters, in one round trip."""
        async with self.connection.cursor() as cursor:
            await cursor.executemany(statement, [self._given(row) for row in rows])

    async def first_row(self, statement: Statement, **values: object) -> tuple[Any, ...] | None:
        """Run a statement and return its first row; None if it yields no row."""
        return await (await self.connection.execute(statement, self._given(values))).fetchone()

    async def all_rows(self, statement: Statement, **values: object) -> list[tuple[Any, ...]]:
        """Run a statement and return its rows."""
        return await (await self.connection.execute(statement, self._given(values))).fetchall()

    async def named_rows(self, statement: Statement, **values: object) -> list[dict[str, Any]]:
        """Run a statement and return its rows by the names of their columns."""
        async with self.connection.cursor(row_factory=dict_row) as cursor:
            return await (await cursor.execute(statement, self._given(values))).fetchall()

    async def next_change(self) -> int:
        """Number the change that this transaction makes; other transactions wait for its end.

        So changes become visible in the order of their numbers, and a reader that has read up to a
        number has missed no earlier change.
        """
        row = await self.first_row(_NEXT)
        if row is None:
            remedy = "Ask whoever runs the server whether it was removed."
            raise NotFound("project", str(self.id), remedy=remedy)
        return int(row[0])

    def _given(self, values: Mapping[str, object]) -> dict[str, object]:
        return {"project": self.id, **values}


class ProjectDatabase:
    """Runs units of work on one project; raises what `PostgresDatabase` raises."""

    def __init__(self, database: PostgresDatabase, project: UUID) -> None:
        self._database = database
        self._project = project

    async def read(self, unit: Callable[[SharedProject], Awaitable[T]]) -> T:
        """Run a coroutine function that reads, on one snapshot."""
        return await self._database.read(lambda db: unit(SharedProject(db, self._project)))

    async def write(self, unit: Callable[[SharedProject], Awaitable[T]]) -> T:
        """Run a coroutine function that writes: all of it is durable on return, or nothing is."""
        return await self._database.write(lambda db: unit(SharedProject(db, self._project)))

    async def close(self) -> None:
        """Close all connections."""
        await self._database.close()
