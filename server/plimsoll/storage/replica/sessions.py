"""Stores where each session that travels is, in the folder's own database."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any, TypeVar

from plimsoll.context.log.messages import clean
from plimsoll.context.log.serialization import encode
from plimsoll.storage.base import HeldAddress, Redactor, SessionRecord
from plimsoll.storage.database.units import Database
from plimsoll.storage.replica.outbox import enqueue
from plimsoll.storage.sessions import (
    Body,
    append_bodies,
    delete_session,
    insert_session,
    log_has_grown,
    select_bodies,
    select_session,
    select_sessions,
    update_session,
)
from plimsoll.storage.shared.news import SharedSession
from plimsoll.storage.shared.operations import DeleteSession
from plimsoll.storage.shared.travelling import Arrival, SessionPlaces

T = TypeVar("T")

_KNOWN = """
SELECT session, record, length, machine, held, sent, fence, deleted, stays FROM team_sessions
"""
_LENGTHS = """
SELECT id, (SELECT max(place) + 1 FROM entries WHERE session = sessions.key) FROM sessions
"""
_HEAR = """
INSERT INTO team_sessions (session, record, length, machine, held) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (session) DO UPDATE SET record = excluded.record, length = excluded.length,
  machine = excluded.machine, held = excluded.held
"""
_SENT = "UPDATE team_sessions SET sent = ?, fence = ? WHERE session = ?"
_MARK_DELETED = "UPDATE team_sessions SET deleted = 1, fence = NULL WHERE session = ?"
_STAY = "UPDATE team_sessions SET stays = 1, fence = NULL WHERE session = ?"
_TRAVELS = "SELECT 1 FROM team_sessions WHERE session = ? AND NOT deleted AND NOT stays"
_DROP = "DELETE FROM team_sessions WHERE session = ?"


def hear_of_sessions(
    connection: sqlite3.Connection, sessions: Sequence[SharedSession], deleted: Sequence[str]
) -> None:
    """Store news of sessions that travel.

    One that was deleted leaves the list at once if its log is not here; else it is marked, and
    whoever has its files deletes it.
    """
    for each in sessions:
        _hear(connection, each)
    for session_id in deleted:
        here = connection.execute("SELECT 1 FROM sessions WHERE id = ?", (session_id,)).fetchone()
        connection.execute(_MARK_DELETED if here else _DROP, (session_id,))


def delete_there(connection: sqlite3.Connection, session_id: str) -> None:
    """Queue the deletion of a session at the server, if it has it, and forget that it was there."""
    if connection.execute(_TRAVELS, (session_id,)).fetchone() is not None:
        enqueue(connection, [DeleteSession(session_id)])
    connection.execute(_DROP, (session_id,))


class SqliteSessionCopies:
    """The ``SessionCopies`` of a folder, in its own store."""

    def __init__(self, database: Database, redact: Redactor) -> None:
        self._database = database
        self._redact = redact

    async def all(self) -> list[SessionPlaces]:
        """Read where each session is, the most recently written of those here first."""
        return await self._database.read(_select_all)

    async def find(self, session_id: str) -> SessionPlaces | None:
        """Read where one session is; None if it is nowhere."""
        return await self._database.read(partial(_select_one, session_id))

    async def note_sent(self, shared: SharedSession, sent: int, fence: int | None) -> None:
        """Note what the server has, and how many entries of it are those here."""

        def unit(connection: sqlite3.Connection) -> None:
            _hear(connection, shared)
            connection.execute(_SENT, (sent, fence, shared.record.id))

        await self._database.write(unit)

    async def note_fence(self, session_id: str, fence: int | None) -> None:
        """Note the lease that was taken; None: it was given back or lost."""
        await self._execute(
            "UPDATE team_sessions SET fence = ? WHERE session = ?", (fence, session_id)
        )

    async def store(self, arrival: Arrival) -> None:
        """Store a log from the server; it replaces the entries here from its start on."""
        bodies = [(each.at, encode(each, self._redact_text)) for each in arrival.entries]
        await self._database.write(partial(_store, self._without_secrets(arrival), bodies))

    async def note_deleted(self, session_id: str) -> None:
        """Note that a session was deleted on another machine."""
        await self._database.write(lambda db: hear_of_sessions(db, (), (session_id,)))

    async def delete_there(self, session_id: str) -> None:
        """Forget a session whose log is not here, and queue its deletion at the server."""
        await self._database.write(lambda db: delete_there(db, session_id))

    async def keep_here(self, session_id: str) -> None:
        """Let a session stay on this machine alone from now on."""

        def unit(connection: sqlite3.Connection) -> None:
            if connection.execute(_STAY, (session_id,)).rowcount == 0:
                _hear(
                    connection, SharedSession(select_session(connection, session_id), 0, "", False)
                )
                connection.execute(_STAY, (session_id,))

        await self._database.write(unit)

    async def drop(self, session_id: str) -> None:
        """Forget that a session was at the server; its log here stays."""
        await self._execute(_DROP, (session_id,))

    async def _execute(self, statement: str, values: tuple[object, ...]) -> None:
        def unit(connection: sqlite3.Connection) -> None:
            connection.execute(statement, values)

        await self._database.write(unit)

    def _without_secrets(self, arrival: Arrival) -> Arrival:
        record, shared = arrival.record, arrival.shared
        branch = arrival.branch and self._redacted(arrival.branch)
        heard = replace(shared, record=self._redacted(shared.record))
        return replace(arrival, record=self._redacted(record), shared=heard, branch=branch)

    def _redacted(self, record: SessionRecord) -> SessionRecord:
        title, preview = self._redact_text(record.title), self._redact_text(record.preview)
        return replace(record, title=title, preview=preview)

    def _redact_text(self, text: str) -> str:
        return self._redact(clean(text))


def _store(arrival: Arrival, bodies: Sequence[Body], connection: sqlite3.Connection) -> None:
    name, shared = arrival.record.id, arrival.shared
    row = connection.execute(f"{_LENGTHS} WHERE id = ?", (name,)).fetchone()
    length = 0 if row is None else int(row[1] or 0)
    if length != arrival.here:
        raise log_has_grown(name, arrival.here, length)
    if row is None:
        insert_session(connection, arrival.record, bodies)
    elif length == arrival.start:
        append_bodies(connection, name, bodies, arrival.start)
        update_session(connection, arrival.record, select_session(connection, name))
    else:
        _replace(connection, arrival, bodies)
    _hear(connection, shared)
    connection.execute(_SENT, (arrival.start + len(bodies), arrival.fence, name))


def _replace(connection: sqlite3.Connection, arrival: Arrival, bodies: Sequence[Body]) -> None:
    """Replace the end of a session's log; the old end is moved to the branch."""
    name = arrival.record.id
    kept = [_body(each) for each in select_bodies(connection, name, 0)]
    delete_session(connection, name)
    if arrival.branch is not None:
        insert_session(connection, arrival.branch, kept)
    insert_session(connection, arrival.record, [*kept[: arrival.start], *bodies])


