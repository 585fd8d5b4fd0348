"""A session's log: kept in the store first, then folded as it was kept."""

import asyncio
from collections.abc import Collection

from plimsoll.context.log.entries import Entry
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.ledger import Ledger
from plimsoll.storage.base import BeforeRequest, ProjectStore


class SessionLog:
    """Appends entries so that what was acknowledged is durable, and folds what is durable."""

    def __init__(self, session_id: str, store: ProjectStore, fold: Fold) -> None:
        self.session_id = session_id
        self.fold = fold
        self._store = store
        self._lock = asyncio.Lock()

    async def append(self, *entries: Entry) -> tuple[Entry, ...]:
        """Keep some entries as one unit and return them as they were kept.

        Raises:
            LogConflict: Another process has written to the session meanwhile.
            StoreUnavailable: The store cannot be written; nothing was appended.
        """
        async with self._lock:
            write = asyncio.ensure_future(
                self._store.append(self.session_id, entries, len(self.fold.entries))
            )
            cancelled = await _through(write)
            kept = tuple(write.result())
            self.fold.extend(kept)
        if cancelled:
            raise asyncio.CancelledError
        return kept

    async def refresh(self) -> int:
        """Take in what another process has appended; returns how many entries came."""
        async with self._lock:
            fresh = await self._store.entries(self.session_id, len(self.fold.entries))
            self.fold.extend(fresh)
        return len(fresh)

    async def before_request(self, memory_ids: Collection[str]) -> BeforeRequest:
        """Take in what another process has appended; returns what was read together with it."""
        async with self._lock:
            start = len(self.fold.entries)
            found = await self._store.before_request(self.session_id, start, memory_ids)
            self.fold.extend(found.entries)
        return found

    async def reload(self) -> None:
        """Fold anew what is stored, after a purge has taken something out of it."""
        async with self._lock:
            entries = await self._store.entries(self.session_id)
            self.fold = await asyncio.to_thread(Fold, self.fold.ledger, entries, self.fold.tools)

    async def reprice(self, ledger: Ledger) -> None:
        """Fold anew with another tokenizer, on a worker thread."""
        async with self._lock:
            self.fold = await asyncio.to_thread(
                Fold, ledger, tuple(self.fold.entries), self.fold.tools
            )


async def _through(write: "asyncio.Future[list[Entry]]") -> bool:
    """Wait for a write even when we are cancelled: store and fold must not part ways."""
    cancelled = False
    while not write.done():
        try:
            await asyncio.wait([write])
        except asyncio.CancelledError:
            cancelled = True
    return cancelled
