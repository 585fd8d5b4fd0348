"""Memories as rows of the database."""

import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence

from plimsoll.context.log.messages import clean
from plimsoll.memory.applying import no_memory, overtaken_cursor
from plimsoll.memory.base import PageQuery, RecentChanges
from plimsoll.memory.extraction.turns import Advance, Cursor, ReadBy
from plimsoll.memory.types import (
    SEARCHED,
    Action,
    Author,
    Memory,
    MemoryEvent,
    MemoryPage,
    MemoryState,
)
from plimsoll.storage.memories.columns import columns_of, memory_of
from plimsoll.storage.memories.index import origin_of
from plimsoll.storage.memories.paging import part_of, place_after

_KEEP = """
INSERT OR REPLACE INTO memories (key, id, type, class, title, content, author, trust, state, before,
  pinned, digest, session_id, message_id, uri, sha256, created_at, last_used_at, times_used,
  expires_at, supersedes, fingerprint, origin, context, names, scope, importance, tags, removal)
VALUES (:key, :id, :type, :class, :title, :content, :author, :trust, :state, :before,
  :pinned, :digest, :session_id, :message_id, :uri, :sha256, :created_at, :last_used_at,
  :times_used, :expires_at, :supersedes, :fingerprint, :origin, :context, :names, :scope,
  :importance, :tags, :removal)
"""
_IN_STATES = """
SELECT * FROM memory_records WHERE state IN (SELECT value FROM json_each(?))
ORDER BY created_at DESC, key DESC
"""
_PAGE = """
SELECT * FROM memory_records WHERE state IN (SELECT value FROM json_each(:states))
  AND (:type IS NULL OR type = :type) AND (:class IS NULL OR class = :class)
  AND (:at IS NULL OR (created_at, key) < (:at, :key))
ORDER BY created_at DESC, key DESC LIMIT :limit
"""
_OF_KEYS = "SELECT * FROM memory_records WHERE key IN (SELECT value FROM json_each(?))"
_FOREMOST = """
SELECT key FROM memories INDEXED BY memories_foremost WHERE state IN ('active', 'stale')
ORDER BY pinned DESC, class = 'priority' DESC, coalesce(importance, 3) DESC, created_at DESC LIMIT ?
"""
_PASSING = """
SELECT key FROM memories
WHERE class = 'working' AND state IN ('active', 'stale') AND digest = ?
ORDER BY created_at DESC LIMIT ?
"""
_FOUND_IN_ALL = "SELECT count(*) FROM memories WHERE state IN ('active', 'stale')"
_EVENTS = """
SELECT at, memory_id, action, author, reason, fingerprint FROM memory_events
WHERE ?1 IS NULL OR memory_id = ?1 ORDER BY key
"""
_NEWEST_EVENT = "SELECT coalesce(max(key), 0) FROM memory_events"
_CHANGED = """
SELECT DISTINCT memories.key FROM memory_events JOIN memories ON memories.id = memory_id
WHERE memory_events.key > ? AND state != 'forgotten'
  AND (action = 'added' OR (action IN ('updated', 'accepted', 'restored') AND NOT digest))
"""
_ORDERED = "SELECT max(event) FROM memory_order"
_ALL_PASSING = """
SELECT key FROM memories INDEXED BY memories_passing
WHERE class = 'working' AND state IN ('active', 'stale')
UNION
SELECT key FROM memories INDEXED BY memories_expiring
WHERE expires_at IS NOT NULL AND state IN ('active', 'stale')
"""
_OF_FILES = """
SELECT * FROM memory_records WHERE sha256 IS NOT NULL
  AND +state IN (SELECT value FROM json_each(?))
"""
"""The sign keeps SQLite from an index of states that would read them all: few come from a file."""
_STANDING = """
SELECT id FROM memories WHERE id IN (SELECT value FROM json_each(?))
  AND state IN (SELECT value FROM json_each(?))
"""
_KEY_OF = "SELECT key FROM memories WHERE id = ?"
_KNOWN = """
SELECT key, fingerprint FROM memories
WHERE id IN (SELECT value FROM json_each(?))
UNION
SELECT key, fingerprint FROM memories
WHERE fingerprint IN (SELECT value FROM json_each(?)) AND state != 'forgotten'
"""
_CURSOR = "SELECT message_id, count FROM memory_cursors WHERE session_id = ?"
_CURSOR_KEYS: Mapping[ReadBy, str] = {"phrases": "", "model": "/model"}
"""The suffix of the session's id in the key of each reader's cursor."""


