"""The index over shared memories: the words of each, with those of the notes beside it."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from psycopg.sql import SQL

from plimsoll.storage.memories.index import LONGEST_NEIGHBOUR, SPAN
from plimsoll.storage.postgres.connection import Connection
from plimsoll.storage.postgres.memory_search import tsvector
from plimsoll.storage.postgres.projects import all_rows
from plimsoll.storage.postgres.stems import stems
from plimsoll.text.terms import helper_words

_ROWS = """
SELECT key, origin, title, content, tags, state IN ('active', 'stale'), words IS NOT NULL,
  word_count
FROM plimsoll.memories WHERE project = %s AND key = ANY(%s)
"""
_BESIDE = SQL("""
SELECT key, title, content FROM plimsoll.memories
WHERE project = %(project)s AND origin = %(origin)s AND state IN ('active', 'stale')
  AND key {sign} %(key)s ORDER BY key {order} LIMIT %(span)s
""")
_BEFORE = _BESIDE.format(sign=SQL("<"), order=SQL("DESC"))
_AFTER = _BESIDE.format(sign=SQL(">"), order=SQL("ASC"))
_ORIGIN = "SELECT origin FROM plimsoll.memories WHERE project = %s AND key = %s"
_INDEX = """
UPDATE plimsoll.memories SET words = %s::tsvector, word_count = %s WHERE project = %s AND key = %s
"""
_COUNT = """
UPDATE plimsoll.projects SET found = found + %s, found_words = found_words + %s WHERE id = %s
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Indexed:
    key: int
    columns: Sequence[str]
    """Title, content, the notes beside it, and parts of names; empty: it cannot be found."""
    was_found: bool
    had_words: int


async def reindex(connection: Connection, project: UUID, keys: Collection[int]) -> None:
    """Bring the index of some memories up to date, and the count of what can be found."""
    if not keys:
        return
    rows = await all_rows(connection, _ROWS, (project, sorted(keys)))
    found = [await _indexed(connection, project, row) for row in rows]
    split = iter(stems([column for each in found for column in each.columns]))
    more, words = 0, 0
    for each in found:
        columns = [next(split) for _ in each.columns]
        length = sum(map(len, columns))
        vector = tsvector(columns) if columns else None
        await connection.execute(_INDEX, (vector, length, project, each.key))
        more += bool(columns) - each.was_found
        words += length - each.had_words
    await connection.execute(_COUNT, (more, words, project))


async def uncount(connection: Connection, project: UUID, key: int) -> None:
    """Count a memory that is removed no longer."""
    for *_, was_found, words in await all_rows(connection, _ROWS, (project, [key])):
        await connection.execute(_COUNT, (-int(was_found), -words, project))


async def keys_around(connection: Connection, project: UUID, key: int) -> set[int]:
    """Return the keys of a memory's neighbours, whose context it is a part of."""
    for (origin,) in await all_rows(connection, _ORIGIN, (project, key)):
        beside = await _around(connection, project, origin, key)
        return {int(each) for each, _, _ in beside}
    return set()


async def _indexed(connection: Connection, project: UUID, row: tuple[object, ...]) -> _Indexed:
    key, origin, title, content, tags, is_found, was_found, words = row
    columns: list[str] = []
    if is_found:
        text = f"{title}\n{content}" if content else str(title)
        names = " ".join([helper_words(text), *json.loads(str(tags))]).strip()
        around = await _around(connection, project, origin, int(str(key)))
        context = "\n".join(f"{a}\n{b}"[:LONGEST_NEIGHBOUR] for _, a, b in around)
        columns = [str(title), str(content), context, names]
    return _Indexed(
        key=int(str(key)),
        columns=columns,
        was_found=bool(was_found),
        had_words=int(str(words)),
    )


async def _around(
    connection: Connection, project: UUID, origin: object, key: int
) -> list[tuple[int, str, str]]:
    """Read the notes before and after a memory, in their order."""
    if origin is None:
        return []
    asked = {"project": project, "origin": origin, "key": key, "span": SPAN}
    before = await (await connection.execute(_BEFORE, asked)).fetchall()
    after = await (await connection.execute(_AFTER, asked)).fetchall()
    return [*reversed(before), *after]
