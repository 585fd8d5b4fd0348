"""The sessions of one project in a SQLite database."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from plimsoll.context.entries import Entry
from plimsoll.context.serialization import decode
from plimsoll.storage import rows
from plimsoll.storage.base import Lease, Redactor, SessionRecord
from plimsoll.storage.database import Database, Warn, open_project_database
from plimsoll.storage.door import Body, bodies_of, without_secrets
from plimsoll.storage.leases import Leases
from plimsoll.storage.locate import ProjectPlace
from plimsoll.storage.opening import remove_backups
from plimsoll.storage.pins import SqlitePins
from plimsoll.storage.recall import SqliteRecall
from plimsoll.storage.spill import remove_folder

T = TypeVar("T")

_AT_ONCE = 200
"""Entries coded on the event loop, in about 5 ms; more go to a thread."""


class SqliteStore:
    """A ``ProjectStore`` in the database of a project's folder."""

    def __init__(self, database: Database, place: ProjectPlace, redact: Redactor) -> None:
        self.database = database
        """For other stores of the same project."""
        self.pins = SqlitePins(database, redact)
        self.recall = SqliteRecall(database, redact)
        self._place = place
        self._redact = redact
        self._leases = Leases()

    async def create(self, record: SessionRecord, entries: Sequence[Entry] = ()) -> None:
        """Store a new session with its first entries; raises LogConflict when the id is taken."""
        stored = without_secrets(record, self._redact)
        bodies = await self._bodies(entries)
        await self.database.write(lambda db: rows.insert_session(db, stored, bodies))

    async def append(self, session_id: str, entries: Sequence[Entry], expected: int) -> int:
        """Append to a log and return its new length; the session counts as used now."""
        bodies = await self._bodies(entries)
        return await self.database.write(
            lambda db: rows.append_bodies(db, session_id, bodies, expected)
        )

    async def entries(self, session_id: str, start: int = 0) -> list[Entry]:
        """The log from index ``start``."""
        bodies = await self.database.read(lambda db: rows.select_bodies(db, session_id, start))
        return await _coded(len(bodies), lambda: [decode(body) for body in bodies])

    async def get(self, session_id: str) -> SessionRecord:
        """One session."""
        return await self.database.read(lambda db: rows.select_session(db, session_id))

    async def sessions(self, limit: int | None = None) -> list[SessionRecord]:
        """All sessions, the one used last first."""
        return await self.database.read(lambda db: rows.select_sessions(db, limit))

    async def update(self, record: SessionRecord) -> None:
        """Replace what is known of a session beside its log."""
        stored = without_secrets(record, self._redact)
        await self.database.write(lambda db: rows.update_session(db, stored))

    async def delete(self, session_id: str) -> None:
        """Delete a session with its entries, spill files, and the backups that hold them.

        Raises:
            Busy: Another process holds the session's lease.
        """
        await self.get(session_id)
        lease = None if self._leases.holds(session_id) else await self.acquire(session_id)
        try:
            # Files first: after a crash in between the session is still there to be deleted.
            remove_folder(self._place.session(session_id))
            remove_backups(self._place.folder)
            await self.database.write(lambda db: rows.delete_session(db, session_id))
        finally:
            if lease is not None:
                self._leases.release(lease)
        await self.database.scrub()

    async def acquire(self, session_id: str) -> Lease:
        """Take the session's lease."""
        await self.get(session_id)
        return self._leases.acquire(session_id, self._place.session(session_id))

    async def release(self, lease: Lease) -> None:
        """Give the lease back."""
        self._leases.release(lease)

    def holds(self, session_id: str) -> bool:
        """Whether the session's lease is held through this store."""
        return self._leases.holds(session_id)

    async def close(self) -> None:
        """Close the file, end the worker thread, and give back every lease."""
        self._leases.release_all()
        await self.database.close()

    async def _bodies(self, entries: Sequence[Entry]) -> list[Body]:
        return await _coded(len(entries), partial(bodies_of, entries, self._redact))


async def open_sqlite(place: ProjectPlace, redact: Redactor, warn: Warn) -> SqliteStore:
    """Open the store in a project's folder; raises what ``open_project_database`` raises."""
    return SqliteStore(await open_project_database(place.folder, warn), place, redact)


async def _coded(count: int, work: Callable[[], T]) -> T:
    return work() if count <= _AT_ONCE else await asyncio.to_thread(work)
