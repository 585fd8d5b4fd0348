"""`plimsoll memories`: the memories of a folder, and those that wait for a review."""

import asyncio
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from plimsoll.errors import InvalidInput
from plimsoll.lsp.features.convert import memories as convert
from plimsoll.memory.service import Memories
from plimsoll.memory.types import Memory, MemoryMatch, MemorySource, MemoryState
from plimsoll.terminal.commands.stored import declining_asker, silent
from plimsoll.terminal.json_lines import plain_object
from plimsoll.terminal.opening import opened, settings_of, tell_warnings
from plimsoll.terminal.screen import Screen

FOUND = 20
"""The most memories that a search shows."""
HEADS = ("id", "type", "class", "date", "state", "title")


def memories(options: Namespace, screen: Screen) -> int:
    """List the memories of a folder, or those that fit a query, best first."""
    return asyncio.run(_memories(options, screen))


async def _memories(options: Namespace, screen: Screen) -> int:
    if options.inbox and options.query:
        raise InvalidInput(
            "What waits in the inbox is not searched.", remedy="Leave the query or --inbox out."
        )
    async with opened(options, settings_of(options), declining_asker(screen), silent) as there:
        notes = there.project.environment.memories
        found = await _found(options, notes)
        if options.json:
            for each, score in found:
                screen.object(plain_object(convert.memory(each, score)))
            return 0
        root = there.project.environment.root
        _show([memory for memory, _ in found], f"Memories of {root}", screen, whole=options.inbox)
        await _tell_waiting(options, notes, screen)
        await tell_warnings(there.app, screen)
    return 0


async def _found(options: Namespace, notes: Memories) -> Sequence[tuple[Memory, float | None]]:
    if options.query:
        found: Sequence[MemoryMatch] = await notes.search(options.query, FOUND)
        return [(match.memory, match.score) for match in found]
    known = await notes.inbox() if options.inbox else await notes.all()
    return [(memory, None) for memory in known if options.inbox or not _waits(memory)]


def _show(known: Sequence[Memory], title: str, screen: Screen, *, whole: bool) -> None:
    rows = [
        (m.id, m.type.value, m.class_.value, m.created_at[:10], m.state.value, m.title)
        for m in known
    ]
    screen.table(title, HEADS, rows)
    for memory in known if whole else ():
        screen.line(f"\n{memory.id}, from {_from(memory)}\n{memory.content}")


async def _tell_waiting(options: Namespace, notes: Memories, screen: Screen) -> None:
    waiting = 0 if options.inbox else len(await notes.inbox())
    if waiting:
        screen.note(f"! Waiting for your review: {waiting}. --inbox shows them.", "yellow")


def _waits(memory: Memory) -> bool:
    return memory.state is MemoryState.INBOX


def _from(memory: Memory) -> str:
    source = memory.source or MemorySource()
    place = source.uri or (f"session {source.session_id}" if source.session_id else "")
    return ", ".join(part for part in (memory.author.value, place) if part)


def link(options: Namespace, screen: Screen) -> int:
    """Take over sessions, memories and pins, and say how many there are now."""
    old = Path(options.source).expanduser().absolute()
    return asyncio.run(_link(options, old, screen))


async def _link(options: Namespace, old: Path, screen: Screen) -> int:
    async with opened(options, settings_of(options), declining_asker(screen), silent) as there:
        environment = there.project.environment
        await there.app.link(environment.workspace, old.as_uri())
        sessions, memories = await there.project.list(), await environment.memories.all()
        screen.line(
            f"{environment.root} has taken over what was kept of {old}. "
            f"Sessions now: {len(sessions)}, memories: {len(memories)}."
        )
    return 0
