"""The log of a session: what was appended is durable, and what is durable is folded."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Protocol

from plimsoll.cancellation import wait_through_cancel
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Entry, Noted, Said, text_length
from plimsoll.context.log.messages import Part
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.ledger import Ledger
from plimsoll.storage.project import BeforeRequest, ProjectStore

READ_AT_ONCE = 20_000
"""Characters that are counted and read on the event loop, in about 10 ms; more go to a thread."""


class KeepsNotes(Protocol):
    """Appends notes to a session's log: under its lease, or beside whatever runs."""

    async def __call__(self, *notes: Noted) -> object:
        """Append notes to the log."""
        ...


class SessionLog:
    """Appends entries so that what was acknowledged is durable, and folds what is durable."""

    def __init__(self, session_id: str, store: ProjectStore, indexes: Indexes) -> None:
        self.session_id = session_id
        self.indexes = indexes
        self.heard_by: Callable[[Sequence[Entry]], Awaitable[None]] | None = None
        """Takes what was appended before whoever appended it goes on."""
        self._store = store
        self._lock = asyncio.Lock()

    @property
    def fold(self) -> Fold:
        """The fold of the durable entries."""
        return self.indexes.fold

    def kept_message(self, said: Said) -> Said:
        """Return a message as the log keeps it, without secrets."""
        index = self.fold.index_of(said.id)
        assert index is not None
        entry = self.fold.entries[index]
        assert isinstance(entry, Said)
        return entry

    async def append(self, *entries: Entry) -> tuple[Entry, ...]:
        """Append entries as one transaction, and return them as stored.

        Raises:
            LogConflict: Another process has written to the session meanwhile.
            StoreUnavailable: The store cannot be written; nothing was appended.
        """
        async with self._lock:
            write = asyncio.ensure_future(self._write(entries))
            # Store and fold must not part ways.
            cancelled = await wait_through_cancel(write)
            kept = tuple(write.result())
            self.fold.extend(kept)
        if self.heard_by is not None:
            telling = asyncio.ensure_future(self.heard_by(kept))
            cancelled = await wait_through_cancel(telling) or cancelled
            telling.result()
        if cancelled:
            raise asyncio.CancelledError
        return kept

    async def _write(self, entries: Sequence[Entry]) -> list[Entry]:
        kept = await self._store.append(self.session_id, entries, len(self.fold.entries))
        await self._read_ahead(kept)
        return kept

    async def _read_ahead(self, entries: Sequence[Entry]) -> None:
        """Count and read long texts on a thread, so that the fold finds them known."""
        if sum(map(text_length, entries)) > READ_AT_ONCE:
            await asyncio.to_thread(self.indexes.read_ahead, entries)

    async def read_parts(self, parts: Sequence[Part]) -> None:
        """Count and read parts on a thread, before they come back into view."""
        if sum(len(part.text) for part in parts) > READ_AT_ONCE:
            await asyncio.to_thread(self.indexes.read_parts, parts)

    async def refresh(self) -> int:
        """Read the entries that another process has appended; returns their number."""
        async with self._lock:
            fresh = await self._store.entries(self.session_id, len(self.fold.entries))
            await self._read_ahead(fresh)
            self.fold.extend(fresh)
        return len(fresh)

    async def before_request(self, memory_ids: Collection[str]) -> BeforeRequest:
        """Fold the entries that another process has appended; returns all that the store read."""
        async with self._lock:
            start = len(self.fold.entries)
            found = await self._store.before_request(self.session_id, start, memory_ids)
            await self._read_ahead(found.entries)
            self.fold.extend(found.entries)
        return found

    async def reload(self) -> None:
        """Fold the stored log anew, after a purge has changed it."""
        async with self._lock:
            entries = await self._store.entries(self.session_id)
            self.indexes = await asyncio.to_thread(self._fold_anew, entries)

    async def reprice(self, ledger: Ledger) -> None:
        """Count the view with another ledger; a thread counts texts that are new to it."""
        async with self._lock:
            await asyncio.to_thread(ledger.count_ahead, self.fold.view)
            self.fold.reprice(ledger)

    def _fold_anew(self, entries: Sequence[Entry]) -> Indexes:
        indexes = Indexes(Fold(self.fold.ledger, entries, self.fold.tools))
        indexes.read_all()
        return indexes
