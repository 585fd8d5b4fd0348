"""Changes of shared memories, each with its event, inside one transaction."""

from collections.abc import Sequence
from typing import assert_never

from psycopg.sql import SQL, Identifier, Placeholder

from plimsoll.memory.applying import (
    Bury,
    Exhume,
    FingerprintKeys,
    KnownMemories,
    Put,
    Record,
    Remove,
    Write,
    decide,
    list_needed,
    list_replaced,
)
from plimsoll.memory.changes import Change
from plimsoll.memory.types import SEARCHED, Memory, MemoryEvent
from plimsoll.storage.memories.columns import columns_of
from plimsoll.storage.memories.index import origin_of
from plimsoll.storage.postgres.memories.index import reindex, uncount
from plimsoll.storage.postgres.memories.rows import select_known
from plimsoll.storage.postgres.projects import SharedProject

_NAMES = (
    *("id", "type", "class", "title", "content", "author", "trust", "state", "before", "pinned"),
    *("digest", "session_id", "message_id", "uri", "sha256", "created_at", "last_used_at"),
    *("times_used", "expires_at", "supersedes", "scope", "importance", "tags", "removal"),
    *("fingerprint", "origin", "changed"),
)
_VALUES = SQL(", ").join(map(Placeholder, _NAMES))
_INSERT = SQL("""
INSERT INTO plimsoll.memories (project, key, word_count, {names})
VALUES (%(project)s, (SELECT coalesce(max(key), 0) + 1 FROM plimsoll.memories
  WHERE project = %(project)s), 0, {values})
RETURNING key
""").format(names=SQL(", ").join(map(Identifier, _NAMES)), values=_VALUES)
_UPDATE = SQL("""
UPDATE plimsoll.memories SET ({names}) = ROW ({values})
WHERE project = %(project)s AND id = %(id)s
RETURNING key
""").format(names=SQL(", ").join(map(Identifier, _NAMES)), values=_VALUES)
_RECORD = """
INSERT INTO plimsoll.memory_events
  (project, key, at, memory_id, action, author, reason, fingerprint)
SELECT %(project)s, coalesce(max(key), 0) + 1, %(at)s, %(memory_id)s, %(action)s, %(author)s,
  %(reason)s, %(fingerprint)s
FROM plimsoll.memory_events WHERE project = %(project)s
"""
_BURY = """
INSERT INTO plimsoll.memory_tombstones (project, fingerprint, memory_id, at)
VALUES (%(project)s, %(fingerprint)s, %(memory_id)s, %(at)s)
ON CONFLICT (project, fingerprint) DO UPDATE SET memory_id = excluded.memory_id, at = excluded.at
"""
_EXHUME = """
DELETE FROM plimsoll.memory_tombstones
WHERE project = %(project)s AND fingerprint = ANY(%(marks)s)
"""
_BURIED = """
SELECT fingerprint, at FROM plimsoll.memory_tombstones
WHERE project = %(project)s AND fingerprint = ANY(%(marks)s)
"""
_DELETE = "DELETE FROM plimsoll.memories WHERE project = %(project)s AND key = %(key)s"
_KEY = "SELECT key FROM plimsoll.memories WHERE project = %(project)s AND id = %(id)s"
_OWN_KEY = "SELECT fingerprint_key FROM plimsoll.projects WHERE id = %(project)s"


async def apply_changes(project: SharedProject, changes: Sequence[Change], at: str) -> list[Memory]:
    """Apply all changes with their events, and update the full-text index."""
    number = await project.next_change()
    row = await project.first_row(_OWN_KEY)
    assert row is not None
    keys = FingerprintKeys((bytes(row[0]),))
    decided = decide(changes, at, await _read_known(project, changes, keys), keys)
    writer = _Writer(project, number)
    for write in decided.writes:
        await writer.write(write)
    await reindex(project, writer.touched, writer.around)
    return list(decided.memories)


async def _read_known(
    project: SharedProject, changes: Sequence[Change], keys: FingerprintKeys
) -> KnownMemories:
    wanted = list_needed(changes, keys)
    found = await select_known(project, wanted.ids, wanted.fingerprints)
    besides = list_replaced(memory for memory, _ in found) - wanted.ids
    found += await select_known(project, besides, ())
    return KnownMemories(
        {memory.id: memory for memory, _ in found},
        {memory.id: mark for memory, mark in found},
        dict(await project.all_rows(_BURIED, marks=list(wanted.fingerprints))),
    )


class _Writer:
    """Writes the changes of one batch, and collects the rows of the index that they touch."""

    def __init__(self, project: SharedProject, number: int) -> None:
        self.touched: set[int] = set()
        self.around: dict[int, str] = {}
        self._project = project
        self._number = number

    async def write(self, write: Write) -> None:
        match write:
            case Put():
                await self._put(write)
            case Remove(before):
                await self._remove(before)
            case Record(event):
                fields = {name: getattr(event, name) for name in MemoryEvent.__slots__}
                await self._project.execute(_RECORD, **fields)
            case Bury(mark, memory_id, at):
                await self._project.execute(_BURY, fingerprint=mark, memory_id=memory_id, at=at)
            case Exhume(marks):
                await self._project.execute(_EXHUME, marks=list(marks))
            case _:
                assert_never(write)

    async def _put(self, write: Put) -> None:
        before, after = write.before, write.memory
        was, is_ = before is not None and before.state in SEARCHED, after.state in SEARCHED
        row = await self._project.first_row(
            _INSERT if before is None else _UPDATE,
            **columns_of(after),
            fingerprint=write.fingerprint,
            origin=origin_of(after),
            changed=self._number,
        )
        assert row is not None
        if was or is_:
            self.touched.add(row[0])
        if was != is_ or (before is not None and is_ and before.text != after.text):
            self._tell_neighbours(row[0], after)

    async def _remove(self, before: Memory) -> None:
        row = await self._project.first_row(_KEY, id=before.id)
        assert row is not None
        self._tell_neighbours(row[0], before)
        self.touched.discard(row[0])
        await uncount(self._project, row[0])
        await self._project.execute(_DELETE, key=row[0])

    def _tell_neighbours(self, key: int, memory: Memory) -> None:
        origin = origin_of(memory)
        if origin is not None:
            self.around[key] = origin
