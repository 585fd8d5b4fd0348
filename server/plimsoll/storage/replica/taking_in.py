"""Writes news of a shared project into the folder's database, inside one transaction."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from plimsoll.memory.applying import Needed, Remove, Write
from plimsoll.memory.types import Memory
from plimsoll.storage.chosen.base import PinSharing
from plimsoll.storage.chosen.pins import WAITING, has_pin, insert_pin
from plimsoll.storage.memories.applying import read_keys, read_needed, write_all
from plimsoll.storage.memories.frames import purge_from_logs
from plimsoll.storage.memories.index import rewrite
from plimsoll.storage.replica.outbox import drop_texts, waiting_on
from plimsoll.storage.shared.arriving import (
    Acceptance,
    Arrived,
    LocalMemories,
    accept_waiting,
    decide_arrivals,
    list_needed_by,
)
from plimsoll.storage.shared.base import AcceptAuthors
from plimsoll.storage.shared.news import SharedPin

_PURGED = """
SELECT memory_id FROM memory_tombstones WHERE memory_id IN (SELECT value FROM json_each(?))
"""
_FROM_AUTHOR = """
SELECT id FROM memory_records WHERE author_name = ? AND state = 'inbox' ORDER BY key
"""
_SHOW_PINS = "UPDATE pin_sharing SET scope = 'team' WHERE scope = 'waiting' AND author_name = ?"
_REMOVE_PIN = """
DELETE FROM workspace_pins WHERE id = ? AND number IN (SELECT pin FROM pin_sharing)
"""


def read_acceptance(connection: sqlite3.Connection, rule: AcceptAuthors) -> Acceptance:
    """Read the authors whose memories take effect without waiting in the inbox."""
    rows = connection.execute("SELECT name FROM team_authors")
    return Acceptance(frozenset(name for (name,) in rows), rule)


def take_in_memories(
    connection: sqlite3.Connection, arrived: Arrived, acceptance: Acceptance
) -> bool:
    """Take in arriving memories and the end of others; return whether anything changed.

    A memory on which an operation waits is left out: what becomes of that tells how it stands.
    """
    for name in arrived.forgotten:
        drop_texts(connection, name)
    free = [each for each in arrived.memories if not waiting_on(connection, each.memory.id)]
    settled = Arrived(memories=free, forgotten=arrived.forgotten, at=arrived.at)
    return write_arrivals(connection, settled, acceptance)


def write_arrivals(
    connection: sqlite3.Connection, arrived: Arrived, acceptance: Acceptance
) -> bool:
    """Take in memories, waiting operations or not; return whether anything changed."""
    keys = read_keys(connection)
    known = read_needed(connection, list_needed_by(arrived, keys))
    names = json.dumps([each.memory.id for each in arrived.memories])
    purged = frozenset(name for (name,) in connection.execute(_PURGED, (names,)))
    writes = decide_arrivals(arrived, LocalMemories(known, keys, acceptance, purged))
    _write(connection, writes)
    return bool(writes)


def _write(connection: sqlite3.Connection, writes: Sequence[Write]) -> None:
    gone = [write.before.id for write in writes if isinstance(write, Remove)]
    for name in gone:
        purge_from_logs(connection, name)
    write_all(connection, writes)
    if gone:
        rewrite(connection)


def accept_memories(connection: sqlite3.Connection, author: str, at: str) -> None:
    """Let what waits of an author take effect: memories that hide no other one, and pins."""
    keys = read_keys(connection)
    names = [name for (name,) in connection.execute(_FROM_AUTHOR, (author,))]
    known = read_needed(connection, Needed(frozenset(names), frozenset()))
    waiting: list[Memory] = [known.memories[name] for name in names]
    write_all(connection, accept_waiting(waiting, LocalMemories(known, keys), at))
    connection.execute(_SHOW_PINS, (author,))


def take_in_pin(connection: sqlite3.Connection, shared: SharedPin, acceptance: Acceptance) -> bool:
    """Store a pin that is not here yet; return whether it was stored.

    A colleague's waits until its author is accepted: a pin stands in every request.
    """
    if has_pin(connection, shared.pin.id):
        return False
    scope = shared.pin.sharing.scope
    author_name = None if shared.is_own else shared.author_name
    shown = shared.is_own or acceptance.passes(shared.author_name)
    pin = replace(shared.pin, sharing=PinSharing(scope, author_name))
    insert_pin(connection, pin, scope if shown else WAITING)
    return True


def remove_pin(connection: sqlite3.Connection, pin_id: str) -> bool:
    """Remove a pin that was removed for everybody; return whether it was here."""
    drop_texts(connection, pin_id)
    return connection.execute(_REMOVE_PIN, (pin_id,)).rowcount > 0
