"""Translates errors of SQLite to errors of the store that say what to do."""

import sqlite3
from pathlib import Path

from plimsoll.errors import StoreDamaged, StoreError, StoreNewer, StoreUnavailable

_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_IN_USE = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_PRIMARY = 0xFF
"""The low byte of an extended result code is the primary one."""

_REMEDIES = {
    sqlite3.SQLITE_FULL: "Free disk space, then try again; nothing was half written.",
    sqlite3.SQLITE_IOERR: "Check the disk and its free space, then try again.",
    sqlite3.SQLITE_BUSY: "Close other programs that have the file open, then try again.",
    sqlite3.SQLITE_LOCKED: "Close other programs that have the file open, then try again.",
    sqlite3.SQLITE_READONLY: "Make the file and its folder writable for you.",
    sqlite3.SQLITE_CANTOPEN: "Make the file and its folder readable and writable for you.",
}


FAILURES = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises; the second when its message quotes a damaged name."""


def translate(error: sqlite3.Error | UnicodeDecodeError, path: Path) -> StoreError:
    """Translate an error of SQLite to an error of the store."""
    if isinstance(error, UnicodeDecodeError):
        return damaged_error(path, "its schema cannot be read")
    code = _code(error)
    if code in _DAMAGED:
        return damaged_error(path, str(error))
    remedy = _REMEDIES.get(code, "Run `plimsoll doctor`, and report it with what it prints.")
    return StoreUnavailable(f"The store {path} failed: {error}.", remedy=remedy)


def is_in_use(error: StoreError) -> bool:
    """Tell whether an error means that another program uses the file."""
    cause = error.__cause__
    return isinstance(cause, sqlite3.Error) and _code(cause) in _IN_USE


def damaged_error(path: Path, reason: str) -> StoreDamaged:
    """Build the error for a file that is not our store or is damaged."""
    return StoreDamaged(
        f"The store {path} cannot be used: {reason}. It was left exactly as it is.",
        remedy="Save what can be read of it into a new store with `plimsoll doctor --salvage` in "
        "the folder; the file is kept beside it. Or move it away to start with an empty store.",
    )


def newer_error(path: Path, found: int, known: int) -> StoreNewer:
    """Build the error for a file of a newer version."""
    return StoreNewer(
        f"The store {path} has version {found}; this Plimsoll knows versions up to {known}. "
        "It was left exactly as it is.",
        remedy="Update Plimsoll, or set PLIMSOLL_DATA_DIR to another folder for this version.",
    )


def closed_error(path: Path) -> StoreUnavailable:
    """Build the error for using a closed store."""
    return StoreUnavailable(f"The store {path} is closed.", remedy="Restart Plimsoll to go on.")


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & _PRIMARY
