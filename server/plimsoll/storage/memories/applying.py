"""Changes of memories, each with its event: plain functions that run inside one transaction."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from plimsoll.errors import MemoryRefused, NotFound
from plimsoll.memory.changes import (
    TOMBSTONES,
    Accept,
    Add,
    Change,
    Forget,
    Mark,
    Purge,
    RestoreMemory,
    Use,
    changed,
    checked,
    claim,
    fingerprint,
    forgotten_before,
    id_taken,
    known_already,
)
from plimsoll.memory.extraction.turns import Advance
from plimsoll.memory.types import SEARCHED, Action, Author, Memory, MemoryEvent, MemoryState
from plimsoll.storage.memories.index import put_in, refresh_around, rewrite, take_out
from plimsoll.storage.memories.records import held, keep, move_cursor

_RECORD = """
INSERT INTO memory_events (at, memory_id, action, author, reason, fingerprint)
VALUES (?, ?, ?, ?, ?, ?)
"""


def apply_changes(
    connection: sqlite3.Connection, changes: Sequence[Change], at: str, advance: Advance | None
) -> list[Memory]:
    """Make all changes with their events, and the step of the cursor."""
    batch = _ChangeBatch(connection, at, Marks.of(connection))
    results = [batch.apply(change) for change in changes]
    if any(isinstance(change, Purge) for change in changes):
        rewrite(connection)
    if advance is not None:
        move_cursor(connection, advance)
    return [memory for memory in results if memory is not None]


@dataclass(frozen=True, slots=True)
class Marks:
    """The keys of the fingerprints: the store's own first, then those of stores taken over."""

    keys: tuple[bytes, ...]

    @classmethod
    def of(cls, connection: sqlite3.Connection) -> "Marks":
        """Read the keys of a store."""
        rows = connection.execute("SELECT value FROM memory_key ORDER BY rowid")
        return cls(tuple(bytes(value) for (value,) in rows))

    def of_text(self, text: str) -> str:
        """Compute the fingerprint of a text under the store's own key."""
        return fingerprint(self.keys[0], text)

    def all_of_text(self, text: str) -> list[str]:
        """Compute the fingerprints of a text under all keys: each may be that of a tombstone."""
        return [fingerprint(key, text) for key in self.keys]


class _ChangeBatch:
    """Changes that are made in one transaction, at one time."""

    def __init__(self, connection: sqlite3.Connection, at: str, marks: Marks) -> None:
        self._connection = connection
        self._at = at
        self._marks = marks

    def apply(self, change: Change) -> Memory | None:
        if isinstance(change, Add):
            return self._add(change)
        try:
            row, before = held(self._connection, change.id)
        except NotFound:
            if isinstance(change, Use | Mark):
                # It was purged meanwhile: what is noted of it is of no use any more.
                return None
            raise
        after, action, author = changed(before, change, self._at)
        purging = isinstance(change, Purge)
        if after == before and not purging:
            return before
        reason = None if isinstance(change, RestoreMemory | Accept) else change.reason
        mark = self._mark(before)
        self._record(
            MemoryEvent(
                at=self._at,
                memory_id=before.id,
                action=action,
                author=author,
                reason=reason,
                fingerprint=mark,
            )
        )
        if purging:
            self._remove(row, before)
            return None
        if isinstance(change, RestoreMemory):
            self._lift(before)
        self._replace(row, before, after)
        if isinstance(change, Accept):
            self._supersede(after)
        return after

    def _add(self, change: Add) -> Memory | None:
        if self._first("SELECT id FROM memories WHERE id = ?", change.memory.id) is not None:
            raise id_taken(change.memory.id)
        try:
            memory = checked(change.memory)
            mark = self._mark(memory)
            self._refuse_known(memory, mark)
        except MemoryRefused:
            if change.optional:
                return None
            raise
        row = keep(self._connection, memory, mark)
        self._record(
            MemoryEvent(
                at=self._at,
                memory_id=memory.id,
                action=Action.ADDED,
                author=memory.author,
                reason=change.reason,
                fingerprint=mark,
            )
        )
        if memory.state in SEARCHED:
            self._show(row, memory)
            self._supersede(memory)
        return memory

    def _refuse_known(self, memory: Memory, mark: str) -> None:
        known = self._first(
            "SELECT id FROM memories WHERE fingerprint = ? AND state != 'forgotten'", mark
        )
        if known is not None:
            self._take_over(known, memory)
        for old in self._marks.all_of_text(claim(memory)):
            buried = self._first("SELECT at FROM memory_tombstones WHERE fingerprint = ?", old)
            if buried is not None and memory.author is not Author.USER:
                raise forgotten_before(buried)
        self._lift(memory)

    def _take_over(self, known: str, memory: Memory) -> None:
        """Replace the same memory in the inbox by the person's own; refuse any other duplicate."""
        _, held_now = held(self._connection, known)
        if memory.author is not Author.USER or held_now.state is not MemoryState.INBOX:
            raise known_already(known)
        reason = f"the user said it, as {memory.id}"
        self.apply(Forget(known, Author.USER, Action.MERGED, reason))

    def _supersede(self, memory: Memory) -> None:
        """Hide what a memory takes the place of; one of the inbox does so when it is accepted."""
        if memory.supersedes is None:
            return
        instead = Forget(
            memory.supersedes, memory.author, Action.SUPERSEDED, f"replaced by {memory.id}"
        )
        removed = Forget(
            memory.supersedes, Author.USER, Action.FORGOTTEN, f"as {memory.id} suggested"
        )
        try:
            self.apply(removed if memory.removal else instead)
        except NotFound:
            # It was purged meanwhile: there is nothing left to hide.
            return

    def _replace(self, row: int, before: Memory, after: Memory) -> None:
        was, is_ = before.state in SEARCHED, after.state in SEARCHED
        if was:
            take_out(self._connection, row)
        keep(self._connection, after, self._mark(after), row)
        if is_:
            put_in(self._connection, row, after)
        if was != is_ or (is_ and before.text != after.text):
            refresh_around(self._connection, row, after)

    def _remove(self, row: int, before: Memory) -> None:
        if before.state in SEARCHED:
            take_out(self._connection, row)
        self._connection.execute("DELETE FROM memories WHERE key = ?", (row,))
        refresh_around(self._connection, row, before)

    def _show(self, row: int, memory: Memory) -> None:
        put_in(self._connection, row, memory)
        refresh_around(self._connection, row, memory)

    def _record(self, event: MemoryEvent) -> None:
        self._connection.execute(_RECORD, [getattr(event, name) for name in MemoryEvent.__slots__])
        if event.action in TOMBSTONES:
            self._connection.execute(
                "INSERT OR REPLACE INTO memory_tombstones VALUES (?, ?, ?)",
                (event.fingerprint, event.memory_id, event.at),
            )

    def _lift(self, memory: Memory) -> None:
        for mark in self._marks.all_of_text(claim(memory)):
            self._connection.execute("DELETE FROM memory_tombstones WHERE fingerprint = ?", (mark,))

    def _mark(self, memory: Memory) -> str:
        return self._marks.of_text(claim(memory))

    def _first(self, query: str, value: str) -> str | None:
        row = self._connection.execute(query, (value,)).fetchone()
        return None if row is None else str(row[0])
