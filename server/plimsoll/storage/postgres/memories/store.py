"""The memories of a project in a shared PostgreSQL."""

from collections.abc import Collection, Sequence

from plimsoll.context.log.messages import clean
from plimsoll.memory.base import InjectionMaterial, PageQuery, RecentChanges
from plimsoll.memory.changes import Change
from plimsoll.memory.extraction.turns import Advance, Cursor, ReadBy
from plimsoll.memory.types import Memory, MemoryEvent, MemoryMatch, MemoryPage, MemoryState
from plimsoll.storage.postgres.memories import rows
from plimsoll.storage.postgres.memories.changes import apply_changes
from plimsoll.storage.postgres.memories.search import search_memories
from plimsoll.storage.postgres.projects import ProjectDatabase, SharedProject


class PostgresMemories:
    """A ``MemoryStore`` in a shared PostgreSQL, whose connections its opener closes.

    It has the methods of that port, and no other.
    """

    def __init__(self, database: ProjectDatabase) -> None:
        self._database = database

    async def apply(
        self, changes: Sequence[Change], at: str, advance: Advance | None = None
    ) -> list[Memory]:
        """Apply changes and move the cursor, in one transaction."""

        async def unit(project: SharedProject) -> list[Memory]:
            done = await apply_changes(project, changes, at)
            if advance is not None:
                await rows.move_cursor(project, advance)
            return done

        return await self._database.write(unit)

    async def get(self, memory_id: str) -> Memory:
        """Read one memory."""
        name = clean(memory_id)
        return await self._database.read(lambda project: rows.select_one(project, name))

    async def memories(self, states: Collection[MemoryState]) -> list[Memory]:
        """Read the memories in these states, newest first."""
        return await self._database.read(lambda project: rows.select_states(project, states))

    async def page(self, wanted: PageQuery) -> MemoryPage:
        """Read a page of the memories, newest first; raises InvalidInput for a bad cursor."""
        return await self._database.read(lambda project: rows.select_page(project, wanted))

    async def foremost(self, limit: int) -> tuple[list[Memory], int]:
        """Read the memories to tell a session before any question; count all."""
        return await self._database.read(lambda project: rows.select_foremost(project, limit))

    async def injectable(
        self, question: str, at: str, *, found: int, foremost: int
    ) -> InjectionMaterial:
        """Read in one snapshot the memories to choose from for a session's first question."""

        async def unit(project: SharedProject) -> InjectionMaterial:
            matches = await search_memories(project, question, at, found)
            told = await rows.select_foremost(project, foremost)
            return InjectionMaterial(matches, *told)

        return await self._database.read(unit)

    async def recent(self, *, passing: bool = False) -> RecentChanges:
        """Read the changes since the last consolidation; ``passing``: also all that can expire."""
        return await self._database.read(
            lambda project: rows.select_recent(project, passing=passing)
        )

    async def keep_order(self, event: int) -> None:
        """Record that memories were consolidated up to an event."""
        await self._database.write(lambda project: rows.keep_order(project, event))

    async def of_files(self) -> list[Memory]:
        """Read the memories in effect that come from a file with a hash."""
        return await self._database.read(rows.select_of_files)

    async def standing(self, memory_ids: Collection[str]) -> frozenset[str]:
        """Return the ids of those memories that are still in effect."""
        return await self._database.read(lambda project: rows.select_standing(project, memory_ids))

    async def search(self, question: str, at: str, limit: int) -> list[MemoryMatch]:
        """Search the memories for the words of a question, the best match first."""
        return await self._database.read(
            lambda project: search_memories(project, question, at, limit)
        )

    async def audit(self, memory_id: str | None = None) -> list[MemoryEvent]:
        """Read the audit trail of one memory or of all, oldest first."""
        name = None if memory_id is None else clean(memory_id)
        return await self._database.read(lambda project: rows.select_events(project, name))

    async def cursor(self, session_id: str, read_by: ReadBy = "phrases") -> Cursor | None:
        """Read the cursor of a session: how far it was read for memories."""
        return await self._database.read(
            lambda project: rows.select_cursor(project, session_id, read_by)
        )
