"""Brings order among a project's memories: what has run out, is alike, or has a changed file."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from plimsoll.memory.base import MemoryStore, RecentChanges
from plimsoll.memory.changes import Change, Mark
from plimsoll.memory.types import SHOWN, Memory, MemoryState
from plimsoll.memory.upkeep.consolidation import ConsolidationLimits, consolidate, in_turns

HashOf = Callable[[str], str | None]
"""The SHA-256 of the file of a URI; none: it is not there."""
_ALIKE = 20
"""Memories that are looked at for one that says the same as a new one, or the opposite."""
_MOST_COMPARED = 50
"""New memories from which on it costs less to read all than to look for each."""
_MOST_EVENTS = 500
"""Events that are looked through anew before it is kept that none of them matters."""
_CHANGES_A_TURN = 20
"""Changes after which other processes may write: one that ends a memory takes 1 to 6 ms."""


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
        """The time by which memories expire, where the clock may have jumped ahead."""
        self._ordered: tuple[str, ConsolidationLimits] | None = None
        """The day and the limits for which order was last brought here."""
        self._tidying = asyncio.Lock()

    async def tidy(self, limits: ConsolidationLimits) -> list[Memory]:
        """Bring order: expire, trim, merge; returns what went.

        All memories are read the first time ever and where much has come; else what has changed
        since then, in whichever process, with what may say the same or the opposite. What runs
        out is looked at with it, on another day and for other limits.
        """
        async with self._tidying:
            now = self._now()
            believed = min(now, self.believed or now)
            held = believed[:10], limits
            recent = await self._store.recent(passing=self._ordered != held)
            if recent.since is None or len(recent.changed) > _MOST_COMPARED:
                known = await self._store.memories(SHOWN)
            else:
                known = await self._beside(recent)
            plan = partial(consolidate, known, now, limits, believed=believed)
            changes = await asyncio.to_thread(plan) if known else []
            gone = await self._apply_in_turns(changes)
            # What it did itself is looked at once more.
            if _is_behind(recent):
                await self._store.keep_order(recent.newest)
            self._ordered = held
            return gone

    async def _beside(self, recent: RecentChanges) -> list[Memory]:
        """Read what an order may change by what has come or may have run out."""
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
        """Mark memories whose file has changed; returns those whose mark has changed."""
        known = await self._store.of_files()
        return await self._apply_in_turns(await asyncio.to_thread(source_marks, known, hash_of))

    async def _apply_in_turns(self, changes: Sequence[Change]) -> list[Memory]:
        """Make changes of which each counts alone, a few at a time: others write in between."""
        done: list[Memory] = []
        try:
            for some in in_turns(changes, _CHANGES_A_TURN):
                done += await self._store.apply(some, self._now())
        finally:
            if done:
                await self._changed()
        return done


def source_marks(memories: Sequence[Memory], hash_of: HashOf) -> list[Mark]:
    """Make the marks for memories whose file has changed, is gone, or is again as it was."""
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
    """Tell whether it must be kept that order was brought up to the newest event."""
    if recent.since is None:
        return recent.newest > 0
    return bool(recent.changed) or recent.newest - recent.since > _MOST_EVENTS
