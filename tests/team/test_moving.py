"""What a project has as lines of JSON: from a server or a folder, into any folder, once."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.context.log.entries import Said
from plimsoll.errors import InvalidInput
from plimsoll.memory.types import MemoryScope, MemoryState, MemoryType, NewNote, Trust
from plimsoll.storage.chosen.base import PinSharing, WorkspacePin
from plimsoll.storage.shared.news import News, SharedPin
from plimsoll.storage.shared.operations import SharedMemory
from plimsoll.team.moving import TeamImport, TeamImported, read_rows, rows_of_folder, rows_of_server
from session.harness import Harness, harness
from team.ends import AT, JOINED, Server, memory, shared


async def lines(rows: AsyncIterator) -> list[str]:
    return [json.dumps(row) async for row in rows]


async def take_in(there: Harness, exported: list[str], *, everybody: bool = False) -> TeamImported:
    return await TeamImport(there.project, everybody=everybody).take_in(read_rows(exported))


def note(title: str, scope: MemoryScope = MemoryScope.PRIVATE) -> NewNote:
    return NewNote(type=MemoryType.DECISION, title=title, content=f"of {title}", scope=scope)


async def test_a_folder_goes_into_another_one_as_it_was_and_only_once(tmp_path: Path):
    async with harness(tmp_path / "old") as old:
        memories = old.project.environment.memories
        await memories.add(note("Tabs", MemoryScope.TEAM))
        await memories.add(note("Mine alone"))
        await old.project.pins.add("Ask before you push.", MemoryScope.TEAM)
        await old.turn("What is the budget?")
        exported = await lines(rows_of_folder(old.project, sessions=True))
        kept = [(one.title, one.scope, one.state, one.trust) for one in await memories.all()]
    async with harness(tmp_path / "new") as new:
        done = await take_in(new, exported)
        assert done == TeamImported(memories=2, pins=1, sessions=1)
        found = await new.project.environment.memories.all()
        came = [(one.title, one.scope, one.state, one.trust) for one in found]
        assert came == kept
        (pin,) = await new.project.pins.all()
        assert (pin.text, pin.sharing.scope) == ("Ask before you push.", MemoryScope.TEAM)
        entries = [await new.project.load(each.id) for each in await new.project.list()]
        said = [one for each in entries for one in each.state.log.fold.entries]
        assert any(isinstance(one, Said) and "budget" in one.parts[0].text for one in said)
        # A session comes in as a new one each time, as with every import.
        assert await take_in(new, exported[:4]) == TeamImported(left_out=3)


async def test_what_comes_into_a_folder_of_a_team_is_shared_there(tmp_path: Path):
    server = Server()
    held = replace(memory("m1", "Tabs"), scope=MemoryScope.TEAM)
    own = SharedMemory(memory=held, version=3, author_name="ada", is_own=True)
    server.pages = [
        News(position=1, memories=(own,), more=True),
        News(position=2, memories=(shared("m2"),), pins=(_pin("ada", True), _pin("bob", False))),
    ]
    exported = await lines(rows_of_server(server, sessions=False))
    assert len(exported) == 5
    async with harness(tmp_path) as there:
        replica = there.store.replica
        await replica.join(JOINED)
        assert await take_in(there, exported) == TeamImported(memories=1, pins=1, left_out=2)
        waiting = [type(each.operation).__name__ for each in await replica.read_queued()]
        assert waiting == ["ShareMemory", "SharePin"]


async def test_what_colleagues_wrote_waits_in_the_inbox_where_it_is_asked_for(tmp_path: Path):
    server = Server()
    server.pages = [News(position=2, memories=(shared("m2"),), pins=(_pin("bob", False),))]
    exported = await lines(rows_of_server(server, sessions=False))
    async with harness(tmp_path) as there:
        done = await take_in(there, exported, everybody=True)
        assert done == TeamImported(waiting=1, left_out=1)
        (found,) = await there.project.environment.memories.all()
        assert (found.state, found.trust) == (MemoryState.INBOX, Trust.EXTRACTED)
        assert await there.project.pins.all() == []


@pytest.mark.parametrize(
    ("exported", "said"),
    [
        (["# Memories"], r"Line 1 of the file is none of an export of a team\."),
        (['{"plimsollTeam": 2}'], "Line 1 of the file"),
        (['{"plimsollTeam": 1}', "[]"], "Line 2 of the file"),
        (['{"plimsollTeam": 1}', '{"isOwn": true, "memory": {"id": "m1"}}'], "A row of the file"),
        (['{"plimsollTeam": 1}', '{"isOwn": true, "memory": 7}'], "A row of the file"),
        (['{"plimsollTeam": 1}', '{"isOwn": true, "pin": {"id": 1}}'], "A row of the file"),
        (['{"plimsollTeam": 1}', '{"isOwn": true, "session": {}}'], "A row of the file"),
    ],
)
async def test_what_is_no_export_is_refused(tmp_path: Path, exported: list[str], said: str):
    async with harness(tmp_path) as there:
        with pytest.raises(InvalidInput, match=said):
            await take_in(there, exported)
        assert await there.project.environment.memories.all() == []


def _pin(author: str, is_own: bool) -> SharedPin:
    sharing = PinSharing(MemoryScope.TEAM)
    pin = WorkspacePin(id=f"p-{author}", at=AT, text=f"Of {author}", number=0, sharing=sharing)
    return SharedPin(pin, author, is_own=is_own)
