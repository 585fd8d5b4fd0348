"""The agent's own notes: what it keeps for later conversations, and what it finds again.

The gate is here and not in the model's good sense: what it wants kept has effect only where it can
stem from nothing but the person's typed words; all else waits in the inbox.
"""

from collections.abc import Iterator

from plimsoll.context.entries import Said, Slot
from plimsoll.context.fold import Fold
from plimsoll.errors import MemoryRefused, ToolFailed
from plimsoll.memory.export import answer
from plimsoll.memory.service import Lineage
from plimsoll.memory.service import Note as Wanted
from plimsoll.memory.types import MemoryClass, MemorySource, MemoryState, MemoryType
from plimsoll.session.state import State
from plimsoll.tools.base import Note, NoteKept

QUOTING = frozenset({Slot.INSTRUCTIONS, Slot.RECALL})
"""Frames in which others may speak: the repository, and answers of earlier sessions."""


def conversation_of(fold: Fold) -> Iterator[Said]:
    """All messages of a log, also of what has left the view; not what a rewind hides."""
    for group in fold.groups:
        yield from group.visible


async def keep_note(state: State, note: Note) -> NoteKept:
    """Keep what the agent wants kept; raises ToolFailed when it is refused."""
    fold, environment = state.log.fold, state.environment
    said = list(conversation_of(fold))
    instructed = any(each.text and each.kind in QUOTING for each in fold.frames.values())
    wanted = Wanted(
        MemoryType(note.type),
        note.title,
        note.content,
        MemoryClass(note.class_ or MemoryClass.DURABLE),
        source=MemorySource(state.id, said[-1].id if said else None),
    )
    try:
        kept = await environment.memories.save(wanted, Lineage.of(said, instructed=instructed))
    except MemoryRefused as error:
        raise ToolFailed(f"{error.message} {error.remedy or ''}".strip()) from error
    return NoteKept(kept.id, kept.state is MemoryState.INBOX)


async def find_notes(state: State, query: str, limit: int) -> str:
    """What is known from earlier conversations, each note quoted."""
    return answer(await state.environment.memories.search(query, limit))
