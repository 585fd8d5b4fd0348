"""The pins of one folder, as rows in its project's database."""

import sqlite3
from dataclasses import replace

from plimsoll.context.log.messages import clean
from plimsoll.errors import InvalidInput, NotFound
from plimsoll.storage.base import Redactor, WorkspacePin
from plimsoll.storage.database.units import Database


class SqlitePins:
    """A ``PinStore`` in a project's database, which its opener closes."""

    def __init__(self, database: Database, redact: Redactor) -> None:
        self._database = database
        self._redact = redact

    async def pins(self) -> list[WorkspacePin]:
        """Read the pins that were not removed, by number."""
        return await self._database.read(select_pins)

    async def add(self, pin_id: str, text: str, at: str) -> WorkspacePin:
        """Store one more pin and number it."""
        pin = WorkspacePin(pin_id, at, self._redact(clean(text)), 0)
        return await self._database.write(lambda db: _insert_pin(db, pin))

    async def remove(self, pin_id: str) -> None:
        """Remove a pin."""
        await self._database.write(lambda db: _delete_pin(db, pin_id))


def select_pins(connection: sqlite3.Connection) -> list[WorkspacePin]:
    """Read the pins of the folder, by number."""
    rows = connection.execute("SELECT id, at, text, number FROM workspace_pins ORDER BY number")
    return [WorkspacePin(*row) for row in rows]


def _insert_pin(connection: sqlite3.Connection, pin: WorkspacePin) -> WorkspacePin:
    if connection.execute("SELECT 1 FROM workspace_pins WHERE id = ?", (pin.id,)).fetchone():
        raise pin_exists(pin.id)
    done = connection.execute(
        "INSERT INTO workspace_pins (id, at, text) VALUES (?, ?, ?)", (pin.id, pin.at, pin.text)
    )
    assert done.lastrowid is not None
    return replace(pin, number=done.lastrowid)


def _delete_pin(connection: sqlite3.Connection, pin_id: str) -> None:
    if connection.execute("DELETE FROM workspace_pins WHERE id = ?", (pin_id,)).rowcount == 0:
        raise no_pin(pin_id)


def pin_exists(pin_id: str) -> InvalidInput:
    """Make the error for a new pin with the id of another."""
    return InvalidInput(
        f"There is a pin {pin_id!r} already.", remedy="Give the new pin another id."
    )


def no_pin(pin_id: str) -> NotFound:
    """Make the error for an id that no pin has."""
    return NotFound("pin", pin_id, remedy="List the pins to see their ids and numbers.")
