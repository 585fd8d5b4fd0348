"""The port to the memories of one project."""

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
    """What a new session may be told, read as one."""

    found: Sequence[MemoryMatch]
    """What fits its question best."""
    foremost: Sequence[Memory]
    """What may be told without a question."""
    total: int
    """The number of memories that can be found in all."""


@dataclass(frozen=True, slots=True)
class RecentChanges:
    """What has happened to the memories since order was brought among them."""

    newest: int
    """The number of the newest event of all; 0: nothing has ever happened."""
    since: int | None
    """The event up to which order was brought; none: it never was, and nothing else is read."""
    changed: Sequence[Memory] = ()
    """What has come or got other words since; a digest only as it came."""
    passing: Sequence[Memory] = ()
    """Where something has, or where they are asked for: all that can be told and runs out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageQuery:
    """Which memories to list, and from where."""

    states: Collection[MemoryState]
    type: MemoryType | None = None
    class_: MemoryClass | None = None
    cursor: str | None = None
    """The ``next_cursor`` of the part before."""
    limit: int | None = None


class MemoryStore(Protocol):
    """The memories of one project.

    A call of ``apply`` is one transaction with its audit events, durable when it returns, and
    never half done when it is cancelled.

    Raises:
        StoreUnavailable: The store cannot be read or written (full disk, permissions).
    """

    async def apply(
        self, changes: Sequence[Change], at: str, advance: Advance | None = None
    ) -> list[Memory]:
        """Make changes, and the step of the cursor that they stem from; all of it or nothing.

        Returns the memories as they are now, without optional ones that were refused and without
        purged ones. ``at`` is the time of the changes.

        Raises:
            MemoryRefused: A secret, a duplicate, or what the user has forgotten.
            NotFound: There is no such memory.
            InvalidInput: A memory is not in a state for its change.
            LogConflict: The cursor does not stand where ``advance`` expects it.
        """
        ...

    async def get(self, memory_id: str) -> Memory:
        """Get one memory, a forgotten one too; raises NotFound."""
        ...

    async def memories(self, states: Collection[MemoryState]) -> list[Memory]:
        """List the memories in some states, the newest first."""
        ...

    async def page(self, wanted: PageQuery) -> MemoryPage:
        """List a part of the memories, the newest first.

        What comes, goes or changes between two parts makes no other memory be left out or come
        twice.

        Raises:
            InvalidInput: The cursor is none of this store.
        """
        ...

    async def foremost(self, limit: int) -> tuple[list[Memory], int]:
        """Return what may be told without a question, and how many can be found in all.

        Pinned memories, then priority ones, then the newest, ``limit`` in all; besides as many
        digests and as many working ones.
        """
        ...

    async def injectable(
        self, question: str, at: str, *, found: int, foremost: int
    ) -> InjectionMaterial:
        """Read on one snapshot what a session that begins with a question may be told.

        ``found`` of what fits the question at the time ``at``; ``foremost`` as in `foremost`.
        """
        ...

    async def recent(self, *, passing: bool = False) -> RecentChanges:
        """Read what has happened since order was brought, and with ``passing`` what runs out."""
        ...

    async def keep_order(self, event: int) -> None:
        """Remember that order was brought up to an event."""
        ...

    async def of_files(self) -> list[Memory]:
        """List the memories that can be told and come from a file with a hash."""
        ...

    async def standing(self, memory_ids: Collection[str]) -> frozenset[str]:
        """Return those of some memories that can still be told."""
        ...

    async def search(self, question: str, at: str, limit: int) -> list[MemoryMatch]:
        """Find what fits a question best; a question without words finds nothing."""
        ...

    async def audit(self, memory_id: str | None = None) -> list[MemoryEvent]:
        """List what happened, oldest first; to one memory, also a purged one, or to all."""
        ...

    async def cursor(self, session_id: str, read_by: ReadBy = "phrases") -> Cursor | None:
        """Return how far a session has been read; none: not at all."""
        ...
