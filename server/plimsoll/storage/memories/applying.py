"""Applies changes of memories with their events, inside one transaction."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import assert_never

from plimsoll.memory.applying import (
    Bury,
    Exhume,
    FingerprintKeys,
    KnownMemories,
    Needed,
    Put,
    Record,
    Remove,
    Write,
    decide,
    list_needed,
    list_replaced,
)
from plimsoll.memory.changes import Change, Purge
from plimsoll.memory.extraction.turns import Advance
from plimsoll.memory.types import SEARCHED, Memory, MemoryEvent
from plimsoll.storage.memories.index import add_to_index, refresh_around, remove_from_index, rewrite
from plimsoll.storage.memories.records import key_of, move_cursor, select_known, store_memory
from plimsoll.storage.replica.outbox import enqueue
from plimsoll.storage.shared.sharing import list_operations

_RECORD = """
INSERT INTO memory_events (at, memory_id, action, author, reason, fingerprint)
VALUES (?, ?, ?, ?, ?, ?)
"""
_BURIED = """
SELECT fingerprint, at FROM memory_tombstones
WHERE fingerprint IN (SELECT value FROM json_each(?))
"""
_EXHUME = """
DELETE FROM memory_tombstones WHERE fingerprint IN (SELECT value FROM json_each(?))
"""


def apply_changes(
    connection: sqlite3.Connection, changes: Sequence[Change], at: str, advance: Advance | None
) -> list[Memory]:
    """Apply all changes with their events, and move the cursor."""
    keys = read_keys(connection)
    decided = decide(changes, at, _read_known(connection, changes, keys), keys)
    write_all(connection, decided.writes)
    enqueue(connection, list_operations(decided.writes))
    if any(isinstance(change, Purge) for change in changes):
        rewrite(connection)
    if advance is not None:
        move_cursor(connection, advance)
    return list(decided.memories)


def write_all(connection: sqlite3.Connection, writes: Iterable[Write]) -> None:
    """Make the writes of a batch, in their order."""
    for write in writes:
        _write(connection, write)


def read_keys(connection: sqlite3.Connection) -> FingerprintKeys:
    """Read the keys of a store's fingerprints."""
    rows = connection.execute("SELECT value FROM memory_key ORDER BY rowid")
    return FingerprintKeys(tuple(bytes(value) for (value,) in rows))


def _read_known(
    connection: sqlite3.Connection, changes: Iterable[Change], keys: FingerprintKeys
) -> KnownMemories:
    return read_needed(connection, list_needed(changes, keys))


def read_needed(connection: sqlite3.Connection, wanted: Needed) -> KnownMemories:
    """Read the memories that are needed, with those that they replace."""
    found = select_known(connection, wanted.ids, wanted.fingerprints)
    besides = list_replaced(memory for memory, _ in found) - wanted.ids
    found += select_known(connection, besides, ())
    buried = connection.execute(_BURIED, (json.dumps(list(wanted.fingerprints)),))
    return KnownMemories(
        {memory.id: memory for memory, _ in found},
        {memory.id: mark for memory, mark in found},
        dict(buried.fetchall()),
    )


def _write(connection: sqlite3.Connection, write: Write) -> None:
    match write:
        case Put():
            _store(connection, write)
        case Remove(before):
            _remove(connection, before)
        case Record(event):
            row = [getattr(event, name) for name in MemoryEvent.__slots__]
            connection.execute(_RECORD, row)
        case Bury(mark, memory_id, at):
            row = (mark, memory_id, at)
            connection.execute("INSERT OR REPLACE INTO memory_tombstones VALUES (?, ?, ?)", row)
        case Exhume(marks):
            connection.execute(_EXHUME, (json.dumps(marks),))
        case _:
            assert_never(write)


def _store(connection: sqlite3.Connection, write: Put) -> None:
    before, after = write.before, write.memory
    was, is_ = before is not None and before.state in SEARCHED, after.state in SEARCHED
    row = None if before is None else key_of(connection, before.id)
    if row is not None and was:
        remove_from_index(connection, row)
    row = store_memory(connection, after, write.fingerprint, row)
    if is_:
        add_to_index(connection, row, after)
    if was != is_ or (before is not None and is_ and before.text != after.text):
        refresh_around(connection, row, after)


def _remove(connection: sqlite3.Connection, before: Memory) -> None:
    row = key_of(connection, before.id)
    if before.state in SEARCHED:
        remove_from_index(connection, row)
    connection.execute("DELETE FROM memories WHERE key = ?", (row,))
    refresh_around(connection, row, before)
