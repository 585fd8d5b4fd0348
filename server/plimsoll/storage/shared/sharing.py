"""Which operations a team's server must be sent because of changes made here.

A memory is shared while its scope is not private and it is in effect. Only what a person did is
sent: what the agent, the extraction and the upkeep do to a shared memory stays here.
"""

from collections.abc import Iterable, Sequence

from plimsoll.memory.applying import Put, Record, Remove, Write
from plimsoll.memory.types import SEARCHED, Author, Memory, MemoryScope, MemoryState
from plimsoll.storage.shared.operations import (
    ChangeMemory,
    DeleteSession,
    ForgetMemory,
    Operation,
    RemovePin,
    ShareMemory,
    SharePin,
)

NOT_THERE = 0
"""The base of a change of a memory that the server does not have yet, as its sharing waits."""


def is_shared(memory: Memory) -> bool:
    """Tell whether a memory is shared, where its folder takes part in a project."""
    return memory.scope is not MemoryScope.PRIVATE and memory.state in SEARCHED


def is_own(memory: Memory) -> bool:
    """Tell whether a memory is the person's own, of whichever machine."""
    return memory.author_name is None


def subject_of(operation: Operation) -> str:
    """Return the id of the memory, pin or session that an operation is about."""
    match operation:
        case ShareMemory(memory) | ChangeMemory(memory, _):
            return memory.id
        case SharePin(pin):
            return pin.id
        case ForgetMemory(name) | RemovePin(name) | DeleteSession(name):
            return name


def is_same_as_sent(one: Memory, other: Memory) -> bool:
    """Tell whether two states of a memory are equal in every field that a change sends."""
    return _changeable(one) == _changeable(other)


def list_operations(writes: Sequence[Write]) -> list[Operation]:
    """List the operations that the writes of a batch bring, in order."""
    done_by_person = frozenset(
        write.event.memory_id
        for write in writes
        if isinstance(write, Record) and write.event.author is Author.USER
    )
    return list(_operations(writes, done_by_person))


def _operations(writes: Iterable[Write], done_by_person: frozenset[str]) -> Iterable[Operation]:
    for write in writes:
        if isinstance(write, Put) and _is_taken_back(write.before, write.memory):
            yield ForgetMemory(write.memory.id)
        elif isinstance(write, Put) and write.memory.id in done_by_person:
            yield from _of_change(write.before, write.memory)
        elif isinstance(write, Remove) and _is_forgotten_for_all(write.before):
            yield ForgetMemory(write.before.id)


def _of_change(before: Memory | None, after: Memory) -> Iterable[Operation]:
    if before is None or not (before.version is not None or is_shared(before)):
        if is_shared(after):
            yield ShareMemory(after)
    elif is_shared(after) and not is_same_as_sent(before, after):
        base = NOT_THERE if after.version is None else after.version
        yield ChangeMemory(after, base)


def _is_taken_back(before: Memory | None, after: Memory) -> bool:
    """Tell whether others are to have a memory no more; whoever did it, it does not leave again."""
    if before is None or not is_own(after) or after.scope is not MemoryScope.PRIVATE:
        return False
    return before.scope is not MemoryScope.PRIVATE and (
        before.version is not None or before.state is not MemoryState.INBOX
    )


def _is_forgotten_for_all(purged: Memory) -> bool:
    """Tell whether a purge is for everybody: only an author's own memory is, once it was sent."""
    if not is_own(purged) or purged.scope is MemoryScope.PRIVATE:
        return False
    return purged.version is not None or purged.state is not MemoryState.INBOX


def _changeable(memory: Memory) -> tuple[object, ...]:
    return (
        *(memory.type, memory.class_, memory.title, memory.content, memory.pinned),
        *(memory.importance, memory.tags, memory.expires_at, memory.scope, memory.supersedes),
    )
