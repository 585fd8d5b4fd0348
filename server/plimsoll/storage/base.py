"""The interfaces of the store of one project."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from plimsoll.context.log.entries import Entry, Said


@dataclass(frozen=True, slots=True)
class HeldAddress:
    """An address that a session may be sent to: where it began, or where a person allowed it."""

    address: str
    """Scheme, host, port and path; the provider's name for a model in this process."""
    machine: str | None = None
    """The id of the machine, if the address is only meant there, as a loopback address is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecord:
    """The fields of a session beside its log."""

    id: str
    workspace: str
    """URI of the workspace folder, as the client sent it."""
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
    agent: str | None = None
    """The kind of subagent that the session is of; none for a person's own."""
    depth: int = 0
    """The depth of a subagent below the person's session; 0 for that itself."""
    addresses: tuple[HeldAddress, ...] = ()
    """Where it may be sent, the address of its answers first; empty if it was sent nowhere yet."""


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

    async def create(self, record: SessionRecord, entries: Sequence[Entry] = ()) -> list[Entry]:
        """Store a new session with its first entries; those of a fork or import are all of them.

        Returns the entries as they are stored: without known secrets, every text valid Unicode.
        """
        ...

    async def append(self, session_id: str, entries: Sequence[Entry], expected: int) -> list[Entry]:
        """Append to a log and return the entries as they are stored.

        That is without known secrets, every text valid Unicode, as ``entries`` will give them.

        Raises:
            Busy: Another process writes the session (see ``ProjectStore.writers``).
            LogConflict: The log does not have ``expected`` entries; nothing was written.
            NotFound: There is no such session.
        """
        ...

    async def entries(self, session_id: str, start: int = 0) -> list[Entry]:
        """Read the log from index ``start``; raises NotFound."""
        ...

    async def get(self, session_id: str) -> SessionRecord:
        """Read one session; raises NotFound."""
        ...

    async def sessions(
        self, limit: int | None = None, *, agents: bool = False
    ) -> list[SessionRecord]:
        """Read all sessions of people, the most recently written first.

        ``agents``: also those of subagents.
        """
        ...

    async def update(self, record: SessionRecord, known: SessionRecord) -> SessionRecord:
        """Update the fields of a session that differ from the ``known`` record.

        Changes that another process has made to other fields stay. Returns the record as it is
        stored now; raises NotFound, or Busy while another process writes the session.
        """
        ...

    async def agents_of(self, session_id: str) -> list[SessionRecord]:
        """Read the sessions of the subagents that a session has called, oldest first."""
        ...

    async def delete(self, session_id: str) -> None:
        """Delete a session with every text of it, for good (``secure_delete``).

        Raises NotFound, or Busy while another process writes the session.
        """
        ...

    async def acquire(self, session_id: str) -> Lease:
        """Take the session's lease; raises Busy with ``data.heldBy`` while it is taken."""
        ...

    async def release(self, lease: Lease) -> None:
        """Release the lease."""
        ...

    def holds(self, session_id: str) -> bool:
        """Tell whether this store holds the session's lease, so that appending is ours."""
        ...

    async def close(self) -> None:
        """Close the file; also ends the worker thread."""
        ...


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question of a person in a session and the assistant's answer."""

    index: int
    """Index in the log of its first message."""
    at: str
    asked: str
    """The person's words."""
    concluded: str = ""
    """The assistant's last message about it, without quotes of tool outputs."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """An exchange found by a search."""

    session_id: str
    title: str
    """The title of the session."""
    exchange: Exchange


class RecallStore(Protocol):
    """The index of what was said in the sessions of one project; removed with the session.

    Raises:
        StoreUnavailable: The store cannot be read or written (full disk, permissions).
    """

    async def replace_exchanges(
        self, session_id: str, start: int, exchanges: Sequence[Exchange]
    ) -> None:
        """Replace the indexed exchanges of a session from index ``start`` on; one transaction.

        An exchange without a question is a mark: it is never found and never replaced.
        """
        ...

    async def last_exchange(self, session_id: str) -> Exchange | None:
        """Read the last indexed exchange of a session; None if no exchange is indexed."""
        ...

    async def find(self, question: str, limit: int) -> list[Recalled]:
        """Search the exchanges for the words of a question, best match first."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidQuery:
    """A search for sessions by words; the caller decides which titles and messages match."""

    words: Sequence[str]
    """Case-folded, without blanks; texts that lack one of them are not passed to the callbacks."""
    titled: Callable[[str], bool]
    """Tells whether a title matches."""
    said: Callable[[Said], bool]
    """Tells whether a message matches; only messages of a person or the model may."""
    limit: int


class SaidStore(Protocol):
    """The search for words in messages of one project's sessions; removed with the session.

    Raises:
        StoreUnavailable: The store cannot be read (permissions).
    """

    async def find(self, query: SaidQuery) -> list[tuple[SessionRecord, Said | None]]:
        """Find sessions of people, matching titles first, then the most recently written.

        Each has its newest matching message, unless its title matches.
        """
        ...


class SessionWriters(Protocol):
    """The register of which process writes each session; others may only follow it."""

    def announce(self, name: str) -> None:
        """Take part from now on, under a name that other processes show to people."""
        ...

    def claim(self, session_id: str) -> str | None:
        """Become the writer of a session, or return the name of the process that is."""
        ...

    def refuse_elsewhere(self, session_id: str) -> None:
        """Raise Busy with ``data.heldBy`` while another process writes a session."""
        ...

    def take_over(self, session_id: str) -> None:
        """Become the writer of a session in place of another process; needs the session's lease."""
        ...

    def keep_only(self, session_ids: Collection[str]) -> None:
        """Give up all sessions but these, so that other processes can write them."""
        ...

    def want(self, session_id: str) -> None:
        """Tell the writer of a session that this process wants to write it."""
        ...

    def is_wanted(self, session_id: str) -> bool:
        """Tell whether another process wants a session that is written here; clears the request."""
        ...

    def leave(self, session_id: str) -> None:
        """Give up a session to a process that wants it, until it is used here again."""
        ...

    def is_open_elsewhere(self, session_id: str) -> bool:
        """Tell whether another process that has a name has a session open to write it."""
        ...

    def has_left(self, session_id: str) -> bool:
        """Tell whether a session was given up here and has no writer yet."""
        ...


class Redactor(Protocol):
    """Replaces secrets in a text before it is stored or shown."""

    def __call__(self, text: str) -> str:
        """Replace each known secret in a text by a marker that names it."""
        ...
