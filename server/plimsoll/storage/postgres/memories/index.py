"""The index over shared memories: the words of each, with those of the notes beside it."""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from plimsoll.storage.memories.index import LONGEST_NEIGHBOUR, SPAN
from plimsoll.storage.postgres.memories.search import tsvector
from plimsoll.storage.postgres.memories.stems import stems
from plimsoll.storage.postgres.projects import SharedProject
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
UPDATE plimsoll.memories SET words = %(words)s::tsvector, word_count = %(count)s
WHERE project = %(project)s AND key = %(key)s
"""
_COUNT = """
UPDATE plimsoll.projects SET found = found + %(more)s, found_words = found_words + %(words)s
WHERE id = %(project)s
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Indexed:
    key: int
    columns: Sequence[str]
    """Title, content, the notes beside it, and parts of names; empty: it cannot be found."""
    was_found: bool
    had_words: int


async def reindex(project: SharedProject, keys: Collection[int], around: Mapping[int, str]) -> None:
    """Index changed memories and their neighbours again, and update the counts of the index.

    ``keys``: the row keys of changed memories; ``around``: those whose neighbours are indexed
    again too, each with the origin that it shares with them (`origin_of`).
    """
    beside = await _beside(project, around)
    touched = {*keys, *(key for found in beside.values() for key, _ in found)}
    if not touched:
        return
    indexed = await _index(project, touched)
    split = iter(stems([column for each in indexed for column in each.columns]))
    updates: list[dict[str, object]] = []
    more, words = 0, 0
    for each in indexed:
        columns = [next(split) for _ in each.columns]
        length = sum(map(len, columns))
        vector = tsvector(columns) if columns else None
        updates.append({"key": each.key, "words": vector, "count": length})
        more += bool(columns) - each.was_found
        words += length - each.had_words
    await project.execute_many(_INDEX, updates)
    await project.execute(_COUNT, more=more, words=words)


async def uncount(project: SharedProject, key: int) -> None:
    """Subtract a memory that is removed from the counts of the index."""
    for *_, was_found, words in await project.all_rows(_ROWS, keys=[key]):
        await project.execute(_COUNT, more=-int(was_found), words=-words)


async def _index(project: SharedProject, keys: Collection[int]) -> list[_Indexed]:
    origins = dict(await project.all_rows(_ORIGINS, keys=sorted(keys)))
    beside = await _beside(project, origins)
    indexed: list[_Indexed] = []
    for row in await project.all_rows(_ROWS, keys=sorted(keys)):
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
    project: SharedProject, origins: Mapping[int, str]
) -> Mapping[int, list[tuple[int, str]]]:
    """Read the key and text of the notes just before and after each memory, in order."""
    found = defaultdict[int, list[tuple[int, str]]](list)
    if origins:
        places = {"keys": [*origins], "origins": [*origins.values()]}
        for key, other, title, content in await project.all_rows(_BESIDE, span=SPAN, **places):
            found[key].append((other, f"{title}\n{content}"[:LONGEST_NEIGHBOUR]))
    return found
