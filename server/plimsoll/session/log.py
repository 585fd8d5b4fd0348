"""A session's log: kept in the store first, then folded; redacted at the door."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from plimsoll.context.entries import (
    Cover,
    Edited,
    Entry,
    Framed,
    Noted,
    Op,
    Pinned,
    Refer,
    Replace,
    Said,
)
from plimsoll.context.fold import Fold
from plimsoll.context.ledger import Ledger
from plimsoll.context.messages import clean
from plimsoll.storage.base import Redactor, SessionStore


class SessionLog:
    """Appends entries so that what was acknowledged is durable, and folds what is durable."""

    def __init__(self, session_id: str, store: SessionStore, fold: Fold, redact: Redactor) -> None:
        self.session_id = session_id
        self.fold = fold
        self._store = store
        self._redact = redact
        self._lock = asyncio.Lock()

    async def append(self, *entries: Entry) -> tuple[Entry, ...]:
        """Keep some entries as one unit and return them as they were kept.

        Raises:
            LogConflict: Another process has written to the session meanwhile.
            StoreUnavailable: The store cannot be written; nothing was appended.
        """
        kept = tuple(redacted(entry, self._redact) for entry in entries)
        async with self._lock:
            write = asyncio.ensure_future(
                self._store.append(self.session_id, kept, len(self.fold.entries))
            )
            cancelled = await _through(write)
            write.result()
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

    async def reprice(self, ledger: Ledger) -> None:
        """Fold anew with another tokenizer, on a worker thread."""
        async with self._lock:
            self.fold = await asyncio.to_thread(Fold, ledger, tuple(self.fold.entries))


async def _through(write: "asyncio.Future[int]") -> bool:
    """Wait for a write even when we are cancelled: store and fold must not part ways."""
    cancelled = False
    while not write.done():
        try:
            await asyncio.wait([write])
        except asyncio.CancelledError:
            cancelled = True
    return cancelled


def redacted(entry: Entry, redact: Redactor) -> Entry:
    """The entry with known secrets replaced and every text valid Unicode."""

    def door(text: str) -> str:
        return redact(clean(text))

    if isinstance(entry, Said):
        parts = tuple(replace(part, text=door(part.text)) for part in entry.parts)
        return replace(entry, parts=parts)
    if isinstance(entry, Framed):
        return replace(entry, text=door(entry.text)) if entry.text is not None else entry
    if isinstance(entry, Pinned):
        return replace(entry, text=door(entry.text))
    if isinstance(entry, Noted):
        return replace(entry, data=door(entry.data))
    if isinstance(entry, Edited):
        ops = tuple(_redacted_op(op, redact) for op in entry.ops)
        return replace(entry, ops=ops, why=door(entry.why))
    return entry


def _redacted_op(op: Op, redact: Redactor) -> Op:
    if isinstance(op, Replace | Refer):
        return replace(op, text=redact(clean(op.text)))
    if isinstance(op, Cover) and op.text is not None:
        return replace(op, text=redact(clean(op.text)))
    return op


def texts(entries: Sequence[Entry]) -> int:
    """Characters that some entries hold, for people who ask how large a log is."""
    return sum(len(part.text) for e in entries if isinstance(e, Said) for part in e.parts)