def store_memory(
    connection: sqlite3.Connection, memory: Memory, fingerprint: str, key: int | None = None
) -> int:
    """Store a memory, replacing the content of its row; return the row's key.

    A row in the full-text index must have been removed from it.
    """
    fields = {
        **columns_of(memory),
        "key": key,
        "fingerprint": fingerprint,
        "origin": origin_of(memory),
        "context": "",
        "names": "",
    }
    stored = int(connection.execute(_KEEP, fields).lastrowid or 0)
    if memory.author_name is not None or memory.version is not None:
        shared = (stored, memory.version, memory.author_name)
        connection.execute("INSERT OR REPLACE INTO memory_sharing VALUES (?, ?, ?)", shared)
    return stored


def select_memory(connection: sqlite3.Connection, memory_id: str) -> Memory:
    """Read a memory; raises NotFound."""
    rows = connection.execute("SELECT * FROM memory_records WHERE id = ?", (memory_id,))
    for _, memory in _records(rows):
        return memory
    raise no_memory(memory_id)


def key_of(connection: sqlite3.Connection, memory_id: str) -> int:
    """Return the row key of a memory that was just read."""
    return int(connection.execute(_KEY_OF, (memory_id,)).fetchone()[0])


def select_known(
    connection: sqlite3.Connection, ids: Collection[str], fingerprints: Collection[str]
) -> list[tuple[Memory, str]]:
    """Read the memories with these ids or fingerprints, each with its fingerprint."""
    asked = (_json([clean(each) for each in ids]), _json(list(fingerprints)))
    marks = dict(connection.execute(_KNOWN, asked).fetchall())
    rows = _records(connection.execute(_OF_KEYS, (_json(list(marks)),)))
    return [(memory, marks[key]) for key, memory in rows]


def select_memories(
    connection: sqlite3.Connection, states: Collection[MemoryState]
) -> list[Memory]:
    """Read the memories in these states, newest first."""
    rows = connection.execute(_IN_STATES, (_json([state.value for state in states]),))
    return [memory for _, memory in _records(rows)]


def select_page(connection: sqlite3.Connection, wanted: PageQuery) -> MemoryPage:
    """Read a page of the memories, newest first; raises InvalidInput for a bad cursor."""
    at, key = place_after(wanted.cursor)
    asked: dict[str, object] = {
        "states": _json([state.value for state in wanted.states]),
        "type": wanted.type,
        "class": wanted.class_,
        "at": at,
        "key": key,
        # One more than asked for, to know whether there is one.
        "limit": -1 if wanted.limit is None else wanted.limit + 1,
    }
    found = list(_records(connection.execute(_PAGE, asked)))
    return part_of(found, wanted.limit)


def select_foremost(connection: sqlite3.Connection, limit: int) -> tuple[list[Memory], int]:
    """Read the first memories to tell without a question; count all that can be found."""
    keys = [key for (key,) in connection.execute(_FOREMOST, (limit,))]
    for digest in (False, True):
        keys += [key for (key,) in connection.execute(_PASSING, (digest, limit))]
    unique = list(dict.fromkeys(keys))
    memories = dict(_records(connection.execute(_OF_KEYS, (_json(unique),))))
    total = int(connection.execute(_FOUND_IN_ALL).fetchone()[0])
    return [memories[key] for key in unique], total


