"""Opens a database file: checked read-only first, and built under another name if new.

A file that is damaged, foreign or newer is never opened for writing, so that it stays as it was
byte for byte. A new file is built under another name and renamed, so that a crash leaves none or a
whole one.
"""

import contextlib
import os
import secrets
import shutil
import sqlite3
import stat
from collections.abc import Generator, Sequence
from pathlib import Path

from plimsoll.errors import StoreUnavailable
from plimsoll.private_files import create_private, private_folder, sync_folder, unavailable
from plimsoll.storage.database.failures import FAILURES, damaged_error, newer_error, translate
from plimsoll.storage.database.journal import Journal, file_system, journal_of
from plimsoll.storage.database.migrations import (
    APPLICATION_ID,
    MIGRATIONS,
    Migration,
    migrate,
    version_of,
)
from plimsoll.storage.locate import DATABASE_FILE

BACKUP_FOLDER = "backups"
CHECK_AT_ONCE_BYTES = 100_000_000
"""Above this size a check takes over half a second and runs in the background."""

_SIDE_FILES = ("-wal", "-journal")
_BUSY_SECONDS = 5
"""For programs that do not use our lock, such as a database browser."""


def open_database(
    folder: Path,
    check_at_once_bytes: int = CHECK_AT_ONCE_BYTES,
    migrations: Sequence[Migration] = MIGRATIONS,
    journal: Journal | None = None,
) -> sqlite3.Connection:
    """Open the database of a folder, creating or migrating it; the caller holds the lock.

    A file of more than ``check_at_once_bytes`` is not checked here. ``journal``: by default what
    fits the file system.

    Raises:
        StoreDamaged: The file is not a store of ours or not whole.
        StoreNewer: It was written by a newer version.
        StoreUnavailable: It cannot be read or written.
    """
    path = folder / DATABASE_FILE
    with _as_store_errors(path):
        fitting = journal or file_system(folder).journal
        size = _size(path)
        if size == 0:
            _create(path, migrations, fitting)
        else:
            _look(path, len(migrations), fitting, check=size <= check_at_once_bytes)
        # Machines may share a store that has had a rollback journal, whatever is seen from here.
        return _connect(path, migrations, "delete" if journal_of(path) == "delete" else fitting)


def look_at_database(folder: Path) -> bool:
    """Check the database of a folder as ``open_database`` does, changing nothing.

    False: it is too large to be checked here. The caller holds the lock; raises as that does.
    """
    path = folder / DATABASE_FILE
    with _as_store_errors(path):
        size = _size(path)
        through = size <= CHECK_AT_ONCE_BYTES
        if size:
            _look(path, len(MIGRATIONS), file_system(folder).journal, check=through)
    return through


@contextlib.contextmanager
def _as_store_errors(path: Path) -> Generator[None]:
    try:
        yield
    except FAILURES as error:
        raise translate(error, path) from error
    except OSError as error:
        raise unavailable("open", path, error) from error


def find_fault(connection: sqlite3.Connection) -> str | None:
    """Check the whole file; return the first fault that SQLite finds, or None."""
    answer = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    return None if answer == "ok" else answer


def connect_read_only(path: Path, *, alone: bool = False) -> sqlite3.Connection:
    """Open a connection that can change neither the file nor its write-ahead log.

    ``alone``: nobody writes meanwhile and the log is empty; then no file is created beside it
    either.
    """
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro&immutable={int(alone)}",
        uri=True,
        timeout=_BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )


def remove_backups(folder: Path) -> None:
    """Remove the copies made before migrations, which still have what was deleted afterwards."""
    for backup in (folder / BACKUP_FOLDER).glob("*.db"):
        backup.unlink(missing_ok=True)


