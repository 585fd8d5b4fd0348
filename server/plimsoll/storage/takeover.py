"""Moves what is stored of a folder's old path to its new one, only when a person asks.

File systems reuse the ids of folders, so an id only suggests. The old store is copied in one
transaction and removed afterwards: a crash between leaves both, and a repetition only removes the
old one.
"""

import asyncio
import contextlib
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from plimsoll.errors import InvalidInput, NotFound
from plimsoll.memory.types import SEARCHED, Memory, MemorySource, MemoryState
from plimsoll.private_files import unavailable
from plimsoll.storage.base import Exchange
from plimsoll.storage.database.opening import connect_read_only, open_database
from plimsoll.storage.database.units import Database, finish
from plimsoll.storage.locate import DATABASE_FILE, ProjectPaths, paths_of
from plimsoll.storage.locks.stores import FairLock, keep_others_out
from plimsoll.storage.memories.applying import read_keys
from plimsoll.storage.memories.index import add_to_index, refresh_around
from plimsoll.storage.memories.records import select_memories, store_memory
from plimsoll.storage.recall import replace_exchanges, select_last_exchange
from plimsoll.storage.replica.moving import copy_team, goes_along, moved_memory
from plimsoll.storage.spill import remove_folder

_TURN_SECONDS = 5.0

_NEW_SESSIONS = """
INSERT INTO sessions (id, workspace, title, mode, model, created_at, updated_at, turns, parent_id,
  preview)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
"""
_OLD_SESSIONS = """
SELECT id, workspace, title, mode, model, created_at, updated_at, turns, parent_id, preview
FROM sessions
ORDER BY (SELECT rowid FROM entries WHERE session = sessions.key ORDER BY place DESC LIMIT 1), key
"""
_OLD_AGENT = """
SELECT agents.kind, agents.depth FROM agents JOIN sessions ON sessions.key = agents.session
WHERE sessions.id = ?
"""
_OLD_ADDRESSES = """
SELECT place, address, machine FROM session_addresses
JOIN sessions ON sessions.key = session_addresses.session WHERE sessions.id = ?
"""
_OLD_ENTRIES = """
SELECT entries.place, entries.body FROM entries JOIN sessions ON sessions.key = entries.session
WHERE sessions.id = ? ORDER BY entries.place
"""
_OLD_PINS = """
SELECT id, at, text, author_name FROM workspace_pins LEFT JOIN pin_sharing ON pin = number
ORDER BY number
"""
_OLD_EXCHANGES = """
SELECT place, at, asked, concluded FROM exchanges WHERE session_id = ? ORDER BY place
"""
_OLD_EVENTS = """
SELECT at, memory_id, action, author, reason, fingerprint FROM memory_events ORDER BY key
"""
_NEW_EVENT = """
INSERT INTO memory_events (at, memory_id, action, author, reason, fingerprint)
SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE NOT EXISTS
  (SELECT 1 FROM memory_events WHERE at = ?1 AND memory_id = ?2 AND action = ?3)
"""


@dataclass(frozen=True, slots=True)
class FolderMove:
    """A folder's old and new path, as URIs."""

    old: str
    new: str

    def of(self, uri: str) -> str:
        """Map a URI in the old folder to the one in the new folder."""
        inside = uri == self.old or uri.startswith(f"{self.old}/")
        return self.new + uri[len(self.old) :] if inside else uri


async def take_over(database: Database, old: Path, new: Path, data: Path) -> None:
    """Move the sessions, pins and memories of path ``old`` into the store of path ``new``.

    Raises:
        Busy: A process has the old store open.
        InvalidInput: There still is a folder at the old path, which keeps what it has.
        NotFound: Nothing is stored of the old path.
        StoreError: One of the stores cannot be used.
    """
    source, move = await asyncio.to_thread(_plan, old, new, data)
    with keep_others_out(source.folder):
        await database.write(partial(_copy, source.folder, move))
        await finish(asyncio.ensure_future(asyncio.to_thread(_clear, source, paths_of(new, data))))


def _plan(old: Path, new: Path, data: Path) -> tuple[ProjectPaths, FolderMove]:
    source = paths_of(old, data)
    if old.exists():
        raise InvalidInput(
            f"There still is a folder {str(old)!r}: it keeps what is stored of it.",
            remedy="Only a folder that is gone from its old path can be linked.",
        )
    if not (source.folder / DATABASE_FILE).is_file():
        raise NotFound("project", str(old), remedy="Give the path at which the folder was before.")
    return source, FolderMove(old.resolve().as_uri(), new.resolve().as_uri())


