"""This machine's copy of a shared project, in the folder's own database."""

import sqlite3
from dataclasses import replace

from plimsoll.memory.types import Memory
from plimsoll.storage.base import Redactor
from plimsoll.storage.database.units import Database
from plimsoll.storage.replica import outbox
from plimsoll.storage.replica.membership import insert_joined, remove_joined, select_joined
from plimsoll.storage.replica.sessions import hear_of_sessions
from plimsoll.storage.replica.settling import settle
from plimsoll.storage.replica.taking_in import (
    accept_memories,
    read_acceptance,
    remove_pin,
    take_in_memories,
    take_in_pin,
)
from plimsoll.storage.shared.arriving import Arrived
from plimsoll.storage.shared.base import AcceptAuthors, Joined
from plimsoll.storage.shared.news import News
from plimsoll.storage.shared.operations import (
    ChangeMemory,
    Gone,
    Operation,
    Outcome,
    Queued,
    ShareMemory,
    SharePin,
)

_COUNT = "SELECT count(*) FROM team_outbox"
_MOVE = "UPDATE team SET position = max(position, ?), seen_at = ?"
_ACCEPT = "INSERT OR IGNORE INTO team_authors (name, at) VALUES (?, ?)"


class SqliteReplica:
    """A ``TeamReplica`` in a project's database, which its opener closes."""

    def __init__(self, database: Database, redact: Redactor) -> None:
        self._database = database
        self._redact = redact

    async def read_joined(self) -> Joined | None:
        """Read the project that the folder takes part in; None for none."""
        return await self._database.read(select_joined)

    async def join(self, joined: Joined) -> None:
        """Take part in a project from now on."""
        await self._database.write(lambda db: insert_joined(db, joined))

    async def leave(self) -> None:
        """Leave the project: colleagues' texts are removed, the person's own become private."""
        # Files first: after a crash in between the folder still takes part.
        self._database.remove_backups()
        await self._database.write(remove_joined)
        await self._database.scrub()

    async def read_queued(self, limit: int = 50) -> list[Queued]:
        """Read the first operations that wait to be sent, without known secrets."""
        waiting = await self._database.read(lambda db: outbox.first_waiting(db, limit))
        return [replace(each, operation=self._redacted(each.operation)) for each in waiting]

    async def count_queued(self) -> int:
        """Count the operations that wait to be sent."""
        return await self._database.read(lambda db: int(db.execute(_COUNT).fetchone()[0]))

    async def waiting(self) -> frozenset[str]:
        """Read the ids of the memories, pins and sessions on which an operation waits."""
        return await self._database.read(outbox.subjects_waiting)

    async def settle(self, queued: Queued, outcome: Outcome, at: str) -> None:
        """Take an operation off the queue and store what became of it."""
        purging = isinstance(outcome, Gone)
        if purging:
            self._database.remove_backups()
        await self._database.write(lambda db: settle(db, queued, outcome, at))
        if purging:
            await self._database.scrub()

    async def enqueue(self, operation: Operation) -> None:
        """Queue an operation that no change of a memory or pin brings with it."""
        await self._database.write(lambda db: outbox.enqueue(db, [operation]))

    async def take_in(self, news: News, at: str, accept: AcceptAuthors = "known") -> bool:
        """Store news with their position, both or nothing; return whether anything changed."""
        if news.forgotten:
            self._database.remove_backups()
        changed = await self._database.write(lambda db: _take_in(db, news, at, accept))
        if news.forgotten:
            await self._database.scrub()
        return changed

    async def accepted_authors(self) -> frozenset[str]:
        """Read the authors whose memories take effect without waiting in the inbox."""
        acceptance = await self._database.read(lambda db: read_acceptance(db, "known"))
        return acceptance.authors

    async def accept_author(self, name: str, at: str) -> None:
        """Accept an author: what waits of theirs takes effect now, and later memories at once."""

        def unit(connection: sqlite3.Connection) -> None:
            connection.execute(_ACCEPT, (name, at))
            accept_memories(connection, name, at)

        await self._database.write(unit)

    def _redacted(self, operation: Operation) -> Operation:
        match operation:
            case ShareMemory(memory) | ChangeMemory(memory):
                return replace(operation, memory=self._without_secrets(memory))
            case SharePin(pin):
                return SharePin(replace(pin, text=self._redact(pin.text)))
            case _:
                return operation

    def _without_secrets(self, memory: Memory) -> Memory:
        title, content = self._redact(memory.title), self._redact(memory.content)
        return replace(memory, title=title, content=content)


def _take_in(connection: sqlite3.Connection, news: News, at: str, accept: AcceptAuthors) -> bool:
    if not outbox.is_joined(connection):
        # The person has left while the server was asked.
        return False
    acceptance = read_acceptance(connection, accept)
    arrived = Arrived(memories=news.memories, forgotten=news.forgotten, at=at)
    changed = [take_in_memories(connection, arrived, acceptance)]
    changed += [take_in_pin(connection, pin, acceptance) for pin in news.pins]
    changed += [remove_pin(connection, name) for name in news.removed_pins]
    hear_of_sessions(connection, news.sessions, news.deleted_sessions)
    connection.execute(_MOVE, (news.position, at))
    return any(changed) or bool(news.sessions) or bool(news.deleted_sessions)
