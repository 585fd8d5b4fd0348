"""What is read of a session for memories: its messages, and what the repository says itself."""

import asyncio
from collections.abc import Iterator
from functools import partial

from plimsoll.context.log.entries import Origin, Said, Slot
from plimsoll.context.view.fold import Fold
from plimsoll.errors import ToolFailed
from plimsoll.memory.extraction.phrases import Reading
from plimsoll.session.ports.environment import Environment
from plimsoll.session.ports.ids import new_memory_id
from plimsoll.session.state.session_state import SessionState

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


async def material_of(state: SessionState) -> tuple[tuple[Said, ...], Reading]:
    """Gather what is to be read, nothing of a subagent's; raises NotFound when it is gone."""
    await state.log.refresh()
    clock = state.clock
    documents = await asyncio.to_thread(documents_of, state)
    order = order_of(state.log.fold)
    reading = Reading(
        session_id=state.id,
        now=clock.now(),
        new_id=partial(new_memory_id, clock),
        documents=documents,
        order=order,
    )
    said = conversation_of(state.log.fold)
    return tuple(each for each in said if each.origin is not Origin.SUBAGENT), reading


def documents_of(state: SessionState) -> list[str]:
    """Read what the repository says of itself; blocks."""
    environment = state.environment
    frames = list(state.log.fold.frames.values())
    held = [each.text for each in frames if each.kind is Slot.INSTRUCTIONS and each.text]
    return [*held, *_read(environment)]


def _read(environment: Environment) -> Iterator[str]:
    for name in DOCUMENTS:
        try:
            file = environment.read_text(name, environment.call_context, MOST_BYTES)
        except ToolFailed:
            # A file that cannot be read says nothing.
            continue
        if file is not None:
            yield file.text
