"""Decides what a batch of changes does to the memories of a store; the store only writes it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from plimsoll.errors import InvalidInput, LogConflict, MemoryRefused, NotFound
from plimsoll.memory.changes import (
    TOMBSTONES,
    Accept,
    Add,
    Change,
    Forget,
    Mark,
    Purge,
    RestoreMemory,
    Revise,
    Use,
    apply_change,
    claim,
    fingerprint,
    forgotten_before,
    id_taken_error,
    known_already,
)
from plimsoll.memory.checking import check_memory
from plimsoll.memory.types import SEARCHED, Action, Author, Memory, MemoryEvent, MemoryState


@dataclass(frozen=True, slots=True)
class FingerprintKeys:
    """The keys of a store's fingerprints: its own first, then those of imported stores."""

    keys: tuple[bytes, ...]

    def of(self, memory: Memory) -> str:
        """Compute the fingerprint of a memory's text under the store's own key."""
        return fingerprint(self.keys[0], claim(memory))

    def all_of(self, memory: Memory) -> tuple[str, ...]:
        """Compute the fingerprints of a memory's text under all keys, as a tombstone has any."""
        return tuple(fingerprint(key, claim(memory)) for key in self.keys)


@dataclass(frozen=True, slots=True)
class Needed:
    """The ids and fingerprints of the memories to read from a store before changes are decided."""

    ids: frozenset[str]
    fingerprints: frozenset[str]


@dataclass(frozen=True, slots=True)
class KnownMemories:
    """The memories, fingerprints and tombstones that were read from a store."""

    memories: Mapping[str, Memory]
    """By id: those that are needed and those with a needed fingerprint; others do not exist."""
    fingerprints: Mapping[str, str]
    """The stored fingerprint of each memory, by id."""
    tombstones: Mapping[str, str]
    """When each needed fingerprint got its tombstone, if it has one."""


