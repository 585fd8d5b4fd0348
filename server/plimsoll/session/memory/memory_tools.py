"""The agent's own notes: what it keeps for later conversations, and what it finds again.

The gate is here and not in the model's good sense: what it wants kept has effect only where it can
stem from nothing but the person's typed words; all else waits in the inbox.
"""

import asyncio

from plimsoll.context.log.entries import Framed, Origin, Pinned, Said, Slot
from plimsoll.context.view.fold import Fold
from plimsoll.errors import InvalidInput, MemoryRefused, NotFound, ToolFailed
from plimsoll.memory.extraction.turns import written_text
from plimsoll.memory.injection import memories_told_in
from plimsoll.memory.lineage import Lineage
from plimsoll.memory.markdown import answer
from plimsoll.memory.service import Memories
from plimsoll.memory.types import (
    Memory,
    MemoryClass,
    MemoryScope,
    MemorySource,
    MemoryState,
    MemoryType,
    Trust,
)
from plimsoll.memory.types import NewNote as Wanted
from plimsoll.session.log.session_log import SessionLog
from plimsoll.session.memory.extraction_input import conversation_of, documents_of
from plimsoll.session.memory.injecting import SLOT as MEMORIES
from plimsoll.session.resources.files import WorkspaceFiles
from plimsoll.session.resources.memories import SessionMemories
from plimsoll.session.state.held import is_imported
from plimsoll.text.similarity import said_in
from plimsoll.tools.ports.conversation_values import NoteKept, NotePlan

SWITCHED_OFF = "Memory is switched off in the settings (memory.enabled)."
SAID_BY_REPOSITORY = (
    "Not saved: the repository's instructions or read-me already say it, where every session can "
    "read it."
)
QUOTING = frozenset({Slot.INSTRUCTIONS, Slot.RECALL})
"""Frames in which others may speak: the repository, and answers of earlier sessions."""

FOREIGN = frozenset({Trust.EXTRACTED, Trust.TEAM})
"""Trusts of memories that may hold words of others than the person and the agent."""


async def keep_note(
    note: NotePlan, memories: SessionMemories, log: SessionLog, files: WorkspaceFiles
) -> NoteKept:
    """Add a memory for the agent; raises ToolFailed if it is refused."""
    if not memories.rules.enabled:
        raise ToolFailed(SWITCHED_OFF)
    said, wish = list(conversation_of(log.fold)), note.content or note.title
    typed = note.corrects is None and said_in(wish, [written_text(one) for one in said])
    # What the repository alone says may be an order to remember: the person sees it first. What
    # both say needs no memory.
    if typed and said_in(wish, await asyncio.to_thread(documents_of, log.fold, files)):
        raise ToolFailed(SAID_BY_REPOSITORY)
    instructed = await holds_foreign_text(log.fold, memories.all)
    wanted = Wanted(
        type=MemoryType(note.type),
        title=note.title,
        content=note.content,
        class_=MemoryClass(note.class_ or MemoryClass.DURABLE),
        source=MemorySource(log.session_id, said[-1].id if said else None),
        scope=MemoryScope(note.scope),
    )
    try:
        kept = await _save_note(memories.all, wanted, note, Lineage.of(said, instructed=instructed))
    except (MemoryRefused, NotFound, InvalidInput) as error:
        raise ToolFailed(f"{error.message} {error.remedy or ''}".strip()) from error
    return NoteKept(kept.id, kept.state is MemoryState.INBOX)


async def _save_note(
    memories: Memories, wanted: Wanted, note: NotePlan, lineage: Lineage
) -> Memory:
    if note.corrects is None:
        return await memories.save(wanted, lineage)
    return await memories.suggest(note.corrects, wanted, removal=not note.content)


async def holds_foreign_text(fold: Fold, memories: Memories) -> bool:
    """Tell whether frames or pins of a session can hold words of others than the person."""
    instructed = any(each.text and each.kind in QUOTING for each in fold.frames.values())
    # All of the log: one that a later one replaced has told the model what it had to tell.
    notes = (entry for entry in fold.entries if isinstance(entry, Framed | Pinned))
    brought = any(entry.origin is not None and entry.text for entry in notes)
    brought = brought or is_imported(fold.entries)
    # A subagent's brief and report are an agent's words, whatever a person typed behind them.
    brought = brought or any(
        isinstance(entry, Said) and entry.origin is Origin.SUBAGENT for entry in fold.entries
    )
    return instructed or brought or not await _told_own_words(fold, memories)


async def _told_own_words(fold: Fold, memories: Memories) -> bool:
    """Tell whether all memories in the session's view are a person's typed words.

    A memory taken from a file, accepted from the inbox, or shared by a colleague may order to be
    remembered anew; so may one purged since.
    """
    frame = fold.frames.get(MEMORIES)
    for name in memories_told_in(frame) if frame else ():
        memory = await memories.find(name)
        if memory is None or memory.trust in FOREIGN or _has_file(memory):
            return False
    return True


def _has_file(memory: Memory) -> bool:
    return memory.source is not None and memory.source.uri is not None


async def find_notes(memories: SessionMemories, query: str, limit: int) -> str:
    """Search the memories for the agent, each note quoted; raises ToolFailed."""
    if not memories.rules.enabled:
        raise ToolFailed(SWITCHED_OFF)
    return answer(await memories.all.search(query, limit))