def select_recent(connection: sqlite3.Connection, *, passing: bool) -> RecentChanges:
    """Read the changes since the last consolidation; ``passing``: also all that can expire."""
    newest = int(connection.execute(_NEWEST_EVENT).fetchone()[0])
    since = connection.execute(_ORDERED).fetchone()[0]
    if since is None:
        return RecentChanges(newest, None)
    changed = _of_keys(connection, connection.execute(_CHANGED, (since,)))
    wanted = passing or changed
    expiring = _of_keys(connection, connection.execute(_ALL_PASSING)) if wanted else []
    return RecentChanges(newest, int(since), changed, expiring)


def store_consolidated(connection: sqlite3.Connection, event: int) -> None:
    """Record that memories were consolidated up to an event, unless a later one is recorded."""
    kept = connection.execute(_ORDERED).fetchone()[0]
    connection.execute("DELETE FROM memory_order")
    connection.execute("INSERT INTO memory_order VALUES (?)", (max(event, kept or 0),))


def _of_keys(connection: sqlite3.Connection, rows: sqlite3.Cursor) -> list[Memory]:
    keys = [key for (key,) in rows]
    return [memory for _, memory in _records(connection.execute(_OF_KEYS, (_json(keys),)))]


def select_of_files(connection: sqlite3.Connection) -> list[Memory]:
    """Read the memories in effect that come from a file with a hash."""
    states = _json([state.value for state in SEARCHED])
    return [memory for _, memory in _records(connection.execute(_OF_FILES, (states,)))]


def select_standing(connection: sqlite3.Connection, names: Collection[str]) -> frozenset[str]:
    """Return the ids of those memories that are still in effect."""
    states = _json([state.value for state in SEARCHED])
    found = connection.execute(_STANDING, (_json(list(names)), states))
    return frozenset(name for (name,) in found)


def select_found(
    connection: sqlite3.Connection, found: Sequence[tuple[int, float]]
) -> list[tuple[Memory, float]]:
    """Read the memories with these keys, with their scores."""
    rows = connection.execute(_OF_KEYS, (_json([key for key, _ in found]),))
    memories = dict(_records(rows))
    return [(memories[key], score) for key, score in found]


def select_events(connection: sqlite3.Connection, memory_id: str | None) -> list[MemoryEvent]:
    """Read the audit trail of one memory or of all, oldest first."""
    return [
        MemoryEvent(
            at=at,
            memory_id=name,
            action=Action(action),
            author=Author(author),
            reason=reason,
            fingerprint=mark,
        )
        for at, name, action, author, reason, mark in connection.execute(_EVENTS, (memory_id,))
    ]


def select_cursor(
    connection: sqlite3.Connection, session_id: str, read_by: ReadBy
) -> Cursor | None:
    """Read how far a session has been read for memories."""
    row = connection.execute(_CURSOR, (session_id + _CURSOR_KEYS[read_by],)).fetchone()
    return None if row is None else Cursor(session_id, row[0], row[1], read_by)


def move_cursor(connection: sqlite3.Connection, advance: Advance) -> None:
    """Store how far a session has been read; raises LogConflict if another process moved it."""
    cursor = advance.cursor
    if select_cursor(connection, cursor.session_id, cursor.read_by) != advance.expected:
        raise overtaken_cursor(cursor.session_id)
    connection.execute(
        "INSERT OR REPLACE INTO memory_cursors VALUES (?, ?, ?)",
        (cursor.session_id + _CURSOR_KEYS[cursor.read_by], cursor.message_id, cursor.count),
    )


def _json(values: Sequence[object]) -> str:
    return json.dumps(values)


def _records(rows: sqlite3.Cursor) -> Iterator[tuple[int, Memory]]:
    names = [column[0] for column in rows.description]
    for row in rows:
        fields = dict(zip(names, row, strict=True))
        yield int(fields["key"]), memory_of(fields)
