"""The memories of one project, in its database or in memory."""

import sqlite3
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TypeVar

from plimsoll.memory.changes import Change, Purge
from plimsoll.memory.cursor import Advance, Cursor
from plimsoll.memory.ranking import ranked
from plimsoll.memory.types import Match, Memory, MemoryEvent, MemoryState
from plimsoll.storage import memory_records as records
from plimsoll.storage.database import Database, Unit
from plimsoll.storage.failures import translated
from plimsoll.storage.locate import ProjectPlace
from plimsoll.storage.memory_index import candidates
from plimsoll.storage.memory_rows import apply_changes
from plimsoll.storage.memory_schema import MEMORY_TABLES
from plimsoll.storage.opening import remove_backups
from plimsoll.storage.told import take_out_of_logs

T = TypeVar("T")


class SqliteMemories:
    """A ``MemoryStore`` in the database of a project's folder, which its sessions share.

    Whoever opened the database closes it.
    """

    def __init__(self, database: Database, place: ProjectPlace) -> None:
        self._database = database
        self._place = place

    async def apply(
        self, changes: Sequence[Change], at: str, advance: Advance | None = None
    ) -> list[Memory]:
        """Make changes, and the step of the cursor that they stem from; all of it or nothing."""
        purging = [change.id for change in changes if isinstance(change, Purge)]
        if purging:
            # Files first: after a crash in between the memory is still there to be purged.
            remove_backups(self._place.folder)

        def unit(connection: sqlite3.Connection) -> list[Memory]:
            for name in purging:
                take_out_of_logs(connection, name)
            return apply_changes(connection, changes, at, advance)

        done = await self._database.write(unit)
        if purging:
            await self._database.scrub()
        return done

    async def get(self, memory_id: str) -> Memory:
        """One memory."""
        return await self._database.read(lambda db: records.held(db, memory_id)[1])

    async def memories(self, states: Collection[MemoryState]) -> list[Memory]:
        """The memories in some states, the newest first."""
        return await self._database.read(lambda db: records.select_memories(db, states))

    async def foremost(self, limit: int) -> tuple[list[Memory], int]:
        """What may be told without a question, and how many can be found in all."""
        return await self._database.read(lambda db: records.select_foremost(db, limit))

    async def of_files(self) -> list[Memory]:
        """The memories that can be told and come from a file with a hash."""
        return await self._database.read(records.select_of_files)

    async def standing(self, memory_ids: Collection[str]) -> frozenset[str]:
        """Those of some memories that can still be told."""
        return await self._database.read(lambda db: records.select_standing(db, memory_ids))

    async def search(self, question: str, at: str, limit: int) -> list[Match]:
        """What fits a question best."""
        return await self._database.read(lambda db: _search(db, question, at, limit))

    async def audit(self, memory_id: str | None = None) -> list[MemoryEvent]:
        """What happened, oldest first."""
        return await self._database.read(lambda db: records.select_events(db, memory_id))

    async def cursor(self, session_id: str) -> Cursor | None:
        """How far a session has been read."""
        return await self._database.read(lambda db: records.select_cursor(db, session_id))

    async def close(self) -> None:
        """The database stays open for the sessions."""


class InMemoryMemories:
    """A ``MemoryStore`` that forgets everything with its process: the same rows in no file."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect(":memory:", isolation_level=None)
        for statement in MEMORY_TABLES:
            self._connection.execute(statement)

    async def apply(
        self, changes: Sequence[Change], at: str, advance: Advance | None = None
    ) -> list[Memory]:
        """Make changes, and the step of the cursor that they stem from; all of it or nothing."""
        return self._transact(lambda db: apply_changes(db, changes, at, advance))

    async def get(self, memory_id: str) -> Memory:
        """One memory."""
        return self._transact(lambda db: records.held(db, memory_id)[1])

    async def memories(self, states: Collection[MemoryState]) -> list[Memory]:
        """The memories in some states, the newest first."""
        return self._transact(lambda db: records.select_memories(db, states))

    async def foremost(self, limit: int) -> tuple[list[Memory], int]:
        """What may be told without a question, and how many can be found in all."""
        return self._transact(lambda db: records.select_foremost(db, limit))

    async def of_files(self) -> list[Memory]:
        """The memories that can be told and come from a file with a hash."""
        return self._transact(records.select_of_files)

    async def standing(self, memory_ids: Collection[str]) -> frozenset[str]:
        """Those of some memories that can still be told."""
        return self._transact(lambda db: records.select_standing(db, memory_ids))

    async def search(self, question: str, at: str, limit: int) -> list[Match]:
        """What fits a question best."""
        return self._transact(lambda db: _search(db, question, at, limit))

    async def audit(self, memory_id: str | None = None) -> list[MemoryEvent]:
        """What happened, oldest first."""
        return self._transact(lambda db: records.select_events(db, memory_id))

    async def cursor(self, session_id: str) -> Cursor | None:
        """How far a session has been read."""
        return self._transact(lambda db: records.select_cursor(db, session_id))

    async def close(self) -> None:
        """Forget everything."""
        self._connection.close()

    def _transact(self, unit: Unit[T]) -> T:
        connection = self._connection
        try:
            connection.execute("BEGIN")
            result = unit(connection)
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise translated(error, Path(":memory:")) from error
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        return result


def _search(connection: sqlite3.Connection, question: str, at: str, limit: int) -> list[Match]:
    return ranked(records.select_found(connection, candidates(connection, question)), at, limit)
