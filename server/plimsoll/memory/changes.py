"""The changes of a memory and the rules for each, the same for every kind of store."""

import hashlib
import hmac
from dataclasses import dataclass, replace
from typing import assert_never

from plimsoll.errors import InvalidInput, MemoryRefused
from plimsoll.memory.checking import check_memory
from plimsoll.memory.sharing import require_scope
from plimsoll.memory.types import (
    SEARCHED,
    Action,
    Author,
    Memory,
    MemoryClass,
    MemoryScope,
    MemoryState,
    MemoryType,
)
from plimsoll.text.terms import content_words

SENTENCE = 4
"""Content words from which on a text can be understood without its title."""
MOST_WAITING = 200
"""Most memories in the inbox; nobody reads more, and a manipulated model can write endlessly."""


@dataclass(frozen=True, slots=True)
class Add:
    """Add a new memory; an ``optional`` one is left out of its batch if it is refused."""

    memory: Memory
    reason: str | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Revise:
    """Change fields of a memory; None keeps a field. An empty ``expires_at`` removes the date."""

    id: str
    author: Author
    type: MemoryType | None = None
    class_: MemoryClass | None = None
    title: str | None = None
    content: str | None = None
    pinned: bool | None = None
    expires_at: str | None = None
    supersedes: str | None = None
    scope: MemoryScope | None = None
    importance: int | None = None
    tags: tuple[str, ...] | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Forget:
    """Hide a memory at once; it can be restored. ``action`` gives the kind of reason."""

    id: str
    author: Author
    action: Action = Action.FORGOTTEN
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class RestoreMemory:
    """Restore a forgotten memory to its earlier state."""

    id: str
    author: Author


@dataclass(frozen=True, slots=True)
class Accept:
    """Accept a memory of the inbox that a person has read."""

    id: str


@dataclass(frozen=True, slots=True)
class Purge:
    """Remove the text of a memory for good."""

    id: str
    author: Author
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Use:
    """Record that a memory was in a request."""

    id: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """Mark a memory whose source has changed, or is again as it was."""

    id: str
    stale: bool
    reason: str | None = None


Change = Add | Revise | Forget | RestoreMemory | Accept | Purge | Use | Mark
TOMBSTONES = frozenset(
    {Action.FORGOTTEN, Action.REJECTED, Action.MERGED, Action.SUPERSEDED, Action.PURGED}
)
"""The actions after which the same text is refused unless the person says it again."""


def apply_change(memory: Memory, change: Change, at: str) -> tuple[Memory, Action, Author]:
    """Apply a change other than ``Add`` to a memory; return it with its audit action and author.

    A memory that the change would not alter is returned as it is.

    Raises:
        InvalidInput: The memory is not in a state for this change.
        MemoryRefused: Its new text cannot be kept.
    """
    match change:
        case Add():
            raise id_taken_error(memory.id)
        case Revise():
            revised = check_memory(_revise(memory, change))
            require_scope(memory, revised)
            return revised, Action.UPDATED, change.author
        case Forget() | Purge():
            return _forget(memory, change), _action(change), change.author
        case RestoreMemory():
            return _restore(memory), Action.RESTORED, change.author
        case Accept():
            return _accept(memory), Action.ACCEPTED, Author.USER
        case Use():
            used = replace(memory, last_used_at=at, times_used=memory.times_used + 1)
            return used, Action.USED, Author.AGENT
        case Mark():
            return _mark(memory, change)
        case _:
            assert_never(change)


def claim(memory: Memory) -> str:
    """Return the text by which two memories count as the same.

    A title above a whole sentence is only a label, and whoever repeats the sentence does not know
    it. A suggested removal is the same whatever its reason.
    """
    if memory.removal:
        return f"remove {memory.supersedes}"
    if len(content_words(memory.content)) >= SENTENCE:
        return memory.content
    return memory.text


def fingerprint(key: bytes, text: str) -> str:
    """Hash a text with a key, ignoring case, punctuation and small words."""
    said = " ".join(content_words(text))
    return hmac.new(key, said.encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:32]


def id_taken_error(memory_id: str) -> InvalidInput:
    """Build the error for a new memory with the id of another."""
    return InvalidInput(
        f"There is a memory {memory_id!r} already.", remedy="Give the new memory another id."
    )


