"""The sessions of a project in a shared PostgreSQL: statements, each a function on it."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from psycopg.sql import SQL

from plimsoll.storage.base import HeldAddress, SessionRecord
from plimsoll.storage.postgres.projects import SharedProject
from plimsoll.storage.sessions import Body, log_has_grown, no_session, session_exists

FIELDS = SQL(
    "id, workspace, title, mode, model, created_at, updated_at, turns, parent_id, preview, "
    "agent, depth, addresses"
)
"""The fields of a record, in their order."""
_INSERT = SQL("""
INSERT INTO plimsoll.sessions (project, key, changed, {}, length, written)
VALUES (%(project)s, %(key)s, %(key)s, %(id)s, %(workspace)s, %(title)s, %(mode)s, %(model)s,
  %(created_at)s, %(updated_at)s, %(turns)s, %(parent_id)s, %(preview)s, %(agent)s, %(depth)s,
  %(addresses)s, 0, NULL)
ON CONFLICT DO NOTHING
""").format(FIELDS)
_UPDATE = """
UPDATE plimsoll.sessions SET workspace = %(workspace)s, title = %(title)s, mode = %(mode)s,
  model = %(model)s, created_at = %(created_at)s, updated_at = %(updated_at)s, turns = %(turns)s,
  parent_id = %(parent_id)s, preview = %(preview)s, agent = %(agent)s, depth = %(depth)s,
  addresses = %(addresses)s
WHERE project = %(project)s AND id = %(id)s
"""
_GET = SQL("""
SELECT {} FROM plimsoll.sessions WHERE project = %(project)s AND id = %(id)s
""").format(FIELDS)
_LIST = SQL("""
SELECT {} FROM plimsoll.sessions WHERE project = %(project)s AND (%(agents)s OR agent IS NULL)
ORDER BY written DESC NULLS LAST, key DESC LIMIT %(limit)s
""").format(FIELDS)
_AGENTS = SQL("""
SELECT {} FROM plimsoll.sessions
WHERE project = %(project)s AND parent_id = %(id)s AND agent IS NOT NULL ORDER BY key
""").format(FIELDS)
_PLACE = "SELECT key, length FROM plimsoll.sessions WHERE project = %(project)s AND id = %(id)s"
_BODIES = """
SELECT body FROM plimsoll.entries
WHERE project = %(project)s AND session = %(key)s AND place >= %(start)s ORDER BY place
"""
_APPEND = """
INSERT INTO plimsoll.entries (project, session, place, body)
VALUES (%(project)s, %(session)s, %(place)s, %(body)s)
"""
_GROW = """
UPDATE plimsoll.sessions SET length = %(length)s, written = %(change)s, changed = %(change)s,
  updated_at = greatest(updated_at, %(at)s COLLATE "C")
WHERE project = %(project)s AND key = %(key)s
"""
_DELETE = "DELETE FROM plimsoll.sessions WHERE project = %(project)s AND id = %(id)s"


async def insert_session(
    project: SharedProject, record: SessionRecord, bodies: Sequence[Body]
) -> None:
    """Store a new session with its entries; raises LogConflict if the id is taken."""
    key = await project.next_change()
    if not await project.execute(_INSERT, key=key, **columns_of(record)):
        raise session_exists(record.id)
    await append_at(project, (key, 0), bodies, change=key, at=record.updated_at)


async def append_bodies(
    project: SharedProject, session_id: str, bodies: Sequence[Body], expected: int
) -> None:
    """Append to a log; raises LogConflict if it does not have ``expected`` entries."""
    change = await project.next_change()
    key, length = await _place(project, session_id)
    if length != expected:
        raise log_has_grown(session_id, expected, length)
    at = max((at for at, _ in bodies), default="")
    await append_at(project, (key, length), bodies, change=change, at=at)


async def select_bodies(project: SharedProject, session_id: str, start: int) -> list[str]:
    """Read the JSON of the entries from ``start``, in order."""
    key, _ = await _place(project, session_id)
    return [body for (body,) in await project.all_rows(_BODIES, key=key, start=start)]


async def select_session(project: SharedProject, session_id: str) -> SessionRecord:
    """Read one session."""
    row = await project.first_row(_GET, id=session_id)
    if row is None:
        raise no_session(session_id)
    return record_of(row)


async def select_sessions(
    project: SharedProject, limit: int | None, *, agents: bool
) -> list[SessionRecord]:
    """Read the most recently written sessions first; empty ones by creation."""
    return [record_of(row) for row in await project.all_rows(_LIST, agents=agents, limit=limit)]


async def select_agents(project: SharedProject, session_id: str) -> list[SessionRecord]:
    """Read the sessions of a session's subagents, oldest first."""
    return [record_of(row) for row in await project.all_rows(_AGENTS, id=session_id)]


async def update_session(
    project: SharedProject, record: SessionRecord, known: SessionRecord
) -> SessionRecord:
    """Update the fields that differ from the known record; return the whole record."""
    await project.next_change()
    now = {name: getattr(record, name) for name in SessionRecord.__slots__}
    changed = {name: value for name, value in now.items() if value != getattr(known, name)}
    stored = replace(await select_session(project, record.id), **changed)
    await project.execute(_UPDATE, **columns_of(stored))
    return stored


async def delete_session(project: SharedProject, session_id: str) -> None:
    """Remove a session with its entries."""
    await project.next_change()
    if not await project.execute(_DELETE, id=session_id):
        raise no_session(session_id)


async def append_at(
    project: SharedProject, log: tuple[int, int], bodies: Sequence[Body], *, change: int, at: str
) -> None:
    """Append entries to a log, which is given by its session's key and its length."""
    if not bodies:
        return
    key, length = log
    await project.execute_many(
        _APPEND,
        (
            {"session": key, "place": place, "body": body}
            for place, (_, body) in enumerate(bodies, length)
        ),
    )
    await project.execute(_GROW, key=key, length=length + len(bodies), change=change, at=at)


async def _place(project: SharedProject, session_id: str) -> tuple[int, int]:
    row = await project.first_row(_PLACE, id=session_id)
    if row is None:
        raise no_session(session_id)
    return int(row[0]), int(row[1])


def columns_of(record: SessionRecord) -> dict[str, Any]:
    """Return the values of the columns that hold a record, by name."""
    values = {name: getattr(record, name) for name in SessionRecord.__slots__}
    held = [(each.address, each.machine) for each in record.addresses]
    return {**values, "addresses": json.dumps(held)}


def record_of(row: Sequence[Any]) -> SessionRecord:
    """Build a record from the values of `FIELDS`."""
    *fields, held = row
    addresses = tuple(HeldAddress(*each) for each in json.loads(held))
    *names, _ = SessionRecord.__slots__
    return SessionRecord(**dict(zip(names, fields, strict=True)), addresses=addresses)
