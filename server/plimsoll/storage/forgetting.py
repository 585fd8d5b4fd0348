"""Lists, reads and removes what is stored of one folder or of all, opening no store.

Nothing is removed while a process has a store open. A store is renamed before it is removed, so
that a crash leaves a whole one or none.
"""

import contextlib
import errno
import secrets
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from plimsoll.private_files import sync_folder, unavailable
from plimsoll.storage.base import SessionRecord
from plimsoll.storage.database.opening import connect_read_only
from plimsoll.storage.locate import (
    DATABASE_FILE,
    TCP_FOLDER,
    is_project,
    log_folder,
    paths_of,
    projects_folder,
    root_of,
    sizes_in,
)
from plimsoll.storage.locks.stores import FairLock, keep_others_out
from plimsoll.storage.rows_file import ROWS_FILES
from plimsoll.storage.sessions import select_sessions
from plimsoll.storage.spill import remove_folder

_GOING = ".forgotten-"
_TURN_SECONDS = 5.0
_COUNTS = (
    "SELECT count(*) FROM sessions",
    "SELECT count(*) FROM memories WHERE state <> 'forgotten'",
    "SELECT count(*) FROM workspace_pins",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Counts of the sessions, memories, pins, files and bytes stored for one folder."""

    root: str | None
    """The path of the folder; none if its record is unreadable."""
    folder: Path
    """The folder that stores it."""
    sessions: int | None
    """None, as the next two, if the database is unreadable."""
    memories: int | None
    pins: int | None
    files: int
    bytes: int


def list_kept(data: Path, root: Path | None) -> list[Kept]:
    """Count the data stored for one folder, which may be gone, or for each folder."""
    return [_count_kept(folder) for folder in _folders(data, root)]


def forget_everything(data: Path, root: Path | None) -> None:
    """Remove all data stored for a folder, which may be gone, or for all and the log file.

    Raises:
        Busy: A process has one of the stores open; nothing was removed.
        StoreUnavailable: Some of it cannot be removed.
    """
    folders = _folders(data, root)
    with contextlib.ExitStack() as held:
        for folder in folders:
            held.enter_context(keep_others_out(folder))
            held.enter_context(FairLock(folder).hold(_TURN_SECONDS))
        for folder in folders:
            _rename(folder)
    if root is None:
        for name in ROWS_FILES:
            _remove(data / name)
        remove_folder(log_folder(data))
        remove_folder(data / TCP_FOLDER)
    projects = projects_folder(data)
    if projects.is_dir():
        for gone in projects.glob(f"{_GOING}*"):
            remove_folder(gone)
        sync_folder(projects)


def _remove(file: Path) -> None:
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        raise unavailable("remove", file, error) from error


def _rename(folder: Path) -> None:
    try:
        folder.rename(folder.with_name(f"{_GOING}{secrets.token_hex(8)}"))
    except OSError as error:
        raise unavailable("remove", folder, error) from error


def _folders(data: Path, root: Path | None) -> Sequence[Path]:
    projects = projects_folder(data)
    if projects.is_symlink():
        # It may lead to what was never ours, and would be removed with all that lies there.
        raise unavailable("remove", projects, OSError(errno.ELOOP, "it is a link"))
    if root is not None:
        found = [paths_of(root, data).folder]
    else:
        found = sorted(projects.iterdir()) if projects.is_dir() else []
        found = [folder for folder in found if is_project(folder)]
    return [folder for folder in found if folder.is_dir() and not folder.is_symlink()]


def _count_kept(folder: Path) -> Kept:
    counts = _count_rows(folder / DATABASE_FILE)
    sizes = list(sizes_in(folder))
    return Kept(
        root=root_of(folder),
        folder=folder,
        sessions=counts[0],
        memories=counts[1],
        pins=counts[2],
        files=len(sizes),
        bytes=sum(sizes),
    )


def read_stored_sessions(data: Path, limit: int) -> list[SessionRecord]:
    """Read the sessions of each folder that is still there, at most ``limit`` of each. Blocks."""
    return [
        record
        for folder in _folders(data, None)
        if (root := root_of(folder)) is not None and Path(root).is_dir()
        for record in _read_sessions(folder / DATABASE_FILE, limit)
    ]


def _read_sessions(database: Path, limit: int) -> Sequence[SessionRecord]:
    if not database.is_file():
        return ()
    try:
        with _reading(database) as connection:
            return select_sessions(connection, limit, agents=False)
    except (sqlite3.Error, UnicodeDecodeError):
        # Damaged, or an older version's: opening the folder says so, and a list has the others.
        return ()


def _reading(database: Path) -> contextlib.closing[sqlite3.Connection]:
    unused = not any(database.parent.glob(f"{DATABASE_FILE}-*"))
    return contextlib.closing(connect_read_only(database, alone=unused))


def _count_rows(database: Path) -> Sequence[int | None]:
    if not database.is_file():
        return (0, 0, 0)
    try:
        with _reading(database) as connection:
            return [connection.execute(count).fetchone()[0] for count in _COUNTS]
    except (sqlite3.Error, UnicodeDecodeError):
        # Damaged, or an older version's: it can be forgotten all the same.
        return (None, None, None)
