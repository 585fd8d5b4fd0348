"""The pins of one folder, as rows in its project's database."""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from plimsoll.context.log.messages import clean
from plimsoll.errors import InvalidInput, NotFound
from plimsoll.memory.types import MemoryScope
from plimsoll.storage.base import Redactor
from plimsoll.storage.chosen.base import PinSharing, WorkspacePin
from plimsoll.storage.database.units import Database
from plimsoll.storage.replica.outbox import enqueue
from plimsoll.storage.shared.operations import RemovePin, SharePin

_PINS = """
SELECT id, at, text, number, coalesce(scope, 'private'), author_name
FROM workspace_pins LEFT JOIN pin_sharing ON pin = number
WHERE coalesce(scope, 'private') NOT IN ('hidden', 'waiting') ORDER BY number
"""
_SHARING = """
SELECT number, coalesce(scope, 'private'), author_name
FROM workspace_pins LEFT JOIN pin_sharing ON pin = number WHERE id = ?
"""
HIDDEN, WAITING = "hidden", "waiting"
"""In place of a scope: a colleague's pin that the person removed here, whose text is gone, or whose
author is not accepted yet."""

ROOM_FOR_COLLEAGUES = 8_000
"""Characters of colleagues' pins in a request, about half of what all pins may have by default."""


class SqlitePins:
    """A ``PinStore`` in a project's database, which its opener closes."""

    def __init__(self, database: Database, redact: Redactor) -> None:
        self._database = database
        self._redact = redact

    async def pins(self) -> list[WorkspacePin]:
        """Read the pins that were not removed, by number."""
        return await self._database.read(select_pins)

    async def add(
        self, pin_id: str, text: str, at: str, scope: MemoryScope = MemoryScope.PRIVATE
    ) -> WorkspacePin:
        """Store one more pin and number it."""
        kept = self._redact(clean(text))
        pin = WorkspacePin(id=pin_id, at=at, text=kept, number=0, sharing=PinSharing(scope))
        return await self._database.write(lambda db: _add_pin(db, pin))

    async def remove(self, pin_id: str) -> None:
        """Remove a pin."""
        await self._database.write(lambda db: _remove_pin(db, pin_id))


def select_pins(connection: sqlite3.Connection) -> list[WorkspacePin]:
    """Read the pins of the folder, by number; colleagues' as far as there is room for them."""
    return leave_room([pin_of(row) for row in connection.execute(_PINS)])


def leave_room(pins: Iterable[WorkspacePin]) -> list[WorkspacePin]:
    """Leave out the colleagues' pins that have no room beside the earlier ones of colleagues.

    A pin is never dropped from a request: who pins for others must not be able to fill theirs.
    """
    told: list[WorkspacePin] = []
    room = ROOM_FOR_COLLEAGUES
    for pin in pins:
        if pin.sharing.author_name is not None:
            if len(pin.text) > room:
                continue
            room -= len(pin.text)
        told.append(pin)
    return told


def pin_of(row: Sequence[Any]) -> WorkspacePin:
    """Build a pin from a row of its id, time, text, number, scope and author's name."""
    name, at, text, number, scope, author_name = row
    sharing = PinSharing(MemoryScope(scope), author_name)
    return WorkspacePin(id=name, at=at, text=text, number=number, sharing=sharing)


def insert_pin(connection: sqlite3.Connection, pin: WorkspacePin, scope: str) -> WorkspacePin:
    """Store and number a pin; ``scope``: that of its sharing, or `WAITING`."""
    done = connection.execute(
        "INSERT INTO workspace_pins (id, at, text) VALUES (?, ?, ?)", (pin.id, pin.at, pin.text)
    )
    assert done.lastrowid is not None
    if pin.sharing != PinSharing():
        shared = (done.lastrowid, pin.sharing.author_name, scope)
        connection.execute("INSERT INTO pin_sharing VALUES (?, ?, ?)", shared)
    return replace(pin, number=done.lastrowid)


def has_pin(connection: sqlite3.Connection, pin_id: str) -> bool:
    """Tell whether there is a pin of an id, a hidden or waiting one too."""
    return connection.execute(_SHARING, (pin_id,)).fetchone() is not None


def _add_pin(connection: sqlite3.Connection, pin: WorkspacePin) -> WorkspacePin:
    if has_pin(connection, pin.id):
        raise pin_exists(pin.id)
    kept = insert_pin(connection, pin, pin.sharing.scope)
    if pin.sharing.scope is not MemoryScope.PRIVATE:
        enqueue(connection, [SharePin(kept)])
    return kept


def _remove_pin(connection: sqlite3.Connection, pin_id: str) -> None:
    """Remove a pin of the person's own for everybody, a colleague's for this machine alone."""
    found = connection.execute(_SHARING, (pin_id,)).fetchone()
    if found is None or found[1] == HIDDEN:
        raise no_pin(pin_id)
    number, scope, author_name = found
    if author_name is not None:
        # The row stays, so that news do not bring it back.
        connection.execute("UPDATE workspace_pins SET text = '' WHERE number = ?", (number,))
        connection.execute("UPDATE pin_sharing SET scope = ? WHERE pin = ?", (HIDDEN, number))
        return
    if scope != MemoryScope.PRIVATE:
        enqueue(connection, [RemovePin(pin_id)])
    connection.execute("DELETE FROM workspace_pins WHERE number = ?", (number,))


def pin_exists(pin_id: str) -> InvalidInput:
    """Make the error for a new pin with the id of another."""
    return InvalidInput(
        f"There is a pin {pin_id!r} already.", remedy="Give the new pin another id."
    )


def no_pin(pin_id: str) -> NotFound:
    """Make the error for an id that no pin has."""
    return NotFound("pin", pin_id, remedy="List the pins to see their ids and numbers.")
