"""Exports a project as lines of JSON, and imports such lines into a folder.

The same lines come from a team's server and from a folder's own store, and go into any folder; one
that takes part in a project shares its own part of them there.
"""

import json
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, TypeVar, cast

from plimsoll.errors import InvalidInput, LogInvalid
from plimsoll.memory.changes import MOST_WAITING, Add, Revise
from plimsoll.memory.types import (
    SEARCHED,
    Author,
    Memory,
    MemoryScope,
    MemoryState,
    Trust,
)
from plimsoll.session.project import Project
from plimsoll.session.transfer.exports import export_session
from plimsoll.storage.shared.base import TeamServer
from plimsoll.storage.shared.codec import (
    memory_fields,
    memory_of_fields,
    pin_fields,
    pin_of_fields,
)
from plimsoll.team.administration import read_all

FORMAT = 1
KEY = "plimsollTeam"
_AT_ONCE = 100
"""Memories in one transaction."""
T = TypeVar("T")
Row = Mapping[str, object]


async def rows_of_server(server: TeamServer, *, sessions: bool) -> AsyncIterator[Row]:
    """Yield the rows of all that a role may read; ``sessions``: also of its own sessions."""
    yield {KEY: FORMAT}
    async for news in read_all(server):
        for each in news.memories:
            own = {"isOwn": each.is_own, "authorName": each.author_name}
            yield {"memory": memory_fields(each.memory), **own}
        for pin in news.pins:
            own = {"isOwn": pin.is_own, "authorName": pin.author_name}
            yield {"pin": pin_fields(pin.pin), **own}
        for shared in news.sessions if sessions else ():
            record = shared.record
            _, entries = await server.sessions.read(record.id)
            yield {"session": export_session(record, entries), "isOwn": True}


async def rows_of_folder(project: Project, *, sessions: bool) -> AsyncIterator[Row]:
    """Yield the rows of a folder's memories and pins; ``sessions``: also of its sessions."""
    yield {KEY: FORMAT}
    store = project.environment.store
    for memory in reversed(await project.environment.memories.all()):
        own = {"isOwn": memory.author_name is None, "authorName": memory.author_name}
        yield {"memory": memory_fields(memory), "state": memory.state.value, **own}
    for pin in await store.pins.pins():
        author = pin.sharing.author_name
        yield {"pin": pin_fields(pin), "isOwn": author is None, "authorName": author}
    for record in await project.list() if sessions else ():
        yield {"session": await project.export(record.id), "isOwn": True}


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamImported:
    """The counts of what was imported."""

    memories: int = 0
    waiting: int = 0
    """Of colleagues, in the inbox."""
    pins: int = 0
    sessions: int = 0
    left_out: int = 0
    """What is here already, was refused, or is of colleagues who were not asked for."""


def read_rows(lines: Iterable[str]) -> Iterator[Row]:
    """Parse the lines of an export.

    Raises:
        InvalidInput: They are no export, or a line cannot be read.
    """
    for number, line in enumerate(lines, 1):
        try:
            row: object = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise _unreadable(number) from error
        if not isinstance(row, dict) or (number == 1 and cast("Row", row).get(KEY) != FORMAT):
            raise _unreadable(number)
        if number > 1:
            yield cast("Row", row)


