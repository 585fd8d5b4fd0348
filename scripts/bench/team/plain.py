"""What the engine does by itself: a `tsvector` of its own dictionary, its index and its rank."""

from collections.abc import Iterable, Sequence

from psycopg import AsyncConnection

from plimsoll.memory.types import Memory

TABLE = """
CREATE TABLE plain (
  number bigint PRIMARY KEY, title text NOT NULL, content text NOT NULL,
  words tsvector GENERATED ALWAYS AS (
    setweight(to_tsvector('english', title), 'A') || to_tsvector('english', content)) STORED
)
"""
INDEX = "CREATE INDEX plain_words ON plain USING gin (words)"
FIND = """
SELECT number, title, content FROM plain, to_tsquery('english', %s) AS asked
WHERE words @@ asked ORDER BY ts_rank(words, asked) DESC LIMIT %s
"""


class Plain:
    """The yardstick: the same memories in one table."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def create(self) -> None:
        await self._connection.execute(TABLE)
        await self._connection.execute(INDEX)

    async def add(self, numbers: range, memories: Iterable[Memory]) -> None:
        columns = "COPY plain (number, title, content) FROM STDIN"
        async with self._connection.cursor() as cursor, cursor.copy(columns) as copy:
            for number, memory in zip(numbers, memories, strict=True):
                await copy.write_row((number, memory.title, memory.content))

    async def find(self, terms: Sequence[str], limit: int, joined: str) -> int:
        """Find memories with any of these words (``|``), or all of them (``&``)."""
        words = (" & ".join(term.replace("'", " ").split()) for term in terms)
        query = f" {joined} ".join(f"({word})" for word in words if word)
        found = await self._connection.execute(FIND, (query, limit))
        return len(await found.fetchall())

    async def analyze(self) -> None:
        """Have the engine know how many rows there are, as it does by itself after a while."""
        await self._connection.execute("ANALYZE plain, plimsoll.memories")

    async def close(self) -> None:
        await self._connection.close()
