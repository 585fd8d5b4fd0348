"""The same questions to the engine, to SQLite at home, and to a plain `tsvector`."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from psycopg import AsyncConnection

from plimsoll.memory.base import MemoryStore
from plimsoll.storage.locate import locate
from plimsoll.storage.postgres.opening import open_shared
from plimsoll.storage.postgres.store import PostgresStore
from plimsoll.storage.registry import open_store
from plimsoll.text.terms import search_terms
from team.filling import fill
from team.measuring import Took, Work, at_once
from team.notes import AT, Notes
from team.plain import Plain

FOUND, QUESTIONS, BATCH = 10, 100, 500
PROJECT = "bench"


def unchanged(text: str) -> str:
    return text


class Stores:
    """The same memories at a team's server, at home and in a plain table."""

    def __init__(self, url: str, project: str, home: MemoryStore, plain: Plain) -> None:
        self.url, self._project = url, project
        self._home, self._plain = home, plain
        self._notes = Notes()
        self._held = 0

    async def grow(self, size: int) -> None:
        for start in range(self._held, size, BATCH):
            numbers = range(start, min(start + BATCH, size))
            adds = self._notes.adds(numbers)
            memories = [add.memory for add in adds]
            await fill(self.url, self._project, numbers, memories)
            await self._home.apply(adds, AT)
            await self._plain.add(numbers, memories)
        self._held = size
        await self._plain.analyze()

    async def search(self, clients: int) -> dict[str, Took]:
        """Ask all of them by so many clients at once; SQLite is one process's own."""
        questions = [*self._notes.questions(QUESTIONS, self._held)]
        words = [search_terms(question) for question in questions]
        numbers = range(len(questions))
        async with AsyncExitStack() as stack:
            stores = [await stack.enter_async_context(joined(self.url)) for _ in range(clients)]
            bare = [
                Plain(await stack.enter_async_context(await AsyncConnection.connect(self.url)))
                for _ in range(clients)
            ]

            async def at_home(number: int) -> object:
                return await self._home.search(questions[number], AT, FOUND)

            def ours(store: PostgresStore) -> Work:
                return lambda number: store.memories.search(questions[number], AT, FOUND)

            def theirs(plain: Plain, joined: str) -> Work:
                return lambda number: plain.find(words[number], FOUND, joined)

            return {
                "here (SQLite)": await at_once([at_home], numbers),
                "at the server": await at_once([*map(ours, stores)], numbers),
                "tsvector, any word": await at_once([theirs(each, "|") for each in bare], numbers),
                "tsvector, all words": await at_once([theirs(each, "&") for each in bare], numbers),
            }


@asynccontextmanager
async def joined(url: str) -> AsyncIterator[PostgresStore]:
    store = await open_shared(url, PROJECT, unchanged)
    try:
        # The first connection is made with the first question.
        await store.memories.foremost(1)
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def stores(url: str, project: str, folder: Path) -> AsyncIterator[Stores]:
    plain = Plain(await AsyncConnection.connect(url, autocommit=True))
    await plain.create()
    home = await open_store("sqlite", locate(folder, folder / "data"), unchanged, print)
    try:
        yield Stores(url, project, home.memories, plain)
    finally:
        await home.close()
        await plain.close()
