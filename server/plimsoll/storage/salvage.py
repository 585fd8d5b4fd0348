"""Copies what is readable of a damaged store into a new one, only when a person asks.

The rows are read page by page, without SQLite, and recognised by their columns, so that neither a
lost schema nor a bad page hides any. The damaged file is kept under another name, byte for byte.
"""

import contextlib
import os
import secrets
import shutil
import sqlite3
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from plimsoll.context.log.serialization import decode
from plimsoll.errors import InvalidInput, LogInvalid, StoreError, StoreNewer
from plimsoll.memory.types import MemoryScope, MemoryState, Trust
from plimsoll.private_files import private_folder, sync_folder, unavailable
from plimsoll.storage.database.failures import is_in_use, translate
from plimsoll.storage.database.journal import Journal
from plimsoll.storage.database.opening import look_at_database, open_database
from plimsoll.storage.database.pages import PagedFile, Row, Value
from plimsoll.storage.locate import DATABASE_FILE
from plimsoll.storage.locks.stores import FairLock, keep_others_out
from plimsoll.storage.salvaged_tables import (
    ADDED,
    INDEXED,
    INSERTS,
    NEW_ENTRY,
    NEW_SESSION,
    SHAPES,
    SHARED_PINS,
    Shape,
)
from plimsoll.storage.spill import remove_folder
from plimsoll.text.wording import plural

DAMAGED_FOLDER = "damaged"
_BUILDING = ".salvage-"
_INDEX = f"{DATABASE_FILE}-shm"
"""The index of a write-ahead log, which has no rows."""
_FILES = (DATABASE_FILE, _INDEX, f"{DATABASE_FILE}-wal", f"{DATABASE_FILE}-journal")
_TURN_SECONDS = 10.0
_ABSURD_VERSION = 10_000
"""A store's version from which the number itself must be damaged."""
_ROLLBACK_FORMAT = b"\1\1"
"""In the header of a database that was used without a write-ahead log."""
_SHARED = {"memory_sharing": "memories", "pin_sharing": "workspace_pins"}
"""The table whose rows each says the sharing of."""
_TRUST, _SCOPE = 7, 25
"""Places of columns of a memory."""
_STATES = frozenset(state.value for state in MemoryState)
_HIGHEST_PIN = """
INSERT INTO sqlite_sequence
SELECT 'workspace_pins', max(?, (SELECT coalesce(max(number), 0) FROM workspace_pins))
"""
_MODEL = "embedded/search"

