"""The projects of a shared PostgreSQL: each has a name, an id, and a clock that orders changes."""

import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, LiteralString, TypeVar
from uuid import UUID, uuid4

import psycopg
from psycopg.rows import dict_row
from psycopg.sql import SQL, Composed

from plimsoll.errors import InvalidInput, NotFound
from plimsoll.storage.postgres.connection import Connection, PostgresDatabase

T = TypeVar("T")
Statement = LiteralString | SQL | Composed
_INSERT = "INSERT INTO plimsoll.projects (id, name, fingerprint_key) VALUES (%s, %s, %s)"
_FIRST_MEMBER = """
INSERT INTO plimsoll.members (project, rights)
VALUES (%s, jsonb_build_object(current_user::text, 'admin'))
"""
_NEXT = "UPDATE plimsoll.projects SET clock = clock + 1 WHERE id = %(project)s RETURNING clock"
_SEEN = "SELECT 1 FROM plimsoll.projects WHERE id = %(project)s"
_KEY_BYTES = 32


async def create_project(connection: Connection, name: str) -> UUID:
    """Create a project, of which the role is an admin; raises InvalidInput if the name is taken."""
    project = uuid4()
    values = (project, name, secrets.token_bytes(_KEY_BYTES))
    try:
        await connection.execute(_INSERT, values)
    except psycopg.errors.UniqueViolation as error:
        raise InvalidInput(
            f"There is a project {name!r} on this server already.",
            remedy="Join it, or give the new one another name.",
        ) from error
    await connection.execute(_FIRST_MEMBER, (project,))
    return project


async def find_project(connection: Connection, name: str) -> UUID:
    """Return the id of a project; raises NotFound for one of which the role is no member too."""
    found = await connection.execute("SELECT id FROM plimsoll.projects WHERE name = %s", (name,))
    row = await found.fetchone()
    if row is None:
        raise no_project(name)
    return row[0]


async def name_of_project(connection: Connection, project: UUID) -> str:
    """Return the name of a project; raises NotFound for one of which the role is no member too."""
    found = await connection.execute("SELECT name FROM plimsoll.projects WHERE id = %s", (project,))
    row = await found.fetchone()
    if row is None:
        raise no_project(str(project))
    return str(row[0])


def no_project(name: str) -> NotFound:
    """Build the error for a project that the role does not see."""
    return NotFound(
        "project",
        name,
        message=f"The server has no project {name!r} of which this role is a member.",
        remedy="Ask an admin of the project to add the role, or whether it was removed.",
    )


@dataclass(frozen=True, slots=True)
class SharedProject:
    """One project in one transaction; each statement gets the project's id as ``project``."""

    connection: Connection
    id: UUID

    async def execute(self, statement: Statement, **values: object) -> int:
        """Run a statement and return how many rows it has changed."""
        return (await self.connection.execute(statement, self._with_project(values))).rowcount

    async def execute_many(
        self, statement: Statement, rows: Iterable[Mapping[str, object]]
    ) -> None:
        """Run a statement once with each of these rows of parameters, in one round trip."""
        async with self.connection.cursor() as cursor:
            await cursor.executemany(statement, [self._with_project(row) for row in rows])

    async def first_row(self, statement: Statement, **values: object) -> tuple[Any, ...] | None:
        """Run a statement and return its first row; None if it yields no row."""
        return await (
            await self.connection.execute(statement, self._with_project(values))
        ).fetchone()

    async def all_rows(self, statement: Statement, **values: object) -> list[tuple[Any, ...]]:
        """Run a statement and return its rows."""
        return await (
            await self.connection.execute(statement, self._with_project(values))
        ).fetchall()

    async def named_rows(self, statement: Statement, **values: object) -> list[dict[str, Any]]:
        """Run a statement and return its rows by the names of their columns."""
        async with self.connection.cursor(row_factory=dict_row) as cursor:
            return await (await cursor.execute(statement, self._with_project(values))).fetchall()

    async def next_change(self) -> int:
        """Number the change that this transaction makes; other transactions wait for its end.

        So changes become visible in the order of their numbers, and a reader that has read up to a
        number has missed no earlier change.

        Raises:
            InsufficientPrivilege: The role may only read the project.
            NotFound: There is none, or the role is no member of it.
        """
        row = await self.first_row(_NEXT)
        if row is not None:
            return int(row[0])
        if await self.first_row(_SEEN) is None:
            raise no_project(str(self.id))
        raise psycopg.errors.InsufficientPrivilege

    def _with_project(self, values: Mapping[str, object]) -> dict[str, object]:
        return {"project": self.id, **values}


class ProjectDatabase:
    """Runs units of work on one project; raises what `PostgresDatabase` raises."""

    def __init__(
        self,
        database: PostgresDatabase,
        project: UUID,
        prepare: Callable[[PostgresDatabase], Awaitable[None]] | None = None,
    ) -> None:
        """``prepare`` is done before the first unit of work, again until it succeeds."""
        self._database = database
        self._project = project
        self._prepare = prepare

    async def read(self, unit: Callable[[SharedProject], Awaitable[T]]) -> T:
        """Run a coroutine function that reads, on one snapshot."""
        await self._begin()
        return await self._database.read(lambda db: unit(SharedProject(db, self._project)))

    async def write(
        self, unit: Callable[[SharedProject], Awaitable[T]], *, repeatable: bool = False
    ) -> T:
        """Run a coroutine function that writes: all of it is durable on return, or nothing is.

        ``repeatable``: to run it once more after it was committed changes nothing.
        """
        await self._begin()
        return await self._database.write(
            lambda db: unit(SharedProject(db, self._project)), repeatable=repeatable
        )

    async def close(self) -> None:
        """Close all connections."""
        await self._database.close()

    async def _begin(self) -> None:
        if self._prepare is not None:
            await self._prepare(self._database)
            self._prepare = None
