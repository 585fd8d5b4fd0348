"""The pins that are shared with a project."""

from uuid import UUID

from plimsoll.context.log.messages import clean
from plimsoll.storage.base import Redactor, WorkspacePin
from plimsoll.storage.pins import no_pin, pin_exists
from plimsoll.storage.postgres.connection import Connection, PostgresDatabase
from plimsoll.storage.postgres.projects import all_rows, first_row, next_change

_PINS = """
SELECT id, at, text, number FROM plimsoll.pins
WHERE project = %s AND text IS NOT NULL ORDER BY number
"""
_ADD = """
INSERT INTO plimsoll.pins (project, number, id, at, text)
SELECT %(project)s, coalesce(max(number), 0) + 1, %(id)s, %(at)s, %(text)s
FROM plimsoll.pins WHERE project = %(project)s
RETURNING id, at, text, number
"""
_REMOVE = """
UPDATE plimsoll.pins SET text = NULL WHERE project = %s AND id = %s AND text IS NOT NULL
"""
"""The row stays, so that its number is never given twice."""


class PostgresPins:
    """A ``PinStore`` in a shared PostgreSQL."""

    def __init__(self, database: PostgresDatabase, project: UUID, redact: Redactor) -> None:
        self._database = database
        self._project = project
        self._redact = redact

    async def pins(self) -> list[WorkspacePin]:
        """Read the pins that were not removed, by number."""
        rows = await self._database.read(lambda db: all_rows(db, _PINS, (self._project,)))
        return [WorkspacePin(*row) for row in rows]

    async def add(self, pin_id: str, text: str, at: str) -> WorkspacePin:
        """Store one more pin and number it."""
        kept = self._redact(clean(text))

        async def unit(connection: Connection) -> WorkspacePin:
            await next_change(connection, self._project)
            taken = "SELECT 1 FROM plimsoll.pins WHERE project = %s AND id = %s"
            if await first_row(connection, taken, (self._project, pin_id)):
                raise pin_exists(pin_id)
            values = {"project": self._project, "id": pin_id, "at": at, "text": kept}
            [row] = await (await connection.execute(_ADD, values)).fetchall()
            return WorkspacePin(*row)

        return await self._database.write(unit)

    async def remove(self, pin_id: str) -> None:
        """Remove a pin."""

        async def unit(connection: Connection) -> None:
            await next_change(connection, self._project)
            done = await connection.execute(_REMOVE, (self._project, pin_id))
            if not done.rowcount:
                raise no_pin(pin_id)

        await self._database.write(unit)
