"""The ports to the store of one project."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from plimsoll.context.log.entries import Entry, Said
from plimsoll.memory.base import MemoryStore
from plimsoll.storage.chosen.base import PermissionStore, SkillSwitches


@dataclass(frozen=True, slots=True)
class HeldAddress:
    """An address that a session may be sent to: by what was said of it, or as it began there."""

    address: str
    """Scheme, host, port and path; of a model inside the process its provider."""
    machine: str | None = None
    """The id of the machine that alone is meant by it, as by a loopback address."""


@dataclass(frozen=True, slots=True, kw_only=True)
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
    agent: str | None = None
    """The kind of subagent whose conversation it is; none: a person's own."""
    depth: int = 0
    """How many agents stand between a subagent and the person."""
    addresses: tuple[HeldAddress, ...] = ()
    """Where it may be sent, that of its answers first; none: it was sent nowhere yet."""


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
        """Store a new session with its first entries (a fork's or an import's are all of them).

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
        """Read all sessions of people, the one whose log was written to last first.

        ``agents``: those of subagents too.
        """
        ...

    async def update(self, record: SessionRecord, known: SessionRecord) -> SessionRecord:
        """Replace the fields in which a session differs from what was ``known`` of it.

        What another process has written of the other fields stays. Returns the record as it is
        stored now; raises NotFound, or Busy while another process writes the session.
        """
        ...

    async def agents_of(self, session_id: str) -> list[SessionRecord]:
        """Read the sessions of the subagents that a session has called, the first one first."""
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
        """Give the lease back."""
        ...

    def holds(self, session_id: str) -> bool:
        """Tell whether this store holds the session's lease, so that appending is ours."""
        ...

    async def close(self) -> None:
        """Close the file; also ends the worker thread."""
        ...


@dataclass(frozen=True, slots=True)
class WorkspacePin:
    """A text that stands in every request of every session of the folder."""

    id: str
    at: str
    text: str
    number: int
    """From 1, never given twice in a folder."""


class PinStore(Protocol):
    """The pins of one folder.

    Every write is one transaction, durable when the call returns.

    Raises:
        StoreUnavailable: The store cannot be read or written (full disk, permissions).
    """

    async def pins(self) -> list[WorkspacePin]:
        """Read the pins that were not removed, by number."""
        ...

    async def add(self, pin_id: str, text: str, at: str) -> WorkspacePin:
        """Store one more pin and number it; raises InvalidInput when the id is taken."""
        ...

    async def remove(self, pin_id: str) -> None:
        """Remove a pin; raises NotFound."""
        ...


@dataclass(frozen=True, slots=True)
class Exchange:
    """What a person asked in a session, and what it came to."""

    index: int
    """Index in the log of the message that begins it."""
    at: str
    asked: str
    """The person's words."""
    concluded: str = ""
    """The assistant's last words on it, without what stood in a tool's output."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """An exchange of a session that a search has found."""

    session_id: str
    title: str
    """The title of the session."""
    exchange: Exchange


class RecallStore(Protocol):
    """What was said in the sessions of one project, for search; goes with its session.

    Raises:
        StoreUnavailable: The store cannot be read or written (full disk, permissions).
    """

    async def replace_exchanges(
        self, session_id: str, start: int, exchanges: Sequence[Exchange]
    ) -> None:
        """Replace what is known of a session from index ``start`` on; one transaction.

        An exchange in which nothing was asked is a mark: it is never found and never replaced.
        """
        ...

    async def reached(self, session_id: str) -> Exchange | None:
        """Read the last exchange that is known of a session; none: nothing is known of it."""
        ...

    async def find(self, question: str, limit: int) -> list[Recalled]:
        """Search the exchanges for the words of a question, the best match first."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidQuery:
    """What sessions are looked for by; whoever asks is the judge of each title and message."""

    words: Sequence[str]
    """Case-folded and without blanks; what has not all of them is not shown to the judges."""
    titled: Callable[[str], bool]
    """Tells whether a title fits."""
    said: Callable[[Said], bool]
    """Tells whether a message does, of a person or the model; of no other it may."""
    limit: int