def _size(path: Path) -> int:
    """Return the file's size, 0 if it is to be created; raise if it is not a usable file."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        status = None
    if status is not None and not stat.S_ISREG(status.st_mode):
        raise damaged_error(path, "it is not a regular file")
    size = 0 if status is None else status.st_size
    # SQLite takes a file of one byte for an empty one, and removes the log beside an empty one.
    beside = _side_files(path) if size <= 1 else []
    if beside:
        raise damaged_error(path, f"it is empty or missing, but {beside[0].name} holds data")
    return size


def _side_files(path: Path) -> list[Path]:
    """List the files beside a database that belong to it."""
    files = [_side_file(path, suffix) for suffix in _SIDE_FILES]
    return [file for file in files if file.exists() and file.stat().st_size > 0]


def _side_file(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _create(path: Path, migrations: Sequence[Migration], journal: Journal) -> None:
    building = _new_beside(path)
    with contextlib.closing(_connect(building, migrations, journal)):
        pass
    building.replace(path)
    sync_folder(path.parent)


def _new_beside(path: Path) -> Path:
    """Create an empty file beside a database, removing one that a crash left."""
    for left_over in path.parent.glob(f".{path.name}.*"):
        left_over.unlink(missing_ok=True)
    file = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    os.close(create_private(file))
    return file


@contextlib.contextmanager
def _connect_unchanged(path: Path, fitting: Journal) -> Generator[sqlite3.Connection]:
    """Connect to a database without changing it.

    A rollback journal left by a crash must be rolled back to read, and a log where memory cannot be
    shared is opened exclusively. Both write, so they are done on a copy.
    """
    beside = _side_files(path)
    plain = not beside or (fitting == "wal" and beside == [_side_file(path, "-wal")])
    if plain:
        with contextlib.closing(connect_read_only(path, alone=not beside)) as connection:
            yield connection
        return
    copy = _new_beside(path)
    try:
        shutil.copyfile(path, copy)
        for suffix in _SIDE_FILES:
            if _side_file(path, suffix) in beside:
                os.close(create_private(_side_file(copy, suffix)))
                shutil.copyfile(_side_file(path, suffix), _side_file(copy, suffix))
        with contextlib.closing(_connect_writable(copy)) as connection:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            yield connection
    finally:
        for suffix in ("", *_SIDE_FILES):
            _side_file(copy, suffix).unlink(missing_ok=True)


def _look(path: Path, known: int, fitting: Journal, *, check: bool) -> None:
    with _connect_unchanged(path, fitting) as connection:
        try:
            mark = connection.execute("PRAGMA application_id").fetchone()[0]
            version = version_of(connection)
            fault = find_fault(connection) if check and version <= known else None
            if version <= known:
                _read_definitions(connection)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_ERROR:
                # Nothing is wrong with these statements, so it is the file.
                raise damaged_error(path, str(error)) from error
            raise
    if mark != APPLICATION_ID:
        raise damaged_error(path, "it is not a store of Plimsoll")
    if version > known:
        raise newer_error(path, version, known)
    if fault is not None:
        raise damaged_error(path, f"it is not whole ({fault})")


def _read_definitions(connection: sqlite3.Connection) -> None:
    """Read the definitions of all tables and views: a changed byte in a view shows only then."""
    connection.execute(
        "SELECT count(*) FROM sqlite_schema AS known, pragma_table_info(known.name) "
        "WHERE known.type IN ('table', 'view')"
    ).fetchone()


def _connect(path: Path, migrations: Sequence[Migration], journal: Journal) -> sqlite3.Connection:
    connection = _connect_writable(path)
    try:
        _set_journal(connection, path, journal)
        _configure(connection)
        _update(connection, path, migrations)
    except BaseException:
        connection.close()
        raise
    return connection


def _connect_writable(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=_BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )


def _set_journal(connection: sqlite3.Connection, path: Path, journal: Journal) -> None:
    leaves_log = journal == "delete" and journal_of(path) == "wal"
    if leaves_log:
        # Alone, SQLite reads a log that was left without sharing memory; what it holds comes along.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    # A journal mode that is refused raises nothing: the answer is the only sign.
    mode = str(connection.execute(f"PRAGMA journal_mode = {journal}").fetchone()[0])
    if mode != journal:
        raise StoreUnavailable(
            f"The file system of {path} cannot hold a store: no journal {journal!r} ({mode!r}).",
            remedy="Set PLIMSOLL_DATA_DIR to a folder on a local disk.",
        )
    if leaves_log:
        connection.execute("PRAGMA locking_mode = NORMAL")
        # The lock is given back at the end of the next reading.
        version_of(connection)
    # A rollback journal is gone for good only when the folder is synced too.
    connection.execute(f"PRAGMA synchronous = {'FULL' if journal == 'wal' else 'EXTRA'}")


def _configure(connection: sqlite3.Connection) -> None:
    # Checkpoints run under the lock alone, never by SQLite's own choice.
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA mmap_size = 0")


def _update(connection: sqlite3.Connection, path: Path, migrations: Sequence[Migration]) -> None:
    version = version_of(connection)
    if version == len(migrations):
        return
    if version > 0:
        _back_up(connection, path, version)
    migrate(connection, migrations)


def _back_up(connection: sqlite3.Connection, path: Path, version: int) -> None:
    folder = private_folder(path.parent / BACKUP_FOLDER)
    backup = folder / f"version-{version}-{secrets.token_hex(4)}.db"
    os.close(create_private(backup))
    connection.execute("VACUUM INTO ?", (str(backup),))
    sync_folder(folder)
