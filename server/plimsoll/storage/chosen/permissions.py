"""The permissions of one folder, as rows in its project's database."""

import sqlite3
from dataclasses import replace

from plimsoll.errors import NotFound
from plimsoll.storage.chosen.base import Permission
from plimsoll.storage.database.units import Database

_SELECT = "SELECT number, at, kind, subject, what, covers, defined_by FROM permissions"


class SqlitePermissions:
    """A ``PermissionStore`` in a project's database, which its opener closes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def permissions(self) -> list[Permission]:
        """Read the permissions that were not revoked, by number."""
        return await self._database.read(_select)

    async def keep(self, permission: Permission) -> Permission:
        """Store a permission, replacing one of the same kind and subject."""
        return await self._database.write(lambda db: _insert(db, permission))

    async def remove(self, number: int) -> Permission:
        """Revoke a permission."""
        return await self._database.write(lambda db: _delete(db, number))


def _select(connection: sqlite3.Connection) -> list[Permission]:
    return [_permission(row) for row in connection.execute(f"{_SELECT} ORDER BY number")]


def _permission(row: tuple[int, str, str, str, str, str, str]) -> Permission:
    number, at, kind, subject, what, covers, defined_by = row
    return Permission(
        number=number,
        at=at,
        kind=kind,
        subject=subject,
        what=what,
        covers=covers,
        defined_by=defined_by,
    )


def _insert(connection: sqlite3.Connection, new: Permission) -> Permission:
    connection.execute(
        "DELETE FROM permissions WHERE kind = ? AND subject = ?", (new.kind, new.subject)
    )
    done = connection.execute(
        "INSERT INTO permissions (at, kind, subject, what, covers, defined_by) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (new.at, new.kind, new.subject, new.what, new.covers, new.defined_by),
    )
    assert done.lastrowid is not None
    return replace(new, number=done.lastrowid)


def _delete(connection: sqlite3.Connection, number: int) -> Permission:
    found = connection.execute(f"{_SELECT} WHERE number = ?", (number,)).fetchone()
    if found is None:
        raise NotFound("permission", str(number), remedy="/permissions lists them.")
    connection.execute("DELETE FROM permissions WHERE number = ?", (number,))
    return _permission(found)