class SaidStore(Protocol):
    """What was said in the sessions of one project, word by word; goes with its session.

    Raises:
        StoreUnavailable: The store cannot be read (permissions).
    """

    async def find(self, query: SaidQuery) -> list[tuple[SessionRecord, Said | None]]:
        """Find sessions of people, those whose title fits first, then the one written to last.

        Each with its newest message that fits, where its title does not.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class BeforeRequest:
    """What may have changed around a session since its last request, read as one."""

    record: SessionRecord
    """What is known of the session beside its log."""
    entries: Sequence[Entry]
    """The entries of the log, from the index that was asked for."""
    pins: Sequence[WorkspacePin]
    """All of the folder, by number."""
    standing: frozenset[str]
    """The memories that were asked for and can still be told."""


class SessionWriters(Protocol):
    """Which process writes a session that others may only follow."""

    def announce(self, name: str) -> None:
        """Take part from now on, under a name that people are told in the other process."""
        ...

    def claim(self, session_id: str) -> str | None:
        """Be the one who writes a session, unless another process is: then return its name."""
        ...

    def refuse_elsewhere(self, session_id: str) -> None:
        """Raise Busy with ``data.heldBy`` while another process writes a session."""
        ...

    def take_over(self, session_id: str) -> None:
        """Be the one who writes a session, whoever was; called while its lease is ours."""
        ...

    def keep_only(self, session_ids: Collection[str]) -> None:
        """Let every other session go, for whoever wants to write it."""
        ...

    def want(self, session_id: str) -> None:
        """Let the process that writes a session know that somebody here would."""
        ...

    def is_wanted(self, session_id: str) -> bool:
        """Tell whether somebody else would write a session that is written here; asks once."""
        ...

    def leave(self, session_id: str) -> None:
        """Let a session go to whoever wants it, until it is used here."""
        ...

    def has_left(self, session_id: str) -> bool:
        """Tell whether a session was left here, and nobody writes it yet."""
        ...


class ProjectStore(SessionStore, Protocol):
    """Everything that is kept of one project; closed as one."""

    @property
    def writers(self) -> SessionWriters:
        """Who writes each of its sessions, among the processes that were announced."""
        ...

    @property
    def pins(self) -> PinStore:
        """The pins of the folder."""
        ...

    @property
    def skills(self) -> SkillSwitches:
        """The skills that are off in the folder."""
        ...

    @property
    def permissions(self) -> PermissionStore:
        """What the person allowed for good in the folder."""
        ...

    @property
    def recall(self) -> RecallStore:
        """The search over what was said in its sessions."""
        ...

    @property
    def said(self) -> SaidStore:
        """The search for single words of it, and for titles."""
        ...

    @property
    def memories(self) -> MemoryStore:
        """The memories of the project."""
        ...

    async def require_writable(self) -> None:
        """Write without changing anything, as a later write would; raises StoreUnavailable."""
        ...

    async def bodies(self, session_id: str) -> list[str]:
        """Read the log as it is stored, an entry a text, also those that cannot be decoded.

        Raises:
            NotFound: There is no such session.
        """
        ...

    async def before_request(
        self, session_id: str, start: int, memory_ids: Collection[str]
    ) -> BeforeRequest:
        """Read on one snapshot what the next request of a session depends on; raises NotFound.

        That is its record, its log from index ``start``, the pins of the folder, and which of some
        memories can still be told.
        """
        ...

    async def take_over(self, old: Path, new: Path, data: Path) -> None:
        """Take over into this store, of folder ``new``, what is stored of one that was moved.

        ``old`` is the path at which that folder was, ``data`` the user's data folder.

        Raises:
            InvalidInput: There still is a folder at the old path, or this store keeps nothing.
            NotFound: Nothing is stored of the old path.
            StoreError: One of the stores cannot be used.
        """
        ...


class Redactor(Protocol):
    """Replaces secrets in a text before it is stored or shown."""

    def __call__(self, text: str) -> str:
        """Replace each known secret in a text by a marker that names it."""
        ...
