"""The sessions of a project in a shared PostgreSQL: statements, each a function on a connection."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from psycopg.sql import SQL

from plimsoll.storage.base import HeldAddress, SessionRecord
from plimsoll.storage.postgres.connection import Connection
from plimsoll.storage.postgres.projects import all_rows, first_row, next_change
from plimsoll.storage.sessions import Body, log_has_grown, no_session, session_exists

_FIELDS = SQL(
    "id, workspace, title, mode, model, created_at, updated_at, turns, parent_id, preview, "
    "agent, depth, addresses"
)
"""The fields of a record, in their order."""
_INSERT = SQL("""
INSERT INTO plimsoll.sessions (project, key, {}, length, written)
VALUES (%(project)s, %(key)s, %(id)s, %(workspace)s, %(title)s, %(mode)s, %(model)s,
  %(created_at)s, %(updated_at)s, %(turns)s, %(parent_id)s, %(preview)s, %(agent)s, %(depth)s,
  %(addresses)s, 0, NULL)
ON CONFLICT (project, id) DO NOTHING
""").format(_FIELDS)
_UPDATE = """
UPDATE plimsoll.sessions SET workspace = %(workspace)s, title = %(title)s, mode = %(mode)s,
  model = %(model)s, created_at = %(created_at)s, updated_at = %(updated_at)s, turns = %(turns)s,
  parent_id = %(parent_id)s, preview = %(preview)s, agent = %(agent)s, depth = %(depth)s,
  addresses = %(addresses)s
WHERE project = %(project)s AND id = %(id)s
"""
_GET = SQL("""
SELECT {} FROM plimsoll.sessions WHERE project = %s AND id = %s
""").format(_FIELDS)
_LIST = SQL("""
SELECT {} FROM plimsoll.sessions WHERE project = %s AND (%s OR agent IS NULL)
ORDER BY written DESC NULLS LAST, key DESC LIMIT %s
""").format(_FIELDS)
_AGENTS = SQL("""
SELECT {} FROM plimsoll.sessions
WHERE project = %s AND parent_id = %s AND agent IS NOT NULL ORDER BY key
""").format(_FIELDS)
_PLACE = "SELECT key, length FROM plimsoll.sessions WHERE project = %s AND id = %s"
_BODIES = """
SELECT body FROM plimsoll.entries WHERE project = %s AND session = %s AND place >= %s ORDER BY place
"""
_APPEND = "INSERT INTO plimsoll.entries (project, session, place, body) VALUES (%s, %s, %s, %s)"
_GROW = """
UPDATE plimsoll.sessions
SET length = %s, written = %s, updated_at = greatest(updated_at, %s COLLATE "C")
WHERE project = %s AND key = %s
"""


async def insert_session(
    connection: Connection, project: UUID, record: SessionRecord, bodies: Sequence[Body]
) -> None:
    """Store a new session with its entries; an id that is taken is a conflict."""
    change = await next_change(connection, project)
    values = {"project": project, "key": change, **_columns(record)}
    if not (await connection.execute(_INSERT, values)).rowcount:
        raise session_exists(record.id)
    await _insert_bodies(connection, (project, change), 0, bodies)
    if bodies:
        grown = (len(bodies), change, record.updated_at, project, change)
        await connection.execute(_GROW, grown)


async def append_bodies(
    connection: Connection, project: UUID, session_id: str, bodies: Sequence[Body], expected: int
) -> None:
    """Append to a log of ``expected`` entries; raises LogConflict where it has others."""
    change = await next_change(connection, project)
    key, length = await _place(connection, project, session_id)
    if length != expected:
        raise log_has_grown(session_id, expected, length)
    if bodies:
        await _insert_bodies(connection, (project, key), length, bodies)
        latest = max(at for at, _ in bodies)
        grown = (length + len(bodies), change, latest, project, key)
        await connection.execute(_GROW, grown)


async def select_bodies(
    connection: Connection, project: UUID, session_id: str, start: int
) -> list[str]:
    """Read the JSON of the entries from ``start``, in order."""
    key, _ = await _place(connection, project, session_id)
    return [body for (body,) in await all_rows(connection, _BODIES, (project, key, start))]


async def select_session(connection: Connection, project: UUID, session_id: str) -> SessionRecord:
    """Read one session."""
    row = await first_row(connection, _GET, (project, session_id))
    if row is None:
        raise no_session(session_id)
    return _record(row)


async def select_sessions(
    connection: Connection, project: UUID, limit: int | None, *, agents: bool
) -> list[SessionRecord]:
    """Read the sessions written to last, the newest first; of empty ones the one created last."""
    rows = await all_rows(connection, _LIST, (project, agents, limit))
    return [_record(row) for row in rows]


async def select_agents(
    connection: Connection, project: UUID, session_id: str
) -> list[SessionRecord]:
    """Read the sessions of a session's subagents, the first one first."""
    return [_record(row) for row in await all_rows(connection, _AGENTS, (project, session_id))]


async def update_session(
    connection: Connection, project: UUID, record: SessionRecord, known: SessionRecord
) -> SessionRecord:
    """Replace the fields in which a session differs from what was known of it; return it whole."""
    await next_change(connection, project)
    now = {name: getattr(record, name) for name in SessionRecord.__slots__}
    changed = {name: value for name, value in now.items() if value != getattr(known, name)}
    stored = replace(await select_session(connection, project, record.id), **changed)
    await connection.execute(_UPDATE, {"project": project, **_columns(stored)})
    return stored


async def delete_session(connection: Connection, project: UUID, session_id: str) -> None:
    """Remove a session with its entries."""
    await next_change(connection, project)
    done = await connection.execute(
        "DELETE FROM plimsoll.sessions WHERE project = %s AND id = %s", (project, session_id)
    )
    if not done.rowcount:
        raise no_session(session_id)


async def _insert_bodies(
    connection: Connection, session: tuple[UUID, int], start: int, bodies: Sequence[Body]
) -> None:
    rows = [(*session, place, body) for place, (_, body) in enumerate(bodies, start)]
    async with connection.cursor() as cursor:
        await cursor.executemany(_APPEND, rows)


async def _place(connection: Connection, project: UUID, session_id: str) -> tuple[int, int]:
    row = await first_row(connection, _PLACE, (project, session_id))
    if row is None:
        raise no_session(session_id)
    return int(row[0]), int(row[1])


def _columns(record: SessionRecord) -> dict[str, Any]:
    values = {name: getattr(record, name) for name in SessionRecord.__slots__}
    held = [(each.address, each.machine) for each in record.addresses]
    return {**values, "addresses": json.dumps(held)}


def _record(row: Sequence[Any]) -> SessionRecord:
    *fields, held = row
    addresses = tuple(HeldAddress(*each) for each in json.loads(held))
    *names, _ = SessionRecord.__slots__
    return SessionRecord(**dict(zip(names, fields, strict=True)), addresses=addresses)
