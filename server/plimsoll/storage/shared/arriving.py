"""Decides what news of shared memories does to the memories of this machine; pure.

What arrives never hides a memory that is in effect here, and a person's decision here (to reject,
to forget) stands until the text is another one.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from plimsoll.errors import InvalidInput, MemoryRefused
from plimsoll.memory.applying import (
    Bury,
    FingerprintKeys,
    KnownMemories,
    Needed,
    Put,
    Record,
    Remove,
    Write,
)
from plimsoll.memory.checking import check_memory
from plimsoll.memory.types import (
    SEARCHED,
    Action,
    Author,
    Memory,
    MemoryEvent,
    MemoryScope,
    MemoryState,
    Trust,
)
from plimsoll.storage.shared.base import AcceptAuthors
from plimsoll.storage.shared.operations import SharedMemory
from plimsoll.storage.shared.sharing import is_own, is_same_as_sent


@dataclass(frozen=True, slots=True)
class Acceptance:
    """The authors whose memories take effect without waiting in the inbox."""

    authors: frozenset[str] = frozenset()
    """The authors whom the person has accepted."""
    rule: AcceptAuthors = "known"

    def passes(self, author: str) -> bool:
        """Tell whether what an author shares takes effect at once."""
        return self.rule == "all" or (self.rule == "known" and author in self.authors)


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    """The shared memories of one batch of news."""

    memories: Sequence[SharedMemory] = ()
    forgotten: Collection[str] = ()
    """The ids of memories whose text is gone for good."""
    at: str


@dataclass(frozen=True, slots=True)
class LocalMemories:
    """The memories and tombstones of this machine that decide about arriving memories."""

    known: KnownMemories
    keys: FingerprintKeys
    acceptance: Acceptance = Acceptance()
    purged: frozenset[str] = frozenset()
    """The ids of arriving memories that have a tombstone here."""


def list_needed_by(arrived: Arrived, keys: FingerprintKeys) -> Needed:
    """List the memories of this machine that must be read to decide about arriving ones."""
    ids, marks = set(arrived.forgotten), set[str]()
    for shared in arrived.memories:
        ids |= {shared.memory.id, shared.memory.supersedes or ""}
        checked = _check_arriving(shared)
        marks.update(keys.all_of(checked) if checked is not None else ())
    return Needed(frozenset(ids - {""}), frozenset(marks))


def decide_arrivals(arrived: Arrived, here: LocalMemories) -> tuple[Write, ...]:
    """Decide the writes that arriving and removed memories cause on this machine."""
    batch = _Arrivals(arrived.at, here)
    for name in arrived.forgotten:
        batch.forget(name)
    for shared in arrived.memories:
        if shared.memory.id not in arrived.forgotten:
            batch.take(shared)
    return tuple(batch.writes)


def accept_waiting(waiting: Iterable[Memory], here: LocalMemories, at: str) -> tuple[Write, ...]:
    """Let the memories of an accepted author take effect, but those that would hide another."""
    batch = _Arrivals(at, here)
    for memory in waiting:
        batch.accept(memory)
    return tuple(batch.writes)


class _Arrivals:
    """The memories of this machine while news is taken in, and the writes so far."""

    def __init__(self, at: str, here: LocalMemories) -> None:
        self.writes: list[Write] = []
        self._at = at
        self._here = here
        self._memories = dict(here.known.memories)

    def forget(self, memory_id: str) -> None:
        """Purge a memory that was forgotten for everybody; one that is private here stays.

        That one keeps a version, since its id is buried at the server: it cannot be shared again.
        """
        before = self._memories.get(memory_id)
        if before is None:
            return
        if before.scope is MemoryScope.PRIVATE:
            if before.version is None:
                self._put_silently(replace(before, version=1), before)
            return
        del self._memories[memory_id]
        mark = self._record(before, Action.PURGED, "forgotten for all")
        if is_own(before):
            # A colleague's wish to forget does not keep this person's agent from the same words.
            self.writes.append(Bury(mark, before.id, self._at))
        self.writes.append(Remove(before))

    def take(self, shared: SharedMemory) -> None:
        """Take in a memory as the server has it now."""
        sent = _check_arriving(shared)
        if sent is None:
            return
        before = self._memories.get(sent.id)
        if before is not None and is_own(before) is not shared.is_own:
            # Nobody takes the place of another one's memory by its id.
            return
        after = self._as_held(shared, sent, before)
        if before is None:
            self._put(after, None, Action.ADDED, _origin(shared))
        elif not is_same_as_sent(before, after) or before.state is not after.state:
            self._put(after, before, Action.UPDATED, _origin(shared))
        elif before != after:
            self.writes.append(Put(after, self._here.keys.of(after), before))
            self._memories[after.id] = after
        self._end_suggestions(after)

    def accept(self, waiting: Memory) -> None:
        if not self._would_hide(waiting):
            after = replace(waiting, state=MemoryState.ACTIVE)
            self._put(after, waiting, Action.ACCEPTED, "its author was accepted")

    def _as_held(self, shared: SharedMemory, sent: Memory, before: Memory | None) -> Memory:
        state, earlier = self._state(shared, sent, before)
        return replace(
            sent,
            state=state,
            before=earlier,
            trust=sent.trust if _is_of_oneself(shared) else Trust.TEAM,
            author_name=None if shared.is_own else _writer(shared),
            version=shared.version,
            seen_at=before.seen_at if before else None,
            source=before.source if before else None,
            last_used_at=before.last_used_at if before else None,
            times_used=before.times_used if before else 0,
        )

    def _state(
        self, shared: SharedMemory, sent: Memory, before: Memory | None
    ) -> tuple[MemoryState, MemoryState | None]:
        """Decide the state of an arriving memory, and the one that a restore would bring back."""
        if before is not None:
            other = before.text != sent.text
            if other and (before.state is MemoryState.FORGOTTEN or not self._stays(shared)):
                return MemoryState.INBOX, None
            return before.state, before.before
        if self._is_known(sent):
            return MemoryState.FORGOTTEN, MemoryState.INBOX
        passes = self._here.acceptance.passes(_writer(shared))
        trusted = _is_of_oneself(shared) or (passes and not self._was_forgotten(sent))
        if trusted and not self._would_hide(sent):
            return MemoryState.ACTIVE, None
        return MemoryState.INBOX, None

    def _stays(self, shared: SharedMemory) -> bool:
        """Tell whether the writer of a new text is trusted as the memory's author is."""
        writer = _writer(shared)
        return writer == shared.author_name or self._here.acceptance.passes(writer)

    def _is_known(self, sent: Memory) -> bool:
        """Tell whether a memory in effect here says the same."""
        mark = self._here.keys.of(sent)
        return any(
            held.state in SEARCHED and self._here.keys.of(held) == mark
            for held in self._memories.values()
        )

    def _was_forgotten(self, sent: Memory) -> bool:
        marks = self._here.keys.all_of(sent)
        return sent.id in self._here.purged or any(
            mark in self._here.known.tombstones for mark in marks
        )

    def _would_hide(self, memory: Memory) -> bool:
        replaced = self._memories.get(memory.supersedes or "")
        return replaced is not None and replaced.state in SEARCHED

    def _end_suggestions(self, changed: Memory) -> None:
        """Hide the suggestions for a memory that says the same now: nothing is left to decide."""
        mark = self._here.keys.of(changed)
        for held in tuple(self._memories.values()):
            if held.state is not MemoryState.INBOX or held.supersedes != changed.id:
                continue
            if self._here.keys.of(held) == mark:
                hidden = replace(held, state=MemoryState.FORGOTTEN, before=MemoryState.INBOX)
                self._put(hidden, held, Action.MERGED, f"{changed.id} says the same")

    def _put_silently(self, after: Memory, before: Memory) -> None:
        self._memories[after.id] = after
        self.writes.append(Put(after, self._here.keys.of(after), before))

    def _put(self, after: Memory, before: Memory | None, action: Action, reason: str) -> None:
        mark = self._record(after, action, reason)
        self._memories[after.id] = after
        self.writes.append(Put(after, mark, before))

    def _record(self, memory: Memory, action: Action, reason: str) -> str:
        mark = self._here.keys.of(memory)
        event = MemoryEvent(
            at=self._at,
            memory_id=memory.id,
            action=action,
            author=Author.USER if action is Action.ACCEPTED else memory.author,
            reason=reason,
            fingerprint=mark,
        )
        self.writes.append(Record(event))
        return mark


def _check_arriving(shared: SharedMemory) -> Memory | None:
    """Return an arriving memory normalised; None for what no Plimsoll would have shared.

    Whoever speaks SQL to the server can store any text there.
    """
    try:
        sent = check_memory(replace(shared.memory, removal=False))
    except (MemoryRefused, InvalidInput):
        return None
    readers = {MemoryScope.MINE, MemoryScope.TEAM} if shared.is_own else {MemoryScope.TEAM}
    return sent if sent.scope in readers else None


def _writer(shared: SharedMemory) -> str:
    return shared.written_by or shared.author_name


def _is_of_oneself(shared: SharedMemory) -> bool:
    """Tell whether the words are the person's own, of whichever machine."""
    return shared.is_own and _writer(shared) == shared.author_name


def _origin(shared: SharedMemory) -> str:
    return "from another machine" if _is_of_oneself(shared) else f"by {_writer(shared)}"
