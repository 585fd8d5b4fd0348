"""`plimsoll memories`: the memories of a folder, and those that wait for a review."""

import asyncio
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from plimsoll.errors import InvalidInput
from plimsoll.lsp.features.convert import memories as convert
from plimsoll.memory.fence import quote_role
from plimsoll.memory.importing import import_document
from plimsoll.memory.service import Memories
from plimsoll.memory.sharing import writer_of
from plimsoll.memory.types import Memory, MemoryMatch, MemorySource, MemoryState
from plimsoll.session.commands.memory_markdown import imported_markdown
from plimsoll.terminal.commands.stored import declining_asker, silent
from plimsoll.terminal.json_lines import plain_object
from plimsoll.terminal.opening import open_project, settings_of, tell_warnings
from plimsoll.terminal.screen import Screen

FOUND = 20
"""The most memories that a search shows."""
HEADS = ("id", "type", "class", "scope", "date", "state", "title")


def memories(options: Namespace, screen: Screen) -> int:
    """List the memories of a folder, or those that fit a query, best first."""
    return asyncio.run(_memories(options, screen))


async def _memories(options: Namespace, screen: Screen) -> int:
    if options.inbox and options.query:
        raise InvalidInput(
            "What waits in the inbox is not searched.", remedy="Leave the query or --inbox out."
        )
    document = _document(options.import_from) if options.import_from else None
    async with open_project(
        options, settings_of(options), declining_asker(screen), silent
    ) as there:
        notes = there.project.environment.memories
        if document is not None:
            text, uri = document
            done = await import_document(notes, text, uri)
            screen.markdown(imported_markdown(done.waiting, done.left_out))
            return 0
        if options.export:
            screen.line(await notes.export())
            return 0
        found = await _find_memories(options, notes)
        if options.json:
            for each, score in found:
                screen.object(plain_object(convert.memory(each, score)))
            return 0
        root = there.project.environment.root
        shown = [memory for memory, _ in found]
        _show(shown, f"Memories of {root}", screen)
        for memory in shown if options.inbox else ():
            _show_whole(memory, await notes.find_replaced(memory), screen)
        await _tell_waiting(options, notes, screen)
        await tell_warnings(there.app, screen)
    return 0


async def _find_memories(
    options: Namespace, notes: Memories
) -> Sequence[tuple[Memory, float | None]]:
    if options.query:
        found: Sequence[MemoryMatch] = await notes.search(options.query, FOUND)
        return [(match.memory, match.score) for match in found]
    known = await notes.inbox() if options.inbox else await notes.all()
    return [(memory, None) for memory in known if options.inbox or not _waits(memory)]


def _show(known: Sequence[Memory], title: str, screen: Screen) -> None:
    screen.table(title, HEADS, [row_of(memory) for memory in known])


def _show_whole(memory: Memory, superseded: Memory | None, screen: Screen) -> None:
    """Show a memory of the inbox in full, and the memory that it would hide or remove."""
    screen.line(f"\n{memory.id}, from {origin_of(memory)}\n{memory.content}")
    if superseded is not None:
        would = "would forget" if memory.removal else "would take the place of"
        screen.line(f"It {would} {superseded.id}, which says now:\n{superseded.text}")


def _document(name: str) -> tuple[str, str]:
    """Read the file of an export; returns its text and its URI."""
    path = Path(name).expanduser().absolute()
    try:
        return path.read_text(encoding="utf-8"), path.as_uri()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(
            f"{path} cannot be read: {error}.", remedy="Name the Markdown file of an export."
        ) from error


async def _tell_waiting(options: Namespace, notes: Memories, screen: Screen) -> None:
    waiting = 0 if options.inbox else len(await notes.inbox())
    if waiting:
        screen.note(f"! Waiting for your review: {waiting}. --inbox shows them.", "yellow")


def _waits(memory: Memory) -> bool:
    return memory.state is MemoryState.INBOX


def row_of(memory: Memory) -> tuple[str, ...]:
    """Return what stands of a memory in the list, below ``HEADS``."""
    author = memory.author_name
    scope = memory.scope.value + (f", by {quote_role(author)}" if author else "")
    kind = (memory.type.value, memory.class_.value, scope)
    return (memory.id, *kind, memory.created_at[:10], memory.state.value, memory.title)


def origin_of(memory: Memory) -> str:
    """Say who wrote a memory, and in which session or file."""
    source = memory.source or MemorySource()
    place = source.uri or (f"session {source.session_id}" if source.session_id else "")
    return ", ".join(part for part in (writer_of(memory), place) if part)


def link(options: Namespace, screen: Screen) -> int:
    """Take over sessions, memories and pins, and say how many there are now."""
    old = Path(options.source).expanduser().absolute()
    return asyncio.run(_link(options, old, screen))


async def _link(options: Namespace, old: Path, screen: Screen) -> int:
    async with open_project(
        options, settings_of(options), declining_asker(screen), silent
    ) as there:
        environment = there.project.environment
        await there.app.projects.link(environment.workspace, old.as_uri())
        sessions, memories = await there.project.list(), await environment.memories.all()
        screen.line(
            f"{environment.root} has taken over what was kept of {old}. "
            f"Sessions now: {len(sessions)}, memories: {len(memories)}."
        )
    return 0
