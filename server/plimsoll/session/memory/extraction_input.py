"""What is read of a session for memories: its messages, and what the repository says itself."""

import asyncio
from collections.abc import Iterator
from functools import partial

from plimsoll.context.log.entries import Origin, Said, Slot
from plimsoll.context.view.fold import Fold
from plimsoll.errors import ToolFailed
from plimsoll.memory.extraction.phrases import Reading
from plimsoll.session.log.session_log import SessionLog
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.ids import new_memory_id
from plimsoll.session.resources.files import WorkspaceFiles

DOCUMENTS = ("README.md", "README.rst", "README", "AGENTS.md")
"""What the repository says of itself: nobody needs to remember that."""
MOST_BYTES = 100_000


def conversation_of(fold: Fold) -> Iterator[Said]:
    """Yield all messages of a log, also those out of view, but not what a rewind hides."""
    for group in fold.groups:
        yield from group.visible


def order_of(fold: Fold) -> list[str]:
    """Return the ids of all messages of a log, also of those that a rewind hides."""
    return [entry.id for entry in fold.entries if isinstance(entry, Said)]


async def material_of(
    log: SessionLog, files: WorkspaceFiles, clock: Clock
) -> tuple[tuple[Said, ...], Reading]:
    """Gather a session's texts to read for memories, none of a subagent's; raises NotFound."""
    await log.refresh()
    documents = await asyncio.to_thread(documents_of, log.fold, files)
    order = order_of(log.fold)
    reading = Reading(
        session_id=log.session_id,
        now=clock.now(),
        new_id=partial(new_memory_id, clock),
        documents=documents,
        order=order,
    )
    said = conversation_of(log.fold)
    return tuple(each for each in said if each.origin is not Origin.SUBAGENT), reading


def documents_of(fold: Fold, files: WorkspaceFiles) -> list[str]:
    """Return the session's instructions and the repository's documents, as README; blocks."""
    frames = list(fold.frames.values())
    held = [each.text for each in frames if each.kind is Slot.INSTRUCTIONS and each.text]
    return [*held, *_read(files)]


def _read(files: WorkspaceFiles) -> Iterator[str]:
    for name in DOCUMENTS:
        try:
            file = files.read(name, MOST_BYTES)
        except ToolFailed:
            # A file that cannot be read says nothing.
            continue
        if file is not None:
            yield file.text
