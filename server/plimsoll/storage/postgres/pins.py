"""The pins that are shared with a project."""

from plimsoll.context.log.messages import clean
from plimsoll.memory.types import MemoryScope
from plimsoll.storage.base import Redactor
from plimsoll.storage.chosen.base import WorkspacePin
from plimsoll.storage.chosen.pins import no_pin, pin_exists, pin_of
from plimsoll.storage.postgres.projects import ProjectDatabase, SharedProject

_PINS = """
SELECT id, at, text, number, scope, NULL FROM plimsoll.pins
WHERE project = %(project)s AND text IS NOT NULL ORDER BY number
"""
_TAKEN = "SELECT 1 FROM plimsoll.pins WHERE project = %(project)s AND id = %(id)s"
_ADD = """
INSERT INTO plimsoll.pins (project, number, id, at, text, scope, changed)
SELECT %(project)s, coalesce(max(number), 0) + 1, %(id)s, %(at)s, %(text)s, %(scope)s, %(changed)s
FROM plimsoll.pins WHERE project = %(project)s
RETURNING id, at, text, number, scope, NULL
"""
_REMOVE = """
UPDATE plimsoll.pins SET text = NULL
WHERE project = %(project)s AND id = %(id)s AND text IS NOT NULL
"""
"""The row stays, so that its number is never given twice."""


class PostgresPins:
    """A ``PinStore`` in a shared PostgreSQL."""

    def __init__(self, database: ProjectDatabase, redact: Redactor) -> None:
        self._database = database
        self._redact = redact

    async def pins(self) -> list[WorkspacePin]:
        """Read the pins that were not removed, by number."""
        rows = await self._database.read(lambda project: project.all_rows(_PINS))
        return [pin_of(row) for row in rows]

    async def add(
        self, pin_id: str, text: str, at: str, scope: MemoryScope = MemoryScope.PRIVATE
    ) -> WorkspacePin:
        """Store a pin and number it."""
        kept = self._redact(clean(text))

        async def unit(project: SharedProject) -> WorkspacePin:
            changed = await project.next_change()
            if await project.first_row(_TAKEN, id=pin_id):
                raise pin_exists(pin_id)
            values = {"id": pin_id, "at": at, "text": kept, "scope": scope, "changed": changed}
            [row] = await project.all_rows(_ADD, **values)
            return pin_of(row)

        return await self._database.write(unit)

    async def remove(self, pin_id: str) -> None:
        """Remove a pin."""

        async def unit(project: SharedProject) -> None:
            await project.next_change()
            if not await project.execute(_REMOVE, id=pin_id):
                raise no_pin(pin_id)

        await self._database.write(unit)