@dataclass(frozen=True, slots=True)
class Put:
    """Store a memory, replacing its earlier state."""

    memory: Memory
    fingerprint: str
    before: Memory | None = None


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove a memory with its text."""

    before: Memory


@dataclass(frozen=True, slots=True)
class Record:
    """Append an event to the audit trail."""

    event: MemoryEvent


@dataclass(frozen=True, slots=True)
class Bury:
    """Store a tombstone: memories with this fingerprint are refused unless a person asks."""

    fingerprint: str
    memory_id: str
    at: str


@dataclass(frozen=True, slots=True)
class Exhume:
    """Remove the tombstones of these fingerprints."""

    fingerprints: tuple[str, ...]


Write = Put | Remove | Record | Bury | Exhume


@dataclass(frozen=True, slots=True)
class Decided:
    """The outcome of a batch of changes."""

    memories: tuple[Memory, ...]
    """The memories after the changes, without refused optional ones and purged ones."""
    writes: tuple[Write, ...]
    """In the order in which they must be made."""


def list_needed(changes: Iterable[Change], keys: FingerprintKeys) -> Needed:
    """List the memories to read from a store before changes are decided; see `list_replaced`."""
    ids, fingerprints = set[str](), set[str]()
    for change in changes:
        replaced = change.supersedes if isinstance(change, Revise) else None
        if isinstance(change, Add):
            replaced = change.memory.supersedes
            fingerprints.update(_fingerprints(change.memory, keys))
        ids |= {change.memory.id if isinstance(change, Add) else change.id, replaced or ""}
    return Needed(frozenset(ids - {""}), frozenset(fingerprints))


def _fingerprints(memory: Memory, keys: FingerprintKeys) -> tuple[str, ...]:
    try:
        return keys.all_of(check_memory(memory))
    except (MemoryRefused, InvalidInput):
        # It will be refused before anything is compared with it.
        return ()


def list_replaced(known: Iterable[Memory]) -> frozenset[str]:
    """List the ids of the memories that these memories replace."""
    return frozenset(memory.supersedes for memory in known if memory.supersedes)


def decide(
    changes: Sequence[Change], at: str, known: KnownMemories, keys: FingerprintKeys
) -> Decided:
    """Decide all changes of a batch, one after another.

    Raises:
        MemoryRefused: A memory holds a secret, is a duplicate, or was forgotten by the user.
        NotFound: There is no such memory.
        InvalidInput: A memory is not in a state for its change.
    """
    batch = _Batch(at, known, keys)
    results = [batch.apply(change) for change in changes]
    return Decided(tuple(each for each in results if each is not None), tuple(batch.writes))


class _Batch:
    """The state of the memories while a batch of changes is applied, and the writes so far."""

    def __init__(self, at: str, known: KnownMemories, keys: FingerprintKeys) -> None:
        self.writes: list[Write] = []
        self._at = at
        self._keys = keys
        self._memories = dict(known.memories)
        self._fingerprints = dict(known.fingerprints)
        self._tombstones = dict(known.tombstones)

    def apply(self, change: Change) -> Memory | None:
        if isinstance(change, Add):
            return self._add(change)
        before = self._memories.get(change.id)
        if before is None:
            if isinstance(change, Use | Mark):
                # It was purged meanwhile: what is noted of it is of no use any more.
                return None
            raise no_memory(change.id)
        after, action, author = apply_change(before, change, self._at)
        purging = isinstance(change, Purge)
        if after == before and not purging:
            return before
        reason = None if isinstance(change, RestoreMemory | Accept) else change.reason
        self._record(before, action, author, reason)
        if purging:
            del self._memories[before.id]
            self.writes.append(Remove(before))
            return None
        if isinstance(change, RestoreMemory):
            self._exhume(before)
        self._store(after, before)
        if isinstance(change, Accept):
            self._supersede(after)
        return after

    def _add(self, change: Add) -> Memory | None:
        if change.memory.id in self._memories:
            raise id_taken_error(change.memory.id)
        try:
            memory = check_memory(change.memory)
            self._refuse_known(memory)
        except MemoryRefused:
            if change.optional:
                return None
            raise
        self._store(memory, None)
        self._record(memory, Action.ADDED, memory.author, change.reason)
        if memory.state in SEARCHED:
            self._supersede(memory)
        return memory

    def _refuse_known(self, memory: Memory) -> None:
        own = self._keys.of(memory)
        for held in self._memories.values():
            if held.state is not MemoryState.FORGOTTEN and self._fingerprints[held.id] == own:
                self._replace_waiting(held, memory)
                break
        for mark in self._keys.all_of(memory):
            buried = self._tombstones.get(mark)
            if buried is not None and memory.author is not Author.USER:
                raise forgotten_before(buried)
        self._exhume(memory)

    def _replace_waiting(self, held: Memory, memory: Memory) -> None:
        """Replace an equal memory in the inbox by the person's own; refuse any other duplicate."""
        if memory.author is not Author.USER or held.state is not MemoryState.INBOX:
            raise known_already(held.id)
        reason = f"the user said it, as {memory.id}"
        self.apply(Forget(held.id, Author.USER, Action.MERGED, reason))

    def _supersede(self, memory: Memory) -> None:
        """Hide the memory that this one replaces; one in the inbox does so when it is accepted."""
        replaced = memory.supersedes
        if replaced is None or replaced not in self._memories:
            # Where it was purged meanwhile there is nothing left to hide.
            return
        if memory.removal:
            reason = f"as {memory.id} suggested"
            self.apply(Forget(replaced, Author.USER, Action.FORGOTTEN, reason))
            return
        reason = f"replaced by {memory.id}"
        self.apply(Forget(replaced, memory.author, Action.SUPERSEDED, reason))

    def _store(self, memory: Memory, before: Memory | None) -> None:
        mark = self._keys.of(memory)
        self._memories[memory.id], self._fingerprints[memory.id] = memory, mark
        self.writes.append(Put(memory, mark, before))

    def _record(self, memory: Memory, action: Action, author: Author, reason: str | None) -> None:
        mark = self._keys.of(memory)
        event = MemoryEvent(
            at=self._at,
            memory_id=memory.id,
            action=action,
            author=author,
            reason=reason,
            fingerprint=mark,
        )
        self.writes.append(Record(event))
        if action in TOMBSTONES:
            self._tombstones[mark] = self._at
            self.writes.append(Bury(mark, memory.id, self._at))

    def _exhume(self, memory: Memory) -> None:
        marks = self._keys.all_of(memory)
        for mark in marks:
            self._tombstones.pop(mark, None)
        self.writes.append(Exhume(marks))


def no_memory(memory_id: str) -> NotFound:
    """Build the error for an id that no memory has."""
    return NotFound("memory", memory_id, remedy="List the memories to see their ids.")


def overtaken_cursor(session_id: str) -> LogConflict:
    """Make the error for a step of a cursor that another process has made."""
    return LogConflict(
        f"Another window has read session {session_id!r} for memories meanwhile.",
        remedy="Nothing is lost: it goes on from there.",
    )
