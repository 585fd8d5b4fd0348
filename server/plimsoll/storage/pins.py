"""The pins of one folder, in its database or in memory."""

import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Protocol, TypeVar

from plimsoll.context.messages import clean
from plimsoll.errors import InvalidInput, NotFound
from plimsoll.storage.base import Redactor, WorkspacePin

T = TypeVar("T")

PIN_TABLES = (
    # AUTOINCREMENT keeps the highest number ever given, so that none is given twice.
    """
CREATE TABLE workspace_pins (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  at TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT
""",
)


class Units(Protocol):
    """Runs functions on a database, each in one transaction."""

    def read(self, unit: Callable[[sqlite3.Connection], T]) -> Awaitable[T]:
        """Run a function that reads."""
        ...

    def write(self, unit: Callable[[sqlite3.Connection], T]) -> Awaitable[T]:
        """Run a function that writes: all of it is durable when this returns, or nothing is."""
        ...


class SqlitePins:
    """A ``PinStore`` in the database of a project's folder; whoever opened that closes it."""

    def __init__(self, database: Units, redact: Redactor) -> None:
        self._database = database
        self._redact = redact

    async def pins(self) -> list[WorkspacePin]:
        """The pins that were not removed, by number."""
        return await self._database.read(_select)

    async def add(self, pin_id: str, text: str, at: str) -> WorkspacePin:
        """Keep one more and give it a number."""
        pin = WorkspacePin(pin_id, at, self._redact(clean(text)), 0)
        return await self._database.write(lambda db: _insert(db, pin))

    async def remove(self, pin_id: str) -> None:
        """Let a pin go."""
        await self._database.write(lambda db: _delete(db, pin_id))


class InMemoryPins:
    """A ``PinStore`` that forgets everything with its process."""

    def __init__(self, redact: Redactor) -> None:
        self._redact = redact
        self._pins: dict[str, WorkspacePin] = {}
        self._given = 0

    async def pins(self) -> list[WorkspacePin]:
        """The pins that were not removed, by number."""
        return list(self._pins.values())

    async def add(self, pin_id: str, text: str, at: str) -> WorkspacePin:
        """Keep one more and give it a number."""
        if pin_id in self._pins:
            raise _taken(pin_id)
        self._given += 1
        pin = WorkspacePin(pin_id, at, self._redact(clean(text)), self._given)
        self._pins[pin_id] = pin
        return pin

    async def remove(self, pin_id: str) -> None:
        """Let a pin go."""
        if self._pins.pop(pin_id, None) is None:
            raise _missing(pin_id)


def _select(connection: sqlite3.Connection) -> list[WorkspacePin]:
    rows = connection.execute("SELECT id, at, text, number FROM workspace_pins ORDER BY number")
    return [WorkspacePin(*row) for row in rows]


def _insert(connection: sqlite3.Connection, pin: WorkspacePin) -> WorkspacePin:
    if connection.execute("SELECT 1 FROM workspace_pins WHERE id = ?", (pin.id,)).fetchone():
        raise _taken(pin.id)
    done = connection.execute(
        "INSERT INTO workspace_pins (id, at, text) VALUES (?, ?, ?)", (pin.id, pin.at, pin.text)
    )
    assert done.lastrowid is not None
    return replace(pin, number=done.lastrowid)


def _delete(connection: sqlite3.Connection, pin_id: str) -> None:
    if connection.execute("DELETE FROM workspace_pins WHERE id = ?", (pin_id,)).rowcount == 0:
        raise _missing(pin_id)


def _taken(pin_id: str) -> InvalidInput:
    return InvalidInput(
        f"There is a pin {pin_id!r} already.", remedy="Give the new pin another id."
    )


def _missing(pin_id: str) -> NotFound:
    return NotFound("pin", pin_id, remedy="List the pins to see their ids and numbers.")
