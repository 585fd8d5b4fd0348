"""Leases of shared sessions: who may write one, kept by the engine's clock, with a fencing number.

A machine that was away comes back with a number that is no longer the newest, and can write nothing
with it: that its lease has run out it need not have noticed.
"""

from collections.abc import Mapping
from uuid import UUID

from plimsoll.storage.base import Lease
from plimsoll.storage.locks.leases import busy
from plimsoll.storage.postgres.connection import Connection, PostgresDatabase
from plimsoll.storage.postgres.projects import first_row
from plimsoll.storage.sessions import no_session

SECONDS = 30
"""For which a lease holds without being renewed."""

_TAKE = """
UPDATE plimsoll.sessions
SET fence = fence + 1, holder = %(holder)s, held_until = now() + make_interval(secs => %(seconds)s)
WHERE project = %(project)s AND id = %(session)s
  AND (holder IS NULL OR held_until < now())
RETURNING fence
"""
_RENEW = """
UPDATE plimsoll.sessions SET held_until = now() + make_interval(secs => %s)
WHERE project = %s AND id = %s AND fence = %s AND holder IS NOT NULL
"""
_FREE = """
UPDATE plimsoll.sessions SET holder = NULL, held_until = NULL
WHERE project = %s AND id = %s AND fence = %s
"""
_HELD = """
SELECT fence, CASE WHEN held_until >= now() THEN holder END FROM plimsoll.sessions
WHERE project = %s AND id = %s
"""


class PostgresLeases:
    """The leases that this process takes on the sessions of a shared project."""

    def __init__(self, database: PostgresDatabase, project: UUID, holder: str) -> None:
        """``holder`` names the machine and the process for people."""
        self._database = database
        self._project = project
        self._holder = holder
        self._fences: dict[str, int] = {}

    @property
    def fences(self) -> Mapping[str, int]:
        """The fencing number of each session whose lease was taken here."""
        return self._fences

    async def acquire(self, session_id: str) -> Lease:
        """Take the lease of a session; raises Busy with ``data.heldBy`` while it is taken."""

        async def unit(connection: Connection) -> int:
            values = {
                "holder": self._holder,
                "seconds": SECONDS,
                "project": self._project,
                "session": session_id,
            }
            taken = await (await connection.execute(_TAKE, values)).fetchone()
            if taken is not None:
                return int(taken[0])
            held = await first_row(connection, _HELD, (self._project, session_id))
            raise no_session(session_id) if held is None else busy(session_id, str(held[1]))

        self._fences[session_id] = await self._database.write(unit)
        return Lease(session_id, self._holder)

    async def renew(self, session_id: str) -> bool:
        """Hold a lease for longer; tell whether it was still ours."""
        values = (SECONDS, self._project, session_id, self._fences.get(session_id))

        async def unit(connection: Connection) -> bool:
            return bool((await connection.execute(_RENEW, values)).rowcount)

        return await self._database.write(unit)

    async def release(self, lease: Lease) -> None:
        """Give a lease back; do nothing when it is not held."""
        fence = self._fences.pop(lease.session_id, None)
        if fence is not None:
            values = (self._project, lease.session_id, fence)
            await self._database.write(lambda connection: connection.execute(_FREE, values))

    def holds(self, session_id: str) -> bool:
        """Tell whether the lease was taken here."""
        return session_id in self._fences

    async def refuse_fenced(self, connection: Connection, session_id: str) -> None:
        """Raise Busy unless this process may write a session, inside the write's transaction."""
        row = await first_row(connection, _HELD, (self._project, session_id))
        if row is None:
            raise no_session(session_id)
        fence, holder = row
        own = self._fences.get(session_id)
        if own is not None and own != int(fence):
            raise busy(session_id, str(holder or "another machine"))
        if own is None and holder is not None:
            raise busy(session_id, str(holder))
