"""Sessions that travel, as one machine knows them: what of each is here, and what is elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from plimsoll.context.log.entries import Entry
from plimsoll.storage.base import SessionRecord
from plimsoll.storage.shared.news import SharedSession


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPlaces:
    """Where a session of the person's is: on this machine, at the team's server, or at both."""

    id: str
    record: SessionRecord | None = None
    """As it is here; None: its log is not here."""
    here: int = 0
    """How many entries its log has here."""
    there: SharedSession | None = None
    """As it was at the server when that was last heard; None: it was not there yet."""
    sent: int = 0
    """How many entries, from the first on, are known to be the same here and there."""
    fence: int | None = None
    """The number of the lease that this machine has taken; another may have taken it since."""
    deleted: bool = False
    """Whether it was deleted on another machine."""
    stays: bool = False
    """Whether it stays on this machine alone from now on."""

    @property
    def unsent(self) -> int:
        """How many entries of the log here the server is not known to have."""
        return self.here - self.sent

    @property
    def ahead(self) -> int:
        """How many entries of the log at the server are not known to be here."""
        return self.there.length - self.sent if self.there is not None else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """The log of a session that came from the server, to be stored here."""

    record: SessionRecord
    """As it is to be stored, with this machine's folder."""
    shared: SharedSession
    """As the server has it."""
    here: int
    """How many entries the log here had when that was decided."""
    start: int
    """The place of the first entry; those before it are here already."""
    entries: Sequence[Entry]
    fence: int | None = None
    """The lease under which it was read; None: another machine holds it."""
    branch: SessionRecord | None = None
    """The session that keeps the log as it was here, where that went another way; None: none."""


class SessionCopies(Protocol):
    """What this machine knows of the sessions that travel, in the folder's own store.

    Subagents' sessions do not travel. Every write is one transaction, durable when it returns.

    Raises:
        StoreUnavailable: The store cannot be read or written.
    """

    async def all(self) -> list[SessionPlaces]:
        """Read where each session is, the most recently written of those here first."""
        ...

    async def find(self, session_id: str) -> SessionPlaces | None:
        """Read where one session is; None if it is nowhere."""
        ...

    async def note_sent(self, shared: SharedSession, sent: int, fence: int | None) -> None:
        """Note what the server has, and how many entries of it are those here."""
        ...

    async def note_fence(self, session_id: str, fence: int | None) -> None:
        """Note the lease that was taken; None: it was given back or lost."""
        ...

    async def store(self, arrival: Arrival) -> None:
        """Store a log from the server; it replaces the entries here from its start on.

        The replaced entries are kept in the ``branch``.

        Raises:
            LogConflict: The log here has changed since that was decided.
        """
        ...

    async def note_deleted(self, session_id: str) -> None:
        """Note that a session was deleted on another machine."""
        ...

    async def delete_there(self, session_id: str) -> None:
        """Forget a session whose log is not here, and queue its deletion at the server."""
        ...

    async def keep_here(self, session_id: str) -> None:
        """Let a session stay on this machine alone from now on."""
        ...

    async def drop(self, session_id: str) -> None:
        """Forget that a session was at the server; its log here stays."""
        ...
