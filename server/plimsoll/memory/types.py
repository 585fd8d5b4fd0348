"""The values of a memory and its history."""

from dataclasses import dataclass
from enum import StrEnum


class MemoryType(StrEnum):
    """The subject of a memory: the user, feedback, the project, a decision and so on."""

    USER = "user"
    FEEDBACK = "feedback"
    PROJECT = "project"
    DECISION = "decision"
    REFERENCE = "reference"
    PROCEDURE = "procedure"
    """How to do something here, step by step."""


class MemoryClass(StrEnum):
    """How a memory is kept: how much it matters and how long it lasts."""

    PRIORITY = "priority"
    DURABLE = "durable"
    WORKING = "working"


class MemoryScope(StrEnum):
    """The readers of a memory: this machine, the owner's machines, or the team."""

    PRIVATE = "private"
    MINE = "mine"
    """For the same person on other machines too; without effect in a folder of no team."""
    TEAM = "team"
    """For everyone on the project; without effect in a folder of no team."""


ALWAYS_PRIVATE = frozenset({MemoryType.USER, MemoryType.FEEDBACK})
"""Types that are never for a team: what a person prefers and how they want an agent to work."""
LEAST_IMPORTANT, USUAL_IMPORTANCE, MOST_IMPORTANT = 1, 3, 5


class Author(StrEnum):
    """The author of a memory: the user, the agent, or the extraction from a conversation."""

    USER = "user"
    AGENT = "agent"
    EXTRACTION = "extraction"


class Trust(StrEnum):
    """The origin of a memory's words: the user, the agent, a colleague, or another text."""

    USER = "user"
    AGENT = "agent"
    EXTRACTED = "extracted"
    TEAM = "team"
    """A colleague, by way of the team's server."""


class MemoryState(StrEnum):
    """The state of a memory, which decides whether it has an effect."""

    ACTIVE = "active"
    INBOX = "inbox"
    """It has no effect until a person accepts it."""
    STALE = "stale"
    """Its source file has changed; searches still find it, with a note."""
    FORGOTTEN = "forgotten"


SEARCHED = frozenset({MemoryState.ACTIVE, MemoryState.STALE})
"""The states in which a memory is found and injected."""
SHOWN = SEARCHED | {MemoryState.INBOX}
"""The states of memories that people see."""


class Action(StrEnum):
    """The kinds of events of a memory."""

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
    """The message of a session or the file, with its hash, that a memory comes from."""

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
    """Whether it is the digest of an earlier session."""
    scope: MemoryScope = MemoryScope.PRIVATE
    importance: int | None = None
    """From 1, the first to leave, to 5; none if nobody has set it, which counts as 3."""
    tags: tuple[str, ...] = ()
    """Words by which people sort memories; a search finds them."""
    removal: bool = False
    """Whether it suggests that the memory it ``supersedes`` be forgotten; accepted, it is hidden
    too."""
    source: MemorySource | None = None
    last_used_at: str | None = None
    times_used: int = 0
    expires_at: str | None = None
    supersedes: str | None = None
    """The id of the memory that it contradicts and replaces."""
    before: MemoryState | None = None
    """The state of a forgotten memory before."""
    author_name: str | None = None
    """The role of the colleague who shared it; none for the person's own."""
    version: int | None = None
    """Its version at the team's server when it was last seen there; none if it never was."""
    seen_at: str | None = None
    """When it was last seen there."""

    @property
    def text(self) -> str:
        """Title and content as one text."""
        return f"{self.title}\n{self.content}" if self.content else self.title

    @property
    def weight(self) -> int:
        """The importance, or the default if nobody has set one."""
        return USUAL_IMPORTANCE if self.importance is None else self.importance

    @property
    def alive_at(self) -> str:
        """The time when the memory was made or last used."""
        return max(self.created_at, self.last_used_at or "")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEvent:
    """One event of one memory, for the audit; it never has the text."""

    at: str
    memory_id: str
    action: Action
    author: Author
    reason: str | None = None
    fingerprint: str | None = None
    """Keyed hash of the text, so that the history can be followed after a purge."""


@dataclass(frozen=True, slots=True)
class MemoryPage:
    """A page of a list of memories."""

    memories: tuple[Memory, ...]
    next_cursor: str | None = None
    """Where the next page begins; none at the end of the list."""


@dataclass(frozen=True, slots=True)
class MemoryMatch:
    """A memory found by a search; a higher score is better."""

    memory: Memory
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NewNote:
    """The fields of a memory that a person or the agent wants to save."""

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
