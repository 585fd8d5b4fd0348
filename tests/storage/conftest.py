import os
import random
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from plimsoll.errors import StoreError
from plimsoll.storage.base import SessionStore
from plimsoll.storage.locate import ProjectPaths, locate
from plimsoll.storage.postgres.opening import create_shared, open_shared
from plimsoll.storage.registry import open_store
from storage.postgres.engine import Engine, running
from storage.samples import unchanged

Open = Callable[..., Awaitable[SessionStore]]
SHARED = pytest.param("postgres", marks=pytest.mark.slow)
"""The kind of store that a team shares: it starts a server, so its tests are slow ones."""


@pytest.fixture
def seed() -> int:
    """A new seed for each run, printed with a failure; TEST_SEED repeats one."""
    chosen = os.environ.get("TEST_SEED")
    number = int(chosen) if chosen else random.SystemRandom().randrange(10**9)
    sys.stdout.write(f"TEST_SEED={number}\n")
    return number


@pytest.fixture
def paths(tmp_path: Path) -> ProjectPaths:
    root = tmp_path / "project"
    root.mkdir()
    return locate(root, tmp_path / "data")


@pytest.fixture
def warnings() -> list[StoreError]:
    return []


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    """A PostgreSQL that all tests of a process share, each in a database of its own."""
    with running("fsync=off") as engine:
        yield engine


@pytest.fixture
async def opened(
    request: pytest.FixtureRequest, paths: ProjectPaths, warnings: list[StoreError]
) -> AsyncIterator[Open]:
    """Opens stores of the project and closes them after the test."""
    stores: list[SessionStore] = []
    shared: list[str] = []

    async def open_one(
        kind: str = "sqlite", redact: Callable[[str], str] = unchanged
    ) -> SessionStore:
        if kind == "postgres":
            if not shared:
                shared.append(request.getfixturevalue("engine").new_database())
                await create_shared(shared[0], "harbour")
            stores.append(await open_shared(shared[0], "harbour", redact))
        else:
            stores.append(await open_store(kind, paths, redact, warnings.append))
        return stores[-1]

    yield open_one
    for store in stores:
        await store.close()
    assert warnings == []
