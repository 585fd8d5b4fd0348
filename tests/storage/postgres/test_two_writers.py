"""Several machines that write one project at once."""

import asyncio

import psycopg
import pytest

from memory.samples import AT, memory
from plimsoll.memory.changes import Add, Purge
from plimsoll.memory.types import Author

pytestmark = pytest.mark.slow


async def test_what_is_counted_for_the_search_stays_right(join, url):
    stores = [await join() for _ in range(4)]

    async def write(number: int) -> None:
        for n in range(10):
            name = f"w{number}n{n}"
            await stores[number].memories.apply([Add(memory(name, f"Note {name}."))], AT)
        await stores[number].memories.apply([Purge(f"w{number}n0", Author.USER)], AT)

    await asyncio.gather(*map(write, range(4)))

    with psycopg.connect(url) as connection:
        counted = connection.execute("SELECT found, found_words FROM plimsoll.projects").fetchone()
        real = connection.execute(
            "SELECT count(*), sum(word_count) FROM plimsoll.memories WHERE words IS NOT NULL"
        ).fetchone()
    assert counted == real
    assert counted[0] == 36