class TeamImport:
    """Takes the rows of an export into a folder; what is there already stays as it is."""

    def __init__(self, project: Project, *, everybody: bool) -> None:
        """``everybody``: what colleagues wrote comes too, into the inbox."""
        self._project = project
        self._everybody = everybody
        self._memories = project.environment.memories

    async def take_in(self, rows: Iterable[Row]) -> TeamImported:
        """Take in the rows, some at a time; what came in before an error stays.

        Raises:
            InvalidInput: A row cannot be read.
            StoreError: The folder's store cannot be written.
        """
        self._room = MOST_WAITING - len(await self._memories.inbox())
        done, left = TeamImported(), iter(rows)
        while batch := list(islice(left, _AT_ONCE)):
            done = _sum(done, await self._take_in(batch))
        return done

    async def _take_in(self, rows: Sequence[Row]) -> TeamImported:
        wanted = [row for row in rows if row.get("isOwn") is True or self._everybody]
        memories = [_memory(row) for row in wanted if "memory" in row]
        pins = [_pin(row) for row in wanted if "pin" in row and row.get("isOwn") is True]
        sessions = [_text(row) for row in wanted if "session" in row]
        came = await self._add(memories)
        active = sum(memory.state in SEARCHED for memory in came)
        pinned = [await self._add_pin(*pin) for pin in pins]
        opened = [await self._add_session(text) for text in sessions]
        return TeamImported(
            memories=active,
            waiting=len(came) - active,
            pins=sum(pinned),
            sessions=sum(opened),
            left_out=len(rows) - len(came) - sum(pinned) - sum(opened),
        )

    async def _add(self, memories: Sequence[Memory]) -> list[Memory]:
        new: dict[str, Memory] = {}
        for memory in memories:
            if memory.state is MemoryState.INBOX:
                if self._room <= 0:
                    continue
                self._room -= 1
            if await self._memories.find(memory.id) is None:
                new[memory.id] = memory
        private = (replace(memory, scope=MemoryScope.PRIVATE) for memory in new.values())
        came = await self._memories.apply(*(Add(one, "imported", True) for one in private))
        # To share them is the person's own act, by which they are sent where a team is joined.
        shared = [one for one in came if one.state in SEARCHED and _scope(new[one.id])]
        await self._memories.apply(
            *(Revise(id=one.id, author=Author.USER, scope=new[one.id].scope) for one in shared)
        )
        return came

    async def _add_pin(self, text: str, scope: MemoryScope) -> bool:
        if any(pin.text == text for pin in await self._project.pins.all()):
            return False
        try:
            await self._project.pins.add(text, scope)
        except InvalidInput:
            # Together the pins would be too large.
            return False
        return True

    async def _add_session(self, text: str) -> bool:
        try:
            await self._project.take_in(text)
        except LogInvalid:
            return False
        return True


def _memory(row: Row) -> Memory:
    """Build the memory of a row: the person's own is active, any other waits in the inbox."""
    fields, state = row["memory"], row.get("state", MemoryState.ACTIVE.value)
    try:
        memory = memory_of_fields(cast("Mapping[str, Any]", fields))
        held = MemoryState(cast("str", state))
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise _unreadable(None) from error
    if row.get("isOwn") is True:
        return replace(memory, state=held)
    return replace(memory, state=MemoryState.INBOX, author=Author.EXTRACTION, trust=Trust.EXTRACTED)


def _pin(row: Row) -> tuple[str, MemoryScope]:
    try:
        pin = pin_of_fields(cast("Mapping[str, Any]", row["pin"]))
    except (KeyError, ValueError, TypeError) as error:
        raise _unreadable(None) from error
    return pin.text, pin.sharing.scope


def _text(row: Row) -> str:
    text = row["session"]
    if not isinstance(text, str):
        raise _unreadable(None)
    return text


def _scope(memory: Memory) -> bool:
    return memory.scope is not MemoryScope.PRIVATE


def _sum(one: TeamImported, other: TeamImported) -> TeamImported:
    return TeamImported(
        memories=one.memories + other.memories,
        waiting=one.waiting + other.waiting,
        pins=one.pins + other.pins,
        sessions=one.sessions + other.sessions,
        left_out=one.left_out + other.left_out,
    )


def _unreadable(line: int | None) -> InvalidInput:
    where = "A row of the file" if line is None else f"Line {line} of the file"
    return InvalidInput(
        f"{where} is none of an export of a team.",
        remedy="Name a file that `plimsoll team export` wrote.",
    )
