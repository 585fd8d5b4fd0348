"""The skills switched off in one folder, as rows in its project's database."""

import sqlite3

from plimsoll.storage.database.units import Database


class SqliteSkillSwitches:
    """A ``SkillSwitches`` in a project's database, which its opener closes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def off(self) -> frozenset[str]:
        """Read the names of the skills that are off."""
        return await self._database.read(_select)

    async def switch(self, name: str, at: str, *, on: bool) -> None:
        """Switch a skill on or off."""
        await self._database.write(lambda db: _switch(db, name, at, on=on))


def _select(connection: sqlite3.Connection) -> frozenset[str]:
    return frozenset(name for (name,) in connection.execute("SELECT name FROM skills_off"))


def _switch(connection: sqlite3.Connection, name: str, at: str, *, on: bool) -> None:
    if on:
        connection.execute("DELETE FROM skills_off WHERE name = ?", (name,))
    else:
        connection.execute("INSERT OR IGNORE INTO skills_off VALUES (?, ?)", (name, at))