def _clear(source: ProjectPaths, paths: ProjectPaths) -> None:
    """Move the folders of sessions with their spill files, then remove the old store."""
    try:
        for folder in source.sessions.iterdir() if source.sessions.is_dir() else ():
            if not (paths.sessions / folder.name).exists():
                folder.rename(paths.sessions / folder.name)
    except OSError as error:
        raise unavailable("take over", source.sessions, error) from error
    remove_folder(source.folder)


def _copy(folder: Path, move: FolderMove, connection: sqlite3.Connection) -> None:
    with FairLock(folder).hold(_TURN_SECONDS):
        open_database(folder).close()
    with contextlib.closing(connect_read_only(folder / DATABASE_FILE)) as old:
        along = goes_along(old, connection)
        _copy_sessions(old, connection, move)
        _copy_pins(old, connection, along=along)
        connection.executemany(
            "INSERT OR IGNORE INTO skills_off VALUES (?, ?)",
            old.execute("SELECT name, at FROM skills_off"),
        )
        _copy_recall(old, connection)
        moved = _moved_memories(old, move, along=along)
        _copy_memories(moved, connection)
        _copy_history(old, connection)
        if along:
            copy_team(old, connection)


def _copy_sessions(old: sqlite3.Connection, new: sqlite3.Connection, move: FolderMove) -> None:
    for name, workspace, *fields in old.execute(_OLD_SESSIONS):
        inserted = new.execute(_NEW_SESSIONS, (name, move.of(workspace), *fields))
        if inserted.rowcount:
            key = inserted.lastrowid
            new.executemany(
                "INSERT INTO entries (session, place, body) VALUES (?, ?, ?)",
                ((key, place, body) for place, body in old.execute(_OLD_ENTRIES, (name,))),
            )
            new.executemany(
                "INSERT INTO agents (session, kind, depth) VALUES (?, ?, ?)",
                ((key, *agent) for agent in old.execute(_OLD_AGENT, (name,))),
            )
            new.executemany(
                "INSERT INTO session_addresses VALUES (?, ?, ?, ?)",
                ((key, *held) for held in old.execute(_OLD_ADDRESSES, (name,))),
            )


def _copy_pins(old: sqlite3.Connection, new: sqlite3.Connection, *, along: bool) -> None:
    """Copy the pins of the folder under new numbers, as no number is ever reused."""
    for name, at, text, author_name in old.execute(_OLD_PINS):
        if author_name is not None and not along:
            continue
        if not new.execute("SELECT 1 FROM workspace_pins WHERE id = ?", (name,)).fetchone():
            new.execute(
                "INSERT INTO workspace_pins (id, at, text) VALUES (?, ?, ?)", (name, at, text)
            )


def _copy_recall(old: sqlite3.Connection, new: sqlite3.Connection) -> None:
    for (session,) in old.execute("SELECT DISTINCT session_id FROM exchanges"):
        if select_last_exchange(new, session) is None:
            found = (Exchange(*row) for row in old.execute(_OLD_EXCHANGES, (session,)))
            replace_exchanges(new, session, 0, tuple(found))


def _moved_memories(old: sqlite3.Connection, move: FolderMove, *, along: bool) -> Iterator[Memory]:
    for memory in reversed(select_memories(old, frozenset(MemoryState))):
        moved = moved_memory(memory, along=along)
        if moved is not None:
            yield _move_source(moved, move)


def _copy_memories(memories: Iterable[Memory], new: sqlite3.Connection) -> None:
    keys = read_keys(new)
    for moved in memories:
        if new.execute("SELECT 1 FROM memories WHERE id = ?", (moved.id,)).fetchone():
            continue
        row = store_memory(new, moved, keys.of(moved))
        if moved.state in SEARCHED:
            add_to_index(new, row, moved)
            refresh_around(new, row, moved)


def _copy_history(old: sqlite3.Connection, new: sqlite3.Connection) -> None:
    """Copy events, tombstones with the key of their fingerprints, and cursors."""
    for (key,) in old.execute("SELECT value FROM memory_key ORDER BY rowid"):
        if not new.execute("SELECT 1 FROM memory_key WHERE value = ?", (key,)).fetchone():
            new.execute("INSERT INTO memory_key VALUES (?)", (key,))
    new.executemany(_NEW_EVENT, old.execute(_OLD_EVENTS))
    new.executemany(
        "INSERT OR IGNORE INTO memory_tombstones VALUES (?, ?, ?)",
        old.execute("SELECT fingerprint, memory_id, at FROM memory_tombstones"),
    )
    new.executemany(
        "INSERT OR IGNORE INTO memory_cursors VALUES (?, ?, ?)",
        old.execute("SELECT session_id, message_id, count FROM memory_cursors"),
    )


def _move_source(memory: Memory, move: FolderMove) -> Memory:
    source = memory.source
    if source is None or source.uri is None:
        return memory
    at = MemorySource(source.session_id, source.message_id, move.of(source.uri), source.sha256)
    return replace(memory, source=at)
