"""Memories put into a server's tables in bulk, as they would stand there one by one."""

from collections.abc import Sequence

from psycopg import AsyncConnection
from psycopg.sql import SQL, Identifier

from plimsoll.memory.types import Memory
from plimsoll.storage.memories.columns import columns_of
from plimsoll.storage.memories.index import LONGEST_NEIGHBOUR, SPAN, origin_of
from plimsoll.storage.postgres.memories.search import tsvector
from plimsoll.storage.postgres.memories.stems import stems
from plimsoll.text.terms import helper_words

NO_COLUMN = {"author_name", "seen_at", "version"}
COUNT = """
UPDATE plimsoll.projects SET found = found + %s, found_words = found_words + %s WHERE id = %s
"""


async def fill(url: str, project: str, numbers: range, memories: Sequence[Memory]) -> None:
    """Store memories under these numbers; those of one session must be given together."""
    columns = [_columns(memories, place) for place in range(len(memories))]
    split = iter(stems([text for each in columns for text in each]))
    rows: list[dict[str, object]] = []
    for number, memory in zip(numbers, memories, strict=True):
        words = [next(split) for _ in range(4)]
        fields = {k: v for k, v in columns_of(memory).items() if k not in NO_COLUMN}
        indexed = {"words": tsvector(words), "word_count": sum(map(len, words))}
        known = {"fingerprint": f"{number:032}", "origin": origin_of(memory), "changed": 0}
        rows.append({"project": project, "key": number + 1, **fields, **indexed, **known})
    names = SQL(", ").join(map(Identifier, rows[0]))
    statement = SQL("COPY plimsoll.memories ({}) FROM STDIN").format(names)
    async with await AsyncConnection.connect(url) as connection:
        async with connection.cursor() as cursor, cursor.copy(statement) as copy:
            for row in rows:
                await copy.write_row([*row.values()])
        total = sum(int(str(row["word_count"])) for row in rows)
        await connection.execute(COUNT, (len(rows), total, project))


def _columns(memories: Sequence[Memory], place: int) -> tuple[str, str, str, str]:
    """Title, content, the notes beside it, and parts of names."""
    memory = memories[place]
    around = (*range(place - SPAN, place), *range(place + 1, place + SPAN + 1))
    beside = [
        memories[other].text[:LONGEST_NEIGHBOUR]
        for other in around
        if 0 <= other < len(memories) and memories[other].source == memory.source
    ]
    return memory.title, memory.content, "\n".join(beside), helper_words(memory.text)
