"""Opening what a team shares: the tables brought up to date, a project made, joined, or changed."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar
from uuid import UUID

from plimsoll.context.log.traits import NONE, Tools
from plimsoll.storage.base import Redactor
from plimsoll.storage.postgres.connection import Connection, PostgresDatabase
from plimsoll.storage.postgres.members import select_members, set_rights
from plimsoll.storage.postgres.migrations import bring_up_to_date, migrate
from plimsoll.storage.postgres.projects import (
    ProjectDatabase,
    SharedProject,
    create_project,
    find_project,
    name_of_project,
)
from plimsoll.storage.postgres.store import PostgresStore
from plimsoll.storage.postgres.team.server import PostgresTeam
from plimsoll.storage.postgres.team.sessions import MachineName, PostgresTravelling
from plimsoll.storage.shared.base import Rights

T = TypeVar("T")


async def create_shared(url: str, name: str) -> str:
    """Create a project in a shared PostgreSQL, and the tables if they are missing; return its UUID.

    The role becomes the project's first admin.

    Raises:
        InvalidInput: There is a project of this name.
        StoreNewer: A newer version has made the tables.
        StoreUnavailable: The engine cannot be used.
    """
    database = PostgresDatabase(url)
    try:
        await migrate(database, url)
        return str(await database.write(lambda connection: create_project(connection, name)))
    finally:
        await database.close()


async def find_shared(url: str, name: str) -> str:
    """Return the UUID of a project; raises as `open_shared`."""
    return str(await _once(url, lambda connection: find_project(connection, name)))


async def name_shared(url: str, project: str) -> str:
    """Return the name of a project, given by its UUID; raises as `open_shared`."""
    return await _once(url, lambda connection: name_of_project(connection, UUID(project)))


async def add_member(url: str, project: str, role: str, rights: Rights) -> None:
    """Make a role a member of a project, or change its rights; for admins of the project.

    Raises:
        InvalidInput: The role is no admin, the other one does not exist, or is one's own.
        NotFound: There is no project of this name.
        StoreUnavailable: The engine cannot be used.
    """
    await _once(url, lambda connection: _set_rights(connection, project, role, rights))


async def remove_member(url: str, project: str, role: str) -> None:
    """Take all rights in a project from a role; what it shared stays. Raises as `add_member`."""
    await _once(url, lambda connection: _set_rights(connection, project, role, None))


async def list_members(url: str, project: str) -> Mapping[str, Rights]:
    """Read the rights of each member of a project, by role; raises as `open_shared`."""

    async def unit(connection: Connection) -> Mapping[str, Rights]:
        found = await find_project(connection, project)
        return await select_members(SharedProject(connection, found))

    return await _once(url, unit)


def open_team(
    url: str, project: str, redact: Redactor, *, machine: MachineName, tools: Tools = NONE
) -> PostgresTeam:
    """Open a project by its UUID, as a machine exchanges with it; it connects when it is used.

    Raises:
        StoreUnavailable: The address cannot be read.
    """
    database = ProjectDatabase(
        PostgresDatabase(url), UUID(project), lambda each: bring_up_to_date(each, url)
    )
    sessions = PostgresTravelling(database, redact, machine, tools)
    return PostgresTeam(database, url, redact, sessions)


async def open_shared(
    url: str, name: str, redact: Redactor, *, machine: str = "", tools: Tools = NONE
) -> PostgresStore:
    """Open the store of a project; ``machine``: the name of this machine for people.

    Raises:
        NotFound: There is no project of this name.
        StoreNewer: A newer version has made the tables.
        StoreUnavailable: The engine cannot be used.
    """
    database = PostgresDatabase(url)
    try:
        await bring_up_to_date(database, url)
        project = await database.read(lambda connection: find_project(connection, name))
    except BaseException:
        await database.close()
        raise
    shared = ProjectDatabase(database, project)
    return PostgresStore(shared, redact, machine=machine, tools=tools)


async def _set_rights(connection: Connection, name: str, role: str, rights: Rights | None) -> None:
    project = await find_project(connection, name)
    await set_rights(SharedProject(connection, project), role, rights)


async def _once(url: str, unit: Callable[[Connection], Awaitable[T]]) -> T:
    """Run one unit of work on a server whose tables are brought up to date first."""
    database = PostgresDatabase(url)
    try:
        await bring_up_to_date(database, url)
        return await database.write(unit)
    finally:
        await database.close()