def _body(stored: str) -> Body:
    return str(json.loads(stored)["at"]), stored


def _hear(connection: sqlite3.Connection, shared: SharedSession) -> None:
    record = json.dumps(asdict(shared.record))
    values = (shared.record.id, record, shared.length, shared.machine, shared.is_held)
    connection.execute(_HEAR, values)


def _select_all(connection: sqlite3.Connection) -> list[SessionPlaces]:
    lengths = dict(connection.execute(_LENGTHS))
    known = {row[0]: _places(row) for row in connection.execute(f"{_KNOWN} ORDER BY key")}
    here = [
        _with_log(known.pop(each.id, None), each, lengths[each.id])
        for each in select_sessions(connection, None, agents=False)
    ]
    return [*here, *known.values()]


def _select_one(session_id: str, connection: sqlite3.Connection) -> SessionPlaces | None:
    row = connection.execute(f"{_KNOWN} WHERE session = ?", (session_id,)).fetchone()
    known = None if row is None else _places(row)
    if connection.execute("SELECT 1 FROM sessions WHERE id = ?", (session_id,)).fetchone() is None:
        return known
    record = select_session(connection, session_id)
    if record.agent is not None:
        return None
    length = connection.execute(f"{_LENGTHS} WHERE id = ?", (session_id,)).fetchone()[1]
    return _with_log(known, record, length)


def _with_log(
    known: SessionPlaces | None, record: SessionRecord, length: int | None
) -> SessionPlaces:
    return replace(known or SessionPlaces(id=record.id), record=record, here=length or 0)


def _places(row: Sequence[Any]) -> SessionPlaces:
    name, record, length, machine, held, sent, fence, deleted, stays = row
    return SessionPlaces(
        id=name,
        there=SharedSession(_record(json.loads(record)), length, machine, bool(held)),
        sent=sent,
        fence=fence,
        deleted=bool(deleted),
        stays=bool(stays),
    )


def _record(fields: dict[str, Any]) -> SessionRecord:
    held = tuple(HeldAddress(**each) for each in fields.pop("addresses"))
    return SessionRecord(**fields, addresses=held)
