"""The store of one project in SQLite: its sessions, entries and pins, on disk or in memory."""

import asyncio
import json
import sqlite3
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, TypeVar

from plimsoll.context.log.entries import Entry, Said, text_length
from plimsoll.context.log.messages import clean
from plimsoll.context.log.serialization import decode, encode
from plimsoll.context.log.traits import NONE, Tools
from plimsoll.errors import InvalidInput, LogConflict, NotFound
from plimsoll.storage.base import BeforeRequest, Lease, Redactor, SessionRecord, WorkspacePin
from plimsoll.storage.database.in_memory import InMemoryDatabase
from plimsoll.storage.database.on_disk import Warn, open_project_database
from plimsoll.storage.database.units import Database
from plimsoll.storage.locate import ProjectPaths
from plimsoll.storage.locks.leases import FileLeases, ProcessLeases
from plimsoll.storage.locks.writers import Writers
from plimsoll.storage.memories.records import select_standing
from plimsoll.storage.memories.store import SqliteMemories
from plimsoll.storage.pins import SqlitePins, select_pins
from plimsoll.storage.recall import SqliteRecall, forget_session
from plimsoll.storage.spill import remove_folder
from plimsoll.storage.takeover import take_over

T = TypeVar("T")
_AT_ONCE, _CHARACTERS_AT_ONCE = 200, 100_000
"""Entries, and characters of them, coded on the event loop, in about 5 ms; more go to a thread."""
Body = tuple[str, str]
"""When an entry was made, and its JSON."""


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
        """``paths`` has the files beside the database; none: nothing outlives the process."""
        self.database = database
        self.pins = SqlitePins(database, redact)
        self.recall = SqliteRecall(database, redact)
        self.memories = SqliteMemories(database)
        self._paths = paths
        self._redact = redact
        self._tools = tools
        self._leases = ProcessLeases() if paths is None else FileLeases(paths)
        self.writers = Writers(paths)

    @classmethod
    def in_memory(cls, redact: Redactor, tools: Tools = NONE) -> "SqliteStore":
        """Make a store that forgets everything with its process."""
        return cls(InMemoryDatabase(), redact, None, tools=tools)

    async def create(self, record: SessionRecord, entries: Sequence[Entry] = ()) -> list[Entry]:
        """Store a new session with its first entries; raises LogConflict when the id is taken."""
        stored = self._without_secrets(record)
        bodies, kept = await self._coded(entries)
        await self.database.write(lambda db: insert_session(db, stored, bodies))
        return kept

    async def append(self, session_id: str, entries: Sequence[Entry], expected: int) -> list[Entry]:
        """Append to a log and return what it holds of it; the session counts as used now."""
        self.writers.refuse_elsewhere(session_id)
        bodies, kept = await self._coded(entries)
        await self.database.write(lambda db: append_bodies(db, session_id, bodies, expected))
        return kept

    async def entries(self, session_id: str, start: int = 0) -> list[Entry]:
        """Read the log from index ``start``."""
        bodies = await self.database.read(lambda db: select_bodies(db, session_id, start))
        return await self._decoded(bodies)

    async def find_said(self, session_id: str, words: Sequence[str]) -> list[Said]:
        """Read the messages of a log in whose stored form all of some words stand."""
        bodies = await self.database.read(lambda db: select_said(db, session_id, words))
        return [entry for entry in await self._decoded(bodies) if isinstance(entry, Said)]

    async def require_writable(self) -> None:
        """Commit a page with what stands on it already."""
        await self.database.write(rewrite_version)

    async def bodies(self, session_id: str) -> list[str]:
        """Read the log as it is stored, an entry a text."""
        return await self.database.read(lambda db: select_bodies(db, session_id, 0))

    async def before_request(
        self, session_id: str, start: int, memory_ids: Collection[str]
    ) -> BeforeRequest:
        """Read on one snapshot what the next request of a session depends on."""

        def unit(
            db: sqlite3.Connection,
        ) -> tuple[SessionRecord, list[str], list[WorkspacePin], frozenset[str]]:
            record, bodies = select_session(db, session_id), select_bodies(db, session_id, start)
            standing = select_standing(db, memory_ids) if memory_ids else frozenset[str]()
            return record, bodies, select_pins(db), standing

        record, bodies, pins, standing = await self.database.read(unit)
        entries = await self._decoded(bodies)
        return BeforeRequest(record=record, entries=entries, pins=pins, standing=standing)

    async def get(self, session_id: str) -> SessionRecord:
        """Read one session."""
        return await self.database.read(lambda db: select_session(db, session_id))

    async def sessions(self, limit: int | None = None) -> list[SessionRecord]:
        """Read all sessions, the one written to last first."""
        return await self.database.read(lambda db: select_sessions(db, limit))

    async def update(self, record: SessionRecord, known: SessionRecord) -> SessionRecord:
        """Replace the fields in which a session differs from what was known of it."""
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
            await self.database.write(lambda db: delete_session(db, session_id))
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
        if self._paths is None:
            raise InvalidInput(
                "This server keeps nothing beyond its process.",
                remedy="Start it with a store to take over what another folder had.",
            )
        await take_over(self.database, old, new, data)

    async def close(self) -> None:
        """Close the database and give back every lease."""
        self._leases.release_all()
        self.writers.keep_only(())
        await self.database.close()

    def _without_secrets(self, record: SessionRecord) -> SessionRecord:
        return replace(
            record,
            workspace=clean(record.workspace),
            title=self._redacted(record.title),
            preview=self._redacted(record.preview),
        )

    async def _coded(self, entries: Sequence[Entry]) -> tuple[list[Body], list[Entry]]:
        """Encode entries for the store and decode them again, as a later reading will give them."""

        def code() -> tuple[list[Body], list[Entry]]:
            bodies = [(entry.at, encode(entry, self._redacted)) for entry in entries]
            return bodies, [decode(body, self._tools) for _, body in bodies]

        return await _off_the_loop([*map(text_length, entries)], code)

    async def _decoded(self, bodies: Sequence[str]) -> list[Entry]:
        return await _off_the_loop(
            [*map(len, bodies)], lambda: [decode(body, self._tools) for body in bodies]
        )

    def _redacted(self, text: str) -> str:
        return self._redact(clean(text))


