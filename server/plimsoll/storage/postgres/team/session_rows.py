"""A person's sessions at a shared PostgreSQL: statements, each a function on the project."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from psycopg.sql import SQL

from plimsoll.storage.base import SessionRecord
from plimsoll.storage.locks.leases import busy
from plimsoll.storage.postgres.projects import SharedProject
from plimsoll.storage.postgres.sessions import FIELDS, append_at, columns_of
from plimsoll.storage.postgres.team.rows import SESSION_COLUMNS, shared_session
from plimsoll.storage.sessions import Body, log_has_grown, no_session
from plimsoll.storage.shared.news import SharedSession
from plimsoll.storage.shared.operations import Done, Outcome

_OWN = "project = %(project)s AND owner = current_user AND id = %(id)s"
_PLACE = SQL("""
SELECT key, length, fence, CASE WHEN held_until >= now() THEN holder END, gone
FROM plimsoll.sessions WHERE {}
""").format(SQL(_OWN))
_READ = SQL("SELECT key, {} FROM plimsoll.sessions WHERE {} AND NOT gone").format(
    SESSION_COLUMNS, SQL(_OWN)
)
_VALUES = SQL("""
%(id)s, %(workspace)s, %(title)s, %(mode)s, %(model)s, %(created_at)s, %(updated_at)s, %(turns)s,
%(parent_id)s, %(preview)s, %(agent)s, %(depth)s, %(addresses)s
""")
_INSERT = SQL("""
INSERT INTO plimsoll.sessions (project, key, changed, machine, length, {})
VALUES (%(project)s, %(changed)s, %(changed)s, %(machine)s, 0, {})
""").format(FIELDS, _VALUES)
_UPDATE = SQL("""
UPDATE plimsoll.sessions SET workspace = %(workspace)s, title = %(title)s, mode = %(mode)s,
  model = %(model)s, created_at = %(created_at)s, updated_at = %(updated_at)s, turns = %(turns)s,
  parent_id = %(parent_id)s, preview = %(preview)s, agent = %(agent)s, depth = %(depth)s,
  addresses = %(addresses)s, machine = %(machine)s, changed = %(changed)s
WHERE {}
""").format(SQL(_OWN))
_BURY = SQL("""
UPDATE plimsoll.sessions SET gone = true, changed = %(changed)s, workspace = '', title = '',
  preview = '', addresses = '[]', holder = NULL, holder_id = NULL, held_until = NULL, length = 0
WHERE {}
""").format(SQL(_OWN))
_EMPTY = """
DELETE FROM plimsoll.entries
WHERE project = %(project)s AND owner = current_user AND session = %(key)s
"""
_BODIES = """
SELECT body FROM plimsoll.entries
WHERE project = %(project)s AND owner = current_user AND session = %(key)s AND place >= %(start)s
ORDER BY place
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shipment:
    """A session's record and the next entries of its log, as a machine sends them."""

    record: SessionRecord
    bodies: Sequence[Body]
    expected: int
    """How many entries the log is believed to have."""
    fence: int | None
    machine: str


async def ship_session(project: SharedProject, shipment: Shipment) -> int:
    """Store a record and the entries that are not there yet; return the log's length."""
    changed = await project.next_change()
    record, expected = shipment.record, shipment.expected
    key, length = await _place(project, shipment) or (changed, 0)
    if length < expected:
        raise log_has_grown(record.id, expected, length)
    await _refuse_others(project, shipment, key)
    values = {**columns_of(record), "machine": shipment.machine, "changed": changed}
    await project.execute(_INSERT if key == changed else _UPDATE, **values)
    missing = shipment.bodies[length - expected :]
    await append_at(project, (key, length), missing, change=changed, at=record.updated_at)
    return length + len(missing)


async def read_session(
    project: SharedProject, session_id: str, start: int
) -> tuple[SharedSession, list[str]]:
    """Read a session and the JSON of its entries from ``start``; raises NotFound."""
    row = await project.first_row(_READ, id=session_id)
    if row is None:
        raise no_session(session_id)
    key, *fields = row
    bodies = await project.all_rows(_BODIES, key=key, start=start)
    return shared_session(fields), [body for (body,) in bodies]


async def bury_session(project: SharedProject, session_id: str, number: int) -> Outcome:
    """Remove the texts of a session; its id is never used again."""
    row = await project.first_row(_PLACE, id=session_id)
    if row is not None and not row[4]:
        await project.execute(_BURY, id=session_id, changed=number)
        await project.execute(_EMPTY, key=row[0])
    return Done()


async def _place(project: SharedProject, shipment: Shipment) -> tuple[int, int] | None:
    """Return a log's key and length; raise Busy where its lease is another machine's."""
    name = shipment.record.id
    row = await project.first_row(_PLACE, id=name)
    if row is None:
        return None
    key, length, fence, holder, gone = row
    if gone:
        raise no_session(name)
    if shipment.fence != fence and (shipment.fence is not None or holder is not None):
        raise busy(name, str(holder or "another machine"))
    return int(key), int(length)


async def _refuse_others(project: SharedProject, shipment: Shipment, key: int) -> None:
    """Raise LogConflict unless the entries from ``expected`` on are those that were sent."""
    expected = shipment.expected
    held = await project.all_rows(_BODIES, key=key, start=expected)
    sent = [json.loads(body)["id"] for _, body in shipment.bodies[: len(held)]]
    # A secret that became known meanwhile changes a text, never an entry's id.
    if [json.loads(body)["id"] for (body,) in held] != sent:
        raise log_has_grown(shipment.record.id, expected, expected + len(held))
