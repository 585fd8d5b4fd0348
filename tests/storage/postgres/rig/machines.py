"""Machines that push changes to a team's server until each has an outcome, whatever breaks."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from uuid import UUID

from memory.samples import memory
from plimsoll.context.log.entries import Entry
from plimsoll.errors import Busy, LogConflict, StoreError
from plimsoll.memory.types import Memory, MemoryScope
from plimsoll.storage.base import SessionRecord
from plimsoll.storage.shared.base import TeamServer
from plimsoll.storage.shared.news import News
from plimsoll.storage.shared.operations import (
    ChangeMemory,
    Done,
    ForgetMemory,
    Operation,
    Outcome,
    Queued,
    ShareMemory,
)
from storage.samples import said

PAUSE = 0.02
"""Seconds before what failed is tried again."""
Tick = Callable[[], None]


@dataclass(kw_only=True)
class Machine:
    """A machine with changes of its own, and what the server has acknowledged of them."""

    name: str
    server: TeamServer
    chance: random.Random
    told: Tick
    """Called at each acknowledged change."""
    memories: dict[str, Memory] = field(default_factory=dict)
    """As they are to be at the server, with the version it answered."""
    forgotten: set[str] = field(default_factory=set)
    retries: int = 0

    async def work(self, changes: int) -> None:
        """Make so many changes, one after another, as an outbox does."""
        for number in range(changes):
            operation = self._next(number)
            outcome = await self.push(Queued(self._key(), operation))
            assert isinstance(outcome, Done), f"{self.name} {number}: {outcome}"
            self._note(operation, outcome)
            self.told()

    async def push(self, queued: Queued) -> Outcome:
        """Push an operation until the server has answered."""
        return await self._surely(lambda: self.server.push(queued))

    async def news(self) -> tuple[dict[str, Memory], set[str]]:
        """Read all memories and tombstones of the project from its beginning."""
        memories: dict[str, Memory] = {}
        forgotten: set[str] = set()
        since, more = 0, True
        while more:
            news = await self._surely(lambda since=since: self.server.news(since, 100))
            self._take_in(news, memories, forgotten)
            since, more = news.position, news.more
        return memories, forgotten

    def _take_in(self, news: News, memories: dict[str, Memory], forgotten: set[str]) -> None:
        for shared in news.memories:
            memories[shared.memory.id] = replace(shared.memory, version=shared.version)
        for name in news.forgotten:
            memories.pop(name, None)
            forgotten.add(name)

    async def _surely(self, call: Callable[[], Awaitable[object]]) -> object:
        while True:
            try:
                return await call()
            except StoreError as error:
                if isinstance(error, Busy | LogConflict):
                    raise
                self.retries += 1
                await asyncio.sleep(PAUSE)

    def _key(self) -> str:
        return str(UUID(int=self.chance.getrandbits(128), version=4))

    def _next(self, number: int) -> Operation:
        drawn = self.chance.random()
        own = sorted(self.memories)
        if own and drawn < 0.1:
            return ForgetMemory(self.chance.choice(own))
        if own and drawn < 0.3:
            known = self.memories[self.chance.choice(own)]
            text = f"{self.name} says number {number} otherwise now."
            return ChangeMemory(replace(known, content=text), known.version or 0)
        name = f"{self.name}-{number}"
        text = f"{self.name} noted number {number} of its own."
        return ShareMemory(memory(name, text, scope=MemoryScope.TEAM))

    def _note(self, operation: Operation, done: Done) -> None:
        if isinstance(operation, ForgetMemory):
            del self.memories[operation.memory_id]
            self.forgotten.add(operation.memory_id)
        elif isinstance(operation, ShareMemory | ChangeMemory):
            kept = operation.memory
            self.memories[kept.id] = replace(kept, version=done.version)


@dataclass(kw_only=True)
class Writer:
    """A machine that believes to hold a session, and takes it back when it does not."""

    name: str
    server: TeamServer
    record: SessionRecord
    told: Tick
    refused: int = 0
    retries: int = 0
    _fence: int | None = None
    _length: int = 0

    async def work(self, appends: int) -> None:
        """Append so many entries, each at the end of what is there."""
        for number in range(appends):
            entry = said(f"{self.name}-{number}")
            while not await self._append(entry):
                await asyncio.sleep(PAUSE)
            self.told()

    async def _append(self, entry: Entry) -> bool:
        """Append an entry; return whether it is there."""
        try:
            self._length = await self.server.sessions.ship(
                self.record, [entry], self._length, self._fence
            )
        except (Busy, LogConflict):
            self.refused += 1
            return await self._take_back(entry)
        except StoreError:
            self.retries += 1
            return False
        return True

    async def _take_back(self, entry: Entry) -> bool:
        """Take the lease also from the other machine; return whether an entry is in the log."""
        sessions = self.server.sessions
        try:
            self._fence = await sessions.take(self.record.id, force=True)
            shared, added = await sessions.read(self.record.id, self._length)
        except StoreError:
            self.retries += 1
            return False
        self._length = shared.length
        return any(each.id == entry.id for each in added)