_MADE_UP = "A session whose title could not be read"
_MARKED = "{title} (salvaged: {missing} missing)"
_REBUILD = (
    """
INSERT INTO memory_texts (rowid, title, content, context, names)
SELECT key, title, content, context, names FROM memories WHERE state IN ('active', 'stale')
""",
    """
INSERT INTO exchange_texts (rowid, asked, concluded, names)
SELECT key, asked, concluded, names FROM exchanges WHERE asked != ''
""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Salvaged:
    """Counts of the sessions, memories and pins saved, and the new path of the damaged file."""

    sessions: int
    entries: int
    missing: int
    """How many entries are missing between others."""
    memories: int
    pins: int
    damaged: Path
    left_team: str | None = None
    """The project of a team that the folder took part in: it does not any more."""


@dataclass(slots=True)
class _Found:
    """The rows read from a damaged store, by table and key; the first read of a key counts."""

    rows: dict[str, dict[object, Row]] = field(default_factory=dict[str, dict[object, Row]])

    def of(self, table: str) -> dict[object, Row]:
        return self.rows.setdefault(table, {})


def salvage(folder: Path) -> Salvaged:
    """Copy the readable rows of the damaged store in a project's folder into a new store.

    Raises:
        Busy: A process has the store open.
        InvalidInput: There is no store, it is whole, or nothing in it can be read.
        StoreNewer: A newer version wrote it.
        StoreUnavailable: The new store cannot be written.
    """
    _require_rows(folder)
    try:
        with keep_others_out(folder), FairLock(folder).hold(_TURN_SECONDS):
            return _salvage(folder)
    except OSError as error:
        raise unavailable("salvage", folder, error) from error


def check_store(folder: Path) -> bool:
    """Check the store in a project's folder as opening it does, changing nothing.

    False: it is too large to be checked here.

    Raises:
        StoreError: It could not be opened, or another process keeps it locked.
    """
    with FairLock(folder).hold(_TURN_SECONDS):
        return look_at_database(folder)


def require_damage(folder: Path) -> None:
    """Check that a store is damaged, before those that have it open close it.

    Raises:
        InvalidInput: There is no store, or it is whole.
        StoreNewer: A newer version wrote it.
    """
    _require_rows(folder)
    with FairLock(folder).hold(_TURN_SECONDS):
        _refuse_whole(folder)


def _salvage(folder: Path) -> Salvaged:
    _refuse_whole(folder)
    path = folder / DATABASE_FILE
    found = _read_rows(path)
    team = next((str(row.values[1]) for row in found.of("team").values()), None)
    _leave_out_colleagues(found)
    if not any(found.of(name) for name in ("sessions", "entries", "memories", "workspace_pins")):
        raise InvalidInput(
            f"Nothing in {path} can be read. It was left exactly as it is.",
            remedy="Move the file away to start with an empty store.",
        )
    for left_over in folder.glob(f"{_BUILDING}*"):
        # Of a crash.
        remove_folder(left_over)
    building = private_folder(folder / f"{_BUILDING}{secrets.token_hex(8)}")
    try:
        with contextlib.closing(open_database(building, journal=_journal(path))) as connection:
            missing = _write(connection, found)
        kept = _rename_damaged(folder)
        (building / DATABASE_FILE).replace(path)
        sync_folder(folder)
    except sqlite3.Error as error:
        raise translate(error, building / DATABASE_FILE) from error
    finally:
        remove_folder(building)
    return Salvaged(
        sessions=len({key for key, _ in _places(found)} | set(found.of("sessions"))),
        entries=len(found.of("entries")),
        missing=missing,
        memories=len(found.of("memories")),
        pins=len(found.of("workspace_pins")),
        damaged=kept,
        left_team=team,
    )


def _files(folder: Path) -> list[Path]:
    """List the existing files of a database; the database itself can be missing."""
    return [folder / name for name in _FILES if (folder / name).is_file()]


def _require_rows(folder: Path) -> None:
    held = (file.stat().st_size for file in _files(folder) if file.name != _INDEX)
    if (folder / DATABASE_FILE).is_symlink() or not any(held):
        raise InvalidInput(
            f"There is no store in {folder}.", remedy="Name the folder that you work in."
        )


def _refuse_whole(folder: Path) -> None:
    path = folder / DATABASE_FILE
    try:
        open_database(folder, sys.maxsize).close()
    except StoreNewer:
        if _version(path) < _ABSURD_VERSION:
            raise
        return
    except StoreError as error:
        if is_in_use(error):
            raise
        return
    raise InvalidInput(f"The store {path} is whole.", remedy="There is nothing to salvage.")


def _version(path: Path) -> int:
    return int.from_bytes(_header(path)[60:64], "big")


def _journal(path: Path) -> Journal | None:
    """Return the rollback journal if the store used one, as other machines may share it."""
    return "delete" if _header(path)[18:20] == _ROLLBACK_FORMAT else None


def _header(path: Path) -> bytes:
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        return file.read(64)


def _read_rows(path: Path) -> _Found:
    found = _Found()
    for row in PagedFile(path).rows():
        shapes = SHAPES if row.number is not None else INDEXED
        for table, shape in shapes.items():
            whole = _fill_added(table, row, len(shape))
            if _fits(whole.values, shape) and _is_sound(table, whole.values):
                found.of(table).setdefault(_key(table, whole), whole)
                break
    return found


def _leave_out_colleagues(found: _Found) -> None:
    """Leave out what colleagues wrote; joined again, the folder gets it from the team's server.

    Rows that say whose a memory or pin is may be lost, so it is no part of a team any more.
    """
    for table, place in (("memory_sharing", 2), ("pin_sharing", 1)):
        of_colleagues = {key for key, row in found.of(table).items() if row.values[place]}
        for key in of_colleagues:
            found.of(_SHARED[table]).pop(key, None)
    memories = found.of("memories")
    for key, row in tuple(memories.items()):
        if row.values[_TRUST] == Trust.TEAM:
            del memories[key]
        else:
            scope = (MemoryScope.PRIVATE.value,)
            values = (*row.values[:_SCOPE], *scope, *row.values[_SCOPE + 1 :])
            memories[key] = Row(row.number, values, row.pages)


def _fill_added(table: str, row: Row, columns: int) -> Row:
    added = ADDED.get(table, ())
    if len(row.values) != columns - len(added):
        return row
    return Row(row.number, (*row.values, *added), row.pages)


def _fits(values: Sequence[Value], shape: Shape) -> bool:
    return len(values) == len(shape) and all(
        isinstance(value, kinds) for value, kinds in zip(values, shape, strict=True)
    )


def _is_sound(table: str, values: Sequence[Value]) -> bool:
    if table == "memory_cursors":
        # The index of memories by state has the same columns.
        return values[0] not in _STATES
    if table == "sqlite_sequence":
        return values[0] == "workspace_pins"
    if table == "memories":
        return values[8] in _STATES
    if table == "pin_sharing":
        return values[2] in SHARED_PINS
    if table == "entries":
        return cast("int", values[1]) >= 0 and _is_entry(str(values[2]))
    return True


def _is_entry(body: str) -> bool:
    try:
        decode(body)
    except LogInvalid:
        return False
    return True


def _key(table: str, row: Row) -> object:
    if table in ("entries", "session_addresses"):
        return row.values[:2]
    return row.values[0] if row.number is None or table == "memory_key" else row.number


def _places(found: _Found) -> list[tuple[int, int]]:
    """List the session and index of each entry found, in order."""
    return sorted(cast("dict[tuple[int, int], Row]", found.of("entries")))


def _write(connection: sqlite3.Connection, found: _Found) -> int:
    """Write the rows found to the new store; return how many entries are missing between others."""
    connection.execute("BEGIN IMMEDIATE")
    if found.of("memory_key"):
        connection.execute("DELETE FROM memory_key")
    missing = _write_sessions(connection, found)
    for table, statement in INSERTS.items():
        for row in found.of(table).values():
            _insert(connection, statement, row)
    for row in found.of("sqlite_sequence").values():
        # So that no number of a pin is given twice.
        connection.execute("DELETE FROM sqlite_sequence WHERE name = 'workspace_pins'")
        connection.execute(_HIGHEST_PIN, (row.values[1],))
    for statement in _REBUILD:
        connection.execute(statement)
    connection.execute("COMMIT")
    return missing


def _write_sessions(connection: sqlite3.Connection, found: _Found) -> int:
    """Write sessions and entries; return how many entries are missing between others."""
    places = _places(found)
    entries = cast("dict[tuple[int, int], Row]", found.of("entries"))
    records = cast("dict[int, Row]", found.of("sessions"))
    held = Counter(key for key, _ in places)
    first = {key: entries[key, place] for key, place in reversed(places)}
    missing = {key: last + 1 - held[key] for key, last in places}
    names: set[Value] = set()
    for key in sorted({*records, *held}):
        row = records.get(key)
        if row is None or row.values[1] in names:
            row = _make_record(key, first.get(key), list(records.values()))
        names.add(row.values[1])
        _insert(connection, NEW_SESSION, _mark_missing(row, missing.get(key, 0)))
    _write_entries(connection, places, entries)
    return sum(missing.values())


def _write_entries(
    connection: sqlite3.Connection,
    places: Sequence[tuple[int, int]],
    entries: Mapping[tuple[int, int], Row],
) -> None:
    """Write the entries of each session, numbered without gaps, in their original order."""
    written = sorted(places, key=lambda each: (entries[each].number or 0, each))
    numbers = {each: number for number, each in enumerate(written, 1)}
    index: Counter[int] = Counter()
    for key, place in places:
        body = entries[key, place].values[2]
        connection.execute(NEW_ENTRY, (numbers[key, place], key, index[key], body))
        index[key] += 1


def _make_record(key: int, first: Row | None, others: Sequence[Row]) -> Row:
    """Build the record of a session of which only entries are readable."""
    workspace, model = (others[0].values[2], others[0].values[5]) if others else ("", _MODEL)
    at = decode(str(first.values[2])).at if first else ""
    name = f"s-salvaged-{key}-{secrets.token_hex(4)}"
    values = (None, name, workspace, _MADE_UP, "edit", model, at, at, 0, None, "")
    return Row(key, values, ())


def _mark_missing(row: Row, missing: int) -> Row:
    if not missing:
        return row
    title = _MARKED.format(title=row.values[3], missing=plural(missing, "entry", "entries"))
    return Row(row.number, (*row.values[:3], title, *row.values[4:]), ())


def _insert(connection: sqlite3.Connection, statement: str, row: Row) -> None:
    """Insert a row under its number; leave it out if damage made its id a duplicate."""
    values = list(row.values)
    if row.number is not None and values[0] is None:
        values[0] = row.number
    connection.execute(statement, values)


def _rename_damaged(folder: Path) -> Path:
    """Rename the damaged files; a crash leaves at least one of the old and new names."""
    aside = private_folder(folder / DAMAGED_FOLDER) / secrets.token_hex(8)
    kept = private_folder(aside)
    there = _files(folder)
    for file in there:
        try:
            os.link(file, kept / file.name)
        except OSError:
            # Not every file system has links.
            shutil.copy2(file, kept / file.name)
    sync_folder(kept)
    for file in there:
        if file.name != DATABASE_FILE:
            # Of the damaged file: beside a new one it would be taken for that one's own.
            file.unlink()
    return kept
