"""A search lets what it has read be indexed behind it."""

import asyncio
import logging
import sqlite3

import pytest

from plimsoll.errors import StoreUnavailable
from plimsoll.storage.database.in_memory import InMemoryDatabase
from plimsoll.storage.database.units import T, Unit
from plimsoll.storage.registry import OPENERS
from plimsoll.storage.said.index import PIECE, mark, rows_behind
from plimsoll.storage.sqlite import SqliteStore
from storage.conftest import Open
from storage.said.asking import found
from storage.samples import record, said, unchanged

MANY = 3 * PIECE + 7


def entries(count: int = MANY):
    return [said(f"m{number}", f"word{number} windlass") for number in range(count)]


async def indexed(store: SqliteStore) -> None:
    """Wait for what a search has begun."""
    tasks = [task for task in asyncio.all_tasks() if task.get_name() == "index of sessions"]
    await asyncio.gather(*tasks)


@pytest.mark.parametrize("kind", list(OPENERS))
async def test_a_search_is_followed_by_the_index(opened: Open, kind: str) -> None:
    store = await opened(kind)
    await store.create(record("s1"), entries())
    assert await found(store, "word3") == [("s1", "m399")]
    await indexed(store)
    assert await store.database.read(rows_behind) == 7
    assert await found(store, "word3") == [("s1", "m399")]
    assert await found(store, "word12 dlas") == [("s1", "m129")]


async def test_less_than_a_piece_is_read_and_not_indexed(opened: Open) -> None:
    store = await opened("memory")
    await store.create(record("s1"), entries(PIECE - 1))
    assert await found(store, "windlass") == [("s1", f"m{PIECE - 2}")]
    await indexed(store)
    assert await store.database.read(mark) == 0


async def test_a_store_is_closed_while_it_is_indexed_and_the_next_one_goes_on(opened: Open) -> None:
    first = await opened("sqlite")
    await first.create(record("s1"), entries())
    await found(first, "windlass")
    await first.close()

    second = await opened("sqlite")
    assert await second.database.read(rows_behind) >= PIECE
    assert await found(second, "word0 windlass") == [("s1", "m0")]
    await indexed(second)
    assert await second.database.read(rows_behind) == 7


async def test_what_cannot_be_indexed_is_found_all_the_same(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Full(InMemoryDatabase):
        full = False

        async def write(self, unit: Unit[T]) -> T:
            if self.full:
                raise StoreUnavailable("The store failed: the disk is full.")
            return await super().write(unit)

    database = Full()
    store = SqliteStore(database, unchanged, None)
    await store.create(record("s1"), entries())
    database.full = True
    with caplog.at_level(logging.WARNING):
        assert await found(store, "word0 windlass") == [("s1", "m0")]
        await indexed(store)
    assert "read for each search, not indexed" in caplog.text
    assert await found(store, "word0 windlass") == [("s1", "m0")]
    await store.close()


async def test_two_processes_index_one_store(opened: Open) -> None:
    first, second = await opened("sqlite"), await opened("sqlite")
    await first.create(record("s1"), entries())
    await asyncio.gather(first.said.index(), second.said.index())
    assert await first.database.read(rows) == await first.database.read(mark) >= 3 * PIECE


def rows(db: sqlite3.Connection) -> int:
    return db.execute("SELECT sum(last - first + 1) FROM said_stretches").fetchone()[0]
