"""The operations that wait to be sent to the team's server, as rows of the folder's database."""

import json
import sqlite3
import uuid
from collections.abc import Sequence
from dataclasses import replace

from plimsoll.memory.types import Memory
from plimsoll.storage.shared.codec import decode_operation, encode_operation
from plimsoll.storage.shared.operations import (
    ChangeMemory,
    ForgetMemory,
    Operation,
    Queued,
    RemovePin,
    ShareMemory,
    SharePin,
)
from plimsoll.storage.shared.sharing import NOT_THERE, subject_of

_FIRST = "SELECT key, body FROM team_outbox ORDER BY place LIMIT ?"
_NAMING = "SELECT key, body FROM team_outbox WHERE instr(body, ?) > 0 ORDER BY place"
_ADD = "INSERT INTO team_outbox (key, body) VALUES (?, ?)"
_REWRITE = "UPDATE team_outbox SET body = ? WHERE key = ?"
_DELETE = "DELETE FROM team_outbox WHERE key = ?"
_MAY_BE_THERE = """
INSERT INTO memory_sharing (memory, version) SELECT key, 1 FROM memories WHERE id = ?
ON CONFLICT (memory) DO UPDATE SET version = coalesce(version, 1)
"""
"""A memory that is private again keeps a version: its id is buried at the server, or will be."""


def is_joined(connection: sqlite3.Connection) -> bool:
    """Tell whether the folder takes part in a shared project."""
    return connection.execute("SELECT 1 FROM team").fetchone() is not None


def enqueue(connection: sqlite3.Connection, operations: Sequence[Operation]) -> None:
    """Queue operations, in order; nothing where the folder takes part in no project.

    What ends a memory or pin for everybody takes its waiting text off the queue.
    """
    if not operations or not is_joined(connection):
        return
    for operation in operations:
        _enqueue(connection, operation)


def first_waiting(connection: sqlite3.Connection, limit: int) -> list[Queued]:
    """Read the first operations that wait, up to a second one on the same subject."""
    subjects, first = set[str](), list[Queued]()
    for queued in _decode(connection.execute(_FIRST, (limit,))):
        subject = subject_of(queued.operation)
        if subject in subjects:
            break
        subjects.add(subject)
        first.append(queued)
    return first


def subjects_waiting(connection: sqlite3.Connection) -> frozenset[str]:
    """Read the ids of the memories, pins and sessions on which an operation waits."""
    waiting = _decode(connection.execute(_FIRST, (-1,)))
    return frozenset(subject_of(each.operation) for each in waiting)


def waiting_on(connection: sqlite3.Connection, subject: str) -> list[Queued]:
    """Read the operations on one memory, pin or session that wait, in order."""
    naming = _decode(connection.execute(_NAMING, (json.dumps(subject),)))
    return [each for each in naming if subject_of(each.operation) == subject]


def take_off(connection: sqlite3.Connection, key: str) -> bool:
    """Take an operation off the queue; return whether it was there."""
    return connection.execute(_DELETE, (key,)).rowcount > 0


def drop_texts(connection: sqlite3.Connection, subject: str) -> None:
    """Take the operations that hold the text of a memory or pin off the queue."""
    for queued in waiting_on(connection, subject):
        if isinstance(queued.operation, ShareMemory | ChangeMemory | SharePin):
            take_off(connection, queued.key)


def rebase(connection: sqlite3.Connection, memory_id: str, base: int, version: int) -> None:
    """Rebase the waiting changes of a memory from version ``base`` on ``version``."""
    for queued in waiting_on(connection, memory_id):
        operation = queued.operation
        if isinstance(operation, ChangeMemory) and operation.base == base:
            _rewrite(connection, queued.key, replace(operation, base=version))


def redirect(connection: sqlite3.Connection, memory_id: str, to: Memory, base: int) -> Memory:
    """Turn the waiting changes of a memory into changes of another memory.

    Returns that other memory as the last of them leaves it.
    """
    for queued in waiting_on(connection, memory_id):
        operation = queued.operation
        if isinstance(operation, ChangeMemory):
            to = replace(operation.memory, id=to.id, supersedes=to.supersedes)
            _rewrite(connection, queued.key, ChangeMemory(to, base))
    return to


def _decode(rows: sqlite3.Cursor) -> list[Queued]:
    return [Queued(key, decode_operation(body)) for key, body in rows]


def _enqueue(connection: sqlite3.Connection, operation: Operation) -> None:
    if isinstance(operation, ForgetMemory | RemovePin):
        drop_texts(connection, subject_of(operation))
        connection.execute(_MAY_BE_THERE, (subject_of(operation),))
    if isinstance(operation, ShareMemory) and waiting_on(connection, operation.memory.id):
        # It was hidden and is in effect again, before its sharing was sent.
        operation = ChangeMemory(operation.memory, NOT_THERE)
    connection.execute(_ADD, (str(uuid.uuid4()), encode_operation(operation)))


def _rewrite(connection: sqlite3.Connection, key: str, operation: Operation) -> None:
    connection.execute(_REWRITE, (encode_operation(operation), key))
