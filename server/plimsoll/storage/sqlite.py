"""The store of one project in SQLite, on disk or in memory."""

import asyncio
import sqlite3
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from plimsoll.context.log.entries import Entry, text_length
from plimsoll.context.log.messages import clean
from plimsoll.context.log.serialization import decode, encode
from plimsoll.context.log.traits import NONE, Tools
from plimsoll.errors import InvalidInput
from plimsoll.storage.base import Lease, Redactor, SessionRecord
from plimsoll.storage.chosen.base import WorkspacePin
from plimsoll.storage.chosen.permissions import SqlitePermissions
from plimsoll.storage.chosen.pins import SqlitePins, select_pins
from plimsoll.storage.chosen.skills import SqliteSkillSwitches
from plimsoll.storage.database.in_memory import InMemoryDatabase
from plimsoll.storage.database.on_disk import Warn, open_project_database
from plimsoll.storage.database.units import Database
from plimsoll.storage.locate import ProjectPaths
from plimsoll.storage.locks.leases import FileLeases, ProcessLeases
from plimsoll.storage.locks.writers import Writers
from plimsoll.storage.memories.records import select_standing
from plimsoll.storage.memories.store import SqliteMemories
from plimsoll.storage.project import BeforeRequest
from plimsoll.storage.recall import SqliteRecall
from plimsoll.storage.replica.sessions import SqliteSessionCopies, delete_there
from plimsoll.storage.replica.store import SqliteReplica
from plimsoll.storage.said.store import SqliteSaid
from plimsoll.storage.sessions import (
    Body,
    append_bodies,
    delete_session,
    insert_session,
    select_agents,
    select_bodies,
    select_session,
    select_sessions,
    update_session,
)
from plimsoll.storage.spill import remove_folder
from plimsoll.storage.takeover import take_over

T = TypeVar("T")
_AT_ONCE, _CHARACTERS_AT_ONCE = 200, 100_000
"""Entries and characters that are coded on the event loop, in about 5 ms; more go to a thread."""


