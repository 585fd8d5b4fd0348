"""Memories of a project: to list, search, add, change, forget, review and audit them."""

from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictInt, WithJsonSchema
from typing_extensions import TypeAliasType

from plimsoll.lsp.wire.base import Wire

MemoryType = TypeAliasType(
    "MemoryType", Literal["user", "feedback", "project", "decision", "reference", "procedure"]
)
MemoryScope = TypeAliasType("MemoryScope", Literal["private", "mine", "team"])
Importance = Annotated[StrictInt, Field(ge=1, le=5)]
MemoryClass = TypeAliasType("MemoryClass", Literal["priority", "durable", "working"])
MemoryAuthor = TypeAliasType("MemoryAuthor", Literal["user", "agent", "extraction"])
MemoryTrust = TypeAliasType("MemoryTrust", Literal["user", "agent", "extracted", "team"])
MemoryState = TypeAliasType("MemoryState", Literal["active", "inbox", "stale"])


class MemorySource(Wire):
    """The origin of a memory: a message of a session, or a file with the hash it had."""

    session_id: str | None = None
    message_id: str | None = None
    uri: str | None = None
    sha256: str | None = None


class MemoryText(Wire):
    """What a memory says."""

    title: str
    content: str


class Memory(Wire):
    """A memory; times are RFC 3339 UTC, `score` is there in a search.

    `digest` marks one that was kept from the log of an earlier session. `importance` is 1 to 5; one
    that has none counts as 3. The scopes `mine` and `team` have effect in a folder that takes part
    in a team's project; memories of type `user` and `feedback` are never `team`. One that waits and
    `supersedes` another suggests to take its place, or with `removal` to have it forgotten:
    `superseded` is what that one says now. `authorName` is the colleague who shared it and `seenAt`
    when it was last seen at the team's server; with `pendingSync` a change of it waits to be sent.
    """

    id: str
    type: MemoryType | str
    class_: MemoryClass | str
    title: str
    content: str
    pinned: bool
    author: MemoryAuthor | str
    trust: MemoryTrust | str
    state: MemoryState | str
    source: MemorySource | None = None
    created_at: str
    last_used_at: str | None = None
    times_used: int
    expires_at: str | None = None
    supersedes: str | None = None
    digest: bool | None = None
    scope: MemoryScope | str
    importance: int | None = None
    tags: tuple[str, ...] | None = None
    removal: bool | None = None
    superseded: MemoryText | None = None
    author_name: str | None = None
    seen_at: str | None = None
    pending_sync: bool | None = None
    score: float | None = None


class WorkspaceParams(Wire):
    """The workspace folder that the request is about."""

    workspace_folder: str


class MemoryListParams(WorkspaceParams):
    """Which memories to list; `inbox` true: those that wait for a review, false: the others.

    With a `limit` they come in parts: `cursor` is `nextCursor` of the part before.
    """

    type: MemoryType | None = None
    class_: MemoryClass | None = None
    inbox: StrictBool | None = None
    cursor: str | None = None
    limit: int | None = Field(default=None, ge=1)


class MemoriesResult(Wire):
    """Memories; a search gives the best first, with `score`.

    `nextCursor` is there when a list goes on.
    """

    memories: tuple[Memory, ...]
    next_cursor: str | None = None


class MemorySearchParams(WorkspaceParams):
    """The words to search for, and how many memories to return."""

    query: str
    limit: int | None = Field(default=None, ge=1)


class MemoryFile(Wire):
    """The file that a memory was taken from; the server notes its hash."""

    uri: str


class MemoryAddParams(WorkspaceParams):
    """The memory to add; if its `source` is a file, it goes stale when the file changes."""

    type: MemoryType
    title: str
    content: str
    class_: MemoryClass | None = None
    pinned: StrictBool | None = None
    expires_at: str | None = None
    source: MemoryFile | None = None
    scope: MemoryScope | None = None
    importance: Importance | None = None
    tags: tuple[str, ...] | None = None


class MemoryResult(Wire):
    """The memory as it is now."""

    memory: Memory


class MemoryParams(Wire):
    """The memory that the request is about."""

    memory_id: str


class MemoryUpdateParams(MemoryParams):
    """The fields to change; those left out stay, and `expiresAt: null` removes the date."""

    type: MemoryType | None = None
    class_: MemoryClass | None = None
    title: str | None = None
    content: str | None = None
    pinned: StrictBool | None = None
    scope: MemoryScope | None = None
    importance: Importance | None = None
    tags: tuple[str, ...] | None = None
    expires_at: Annotated[
        str | None, WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "null"}]})
    ] = None


class MemoryForgetParams(MemoryParams):
    """The memory to forget; `purge` removes its text for good."""

    purge: StrictBool = False


class MemoryReviewParams(MemoryParams):
    """The verdict on a memory of the inbox."""

    accept: StrictBool


class MemoryShareParams(MemoryParams):
    """The memory to share, and with whom: the team, unless a `scope` says otherwise."""

    scope: MemoryScope = "team"


class MemoryReviewResult(Wire):
    """The memory, when it was accepted."""

    memory: Memory | None = None


class MemoryImportParams(WorkspaceParams):
    """The Markdown of an export to take in, and the URI of its file."""

    markdown: str
    uri: str | None = None


class MemoryImportResult(Wire):
    """Memories that wait in the inbox now, and those that were known, refused or found it full."""

    waiting: int
    left_out: int


class MemoryAuditParams(WorkspaceParams):
    """The memory whose history to list; without an id, the history of all in the folder."""

    memory_id: str | None = None


class MemoryEvent(Wire):
    """A change of a memory; `at` is RFC 3339 UTC."""

    at: str
    memory_id: str
    action: str
    author: MemoryAuthor | str
    reason: str | None = None


class MemoryAuditResult(Wire):
    """Changes of memories, oldest first."""

    events: tuple[MemoryEvent, ...]


class MemoryDidChangeParams(Wire):
    """The memories of a folder changed; `inboxCount` of them wait for a review."""

    workspace_folder: str
    inbox_count: int
