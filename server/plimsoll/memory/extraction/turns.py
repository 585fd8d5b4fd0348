"""The turns of a conversation for extraction, and the cursor that says how far it was read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from plimsoll.context.log.entries import Origin, Said, refusal_reasons, written_texts
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.text.sentences import Sentence, may_hold_paste, sentences


@dataclass(frozen=True, slots=True)
class Turn:
    """A message of a person and all that followed, up to the next one."""

    said: tuple[Said, ...]
    end: int
    """The index after its last message in the conversation."""

    @property
    def opening(self) -> Said | None:
        """The message of the person; None only for a turn cut from the middle of a log."""
        return self.said[0] if self.said[0].role is Role.USER else None


def turns_from(said: Sequence[Said], start: int) -> Iterator[Turn]:
    """Yield the turns of a conversation from an index on."""
    begun = start
    for index in range(start + 1, len(said) + 1):
        if index == len(said) or said[index].role is Role.USER:
            yield Turn(tuple(said[begun:index]), index)
            begun = index


def is_said_by_person(said: Said) -> bool:
    """Tell whether a message belongs to a person's turn here, not an editor's agent or import."""
    return said.origin is Origin.PERSON


def written_text(said: Said) -> str:
    """Return what a person wrote; files, selections and images do not count."""
    return "\n".join(each.text for each in written_texts(said))


def said_sentences(said: Said, *, reasons: bool = False) -> list[Sentence]:
    """Split what a person wrote into sentences; ``reasons``: also why they declined a call."""
    found: list[Sentence] = []
    written = written_texts(said)
    if any(each.pasted is not None for each in written):
        found += (s for each in written for s in sentences(each.text, each.pasted))
    else:
        # Where nobody says what was pasted, one part may be what another one hands over.
        found += sentences("\n".join(each.text for each in written))
    if reasons:
        found += (each for reason in refusal_reasons(said) for each in sentences(reason))
    return found


def holds_paste(said: Said) -> bool:
    """Tell whether part of a person's message was pasted, or may have been."""
    texts = [part for part in said.parts if part.kind is PartKind.TEXT]
    return said.role is Role.USER and any(may_hold_paste(e.text, e.pasted) for e in texts)


def saved_by_agent(turn: Turn) -> bool:
    """Tell whether the agent saved a memory itself in this turn."""
    results = {
        part.call_id: part.failed
        for message in turn.said
        for part in message.parts
        if part.kind is PartKind.RESULT
    }
    return any(
        part.kind is PartKind.CALL and part.traits.remembers and not results.get(part.call_id, True)
        for message in turn.said
        for part in message.parts
    )


def only_typed(said: Sequence[Said]) -> bool:
    """Tell whether a conversation has only a person's typed words and the model's answers to them.

    The trust of a conclusion is that of the least trusted text it may stem from: after one tool
    result, attached file or imported message it is no longer the person's word.
    """
    return all(
        is_said_by_person(message)
        and all(part.kind in _OWN or _is_receipt(part) for part in message.parts)
        for message in said
    )


def _is_receipt(part: Part) -> bool:
    """Tell whether a part is the result of saving a memory, which only confirms it."""
    return part.kind is PartKind.RESULT and part.traits.remembers and not part.failed


_OWN = frozenset({PartKind.TEXT, PartKind.REASONING, PartKind.CALL})


ReadBy = Literal["phrases", "model"]
"""Which reader reads a session: set phrases at once, a model when the session is idle."""
READERS: tuple[ReadBy, ...] = ("phrases", "model")
"""All readers; each has a cursor of its own in every session."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """The last message that was read, and the number of messages read so far."""

    session_id: str
    message_id: str
    count: int
    read_by: ReadBy = "phrases"


@dataclass(frozen=True, slots=True)
class Advance:
    """A step of a cursor, which fails if another process has moved it meanwhile."""

    expected: Cursor | None
    cursor: Cursor


def first_unread(said: Sequence[Said], cursor: Cursor | None, order: Sequence[str] = ()) -> int:
    """Find the index of the first unread message.

    ``order``: the ids of all messages of the log, including rewound ones. A log only grows, so the
    cursor's message is normally among them, and what comes before it was read. If it is not (a log
    that was restored from elsewhere), the count of messages is used; and if there are fewer
    messages than that, it is another log, which is read from the start: twice is better than never.
    """
    if cursor is None:
        return 0
    index = next((n for n in reversed(range(len(said))) if said[n].id == cursor.message_id), None)
    if index is not None:
        return index + 1
    if cursor.message_id in order:
        behind = set(order[order.index(cursor.message_id) :])
        return sum(message.id not in behind for message in said)
    return cursor.count if cursor.count <= len(said) else 0


def cursor_behind(session_id: str, said: Sequence[Said], end: int, read_by: ReadBy) -> Cursor:
    """Return the cursor after the first ``end`` messages, of which there is at least one."""
    return Cursor(session_id, said[end - 1].id, end, read_by)
