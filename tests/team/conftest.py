"""A PostgreSQL for the tests of a folder's part in a team."""

from collections.abc import AsyncIterator, Iterator

import pytest

from storage.postgres.crew import Crew, crew_of
from storage.postgres.engine import Engine, running


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    """A server that all tests of a process share, each in a database of its own."""
    with running("fsync=off") as engine:
        yield engine


@pytest.fixture
async def crew(engine: Engine) -> AsyncIterator[Crew]:
    """A project that its owner has made; ada and bob may write, cy reads."""
    crew = await crew_of(engine)
    await crew.enlist("ada")
    await crew.enlist("bob")
    await crew.enlist("cy", "read")
    yield crew
    for team in crew.teams:
        await team.close()
