"""Leases of shared sessions: who may write one, kept by the engine's clock, with a fencing number.

A machine that was away comes back with a number that is no longer the newest, and can write nothing
with it: that its lease has run out it need not have noticed.
"""

from plimsoll.storage.base import Lease
from plimsoll.storage.locks.leases import busy
from plimsoll.storage.postgres.projects import ProjectDatabase, SharedProject
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
UPDATE plimsoll.sessions SET held_until = now() + make_interval(secs => %(seconds)s)
WHERE project = %(project)s AND id = %(session)s AND fence = %(fence)s AND holder IS NOT NULL
"""
_FREE = """
UPDATE plimsoll.sessions SET holder = NULL, held_until = NULL
WHERE project = %(project)s AND id = %(session)s AND fence = %(fence)s
"""
_HELD = """
SELECT fence, CASE WHEN held_until >= now() THEN holder END FROM plimsoll.sessions
WHERE project = %(project)s AND id = %(session)s
"""


class PostgresLeases:
    """The leases that this process takes on the sessions of a shared project."""

    def __init__(self, database: ProjectDatabase, holder: str) -> None:
        """``holder`` names the machine and the process for people."""
        self._database = database
        self._holder = holder
        self._fences: dict[str, int] = {}

    async def acquire(self, session_id: str) -> Lease:
        """Take the lease of a session; raises Busy with ``data.heldBy`` while it is taken."""

        async def unit(project: SharedProject) -> int:
            values = {"holder": self._holder, "seconds": SECONDS, "session": session_id}
            taken = await project.first_row(_TAKE, **values)
            if taken is not None:
                return int(taken[0])
            held = await project.first_row(_HELD, session=session_id)
            raise no_session(session_id) if held is None else busy(session_id, str(held[1]))

        self._fences[session_id] = await self._database.write(unit)
        return Lease(session_id, self._holder)

    async def renew(self, session_id: str) -> bool:
        """Extend a lease; return whether this process still held it."""
        values = {"seconds": SECONDS, "session": session_id, "fence": self._fences.get(session_id)}
        return bool(await self._database.write(lambda project: project.execute(_RENEW, **values)))

    async def release(self, session_id: str) -> None:
        """Release a lease; do nothing if it is not held."""
        fence = self._fences.pop(session_id, None)
        if fence is not None:
            values = {"session": session_id, "fence": fence}
            await self._database.write(lambda project: project.execute(_FREE, **values))

    async def release_all(self) -> None:
        """Release all leases."""
        for session_id in [*self._fences]:
            await self.release(session_id)

    def holds(self, session_id: str) -> bool:
        """Tell whether this object has taken the lease of a session and not released it."""
        return session_id in self._fences

    async def refuse_fenced(self, project: SharedProject, session_id: str) -> None:
        """Raise Busy unless this process may write a session, inside the write's transaction."""
        row = await project.first_row(_HELD, session=session_id)
        if row is None:
            raise no_session(session_id)
        fence, holder = row
        own = self._fences.get(session_id)
        if own is not None and own != int(fence):
            raise busy(session_id, str(holder or "another machine"))
        if own is None and holder is not None:
            raise busy(session_id, str(holder))