async def open_sqlite(
    paths: ProjectPaths, redact: Redactor, warn: Warn, *, tools: Tools = NONE
) -> SqliteStore:
    """Open the store in a project's folder; raises what ``open_project_database`` raises."""
    return SqliteStore(await open_project_database(paths.folder, warn), redact, paths, tools=tools)


async def _off_the_loop(lengths: Sequence[int], work: Callable[[], T]) -> T:
    """Run work on texts of these lengths on a thread when it would keep the event loop waiting."""
    few = len(lengths) <= _AT_ONCE and sum(lengths) <= _CHARACTERS_AT_ONCE
    return work() if few else await asyncio.to_thread(work)


_INSERT_SESSION = """
INSERT INTO sessions (id, workspace, title, mode, model, created_at, updated_at, turns, parent_id,
  preview)
VALUES (:id, :workspace, :title, :mode, :model, :created_at, :updated_at, :turns, :parent_id,
  :preview)
"""
_UPDATE_SESSION = """
UPDATE sessions SET workspace = :workspace, title = :title, mode = :mode, model = :model,
  created_at = :created_at, updated_at = :updated_at, turns = :turns, parent_id = :parent_id,
  preview = :preview
WHERE id = :id
"""
_SELECT_SESSION = """
SELECT id, workspace, title, mode, model, created_at, updated_at, turns, parent_id, preview
FROM sessions WHERE id = ?
"""
_SELECT_SESSIONS = """
SELECT id, workspace, title, mode, model, created_at, updated_at, turns, parent_id, preview
FROM sessions
ORDER BY
  (SELECT rowid FROM entries WHERE session = sessions.key ORDER BY place DESC LIMIT 1) DESC,
  key DESC
LIMIT ?
"""
"""Rows are numbered in the order in which they are written, whatever the clock says."""
_SELECT_WITH_WORDS = """
SELECT body FROM entries WHERE session = ? AND NOT EXISTS
  (SELECT 1 FROM json_each(?) WHERE instr(lower(body), value) = 0)
ORDER BY place
"""


