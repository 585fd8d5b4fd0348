"""Opening what a team shares: the tables brought up to date, a project made or joined."""

from plimsoll.context.log.traits import NONE, Tools
from plimsoll.storage.base import Redactor
from plimsoll.storage.postgres.connection import PostgresDatabase
from plimsoll.storage.postgres.migrations import bring_up_to_date, migrate
from plimsoll.storage.postgres.projects import ProjectDatabase, create_project, find_project
from plimsoll.storage.postgres.store import PostgresStore


async def create_shared(url: str, name: str) -> None:
    """Create a project in a shared PostgreSQL, and the tables if they are missing.

    Raises:
        InvalidInput: There is a project of this name.
        StoreNewer: A newer version has made the tables.
        StoreUnavailable: The engine cannot be used.
    """
    database = PostgresDatabase(url)
    try:
        await migrate(database, url)
        await database.write(lambda connection: create_project(connection, name))
    finally:
        await database.close()


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
