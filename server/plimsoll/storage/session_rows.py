"""Sessions and entries as rows: plain functions that run inside one transaction."""

import sqlite3
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from plimsoll.errors import LogConflict, NotFound
from plimsoll.storage.base import SessionRecord
from plimsoll.storage.recall import forget_session

Body = tuple[str, str]
"""When an entry was made, and its JSON."""

_INSERT_SESSION = """
INSERT INTO sessions (id, workspace, title, mode, model, created_at, updated_at, turns, parent_id,
  preview)
VALUES (:id, :workspace, :title, :mode, :model, :created_at, :updated_at, :turns, :parent_id,
  :preview)
"""
_UPDATE_SESSION = """
UPDATE sessions SET workspace = :workspace, title = :title, mode = :mode, model = :model,
  created_at = :created_at, updated_at = :updated_at, turns = :turns, parent_id = :parent_id,
  preview = :preview
WHERE id = :id
"""
_SELECT_SESSION = """
SELECT id, workspace, title, mode, model, created_at, updated_at, turns, parent_id, preview
FROM sessions WHERE id = ?
"""
_SELECT_SESSIONS = """
SELECT id, workspace, title, mode, model, created_at, updated_at, turns, parent_id, preview
FROM sessions ORDER BY updated_at DESC, key DESC LIMIT ?
"""


def insert_session(
    connection: sqlite3.Connection, record: SessionRecord, bodies: Sequence[Body]
) -> None:
    """Store a new session with its entries; an id that is taken is a conflict."""
    if connection.execute("SELECT 1 FROM sessions WHERE id = ?", (record.id,)).fetchone():
        raise _session_exists(record.id)
    connection.execute(_INSERT_SESSION, asdict(record))
    _insert_bodies(connection, _key(connection, record.id), 0, bodies)


def append_bodies(
    connection: sqlite3.Connection, session_id: str, bodies: Sequence[Body], expected: int
) -> None:
    """Append to a log of ``expected`` entries."""
    key = _key(connection, session_id)
    length = _length(connection, key)
    if length != expected:
        raise _log_has_grown(session_id, expected, length)
    _insert_bodies(connection, key, length, bodies)
    if bodies:
        connection.execute(
            "UPDATE sessions SET updated_at = max(updated_at, ?) WHERE key = ?",
            (max(at for at, _ in bodies), key),
        )


def select_bodies(connection: sqlite3.Connection, session_id: str, start: int) -> list[str]:
    """Read the JSON of the entries from ``start``, in order."""
    key = _key(connection, session_id)
    rows = connection.execute(
        "SELECT body FROM entries WHERE session = ? AND place >= ? ORDER BY place", (key, start)
    )
    return [body for (body,) in rows]


def select_session(connection: sqlite3.Connection, session_id: str) -> SessionRecord:
    """Read one session."""
    row = connection.execute(_SELECT_SESSION, (session_id,)).fetchone()
    if row is None:
        raise NotFound("session", session_id)
    return _record(row)


def select_sessions(connection: sqlite3.Connection, limit: int | None) -> list[SessionRecord]:
    """Read the sessions used last, the newest first; of equal ones the one created last."""
    rows = connection.execute(_SELECT_SESSIONS, (-1 if limit is None else limit,))
    return [_record(row) for row in rows]


def update_session(connection: sqlite3.Connection, record: SessionRecord) -> None:
    """Replace what is known of a session beside its log."""
    if connection.execute(_UPDATE_SESSION, asdict(record)).rowcount == 0:
        raise NotFound("session", record.id)


def delete_session(connection: sqlite3.Connection, session_id: str) -> None:
    """Remove a session and, with it, its entries and what is recalled of it."""
    connection.execute("DELETE FROM sessions WHERE key = ?", (_key(connection, session_id),))
    forget_session(connection, session_id)


def _record(row: Sequence[Any]) -> SessionRecord:
    return SessionRecord(**dict(zip(SessionRecord.__slots__, row, strict=True)))


def _key(connection: sqlite3.Connection, session_id: str) -> int:
    row = connection.execute("SELECT key FROM sessions WHERE id = ?", (session_id,)).fetchone()
    if row is None:
        raise NotFound("session", session_id)
    return int(row[0])


def _length(connection: sqlite3.Connection, key: int) -> int:
    last = connection.execute(
        "SELECT max(place) FROM entries WHERE session = ?", (key,)
    ).fetchone()[0]
    return 0 if last is None else int(last) + 1


def _insert_bodies(
    connection: sqlite3.Connection, key: int, start: int, bodies: Sequence[Body]
) -> None:
    connection.executemany(
        "INSERT INTO entries (session, place, body) VALUES (?, ?, ?)",
        ((key, place, body) for place, (_, body) in enumerate(bodies, start)),
    )


def _log_has_grown(session_id: str, expected: int, length: int) -> LogConflict:
    """Make the error for a writer that has read an older state."""
    return LogConflict(
        f"The log of session {session_id!r} has {length} entries, not {expected}: "
        "another process has written to it.",
        remedy="Load the session again, or fork it.",
        data={"expected": expected, "length": length},
    )


def _session_exists(session_id: str) -> LogConflict:
    """Make the error for a new session with the id of another."""
    return LogConflict(
        f"There is a session {session_id!r} already.", remedy="Give the new session another id."
    )
