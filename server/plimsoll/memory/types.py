"""A memory and its history, as values."""

from dataclasses import dataclass
from enum import StrEnum


class MemoryType(StrEnum):
    """What a memory is about."""

    USER = "user"
    FEEDBACK = "feedback"
    PROJECT = "project"
    DECISION = "decision"
    REFERENCE = "reference"
    PROCEDURE = "procedure"
    """How something is done here, step by step."""


class MemoryClass(StrEnum):
    """How much a memory matters and how long it lives."""

    PRIORITY = "priority"
    DURABLE = "durable"
    WORKING = "working"


class MemoryScope(StrEnum):
    """Whom a memory is for."""

    PRIVATE = "private"
    TEAM = "team"
    """For all who work on the project; without effect as long as no team has a store."""


ALWAYS_PRIVATE = frozenset({MemoryType.USER, MemoryType.FEEDBACK})
"""What a person prefers, and how they want an agent to work, is theirs alone."""
LEAST_IMPORTANT, USUAL_IMPORTANCE, MOST_IMPORTANT = 1, 3, 5


class Author(StrEnum):
    """Who wrote a memory down."""

    USER = "user"
    AGENT = "agent"
    EXTRACTION = "extraction"


class Trust(StrEnum):
    """Whose words a memory is."""

    USER = "user"
    AGENT = "agent"
    EXTRACTED = "extracted"


class MemoryState(StrEnum):
    """Whether a memory has an effect."""

    ACTIVE = "active"
    INBOX = "inbox"
    """It waits for a person and has no effect until then."""
    STALE = "stale"
    """Its source file has changed; it is still found, and says so."""
    FORGOTTEN = "forgotten"


SEARCHED = frozenset({MemoryState.ACTIVE, MemoryState.STALE})
"""The states in which a memory can be found and injected."""
SHOWN = SEARCHED | {MemoryState.INBOX}
"""The states of the memories that people see."""


class Action(StrEnum):
    """What happened to a memory."""

    ADDED = "added"
    UPDATED = "updated"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    FORGOTTEN = "forgotten"
    RESTORED = "restored"
    PURGED = "purged"
    EXPIRED = "expired"
    MERGED = "merged"
    SUPERSEDED = "superseded"
    USED = "used"
    STALE = "stale"
    FRESH = "fresh"
    TRIMMED = "trimmed"


@dataclass(frozen=True, slots=True)
class MemorySource:
    """Where a memory comes from: a message of a session, or a file with the hash it had."""

    session_id: str | None = None
    message_id: str | None = None
    uri: str | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """Something worth knowing in later conversations; times are RFC 3339 UTC."""

    id: str
    type: MemoryType
    title: str
    content: str
    author: Author
    trust: Trust
    created_at: str
    class_: MemoryClass = MemoryClass.DURABLE
    state: MemoryState = MemoryState.ACTIVE
    pinned: bool = False
    digest: bool = False
    """The record of an earlier session, kept deterministically from its log."""
    scope: MemoryScope = MemoryScope.PRIVATE
    importance: int | None = None
    """From 1, the first to leave, to 5; none: nobody has said, which counts as 3."""
    tags: tuple[str, ...] = ()
    """Words by which people order memories; a search finds them."""
    removal: bool = False
    """A suggestion that what it ``supersedes`` be forgotten; accepted, it hides itself too."""
    source: MemorySource | None = None
    last_used_at: str | None = None
    times_used: int = 0
    expires_at: str | None = None
    supersedes: str | None = None
    """The id of the memory that it contradicts and takes the place of."""
    before: MemoryState | None = None
    """The state that a forgotten memory had before."""

    @property
    def text(self) -> str:
        """Title and content as one text."""
        return f"{self.title}\n{self.content}" if self.content else self.title

    @property
    def weight(self) -> int:
        """The importance, the usual one where nobody has said."""
        return USUAL_IMPORTANCE if self.importance is None else self.importance

    @property
    def alive_at(self) -> str:
        """The time when it was made or last used."""
        return max(self.created_at, self.last_used_at or "")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEvent:
    """One change of one memory, for the audit; it never holds the text."""

    at: str
    memory_id: str
    action: Action
    author: Author
    reason: str | None = None
    fingerprint: str | None = None
    """Keyed hash of the text, so that a history can be followed after the text is gone."""


@dataclass(frozen=True, slots=True)
class MemoryPage:
    """A part of a list of memories."""

    memories: tuple[Memory, ...]
    next_cursor: str | None = None
    """What the next part begins after; none: this is the end of the list."""


@dataclass(frozen=True, slots=True)
class MemoryMatch:
    """A memory found by a search; a higher score is better."""

    memory: Memory
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NewNote:
    """What somebody wants kept."""

    type: MemoryType
    title: str
    content: str
    class_: MemoryClass = MemoryClass.DURABLE
    pinned: bool = False
    expires_at: str | None = None
    source: MemorySource | None = None
    scope: MemoryScope = MemoryScope.PRIVATE
    importance: int | None = None
    tags: tuple[str, ...] = ()
