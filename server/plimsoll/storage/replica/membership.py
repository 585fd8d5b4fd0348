"""Joining and leaving a shared project, as changes of the folder's database."""

import sqlite3

from plimsoll.errors import InvalidInput
from plimsoll.memory.applying import Remove
from plimsoll.memory.types import SEARCHED, MemoryScope, MemoryState
from plimsoll.storage.chosen.pins import select_pins
from plimsoll.storage.memories.applying import write_all
from plimsoll.storage.memories.index import rewrite
from plimsoll.storage.memories.records import select_memories
from plimsoll.storage.replica.outbox import enqueue
from plimsoll.storage.shared.base import Joined
from plimsoll.storage.shared.operations import Operation, ShareMemory, SharePin
from plimsoll.storage.shared.sharing import is_own

_JOINED = "SELECT project, name, url, joined_at, position, seen_at FROM team"
_JOIN = "INSERT INTO team (project, name, url, joined_at, position) VALUES (?, ?, ?, ?, ?)"
_RENAME = "UPDATE team SET name = ?, url = ?"
_NOT_BY_PERSON = """
UPDATE memories SET scope = 'private' WHERE scope != 'private' AND author != 'user'
"""
_LEAVE = (
    """
DELETE FROM workspace_pins
WHERE number IN (SELECT pin FROM pin_sharing WHERE author_name IS NOT NULL)
""",
    "DELETE FROM pin_sharing",
    "UPDATE memories SET scope = 'private' WHERE scope != 'private'",
    "DELETE FROM memory_sharing",
    "DELETE FROM team_outbox",
    "DELETE FROM team_sessions",
    "DELETE FROM team_authors",
    "DELETE FROM team",
)


def select_joined(connection: sqlite3.Connection) -> Joined | None:
    """Read the project that the folder takes part in."""
    row = connection.execute(_JOINED).fetchone()
    if row is None:
        return None
    project, name, url, joined_at, position, seen_at = row
    return Joined(
        project=project,
        name=name,
        url=url,
        joined_at=joined_at,
        position=position,
        seen_at=seen_at,
    )


def insert_joined(connection: sqlite3.Connection, joined: Joined) -> None:
    """Join a project, or give the one that is joined another name and address.

    What the person meant for others already is queued; what the agent did is private again.
    """
    present = select_joined(connection)
    if present is None:
        fields = (joined.project, joined.name, joined.url, joined.joined_at, joined.position)
        connection.execute(_JOIN, fields)
        connection.execute(_NOT_BY_PERSON)
        enqueue(connection, _meant_for_others(connection))
    elif present.project == joined.project:
        connection.execute(_RENAME, (joined.name, joined.url))
    else:
        raise InvalidInput(
            f"This folder takes part in the project {present.name!r} already.",
            remedy="Leave that one first: `plimsoll team leave`.",
        )


def remove_joined(connection: sqlite3.Connection) -> None:
    """Leave the project: colleagues' texts are removed, the person's own become private."""
    known = select_memories(connection, frozenset(MemoryState))
    theirs = [Remove(memory) for memory in known if not is_own(memory)]
    write_all(connection, theirs)
    for statement in _LEAVE:
        connection.execute(statement)
    if theirs:
        rewrite(connection)


def _meant_for_others(connection: sqlite3.Connection) -> list[Operation]:
    memories = select_memories(connection, SEARCHED)
    meant = [each for each in memories if each.scope is not MemoryScope.PRIVATE]
    pins = [
        each for each in select_pins(connection) if each.sharing.scope is not MemoryScope.PRIVATE
    ]
    return [*map(ShareMemory, reversed(meant)), *map(SharePin, pins)]
