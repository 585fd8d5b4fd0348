"""How a database file is opened: looked at read-only first, and made whole before it has a name.

A file that is damaged, foreign or newer is never opened for writing, so it stays byte for byte
what it was. A new file is built under another name and renamed, so a crash leaves none or a whole
one, and a file at the real name never has a rollback journal.
"""

import contextlib
import os
import secrets
import sqlite3
import stat
from collections.abc import Sequence
from pathlib import Path

from plimsoll.errors import StoreUnavailable
from plimsoll.storage.database.failures import damaged, newer, translated
from plimsoll.storage.database.migrations import (
    APPLICATION_ID,
    MIGRATIONS,
    Migration,
    migrate,
    version_of,
)
from plimsoll.storage.locate import create_private, private_folder, sync_folder, unavailable

DATABASE_FILE = "plimsoll.db"
BACKUP_FOLDER = "backups"
CHECK_AT_ONCE_BYTES = 100_000_000
"""Above this size the check at opening takes over half a second and runs in the background."""

_SIDE_FILES = ("-wal", "-journal")
_BUSY_SECONDS = 5
"""For programs that do not know our lock, such as a database browser."""


def open_database(
    folder: Path,
    check_at_once_bytes: int = CHECK_AT_ONCE_BYTES,
    migrations: Sequence[Migration] = MIGRATIONS,
) -> sqlite3.Connection:
    """Open the database of a folder, create it or bring it up to date; call it under the lock.

    A file of more than ``check_at_once_bytes`` is not read through here.

    Raises:
        StoreDamaged: The file is not a store of ours or not whole.
        StoreNewer: It was written by a newer version.
        StoreUnavailable: It cannot be read or written.
    """
    path = folder / DATABASE_FILE
    try:
        size = _size(path)
        if size == 0:
            _create(path, migrations)
        else:
            _look(path, len(migrations), check=size <= check_at_once_bytes)
        return _connect(path, migrations)
    except UnicodeDecodeError as error:
        # SQLite's own message quotes a name of the schema, and the name is no text any more.
        raise damaged(path, "its schema cannot be read") from error
    except sqlite3.Error as error:
        raise translated(error, path) from error
    except OSError as error:
        raise unavailable("open", path, error) from error


def whole(connection: sqlite3.Connection) -> str | None:
    """Check the whole file; returns the first thing that SQLite finds wrong, or none."""
    answer = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    return None if answer == "ok" else answer


def connect_read_only(path: Path, *, alone: bool = False) -> sqlite3.Connection:
    """Open a connection that can change neither the file nor its write-ahead log.

    ``alone``: nobody writes meanwhile and the log is empty; then no file is made beside it either.
    """
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro&immutable={int(alone)}",
        uri=True,
        timeout=_BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )


def remove_backups(folder: Path) -> None:
    """Remove the copies made before migrations, since they keep what was deleted afterwards."""
    for backup in (folder / BACKUP_FOLDER).glob("*.db"):
        backup.unlink(missing_ok=True)


def _size(path: Path) -> int:
    """The size of the file, 0 if it is to be created; refuses what must not be built upon."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        status = None
    if status is not None and not stat.S_ISREG(status.st_mode):
        raise damaged(path, "it is not a regular file")
    if status is not None and status.st_size > 0:
        return status.st_size
    beside = _beside(path)
    if beside:
        raise damaged(path, f"it is empty or missing, but {beside[0].name} holds data")
    return 0


def _beside(path: Path) -> list[Path]:
    """List the files beside a database that hold a part of it."""
    files = [path.with_name(path.name + suffix) for suffix in _SIDE_FILES]
    return [file for file in files if file.exists() and file.stat().st_size > 0]


def _create(path: Path, migrations: Sequence[Migration]) -> None:
    for left_over in path.parent.glob(f".{path.name}.*"):
        left_over.unlink(missing_ok=True)
    building = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    os.close(create_private(building))
    with contextlib.closing(_connect(building, migrations)):
        pass
    building.replace(path)
    sync_folder(path.parent)


def _look(path: Path, known: int, *, check: bool) -> None:
    with contextlib.closing(connect_read_only(path, alone=not _beside(path))) as connection:
        try:
            mark = connection.execute("PRAGMA application_id").fetchone()[0]
            version = version_of(connection)
            fault = whole(connection) if check and version <= known else None
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_ERROR:
                # Nothing is wrong with these statements, so it is the file.
                raise damaged(path, str(error)) from error
            raise
    if mark != APPLICATION_ID:
        raise damaged(path, "it is not a store of Plimsoll")
    if version > known:
        raise newer(path, version, known)
    if fault is not None:
        raise damaged(path, f"it is not whole ({fault})")


def _connect(path: Path, migrations: Sequence[Migration]) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=_BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        _configure(connection, path)
        _update(connection, path, migrations)
    except BaseException:
        connection.close()
        raise
    return connection


def _configure(connection: sqlite3.Connection, path: Path) -> None:
    # A journal mode that is refused raises nothing: the answer is the only sign.
    mode = str(connection.execute("PRAGMA journal_mode = wal").fetchone()[0])
    if mode != "wal":
        raise StoreUnavailable(
            f"The file system of {path} does not support a write-ahead log (got {mode!r}).",
            remedy="Set PLIMSOLL_DATA_DIR to a folder on a local disk.",
        )
    # Checkpoints run under the lock alone, never by SQLite's own choice.
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("PRAGMA synchronous = FULL")
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
