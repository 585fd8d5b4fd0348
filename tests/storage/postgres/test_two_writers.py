"""Several machines that write one project at once."""

import asyncio

import psycopg
import pytest

from memory.samples import AT, memory
from plimsoll.memory.changes import Add, Use
from plimsoll.memory.types import MemoryState

pytestmark = pytest.mark.slow


async def test_nothing_is_lost_and_nothing_is_twice(join, url):
    stores = [await join() for _ in range(4)]
    await stores[0].memories.apply([Add(memory("m0", "Everybody counts this."))], AT)

    async def write(number: int) -> None:
        for n in range(20):
            name = f"w{number}n{n}"
            await stores[number].memories.apply([Add(memory(name, f"Note {name}.")), Use("m0")], AT)

    await asyncio.gather(*map(write, range(4)))

    kept = await stores[0].memories.memories({MemoryState.ACTIVE})
    assert len(kept) == len({each.id for each in kept}) == 81
    assert (await stores[1].memories.get("m0")).times_used == 80
    events = await stores[2].memories.audit()
    assert len(events) == 161
    with psycopg.connect(url) as connection:
        counted = connection.execute("SELECT found, found_words FROM plimsoll.projects").fetchone()
        real = connection.execute(
            "SELECT count(*), sum(word_count) FROM plimsoll.memories WHERE words IS NOT NULL"
        ).fetchone()
    assert counted == real
    assert [m.memory.id for m in await stores[3].memories.search("note w3n7", AT, 1)] == ["w3n7"]


async def test_a_cancelled_write_is_whole_or_absent(join):
    store, other = await join(), await join()
    for number in range(30):
        name = f"m{number}"
        changes = [Add(memory(name, f"First {name}.")), Add(memory(f"{name}b", f"Second {name}."))]
        work = asyncio.ensure_future(store.memories.apply(changes, AT))
        for _ in range(number):
            await asyncio.sleep(0)
        work.cancel()
        await asyncio.wait([work])
        kept = {each.id for each in await other.memories.memories(frozenset(MemoryState))}
        assert ({name, f"{name}b"} <= kept) or not ({name, f"{name}b"} & kept)
        if not work.cancelled():
            assert name in kept
