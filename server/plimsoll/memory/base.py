"""The interface of the store of one project's memories."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from plimsoll.memory.changes import Change
from plimsoll.memory.extraction.turns import Advance, Cursor, ReadBy
from plimsoll.memory.types import (
    Memory,
    MemoryClass,
    MemoryEvent,
    MemoryMatch,
    MemoryPage,
    MemoryState,
    MemoryType,
)


@dataclass(frozen=True, slots=True)
class InjectionMaterial:
    """Memories to choose from for a new session, read in one snapshot."""

    found: Sequence[MemoryMatch]
    """Search results for its first question, best first."""
    foremost: Sequence[Memory]
    """The first memories to tell without a question."""
    total: int
    """The number of all memories that can be found."""


@dataclass(frozen=True, slots=True)
class RecentChanges:
    """The changes of memories since they were last consolidated."""

    newest: int
    """The number of the newest event of all; 0 if there is none."""
    since: int | None
    """The event up to which memories were consolidated; none if never, and then nothing else is
    read."""
    changed: Sequence[Memory] = ()
    """Memories that are new or have new text since then; digests only if they are new."""
    passing: Sequence[Memory] = ()
    """Memories that can expire: those with events since then, or all on request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageQuery:
    """A query for one page of the memories of some states, type and class."""

    states: Collection[MemoryState]
    type: MemoryType | None = None
    class_: MemoryClass | None = None
    cursor: str | None = None
    """The ``next_cursor`` of the page before."""
    limit: int | None = None


class MemoryStore(Protocol):
    """The store of one project's memories.

    A call of ``apply`` is one transaction with its audit events, durable when it returns, and never
    half done when it is cancelled.

    Raises:
        StoreUnavailable: The store cannot be read or written (full disk, permissions).
    """

    async def apply(
        self, changes: Sequence[Change], at: str, advance: Advance | None = None
    ) -> list[Memory]:
        """Apply changes and move the cursor of the reading that found them, in one transaction.

        Returns the memories as they are now, without optional ones that were refused and without
        purged ones. ``at`` is the time of the changes.

        Raises:
            MemoryRefused: A memory holds a secret, is a duplicate, or was forgotten by the user.
            NotFound: There is no such memory.
            InvalidInput: A memory is not in a state for its change.
            LogConflict: The cursor does not stand where ``advance`` expects it.
        """
        ...

    async def get(self, memory_id: str) -> Memory:
        """Get one memory, a forgotten one too; raises NotFound."""
        ...

    async def memories(self, states: Collection[MemoryState]) -> list[Memory]:
        """List the memories in these states, newest first."""
        ...

    async def page(self, wanted: PageQuery) -> MemoryPage:
        """List a page of the memories, newest first.

        A change between two pages never leaves out or repeats any other memory.

        Raises:
            InvalidInput: The cursor is not one of this store.
        """
        ...

    async def foremost(self, limit: int) -> tuple[list[Memory], int]:
        """Return the memories to tell a session before any question, and the number of all.

        Pinned memories, then priority ones, then the newest, ``limit`` in all; besides as many
        digests and as many working ones.
        """
        ...

    async def injectable(
        self, question: str, at: str, *, found: int, foremost: int
    ) -> InjectionMaterial:
        """Read in one snapshot the memories to choose from for a session's first question.

        ``found``: the most search results for the question at the time ``at``; ``foremost``: the
        limit as in `foremost`.
        """
        ...

    async def recent(self, *, passing: bool = False) -> RecentChanges:
        """Read the changes since the last consolidation; ``passing``: also all that can expire."""
        ...

    async def keep_order(self, event: int) -> None:
        """Record that memories were consolidated up to an event."""
        ...

    async def of_files(self) -> list[Memory]:
        """List the memories in effect that come from a file with a hash."""
        ...

    async def standing(self, memory_ids: Collection[str]) -> frozenset[str]:
        """Return the ids of those memories that are still in effect."""
        ...

    async def search(self, question: str, at: str, limit: int) -> list[MemoryMatch]:
        """Find the memories that match a question best; empty for a question without words."""
        ...

    async def audit(self, memory_id: str | None = None) -> list[MemoryEvent]:
        """List the events of one memory, even a purged one, or of all; oldest first."""
        ...

    async def cursor(self, session_id: str, read_by: ReadBy = "phrases") -> Cursor | None:
        """Return the cursor of a session: how far it was read for memories; None if not at all."""
        ...
