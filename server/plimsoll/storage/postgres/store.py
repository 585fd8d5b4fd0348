"""The store of a project that is shared, in PostgreSQL: its sessions, pins and memories."""

import os
from collections.abc import Sequence
from dataclasses import replace

from plimsoll.context.log.entries import Entry
from plimsoll.context.log.messages import clean
from plimsoll.context.log.serialization import decode, encode
from plimsoll.context.log.traits import NONE, Tools
from plimsoll.storage.base import Lease, Redactor, SessionRecord
from plimsoll.storage.postgres import sessions
from plimsoll.storage.postgres.leases import PostgresLeases
from plimsoll.storage.postgres.memories.store import PostgresMemories
from plimsoll.storage.postgres.pins import PostgresPins
from plimsoll.storage.postgres.projects import ProjectDatabase, SharedProject


class PostgresStore:
    """A ``SharedStore`` on an engine that other people and machines use too."""

    def __init__(
        self,
        database: ProjectDatabase,
        redact: Redactor,
        *,
        machine: str = "",
        tools: Tools = NONE,
    ) -> None:
        """``machine``: the name of this machine, shown to people while a session is in use."""
        self._database = database
        self._redact = redact
        self._tools = tools
        holder = " ".join(filter(None, (machine, f"pid {os.getpid()}")))
        self._leases = PostgresLeases(database, holder)
        self.pins = PostgresPins(database, redact)
        self.memories = PostgresMemories(database)

    async def create(self, record: SessionRecord, entries: Sequence[Entry] = ()) -> list[Entry]:
        """Store a new session with its first entries; raises LogConflict if the id is taken."""
        stored = self._without_secrets(record)
        bodies, kept = self._recode(entries)
        await self._database.write(lambda project: sessions.insert_session(project, stored, bodies))
        return kept

    async def append(self, session_id: str, entries: Sequence[Entry], expected: int) -> list[Entry]:
        """Append to a log and return the entries as stored; updates the session's last use."""
        bodies, kept = self._recode(entries)

        async def unit(project: SharedProject) -> None:
            await self._leases.refuse_fenced(project, session_id)
            await sessions.append_bodies(project, session_id, bodies, expected)

        await self._database.write(unit)
        return kept

    async def entries(self, session_id: str, start: int = 0) -> list[Entry]:
        """Read the log from index ``start``."""
        bodies = await self._database.read(
            lambda project: sessions.select_bodies(project, session_id, start)
        )
        return [decode(body, self._tools) for body in bodies]

    async def get(self, session_id: str) -> SessionRecord:
        """Read one session."""
        return await self._database.read(
            lambda project: sessions.select_session(project, session_id)
        )

    async def sessions(
        self, limit: int | None = None, *, agents: bool = False
    ) -> list[SessionRecord]:
        """Read all sessions, the most recently written first; with ``agents`` subagents' too."""
        return await self._database.read(
            lambda project: sessions.select_sessions(project, limit, agents=agents)
        )

    async def agents_of(self, session_id: str) -> list[SessionRecord]:
        """Read the sessions of a session's subagents."""
        return await self._database.read(
            lambda project: sessions.select_agents(project, session_id)
        )

    async def update(self, record: SessionRecord, known: SessionRecord) -> SessionRecord:
        """Update the fields of a session that differ from the known record."""
        new, old = self._without_secrets(record), self._without_secrets(known)

        async def unit(project: SharedProject) -> SessionRecord:
            await self._leases.refuse_fenced(project, record.id)
            return await sessions.update_session(project, new, old)

        return await self._database.write(unit)

    async def delete(self, session_id: str) -> None:
        """Delete a session with its entries; raises Busy while another machine holds it."""

        async def unit(project: SharedProject) -> None:
            await self._leases.refuse_fenced(project, session_id)
            await sessions.delete_session(project, session_id)

        await self._database.write(unit)

    async def acquire(self, session_id: str) -> Lease:
        """Take the session's lease."""
        return await self._leases.acquire(session_id)

    async def renew(self, session_id: str) -> bool:
        """Extend the session's lease; return whether this process still held it."""
        return await self._leases.renew(session_id)

    async def release(self, lease: Lease) -> None:
        """Release the lease."""
        await self._leases.release(lease.session_id)

    def holds(self, session_id: str) -> bool:
        """Tell whether the session's lease is held through this store."""
        return self._leases.holds(session_id)

    async def close(self) -> None:
        """Release every lease and close the connections."""
        await self._leases.release_all()
        await self._database.close()

    def _without_secrets(self, record: SessionRecord) -> SessionRecord:
        return replace(
            record,
            workspace=clean(record.workspace),
            title=self._redacted(record.title),
            preview=self._redacted(record.preview),
        )

    def _recode(self, entries: Sequence[Entry]) -> tuple[list[tuple[str, str]], list[Entry]]:
        """Encode entries for the store and decode them again, as reading will return them."""
        bodies = [(entry.at, encode(entry, self._redacted)) for entry in entries]
        return bodies, [decode(body, self._tools) for _, body in bodies]

    def _redacted(self, text: str) -> str:
        return self._redact(clean(text))
