"""The memories of one project in its database."""

import sqlite3
from collections.abc import Collection, Sequence

from plimsoll.context.log.messages import clean
from plimsoll.memory.base import InjectionMaterial, PageQuery, RecentChanges
from plimsoll.memory.changes import Change, Purge
from plimsoll.memory.extraction.turns import Advance, Cursor, ReadBy
from plimsoll.memory.ranking import LEADING, NEIGHBOUR, REACH, apply_weights, rank
from plimsoll.memory.types import Memory, MemoryEvent, MemoryMatch, MemoryPage, MemoryState
from plimsoll.storage.database.units import Database
from plimsoll.storage.memories import records
from plimsoll.storage.memories.applying import apply_changes
from plimsoll.storage.memories.frames import purge_from_logs
from plimsoll.storage.memories.index import candidates, neighbours
from plimsoll.text.terms import named_in


class SqliteMemories:
    """A ``MemoryStore`` in a project's database, which its opener closes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def apply(
        self, changes: Sequence[Change], at: str, advance: Advance | None = None
    ) -> list[Memory]:
        """Apply changes and move the cursor, in one transaction."""
        purging = [change.id for change in changes if isinstance(change, Purge)]
        if purging:
            # Files first: after a crash in between the memory is still there to be purged.
            self._database.remove_backups()

        def unit(connection: sqlite3.Connection) -> list[Memory]:
            for name in purging:
                purge_from_logs(connection, name)
            return apply_changes(connection, changes, at, advance)

        done = await self._database.write(unit)
        if purging:
            await self._database.scrub()
        return done

    async def get(self, memory_id: str) -> Memory:
        """Read one memory."""
        return await self._database.read(lambda db: records.select_memory(db, clean(memory_id)))

    async def memories(self, states: Collection[MemoryState]) -> list[Memory]:
        """Read the memories in these states, newest first."""
        return await self._database.read(lambda db: records.select_memories(db, states))

    async def page(self, wanted: PageQuery) -> MemoryPage:
        """Read a page of the memories, newest first; raises InvalidInput for a bad cursor."""
        return await self._database.read(lambda db: records.select_page(db, wanted))

    async def foremost(self, limit: int) -> tuple[list[Memory], int]:
        """Read the memories to tell a session before any question; count all."""
        return await self._database.read(lambda db: records.select_foremost(db, limit))

    async def injectable(
        self, question: str, at: str, *, found: int, foremost: int
    ) -> InjectionMaterial:
        """Read in one snapshot the memories to choose from for a session's first question."""

        def unit(connection: sqlite3.Connection) -> InjectionMaterial:
            matches = _search(connection, question, at, found)
            return InjectionMaterial(matches, *records.select_foremost(connection, foremost))

        return await self._database.read(unit)

    async def recent(self, *, passing: bool = False) -> RecentChanges:
        """Read the changes since the last consolidation; ``passing``: also all that can expire."""
        return await self._database.read(lambda db: records.select_recent(db, passing=passing))

    async def keep_order(self, event: int) -> None:
        """Record that memories were consolidated up to an event."""
        await self._database.write(lambda db: records.store_consolidated(db, event))

    async def of_files(self) -> list[Memory]:
        """Read the memories in effect that come from a file with a hash."""
        return await self._database.read(records.select_of_files)

    async def standing(self, memory_ids: Collection[str]) -> frozenset[str]:
        """Return the ids of those memories that are still in effect."""
        return await self._database.read(lambda db: records.select_standing(db, memory_ids))

    async def search(self, question: str, at: str, limit: int) -> list[MemoryMatch]:
        """Search the memories for the words of a question, best match first."""
        return await self._database.read(lambda db: _search(db, question, at, limit))

    async def audit(self, memory_id: str | None = None) -> list[MemoryEvent]:
        """Read the audit trail of one memory or of all, oldest first."""
        # A log from elsewhere may name any text, and SQLite binds no lone surrogate.
        name = None if memory_id is None else clean(memory_id)
        return await self._database.read(lambda db: records.select_events(db, name))

    async def cursor(self, session_id: str, read_by: ReadBy = "phrases") -> Cursor | None:
        """Read the cursor of a session: how far it was read for memories."""
        return await self._database.read(lambda db: records.select_cursor(db, session_id, read_by))


def _search(
    connection: sqlite3.Connection, question: str, at: str, limit: int
) -> list[MemoryMatch]:
    """Rank the candidates close to the best by words, then add the notes next to the first."""
    found, named = candidates(connection, question), named_in(question)
    least = found[min(limit, len(found)) - 1][1] / REACH if found else 0.0
    near = records.select_found(connection, [one for one in found if one[1] >= least])
    matches = rank(apply_weights(near, at, named), limit)
    joining = [
        (key, match.score * NEIGHBOUR)
        for match in matches[:LEADING]
        for key in neighbours(connection, match.memory)
    ]
    joined = records.select_found(connection, joining)
    return rank([*matches, *(MemoryMatch(memory, score) for memory, score in joined)], limit)
