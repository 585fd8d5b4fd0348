"""A person's sessions that travel between their machines by way of a shared PostgreSQL."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from plimsoll.context.log.entries import Entry
from plimsoll.context.log.messages import clean
from plimsoll.context.log.serialization import decode, encode
from plimsoll.context.log.traits import NONE, Tools
from plimsoll.storage.base import Redactor, SessionRecord
from plimsoll.storage.locks.leases import busy
from plimsoll.storage.postgres.leases import SECONDS
from plimsoll.storage.postgres.projects import ProjectDatabase, SharedProject
from plimsoll.storage.postgres.team.session_rows import Shipment, read_session, ship_session
from plimsoll.storage.sessions import no_session
from plimsoll.storage.shared.news import SharedSession

_TAKE = """
UPDATE plimsoll.sessions
SET fence = fence + 1, holder = %(holder)s, holder_id = %(holder_id)s,
  held_until = now() + make_interval(secs => %(seconds)s)
WHERE project = %(project)s AND owner = current_user AND id = %(session)s AND NOT gone
  AND (%(force)s OR holder IS NULL OR held_until < now() OR holder_id = %(holder_id)s)
RETURNING fence
"""
_RENEW = """
UPDATE plimsoll.sessions SET held_until = now() + make_interval(secs => %(seconds)s)
WHERE project = %(project)s AND owner = current_user AND id = %(session)s AND NOT gone
  AND fence = %(fence)s AND holder IS NOT NULL
"""
_FREE = """
UPDATE plimsoll.sessions SET holder = NULL, holder_id = NULL, held_until = NULL
WHERE project = %(project)s AND owner = current_user AND id = %(session)s AND NOT gone
  AND fence = %(fence)s
"""
_HELD = """
SELECT holder FROM plimsoll.sessions
WHERE project = %(project)s AND owner = current_user AND id = %(session)s AND NOT gone
"""


@dataclass(frozen=True, slots=True)
class MachineName:
    """The machine that sends and takes sessions."""

    name: str = ""
    """For people."""
    id: str = ""
    """Its own, that another machine of the same name has not."""


class PostgresTravelling:
    """A ``TravellingSessions`` at a shared PostgreSQL."""

    def __init__(
        self, database: ProjectDatabase, redact: Redactor, machine: MachineName, tools: Tools = NONE
    ) -> None:
        self._database = database
        self._redact = redact
        self._machine = machine
        self._tools = tools

    async def ship(
        self, record: SessionRecord, entries: Sequence[Entry], expected: int, fence: int | None
    ) -> int:
        """Append to a session's log, making the session if it is missing; return its length."""
        shipment = Shipment(
            record=self._without_secrets(record),
            bodies=[(entry.at, encode(entry, self._redacted)) for entry in entries],
            expected=expected,
            fence=fence,
            machine=self._machine.name,
        )
        return await self._database.write(
            lambda project: ship_session(project, shipment), repeatable=True
        )

    async def take(self, session_id: str, *, force: bool = False) -> int:
        """Take the lease of a session; return the fencing number that each write must name."""
        values = {
            "session": session_id,
            "force": force,
            "holder": self._machine.name or "another machine",
            "holder_id": self._machine.id or None,
            "seconds": SECONDS,
        }

        async def unit(project: SharedProject) -> int:
            taken = await project.first_row(_TAKE, **values)
            if taken is not None:
                return int(taken[0])
            held = await project.first_row(_HELD, session=session_id)
            raise no_session(session_id) if held is None else busy(session_id, str(held[0]))

        return await self._database.write(unit)

    async def renew(self, session_id: str, fence: int) -> bool:
        """Extend a lease; return whether it was still held."""
        values = {"session": session_id, "fence": fence, "seconds": SECONDS}
        return bool(
            await self._database.write(
                lambda project: project.execute(_RENEW, **values), repeatable=True
            )
        )

    async def release(self, session_id: str, fence: int) -> None:
        """Give back a lease; do nothing if another machine has taken it."""
        values = {"session": session_id, "fence": fence}
        await self._database.write(
            lambda project: project.execute(_FREE, **values), repeatable=True
        )

    async def read(self, session_id: str, start: int = 0) -> tuple[SharedSession, list[Entry]]:
        """Read a session and its log from index ``start``."""
        session, bodies = await self._database.read(
            lambda project: read_session(project, session_id, start)
        )
        return session, [decode(body, self._tools) for body in bodies]

    def _without_secrets(self, record: SessionRecord) -> SessionRecord:
        return replace(
            record,
            workspace=clean(record.workspace),
            title=self._redacted(record.title),
            preview=self._redacted(record.preview),
        )

    def _redacted(self, text: str) -> str:
        return self._redact(clean(text))
