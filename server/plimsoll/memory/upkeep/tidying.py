"""Brings order among a project's memories: what has run out, is alike, or has a changed file."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from plimsoll.memory.base import MemoryStore, RecentChanges
from plimsoll.memory.changes import Change, Mark
from plimsoll.memory.types import SHOWN, Memory, MemoryState
from plimsoll.memory.upkeep.consolidation import ConsolidationLimits, consolidate, in_turns

HashOf = Callable[[str], str | None]
"""Returns the SHA-256 of the file at a URI; none if there is no file."""
_ALIKE = 20
"""How many memories are compared with a new one, as equal or opposite."""
_MOST_COMPARED = 50
"""From this many new memories on, reading all is cheaper than searching for each."""
_MOST_EVENTS = 500
"""How many events may be looked through again before it is recorded that none matters."""
_CHANGES_A_TURN = 20
"""Changes in one transaction, so that other processes can write between: one takes up to 6 ms."""


class MemoryUpkeep:
    """Keeps order among the memories of one project; ``changed`` is called after each change."""

    def __init__(
        self,
        store: MemoryStore,
        now: Callable[[], str],
        changed: Callable[[], Awaitable[None]],
    ) -> None:
        self._store = store
        self._now = now
        self._changed = changed
        self.believed: str | None = None
        """The time used for expiry if the clock may have jumped ahead."""
        self._ordered: tuple[str, ConsolidationLimits] | None = None
        """The day and the limits of the last consolidation in this process."""
        self._tidying = asyncio.Lock()

    async def tidy(self, limits: ConsolidationLimits) -> list[Memory]:
        """Consolidate: expire, trim, merge; return the memories that were hidden.

        All memories are read the first time and after many changes; otherwise those changed since,
        by any process, with those that may be equal or opposite. Those that expire are checked
        then, and on another day or with other limits.
        """
        async with self._tidying:
            now = self._now()
            believed = min(now, self.believed or now)
            held = believed[:10], limits
            recent = await self._store.recent(passing=self._ordered != held)
            if recent.since is None or len(recent.changed) > _MOST_COMPARED:
                known = await self._store.memories(SHOWN)
            else:
                known = await self._read_affected(recent)
            plan = partial(consolidate, known, now, limits, believed=believed)
            changes = await asyncio.to_thread(plan) if known else []
            gone = await self._apply_in_turns(changes)
            # What it did itself is looked at once more.
            if _is_behind(recent):
                await self._store.keep_order(recent.newest)
            self._ordered = held
            return gone

    async def _read_affected(self, recent: RecentChanges) -> list[Memory]:
        """Read the memories that a consolidation may change because of recent ones."""
        if not recent.changed and not recent.passing:
            return []
        alike = [
            match.memory
            for memory in recent.changed
            for match in await self._store.search(memory.text, self._now(), _ALIKE)
        ]
        near = (
            *recent.changed,
            *recent.passing,
            *alike,
            *await self._store.memories({MemoryState.INBOX}),
        )
        return list({memory.id: memory for memory in near}.values())

    async def check_sources(self, hash_of: HashOf) -> list[Memory]:
        """Mark memories whose file has changed; return those with a new mark."""
        known = await self._store.of_files()
        return await self._apply_in_turns(await asyncio.to_thread(source_marks, known, hash_of))

    async def _apply_in_turns(self, changes: Sequence[Change]) -> list[Memory]:
        """Apply independent changes in small transactions, so that others can write between."""
        done: list[Memory] = []
        try:
            for some in in_turns(changes, _CHANGES_A_TURN):
                done += await self._store.apply(some, self._now())
        finally:
            if done:
                await self._changed()
        return done


def source_marks(memories: Sequence[Memory], hash_of: HashOf) -> list[Mark]:
    """Build the marks for memories whose file has changed, is gone, or is again as it was."""
    known: dict[str, str | None] = {}
    marks: list[Mark] = []
    for memory in memories:
        source = memory.source
        if source is None or source.uri is None or source.sha256 is None:
            continue
        if source.uri not in known:
            known[source.uri] = hash_of(source.uri)
        now = known[source.uri]
        if now == source.sha256 and memory.state is MemoryState.STALE:
            marks.append(Mark(memory.id, stale=False, reason="its file is as it was"))
        elif now != source.sha256 and memory.state is MemoryState.ACTIVE:
            reason = "its file is gone" if now is None else "its file has changed"
            marks.append(Mark(memory.id, stale=True, reason=reason))
    return marks


def _is_behind(recent: RecentChanges) -> bool:
    """Tell whether the consolidated event must be recorded, being far behind the newest."""
    if recent.since is None:
        return recent.newest > 0
    return bool(recent.changed) or recent.newest - recent.since > _MOST_EVENTS
