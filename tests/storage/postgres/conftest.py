"""A shared project in a database of its own, and clients of it."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from plimsoll.storage.postgres.opening import create_shared, open_shared
from plimsoll.storage.postgres.store import PostgresStore
from storage.postgres.crew import Crew, crew_of
from storage.postgres.engine import Engine
from storage.samples import unchanged

PROJECT = "harbour"
Join = Callable[..., Awaitable[PostgresStore]]


@pytest.fixture
async def url(engine: Engine) -> str:
    """The address of a database with one project."""
    address = engine.new_database()
    await create_shared(address, PROJECT)
    return address


@pytest.fixture
async def join(url: str) -> AsyncIterator[Join]:
    """Opens the project once more, as another machine does."""
    stores: list[PostgresStore] = []

    async def join_one(machine: str = "", address: str = "") -> PostgresStore:
        stores.append(await open_shared(address or url, PROJECT, unchanged, machine=machine))
        return stores[-1]

    yield join_one
    for store in stores:
        await store.close()


@pytest.fixture
async def crew(engine: Engine) -> AsyncIterator[Crew]:
    """A project that its owner, who is no superuser, has made; ada and bob may write, cy reads."""
    crew = await crew_of(engine)
    await crew.enlist("ada")
    await crew.enlist("bob")
    await crew.enlist("cy", "read")
    yield crew
    for team in crew.teams:
        await team.close()
