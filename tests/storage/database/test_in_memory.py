"""A database in memory: any thread opens one, and once closed it does no work."""

import asyncio

import pytest

from plimsoll.errors import StoreUnavailable
from plimsoll.storage.database.in_memory import InMemoryDatabase


@pytest.mark.parametrize("used", [True, False])
async def test_after_its_end_nothing_is_read_or_written(used: bool):
    database = InMemoryDatabase()
    if used:
        assert await database.read(lambda db: db.execute("SELECT 1").fetchone()) == (1,)
    await database.close()

    for work in (database.read, database.write):
        with pytest.raises(StoreUnavailable):
            await work(lambda db: db.execute("SELECT 1").fetchone())


async def test_one_is_opened_in_any_thread():
    tables = "SELECT count(*) FROM sqlite_schema"

    async def count() -> int:
        database = InMemoryDatabase()
        (found,) = await database.read(lambda db: db.execute(tables).fetchone())
        await database.close()
        return found

    here = await count()

    assert await asyncio.to_thread(lambda: asyncio.run(count())) == here > 0
