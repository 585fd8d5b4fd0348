"""The port to the store of one project."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from plimsoll.context.entries import Entry


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A session without its log."""

    id: str
    workspace: str
    """URI of the workspace folder, as the client gave it."""
    title: str
    mode: str
    model: str
    """``provider/name``."""
    created_at: str
    updated_at: str
    turns: int = 0
    parent_id: str | None = None
    preview: str = ""
    """The beginning of the last user message."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to run a turn of a session, freed at its end or with its process."""

    session_id: str
    holder: str
    """Names the process for people: ``pid 4711``."""


class SessionStore(Protocol):
    """The sessions of one project.

    Every write is one transaction on the worker thread, durable when the call returns, and
    never half done when it is cancelled.

    Raises:
        StoreUnavailable: The store cannot be read or written (full disk, permissions).
        StoreDamaged: The file is not a store of ours or not whole.
        StoreNewer: The file was written by a newer version.
    """

    async def create(self, record: SessionRecord, entries: Sequence[Entry] = ()) -> None:
        """Store a new session with its first entries (a fork's or an import's are all of them)."""
        ...

    async def append(self, session_id: str, entries: Sequence[Entry], expected: int) -> int:
        """Append to a log and return its new length.

        Raises:
            LogConflict: The log does not have ``expected`` entries; nothing was written.
            NotFound: There is no such session.
        """
        ...

    async def entries(self, session_id: str, start: int = 0) -> list[Entry]:
        """The log from index ``start``; raises NotFound."""
        ...

    async def get(self, session_id: str) -> SessionRecord:
        """One session; raises NotFound."""
        ...

    async def sessions(self, limit: int | None = None) -> list[SessionRecord]:
        """All sessions, the one used last first."""
        ...

    async def update(self, record: SessionRecord) -> None:
        """Replace what is known of a session beside its log; raises NotFound."""
        ...

    async def delete(self, session_id: str) -> None:
        """Delete a session with every text of it, for good (``secure_delete``); raises NotFound."""
        ...

    async def acquire(self, session_id: str) -> Lease:
        """Take the session's lease; raises Busy with ``data.heldBy`` while it is taken."""
        ...

    async def release(self, lease: Lease) -> None:
        """Give the lease back."""
        ...

    async def close(self) -> None:
        """Close the file; also ends the worker thread."""
        ...


class Redactor(Protocol):
    """Replaces secrets in a text at the door of the store."""

    def __call__(self, text: str) -> str:
        """The text with each known secret replaced by a marker that names it."""
        ...
