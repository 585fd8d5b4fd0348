"""The index over shared memories: the words of each, with those of the notes beside it."""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from plimsoll.storage.memories.index import LONGEST_NEIGHBOUR, SPAN
from plimsoll.storage.postgres.connection import Connection
from plimsoll.storage.postgres.memory_search import tsvector
from plimsoll.storage.postgres.projects import all_rows
from plimsoll.storage.postgres.stems import stems
from plimsoll.text.terms import helper_words

_ROWS = """
SELECT key, title, content, tags, state IN ('active', 'stale'), words IS NOT NULL, word_count
FROM plimsoll.memories WHERE project = %(project)s AND key = ANY(%(keys)s)
"""
_BESIDE = """
SELECT place.key, beside.key, beside.title, beside.content
FROM unnest(%(keys)s::bigint[], %(origins)s::text[]) AS place (key, origin), LATERAL (
  (SELECT key, title, content FROM plimsoll.memories
   WHERE project = %(project)s AND origin = place.origin AND key < place.key
     AND state IN ('active', 'stale') ORDER BY key DESC LIMIT %(span)s)
  UNION ALL
  (SELECT key, title, content FROM plimsoll.memories
   WHERE project = %(project)s AND origin = place.origin AND key > place.key
     AND state IN ('active', 'stale') ORDER BY key LIMIT %(span)s)
) AS beside
ORDER BY place.key, beside.key
"""
_ORIGINS = """
SELECT key, origin FROM plimsoll.memories
WHERE project = %(project)s AND key = ANY(%(keys)s) AND origin IS NOT NULL
"""
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


async def reindex(
    connection: Connection, project: UUID, keys: Collection[int], around: Mapping[int, str]
) -> None:
    """Bring the index up to date where memories have changed, and the count of what is found.

    ``keys``: theirs; ``around``: the keys of those whose neighbours are told of it, with what they
    share with them (`origin_of`).
    """
    beside = await _beside(connection, project, around)
    touched = {*keys, *(key for found in beside.values() for key, _ in found)}
    if not touched:
        return
    indexed = await _indexed(connection, project, touched)
    split = iter(stems([column for each in indexed for column in each.columns]))
    updates, more, words = [], 0, 0
    for each in indexed:
        columns = [next(split) for _ in each.columns]
        length = sum(map(len, columns))
        updates.append((tsvector(columns) if columns else None, length, project, each.key))
        more += bool(columns) - each.was_found
        words += length - each.had_words
    async with connection.cursor() as cursor:
        await cursor.executemany(_INDEX, updates)
    await connection.execute(_COUNT, (more, words, project))


async def uncount(connection: Connection, project: UUID, key: int) -> None:
    """Count a memory that is removed no longer."""
    rows = await all_rows(connection, _ROWS, {"project": project, "keys": [key]})
    for *_, was_found, words in rows:
        await connection.execute(_COUNT, (-int(was_found), -words, project))


async def _indexed(connection: Connection, project: UUID, keys: Collection[int]) -> list[_Indexed]:
    asked = {"project": project, "keys": sorted(keys)}
    origins = dict(await all_rows(connection, _ORIGINS, asked))
    beside = await _beside(connection, project, origins)
    indexed: list[_Indexed] = []
    for row in await all_rows(connection, _ROWS, asked):
        key, title, content, tags, is_found, was_found, words = row
        context = "\n".join(text for _, text in beside.get(key, ()))
        columns = _columns(title, content, tags, context) if is_found else ()
        indexed.append(_Indexed(key=key, columns=columns, was_found=was_found, had_words=words))
    return indexed


def _columns(title: str, content: str, tags: str, context: str) -> tuple[str, str, str, str]:
    text = f"{title}\n{content}" if content else title
    names = " ".join([helper_words(text), *json.loads(tags)]).strip()
    return title, content, context, names


async def _beside(
    connection: Connection, project: UUID, origins: Mapping[int, str]
) -> Mapping[int, list[tuple[int, str]]]:
    """Read the notes before and after some memories, in their order: the key and text of each."""
    found = defaultdict[int, list[tuple[int, str]]](list)
    if origins:
        asked = {
            "project": project,
            "keys": [*origins],
            "origins": [*origins.values()],
            "span": SPAN,
        }
        for key, other, title, content in await all_rows(connection, _BESIDE, asked):
            found[key].append((other, f"{title}\n{content}"[:LONGEST_NEIGHBOUR]))
    return found