def rewrite_version(connection: sqlite3.Connection) -> None:
    """Write the number of the schema as it stands."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    connection.execute(f"PRAGMA user_version = {version}")


def insert_session(
    connection: sqlite3.Connection, record: SessionRecord, bodies: Sequence[Body]
) -> None:
    """Store a new session with its entries; an id that is taken is a conflict."""
    if connection.execute("SELECT 1 FROM sessions WHERE id = ?", (record.id,)).fetchone():
        raise _session_exists(record.id)
    connection.execute(_INSERT_SESSION, asdict(record))
    _insert_bodies(connection, _key(connection, record.id), 0, bodies)


def append_bodies(
    connection: sqlite3.Connection, session_id: str, bodies: Sequence[Body], expected: int
) -> None:
    """Append to a log of ``expected`` entries."""
    key = _key(connection, session_id)
    length = _length(connection, key)
    if length != expected:
        raise _log_has_grown(session_id, expected, length)
    _insert_bodies(connection, key, length, bodies)
    if bodies:
        connection.execute(
            "UPDATE sessions SET updated_at = max(updated_at, ?) WHERE key = ?",
            (max(at for at, _ in bodies), key),
        )


def select_bodies(connection: sqlite3.Connection, session_id: str, start: int) -> list[str]:
    """Read the JSON of the entries from ``start``, in order."""
    key = _key(connection, session_id)
    rows = connection.execute(
        "SELECT body FROM entries WHERE session = ? AND place >= ? ORDER BY place", (key, start)
    )
    return [body for (body,) in rows]


def select_said(connection: sqlite3.Connection, session_id: str, words: Sequence[str]) -> list[str]:
    """Read the JSON of the entries in which all of some words stand, in order.

    SQLite folds the case of ASCII alone, and no ß: other words leave the choice to whoever asks.
    """
    key = _key(connection, session_id)
    plain = [word for word in words if word.isascii() and word.isalnum() and "ss" not in word]
    rows = connection.execute(_SELECT_WITH_WORDS, (key, json.dumps(plain)))
    return [body for (body,) in rows]


def select_session(connection: sqlite3.Connection, session_id: str) -> SessionRecord:
    """Read one session."""
    row = connection.execute(_SELECT_SESSION, (session_id,)).fetchone()
    if row is None:
        raise _no_session(session_id)
    return _record(row)


def _no_session(session_id: str) -> NotFound:
    return NotFound("session", session_id, remedy="List the sessions of the folder with their ids.")


def select_sessions(connection: sqlite3.Connection, limit: int | None) -> list[SessionRecord]:
    """Read the sessions written to last, the newest first; of empty ones the one created last."""
    rows = connection.execute(_SELECT_SESSIONS, (-1 if limit is None else limit,))
    return [_record(row) for row in rows]


def update_session(
    connection: sqlite3.Connection, record: SessionRecord, known: SessionRecord
) -> SessionRecord:
    """Replace the fields in which a session differs from what was known of it; return it whole."""
    before = asdict(known)
    changed = {name: value for name, value in asdict(record).items() if value != before[name]}
    stored = replace(select_session(connection, record.id), **changed)
    connection.execute(_UPDATE_SESSION, asdict(stored))
    return stored


def delete_session(connection: sqlite3.Connection, session_id: str) -> None:
    """Remove a session and, with it, its entries and what is recalled of it."""
    connection.execute("DELETE FROM sessions WHERE key = ?", (_key(connection, session_id),))
    forget_session(connection, session_id)


def _record(row: Sequence[Any]) -> SessionRecord:
    return SessionRecord(**dict(zip(SessionRecord.__slots__, row, strict=True)))


def _key(connection: sqlite3.Connection, session_id: str) -> int:
    row = connection.execute("SELECT key FROM sessions WHERE id = ?", (session_id,)).fetchone()
    if row is None:
        raise _no_session(session_id)
    return int(row[0])


def _length(connection: sqlite3.Connection, key: int) -> int:
    last = connection.execute(
        "SELECT max(place) FROM entries WHERE session = ?", (key,)
    ).fetchone()[0]
    return 0 if last is None else int(last) + 1


def _insert_bodies(
    connection: sqlite3.Connection, key: int, start: int, bodies: Sequence[Body]
) -> None:
    connection.executemany(
        "INSERT INTO entries (session, place, body) VALUES (?, ?, ?)",
        ((key, place, body) for place, (_, body) in enumerate(bodies, start)),
    )


def _log_has_grown(session_id: str, expected: int, length: int) -> LogConflict:
    """Make the error for a writer that has read an older state."""
    return LogConflict(
        f"The log of session {session_id!r} has {length} entries, not {expected}: "
        "another process has written to it.",
        remedy="Load the session again, or fork it.",
        data={"expected": expected, "length": length},
    )


def _session_exists(session_id: str) -> LogConflict:
    """Make the error for a new session with the id of another."""
    return LogConflict(
        f"There is a session {session_id!r} already.", remedy="Give the new session another id."
    )
