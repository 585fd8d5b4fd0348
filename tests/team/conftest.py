"""A PostgreSQL for the tests of a folder's part in a team."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

from plimsoll.team import standing
from storage.postgres.crew import Crew, crew_of
from storage.postgres.engine import Engine, running
from team.windows import Window


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    """A server that all tests of a process share, each in a database of its own."""
    with running("fsync=off") as engine:
        yield engine


@pytest.fixture
async def crew(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Crew]:
    """A project that its owner has made; ada and bob may write, cy reads."""
    # A machine that is busy with other tests is no slow server.
    monkeypatch.setattr(standing, "SLOW_SECONDS", 60.0)
    crew = await crew_of(engine)
    await crew.enlist("ada")
    await crew.enlist("bob")
    await crew.enlist("cy", "read")
    yield crew
    for team in crew.teams:
        await team.close()


Open = Callable[..., Awaitable[Window]]


@pytest.fixture
async def window(crew: Crew, tmp_path: Path) -> AsyncIterator[Open]:
    """Opens the folder of a person, who may have several windows."""
    windows: list[Window] = []

    async def open_one(name: str, folder: str = "clone") -> Window:
        root = tmp_path / name / folder
        root.mkdir(parents=True, exist_ok=True)
        given = conninfo_to_dict(crew.url_of(name))
        url = f"postgresql://{given['user']}@127.0.0.1:{given['port']}/{given['dbname']}"
        made = Window(root, tmp_path / name / "data", url, str(given["password"]))
        windows.append(await made.open())
        return made

    yield open_one
    for each in reversed(windows):
        await each.close()
