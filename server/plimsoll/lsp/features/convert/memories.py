"""Memories on the wire, and what clients say of them as changes."""

from datetime import UTC, datetime

from plimsoll.errors import InvalidInput
from plimsoll.lsp.wire import memories as wire
from plimsoll.memory.base import PageQuery
from plimsoll.memory.changes import Revise
from plimsoll.memory.types import (
    SEARCHED,
    SHOWN,
    Author,
    Memory,
    MemoryClass,
    MemoryEvent,
    MemoryScope,
    MemorySource,
    MemoryState,
    MemoryType,
    NewNote,
)


def memory(
    found: Memory,
    score: float | None = None,
    *,
    superseded: Memory | None = None,
    waiting: frozenset[str] = frozenset(),
) -> wire.Memory:
    """Convert a memory to its wire form.

    ``score``: in a search. ``superseded``: the memory that one in the inbox would replace.
    ``waiting``: the ids of what waits to be sent to a team's server.
    """
    return wire.Memory(
        id=found.id,
        type=found.type.value,
        class_=found.class_.value,
        title=found.title,
        content=found.content,
        pinned=found.pinned,
        author=found.author.value,
        trust=found.trust.value,
        state=found.state.value,
        source=_source(found.source),
        created_at=found.created_at,
        last_used_at=found.last_used_at,
        times_used=found.times_used,
        expires_at=found.expires_at,
        supersedes=found.supersedes,
        digest=True if found.digest else None,
        scope=found.scope.value,
        importance=found.importance,
        tags=found.tags or None,
        removal=True if found.removal else None,
        superseded=_text(superseded) if superseded else None,
        author_name=found.author_name,
        seen_at=found.seen_at,
        pending_sync=True if found.id in waiting else None,
        score=score,
    )


def event(found: MemoryEvent) -> wire.MemoryEvent:
    """Convert a change of the audit to its wire form."""
    return wire.MemoryEvent(
        at=found.at,
        memory_id=found.memory_id,
        action=found.action.value,
        author=found.author.value,
        reason=found.reason,
    )


def note(params: wire.MemoryAddParams, source: MemorySource | None) -> NewNote:
    """Convert the params of a memory to add; raises InvalidInput for a malformed date."""
    return NewNote(
        type=MemoryType(params.type),
        title=params.title,
        content=params.content,
        class_=MemoryClass(params.class_) if params.class_ else MemoryClass.DURABLE,
        pinned=bool(params.pinned),
        expires_at=moment(params.expires_at) if params.expires_at else None,
        source=source,
        scope=MemoryScope(params.scope) if params.scope else MemoryScope.PRIVATE,
        importance=params.importance,
        tags=params.tags or (),
    )


def revision(params: wire.MemoryUpdateParams) -> Revise:
    """Convert the params to the changed fields of a memory; a date sent as None is removed.

    Raises:
        InvalidInput: A date is malformed.
    """
    expires = moment(params.expires_at) if params.expires_at else None
    if "expires_at" in params.model_fields_set and not params.expires_at:
        expires = ""
    return Revise(
        id=params.memory_id,
        author=Author.USER,
        type=MemoryType(params.type) if params.type else None,
        class_=MemoryClass(params.class_) if params.class_ else None,
        title=params.title,
        content=params.content,
        pinned=params.pinned,
        expires_at=expires,
        scope=MemoryScope(params.scope) if params.scope else None,
        importance=params.importance,
        tags=params.tags,
    )


def page_query(params: wire.MemoryListParams) -> PageQuery:
    """Convert the params of a list of memories to a query."""
    states = {None: SHOWN, True: frozenset({MemoryState.INBOX}), False: SEARCHED}
    return PageQuery(
        states=states[params.inbox],
        type=MemoryType(params.type) if params.type else None,
        class_=MemoryClass(params.class_) if params.class_ else None,
        cursor=params.cursor,
        limit=params.limit,
    )


def moment(text: str) -> str:
    """Convert a time or date to RFC 3339 in UTC, so that texts compare as times do.

    Raises:
        InvalidInput: It is neither.
    """
    try:
        read = datetime.fromisoformat(text)
    except ValueError as error:
        raise InvalidInput(
            f"{text[:40]!r} is not a time.",
            remedy="Write it as 2026-12-31 or 2026-12-31T18:00:00Z.",
        ) from error
    at = read if read.tzinfo else read.replace(tzinfo=UTC)
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _text(found: Memory) -> wire.MemoryText:
    return wire.MemoryText(title=found.title, content=found.content)


def _source(found: MemorySource | None) -> wire.MemorySource | None:
    if found is None:
        return None
    return wire.MemorySource(
        session_id=found.session_id,
        message_id=found.message_id,
        uri=found.uri,
        sha256=found.sha256,
    )
