"""The two ends of what is shared: the team's server, and this machine's copy of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from plimsoll.context.log.entries import Entry
from plimsoll.storage.base import SessionRecord
from plimsoll.storage.shared.news import News, SharedSession
from plimsoll.storage.shared.operations import Operation, Outcome, Queued

Rights = Literal["admin", "write", "read"]
"""What a role may do in a project: also change its members, write, or only read."""
AcceptAuthors = Literal["ask", "known", "all"]
"""Whose memories take effect without waiting in the inbox: nobody's, those of accepted authors,
everybody's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """The shared project that a folder takes part in; nothing of it is a secret."""

    project: str
    """The project's UUID."""
    name: str
    url: str
    """The server's address without a password."""
    joined_at: str
    position: int = 0
    """The number of the last change that was taken in."""
    seen_at: str | None = None
    """When the server was last heard; None if never."""


@dataclass(frozen=True, slots=True)
class Membership:
    """The role by which one is connected to the team's server, and its rights."""

    role: str
    rights: Rights


class TravellingSessions(Protocol):
    """The person's own sessions at the team's server; their logs only grow.

    Raises:
        StoreUnavailable: The server is away, refuses, or cannot be written to.
    """

    async def ship(
        self, record: SessionRecord, entries: Sequence[Entry], expected: int, fence: int | None
    ) -> int:
        """Append to a session's log, making the session if it is missing; return its length.

        What is there already, as sent by an earlier try that broke off, is not written twice.

        Raises:
            Busy: The lease was taken by another machine since ``fence``.
            LogConflict: The log does not have ``expected`` entries, or has others.
            NotFound: The session was deleted.
        """
        ...

    async def take(self, session_id: str, *, force: bool = False) -> int:
        """Take the lease of a session; return the fencing number that each write must name.

        ``force``: also from another machine that holds it, on a person's word.

        Raises:
            Busy: Another machine holds it; ``data.heldBy`` names that.
            NotFound: There is no such session.
        """
        ...

    async def renew(self, session_id: str, fence: int) -> bool:
        """Extend a lease; return whether it was still held."""
        ...

    async def release(self, session_id: str, fence: int) -> None:
        """Give back a lease; do nothing if another machine has taken it."""
        ...

    async def read(self, session_id: str, start: int = 0) -> tuple[SharedSession, list[Entry]]:
        """Read a session and its log from index ``start``; raises NotFound."""
        ...


class TeamServer(Protocol):
    """A shared project at the team's server, as one role sees it.

    Raises:
        StoreUnavailable: The server is away, slow, read-only, full, or refuses the role;
            ``data.reason`` is a `Reason` (`storage/shared/reasons.py`).
        StoreNewer: Its tables are those of a newer version.
        NotFound: The project is gone.
    """

    @property
    def sessions(self) -> TravellingSessions:
        """The person's own sessions that travel."""
        ...

    async def membership(self) -> Membership:
        """Return the role and its rights."""
        ...

    async def push(self, queued: Queued) -> Outcome:
        """Do an operation once by its key, and return its outcome; sent again, the same."""
        ...

    async def news(self, since: int, limit: int = 500) -> News:
        """Read the changes after a position, at most about ``limit`` of each kind."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


class TeamReplica(Protocol):
    """This machine's copy of a shared project, in the folder's own store.

    Every write is one transaction, durable when it returns.

    Raises:
        StoreUnavailable: The store cannot be read or written.
    """

    async def read_joined(self) -> Joined | None:
        """Read the project that the folder takes part in; None for none."""
        ...

    async def join(self, joined: Joined) -> None:
        """Take part in a project from now on; raises InvalidInput where it is in another one."""
        ...

    async def leave(self) -> None:
        """End taking part: colleagues' memories and pins leave, the person's own become private.

        What waits to be sent is dropped, and sessions of other machines leave the list.
        """
        ...

    async def read_queued(self, limit: int = 50) -> list[Queued]:
        """Read the first operations that wait to be sent, in order; empty if none waits.

        Those after a second one on the same memory, pin or session are read once the first is
        settled: what becomes of the first decides what the second is.
        """
        ...

    async def count_queued(self) -> int:
        """Count the operations that wait to be sent."""
        ...

    async def waiting(self) -> frozenset[str]:
        """Read the ids of the memories, pins and sessions on which an operation waits."""
        ...

    async def settle(self, queued: Queued, outcome: Outcome, at: str) -> None:
        """Take an operation off the queue and store what became of it.

        One that a person's purge has taken off the queue meanwhile changes nothing here.
        """
        ...

    async def enqueue(self, operation: Operation) -> None:
        """Queue an operation that no change of a memory or pin brings with it.

        Does nothing where no project is joined.
        """
        ...

    async def take_in(self, news: News, at: str, accept: AcceptAuthors = "known") -> bool:
        """Store news with their position, both or nothing; return whether anything changed.

        A colleague's memory waits in the inbox unless ``accept`` and the accepted authors let it
        pass. A memory with a waiting operation is left as it is until that is settled.
        """
        ...

    async def accepted_authors(self) -> frozenset[str]:
        """Read the authors whose memories take effect without waiting in the inbox."""
        ...

    async def accept_author(self, name: str, at: str) -> None:
        """Accept an author: what waits of theirs takes effect now, and later memories at once."""
        ...
