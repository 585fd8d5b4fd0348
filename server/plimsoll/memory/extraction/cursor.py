"""How far a conversation has been read for memories."""

from collections.abc import Sequence
from dataclasses import dataclass

from plimsoll.context.log.entries import Said


@dataclass(frozen=True, slots=True)
class Cursor:
    """The last message that was read, and how many were read with it."""

    session_id: str
    message_id: str
    count: int


@dataclass(frozen=True, slots=True)
class Advance:
    """A step of a cursor, which fails when another process has made one meanwhile."""

    expected: Cursor | None
    cursor: Cursor


def unread(said: Sequence[Said], cursor: Cursor | None, order: Sequence[str] = ()) -> int:
    """The index of the first message that was not read yet.

    ``order``: the ids of all messages of the log, also of those that a rewind hides. A log only
    grows, so the anchor is normally among them, and what stands before it was read. If it is not (a
    log that was restored from elsewhere), counting takes its place; and when there are fewer
    messages than were counted, it is another log, which is read from its beginning: twice is better
    than never.
    """
    if cursor is None:
        return 0
    place = next((n for n in reversed(range(len(said))) if said[n].id == cursor.message_id), None)
    if place is not None:
        return place + 1
    if cursor.message_id in order:
        behind = set(order[order.index(cursor.message_id) :])
        return sum(message.id not in behind for message in said)
    return cursor.count if cursor.count <= len(said) else 0


def advanced(session_id: str, said: Sequence[Said], end: int) -> Cursor:
    """The cursor behind the first ``end`` messages, of which there is at least one."""
    return Cursor(session_id, said[end - 1].id, end)