def known_already(held: str) -> MemoryRefused:
    """Build the error for a memory that is known already."""
    return MemoryRefused(
        f"This is known already, as memory {held}.",
        remedy=f"Change memory {held} instead.",
        data={"reason": "duplicate", "memoryId": held},
    )


def inbox_full() -> MemoryRefused:
    """Build the error for a new inbox memory when the inbox is full."""
    return MemoryRefused(
        f"This was not kept: {MOST_WAITING} memories wait for the user's review.",
        remedy="Review the inbox: /inbox, /accept ID, /reject ID.",
        data={"reason": "full"},
    )


def forgotten_before(at: str) -> MemoryRefused:
    """Build the error for a memory that the user has deliberately forgotten."""
    return MemoryRefused(
        f"This was not remembered: the user had it forgotten on {at[:10]}.",
        remedy="Only the user can have it remembered again, with /remember.",
        data={"reason": "tombstone"},
    )


def unfit_for_correction(memory: Memory) -> InvalidInput | None:
    """Build the error for correcting a memory that is hidden or in the inbox; else None."""
    if memory.state in SEARCHED:
        return None
    return InvalidInput(
        f"The memory {memory.id!r} has no effect: it is {memory.state.value}.",
        remedy="memory_search shows the memories that have one, with their ids.",
    )


def _revise(memory: Memory, change: Revise) -> Memory:
    expires = memory.expires_at if change.expires_at is None else change.expires_at or None
    return replace(
        memory,
        type=change.type or memory.type,
        class_=change.class_ or memory.class_,
        title=memory.title if change.title is None else change.title,
        content=memory.content if change.content is None else change.content,
        pinned=memory.pinned if change.pinned is None else change.pinned,
        expires_at=expires,
        supersedes=change.supersedes or memory.supersedes,
        scope=change.scope or memory.scope,
        importance=memory.importance if change.importance is None else change.importance,
        tags=memory.tags if change.tags is None else change.tags,
    )


def take_over_text(memory: Memory, waiting: Memory) -> Revise:
    """Build the change that gives a memory the text of the waiting one that would replace it."""
    return Revise(
        id=memory.id,
        author=Author.USER,
        type=waiting.type,
        class_=waiting.class_,
        title=waiting.title,
        content=waiting.content,
        pinned=waiting.pinned or memory.pinned,
        expires_at=waiting.expires_at or "",
        importance=waiting.importance,
        tags=waiting.tags or memory.tags,
        reason=f"{waiting.id} was accepted",
    )


def _forget(memory: Memory, change: Forget | Purge) -> Memory:
    if memory.state is MemoryState.FORGOTTEN:
        return memory
    if _action(change) is Action.REJECTED and memory.state is not MemoryState.INBOX:
        raise _not_waiting(memory)
    return replace(memory, state=MemoryState.FORGOTTEN, before=memory.state)


def _action(change: Forget | Purge) -> Action:
    return Action.PURGED if isinstance(change, Purge) else change.action


def _restore(memory: Memory) -> Memory:
    if memory.state is not MemoryState.FORGOTTEN:
        return memory
    return replace(memory, state=memory.before or MemoryState.ACTIVE, before=None)


def _accept(memory: Memory) -> Memory:
    if memory.state is not MemoryState.INBOX:
        raise _not_waiting(memory)
    if memory.removal:
        return replace(memory, state=MemoryState.FORGOTTEN, before=MemoryState.INBOX)
    return replace(memory, state=MemoryState.ACTIVE)


def _not_waiting(memory: Memory) -> InvalidInput:
    return InvalidInput(
        f"The memory {memory.id!r} is not in the inbox: it is {memory.state.value}.",
        remedy="List the inbox to see what waits there.",
    )


def _mark(memory: Memory, change: Mark) -> tuple[Memory, Action, Author]:
    action = Action.STALE if change.stale else Action.FRESH
    before = MemoryState.ACTIVE if change.stale else MemoryState.STALE
    after = MemoryState.STALE if change.stale else MemoryState.ACTIVE
    state = after if memory.state is before else memory.state
    return replace(memory, state=state), action, Author.AGENT
