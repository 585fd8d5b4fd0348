"""The store of one project in SQLite: in the database of its folder, or in memory."""

import asyncio
import sqlite3
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from plimsoll.context.log.entries import Entry
from plimsoll.context.log.messages import clean
from plimsoll.context.log.serialization import decode, encode
from plimsoll.errors import InvalidInput
from plimsoll.storage import session_rows as rows
from plimsoll.storage.base import BeforeRequest, Lease, Redactor, SessionRecord, WorkspacePin
from plimsoll.storage.database.base import Database
from plimsoll.storage.database.in_memory import InMemoryDatabase
from plimsoll.storage.database.on_disk import Warn, open_project_database
from plimsoll.storage.leases import FileLeases, ProcessLeases
from plimsoll.storage.locate import ProjectPlace
from plimsoll.storage.memories.records import select_standing
from plimsoll.storage.memories.store import SqliteMemories
from plimsoll.storage.pins import SqlitePins, select_pins
from plimsoll.storage.recall import SqliteRecall
from plimsoll.storage.spill import remove_folder
from plimsoll.storage.takeover import take_over

T = TypeVar("T")

_AT_ONCE = 200
"""Entries coded on the event loop, in about 5 ms; more go to a thread."""


class SqliteStore:
    """A ``ProjectStore`` in a database."""

    def __init__(self, database: Database, redact: Redactor, place: ProjectPlace | None) -> None:
        """``place`` has the files beside the database; none: nothing outlives the process."""
        self.database = database
        self.pins = SqlitePins(database, redact)
        self.recall = SqliteRecall(database, redact)
        self.memories = SqliteMemories(database)
        self._place = place
        self._redact = redact
        self._leases = ProcessLeases() if place is None else FileLeases(place)

    @classmethod
    def in_memory(cls, redact: Redactor) -> "SqliteStore":
        """Make a store that forgets everything with its process."""
        return cls(InMemoryDatabase(), redact, None)

    async def create(self, record: SessionRecord, entries: Sequence[Entry] = ()) -> list[Entry]:
        """Store a new session with its first entries; raises LogConflict when the id is taken."""
        stored = self._without_secrets(record)
        bodies, kept = await self._coded(entries)
        await self.database.write(lambda db: rows.insert_session(db, stored, bodies))
        return kept

    async def append(self, session_id: str, entries: Sequence[Entry], expected: int) -> list[Entry]:
        """Append to a log and return what it holds of it; the session counts as used now."""
        bodies, kept = await self._coded(entries)
        await self.database.write(lambda db: rows.append_bodies(db, session_id, bodies, expected))
        return kept

    async def entries(self, session_id: str, start: int = 0) -> list[Entry]:
        """Read the log from index ``start``."""
        bodies = await self.database.read(lambda db: rows.select_bodies(db, session_id, start))
        return await _decoded(bodies)

    async def before_request(
        self, session_id: str, start: int, memory_ids: Collection[str]
    ) -> BeforeRequest:
        """Read on one snapshot what the next request of a session depends on."""

        def unit(db: sqlite3.Connection) -> tuple[list[str], list[WorkspacePin], frozenset[str]]:
            bodies = rows.select_bodies(db, session_id, start)
            return bodies, select_pins(db), select_standing(db, memory_ids)

        bodies, pins, standing = await self.database.read(unit)
        return BeforeRequest(await _decoded(bodies), pins, standing)

    async def get(self, session_id: str) -> SessionRecord:
        """Read one session."""
        return await self.database.read(lambda db: rows.select_session(db, session_id))

    async def sessions(self, limit: int | None = None) -> list[SessionRecord]:
        """Read all sessions, the one used last first."""
        return await self.database.read(lambda db: rows.select_sessions(db, limit))

    async def update(self, record: SessionRecord) -> None:
        """Replace what is known of a session beside its log."""
        stored = self._without_secrets(record)
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
            if self._place is not None:
                remove_folder(self._place.session(session_id))
            self.database.remove_backups()
            await self.database.write(lambda db: rows.delete_session(db, session_id))
        finally:
            if lease is not None:
                self._leases.release(lease)
        await self.database.scrub()

    async def acquire(self, session_id: str) -> Lease:
        """Take the session's lease."""
        await self.get(session_id)
        return self._leases.acquire(session_id)

    async def release(self, lease: Lease) -> None:
        """Give the lease back."""
        self._leases.release(lease)

    def holds(self, session_id: str) -> bool:
        """Tell whether the session's lease is held through this store."""
        return self._leases.holds(session_id)

    async def take_over(self, old: Path, new: Path, data: Path) -> None:
        """Take over into this store, of folder ``new``, what is stored of one that was moved."""
        if self._place is None:
            raise InvalidInput(
                "This server keeps nothing beyond its process.",
                remedy="Start it with a store to take over what another folder had.",
            )
        await take_over(self.database, old, new, data)

    async def close(self) -> None:
        """Close the database and give back every lease."""
        self._leases.release_all()
        await self.database.close()

    def _without_secrets(self, record: SessionRecord) -> SessionRecord:
        return replace(
            record,
            workspace=clean(record.workspace),
            title=self._redacted(record.title),
            preview=self._redacted(record.preview),
        )

    async def _coded(self, entries: Sequence[Entry]) -> tuple[list[rows.Body], list[Entry]]:
        """Encode entries for the store and decode them again, as a later reading will give them."""

        def code() -> tuple[list[rows.Body], list[Entry]]:
            bodies = [(entry.at, encode(entry, self._redacted)) for entry in entries]
            return bodies, [decode(body) for _, body in bodies]

        return await _off_the_loop(len(entries), code)

    def _redacted(self, text: str) -> str:
        return self._redact(clean(text))


async def open_sqlite(place: ProjectPlace, redact: Redactor, warn: Warn) -> SqliteStore:
    """Open the store in a project's folder; raises what ``open_project_database`` raises."""
    return SqliteStore(await open_project_database(place.folder, warn), redact, place)


async def _decoded(bodies: Sequence[str]) -> list[Entry]:
    return await _off_the_loop(len(bodies), lambda: [decode(body) for body in bodies])


async def _off_the_loop(count: int, work: Callable[[], T]) -> T:
    """Run work on ``count`` entries on a thread when it would keep the event loop waiting."""
    return work() if count <= _AT_ONCE else await asyncio.to_thread(work)
