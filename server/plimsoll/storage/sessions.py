"""The SQL for sessions and their logs, as functions on a connection."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from plimsoll.errors import LogConflict, NotFound
from plimsoll.storage.base import HeldAddress, SessionRecord
from plimsoll.storage.recall import forget_session
from plimsoll.storage.said.index import forget_said

Body = tuple[str, str]
"""The time of an entry, and its JSON."""

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
_PUT_AGENT = """
INSERT OR REPLACE INTO agents (session, kind, depth)
SELECT key, :agent, :depth FROM sessions WHERE id = :id
"""
_DROP_AGENT = """
DELETE FROM agents WHERE session = (SELECT key FROM sessions WHERE id = :id)
"""
_PUT_ADDRESS = """
INSERT INTO session_addresses (session, place, address, machine)
SELECT key, ?, ?, ? FROM sessions WHERE id = ?
"""
_DROP_ADDRESSES = """
DELETE FROM session_addresses WHERE session = (SELECT key FROM sessions WHERE id = :id)
"""
_RECORDS = """
SELECT id, workspace, title, mode, model, created_at, updated_at, turns, parent_id, preview,
  agent, depth, (SELECT json_group_array(json_array(address, machine)) FROM (
    SELECT address, machine FROM session_addresses WHERE session = session_records.key
    ORDER BY place))
FROM session_records"""
"""The fields of a record, in order; a view cannot use JSON."""
_NEWEST_FIRST = """
ORDER BY
  (SELECT rowid FROM entries WHERE session = session_records.key ORDER BY place DESC LIMIT 1) DESC,
  key DESC
LIMIT ?
"""
"""Sorts by row numbers, which follow the order of writing whatever the clock says."""
_SELECT_SESSION = f"{_RECORDS} WHERE id = ?"
_SELECT_SESSION_OF = f"{_RECORDS} WHERE key = ?"
_SELECT_AGENTS = f"{_RECORDS} WHERE parent_id = ? AND agent IS NOT NULL ORDER BY key"
_SELECT_SESSIONS = f"{_RECORDS} WHERE ? OR agent IS NULL {_NEWEST_FIRST}"


def insert_session(
    connection: sqlite3.Connection, record: SessionRecord, bodies: Sequence[Body]
) -> None:
    """Store a new session with its entries; raises LogConflict if the id is taken."""
    if connection.execute("SELECT 1 FROM sessions WHERE id = ?", (record.id,)).fetchone():
        raise session_exists(record.id)
    connection.execute(_INSERT_SESSION, asdict(record))
    _keep_beside(connection, record)
    _insert_bodies(connection, _key(connection, record.id), 0, bodies)


def append_bodies(
    connection: sqlite3.Connection, session_id: str, bodies: Sequence[Body], expected: int
) -> None:
    """Append to a log that must have ``expected`` entries."""
    key = _key(connection, session_id)
    length = _length(connection, key)
    if length != expected:
        raise log_has_grown(session_id, expected, length)
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
        raise no_session(session_id)
    return _record(row)


def select_session_of(connection: sqlite3.Connection, key: int) -> SessionRecord:
    """Read the session with a row key that was just read."""
    return _record(connection.execute(_SELECT_SESSION_OF, (key,)).fetchone())


def no_session(session_id: str) -> NotFound:
    """Make the error for an id that no session has."""
    return NotFound("session", session_id, remedy="List the sessions of the folder with their ids.")


def select_sessions(
    connection: sqlite3.Connection, limit: int | None, *, agents: bool
) -> list[SessionRecord]:
    """Read the most recently written sessions first; empty ones by creation."""
    rows = connection.execute(_SELECT_SESSIONS, (agents, -1 if limit is None else limit))
    return [_record(row) for row in rows]


def select_agents(connection: sqlite3.Connection, session_id: str) -> list[SessionRecord]:
    """Read the sessions of a session's subagents, oldest first."""
    return [_record(row) for row in connection.execute(_SELECT_AGENTS, (session_id,))]


def update_session(
    connection: sqlite3.Connection, record: SessionRecord, known: SessionRecord
) -> SessionRecord:
    """Update the fields that differ from the known record; return the whole record."""
    now = {name: getattr(record, name) for name in SessionRecord.__slots__}
    changed = {name: value for name, value in now.items() if value != getattr(known, name)}
    stored = replace(select_session(connection, record.id), **changed)
    connection.execute(_UPDATE_SESSION, asdict(stored))
    _keep_beside(connection, stored)
    return stored


def _keep_beside(connection: sqlite3.Connection, record: SessionRecord) -> None:
    """Store the subagent fields of a session and its addresses."""
    columns = asdict(record)
    connection.execute(_PUT_AGENT if record.agent is not None else _DROP_AGENT, columns)
    connection.execute(_DROP_ADDRESSES, columns)
    connection.executemany(
        _PUT_ADDRESS,
        ((n, each.address, each.machine, record.id) for n, each in enumerate(record.addresses)),
    )


def delete_session(connection: sqlite3.Connection, session_id: str) -> None:
    """Remove a session with its entries and its rows in the search indexes."""
    key = _key(connection, session_id)
    forget_said(connection, key)
    connection.execute("DELETE FROM sessions WHERE key = ?", (key,))
    forget_session(connection, session_id)


def _record(row: Sequence[Any]) -> SessionRecord:
    *fields, held = row
    addresses = tuple(HeldAddress(*each) for each in json.loads(held))
    *names, _ = SessionRecord.__slots__
    return SessionRecord(**dict(zip(names, fields, strict=True)), addresses=addresses)


def _key(connection: sqlite3.Connection, session_id: str) -> int:
    row = connection.execute("SELECT key FROM sessions WHERE id = ?", (session_id,)).fetchone()
    if row is None:
        raise no_session(session_id)
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


def log_has_grown(session_id: str, expected: int, length: int) -> LogConflict:
    """Build the error for a writer that has read an older state."""
    return LogConflict(
        f"The log of session {session_id!r} has {length} entries, not {expected}: "
        "another process has written to it.",
        remedy="Open the session again.",
        data={"expected": expected, "length": length},
    )


def session_exists(session_id: str) -> LogConflict:
    """Build the error for a new session with the id of another."""
    return LogConflict(
        f"There is a session {session_id!r} already.", remedy="Give the new session another id."
    )