class SqliteStore:
    """A ``ProjectStore`` in a database."""

    def __init__(
        self,
        database: Database,
        redact: Redactor,
        paths: ProjectPaths | None,
        *,
        tools: Tools = NONE,
    ) -> None:
        """``paths`` has the files beside the database; None: the store ends with the process."""
        self.database = database
        self.pins = SqlitePins(database, redact)
        self.skills = SqliteSkillSwitches(database)
        self.permissions = SqlitePermissions(database)
        self.recall = SqliteRecall(database, redact)
        self.said = SqliteSaid(database, tools)
        self.memories = SqliteMemories(database)
        self.replica = SqliteReplica(database, redact)
        self.session_copies = SqliteSessionCopies(database, redact)
        self._paths = paths
        self._redact = redact
        self._tools = tools
        self._leases = ProcessLeases() if paths is None else FileLeases(paths)
        self.writers = Writers(paths)

    @classmethod
    def in_memory(cls, redact: Redactor, tools: Tools = NONE) -> "SqliteStore":
        """Create a store in memory."""
        return cls(InMemoryDatabase(), redact, None, tools=tools)

    async def create(self, record: SessionRecord, entries: Sequence[Entry] = ()) -> list[Entry]:
        """Store a new session with its first entries; raises LogConflict if the id is taken."""
        stored = self._without_secrets(record)
        bodies, kept = await self._encode_entries(entries)
        await self.database.write(lambda db: insert_session(db, stored, bodies))
        return kept

    async def append(self, session_id: str, entries: Sequence[Entry], expected: int) -> list[Entry]:
        """Append to a log and return the entries as stored; updates the session's last use."""
        self.writers.refuse_elsewhere(session_id)
        bodies, kept = await self._encode_entries(entries)
        await self.database.write(lambda db: append_bodies(db, session_id, bodies, expected))
        return kept

    async def entries(self, session_id: str, start: int = 0) -> list[Entry]:
        """Read the log from index ``start``."""
        bodies = await self.database.read(lambda db: select_bodies(db, session_id, start))
        return await self._decode_entries(bodies)

    async def require_writable(self) -> None:
        """Check that the store can be written by committing a page unchanged."""
        await self.database.write(rewrite_version)

    async def bodies(self, session_id: str) -> list[str]:
        """Read the log as stored texts, one for each entry."""
        return await self.database.read(lambda db: select_bodies(db, session_id, 0))

    async def before_request(
        self, session_id: str, start: int, memory_ids: Collection[str]
    ) -> BeforeRequest:
        """Read in one snapshot the record, log, pins and memories for a session's next request."""

        def unit(
            db: sqlite3.Connection,
        ) -> tuple[SessionRecord, list[str], list[WorkspacePin], frozenset[str]]:
            record, bodies = select_session(db, session_id), select_bodies(db, session_id, start)
            standing = select_standing(db, memory_ids) if memory_ids else frozenset[str]()
            return record, bodies, select_pins(db), standing

        record, bodies, pins, standing = await self.database.read(unit)
        entries = await self._decode_entries(bodies)
        return BeforeRequest(record=record, entries=entries, pins=pins, standing=standing)

    async def get(self, session_id: str) -> SessionRecord:
        """Read one session."""
        return await self.database.read(lambda db: select_session(db, session_id))

    async def sessions(
        self, limit: int | None = None, *, agents: bool = False
    ) -> list[SessionRecord]:
        """Read all sessions, the most recently written first; with ``agents`` subagents' too."""
        return await self.database.read(lambda db: select_sessions(db, limit, agents=agents))

    async def agents_of(self, session_id: str) -> list[SessionRecord]:
        """Read the sessions of a session's subagents."""
        return await self.database.read(lambda db: select_agents(db, session_id))

    async def update(self, record: SessionRecord, known: SessionRecord) -> SessionRecord:
        """Update the fields of a session that differ from the known record."""
        self.writers.refuse_elsewhere(record.id)
        new, old = self._without_secrets(record), self._without_secrets(known)
        return await self.database.write(lambda db: update_session(db, new, old))

    async def delete(self, session_id: str) -> None:
        """Delete a session with its entries, spill files, and the backups that hold them.

        Raises:
            Busy: Another process writes the session, or holds its lease.
        """
        await self.get(session_id)
        self.writers.refuse_elsewhere(session_id)
        lease = None if self._leases.holds(session_id) else await self.acquire(session_id)
        try:
            # Files first: after a crash in between the session is still there to be deleted.
            if self._paths is not None:
                remove_folder(self._paths.session(session_id))
            self.database.remove_backups()
            await self.database.write(partial(_delete, session_id))
        finally:
            if lease is not None:
                self._leases.release(lease)
        await self.database.scrub()

    async def acquire(self, session_id: str) -> Lease:
        """Take the session's lease."""
        await self.get(session_id)
        return self._leases.acquire(session_id)

    async def release(self, lease: Lease) -> None:
        """Release the lease."""
        self._leases.release(lease)

    def holds(self, session_id: str) -> bool:
        """Tell whether the session's lease is held through this store."""
        return self._leases.holds(session_id)

    async def take_over(self, old: Path, new: Path, data: Path) -> None:
        """Move the sessions, pins and memories of a folder's old path into this store."""
        if self._paths is None:
            raise InvalidInput(
                "This server keeps nothing beyond its process.",
                remedy="Start it with a store to take over what another folder had.",
            )
        await take_over(self.database, old, new, data)

    async def close(self) -> None:
        """Close the database and release every lease."""
        self._leases.release_all()
        self.writers.keep_only(())
        await self.said.close()
        await self.database.close()

    def _without_secrets(self, record: SessionRecord) -> SessionRecord:
        return replace(
            record,
            workspace=clean(record.workspace),
            title=self._redact_text(record.title),
            preview=self._redact_text(record.preview),
        )

    async def _encode_entries(self, entries: Sequence[Entry]) -> tuple[list[Body], list[Entry]]:
        """Encode entries for the store and decode them again, as reading will return them."""

        def code() -> tuple[list[Body], list[Entry]]:
            bodies = [(entry.at, encode(entry, self._redact_text)) for entry in entries]
            return bodies, [decode(body, self._tools) for _, body in bodies]

        return await _off_the_loop([*map(text_length, entries)], code)

    async def _decode_entries(self, bodies: Sequence[str]) -> list[Entry]:
        return await _off_the_loop(
            [*map(len, bodies)], lambda: [decode(body, self._tools) for body in bodies]
        )

    def _redact_text(self, text: str) -> str:
        return self._redact(clean(text))


def _delete(session_id: str, connection: sqlite3.Connection) -> None:
    delete_session(connection, session_id)
    delete_there(connection, session_id)


async def open_sqlite(
    paths: ProjectPaths, redact: Redactor, warn: Warn, *, tools: Tools = NONE
) -> SqliteStore:
    """Open the store in a project's folder; raises what ``open_project_database`` raises."""
    return SqliteStore(await open_project_database(paths.folder, warn), redact, paths, tools=tools)


async def _off_the_loop(lengths: Sequence[int], work: Callable[[], T]) -> T:
    """Run ``work``, on a thread if texts of these lengths would make it block the event loop."""
    few = len(lengths) <= _AT_ONCE and sum(lengths) <= _CHARACTERS_AT_ONCE
    return work() if few else await asyncio.to_thread(work)


def rewrite_version(connection: sqlite3.Connection) -> None:
    """Write the schema's version number unchanged."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    connection.execute(f"PRAGMA user_version = {version}")
