"""A moved folder takes over what its old path had stored."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from memory.samples import AT, memory
from plimsoll.errors import Busy, InvalidInput, MemoryRefused, NotFound
from plimsoll.memory.changes import Add, Forget, Purge
from plimsoll.memory.extraction.turns import Advance, Cursor
from plimsoll.memory.types import Author, MemoryScope, MemorySource, MemoryState
from plimsoll.storage.base import HeldAddress
from plimsoll.storage.chosen.base import PinSharing
from plimsoll.storage.locate import locate, looks_moved
from plimsoll.storage.memories.store import SqliteMemories
from plimsoll.storage.shared.news import News
from plimsoll.storage.shared.operations import ShareMemory, SharePin
from plimsoll.storage.sqlite import SqliteStore, open_sqlite
from plimsoll.storage.takeover import take_over
from storage.samples import record, said, unchanged
from storage.shared.samples import HARBOUR, from_anna, pin_from_anna, team_memory, team_pin

USER = Author.USER


async def opened(root: Path, data: Path) -> tuple[SqliteStore, SqliteMemories]:
    paths = locate(root, data)
    store = await open_sqlite(paths, unchanged, pytest.fail)
    return store, SqliteMemories(store.database)


async def link(store: SqliteStore, old: Path, new: Path, data: Path) -> None:
    await take_over(store.database, old, new, data)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
async def moved(tmp_path: Path, data: Path) -> tuple[Path, Path]:
    """A folder with a session and memories, and where it is now."""
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    store, notes = await opened(old, data)
    held = (HeldAddress("http://127.0.0.1:8080", "m1"), HeldAddress("https://api.example.org"))
    await store.create(record("s1", addresses=held), [said("a"), said("b")])
    await store.create(record("c1", parent_id="s1", agent="work", depth=1), [said("c")])
    spill = locate(old, data).session("s1")
    spill.mkdir(parents=True, exist_ok=True)
    (spill / "kept.txt").write_text("whole output")
    file = MemorySource(uri=(old / "a.py").as_uri(), sha256="x")
    await notes.apply(
        [
            Add(memory("m1", "harbour", source=file)),
            Add(memory("m2", "waits", state=MemoryState.INBOX)),
            Add(memory("m3", "forgotten words", title="t")),
            Add(memory("m4", "purged words", title="t")),
        ],
        AT,
        Advance(None, Cursor("s1", "b", 2)),
    )
    await notes.apply([Forget("m3", USER), Purge("m4", USER)], AT)
    await store.close()
    old.rename(new)
    return old, new


async def test_nothing_is_seen_before_the_user_says_so(
    moved: tuple[Path, Path], data: Path
) -> None:
    old, new = moved
    store, notes = await opened(new, data)

    assert looks_moved(new, data) == [old]
    assert await notes.memories(frozenset(MemoryState)) == []
    assert await store.sessions() == []
    await store.close()


async def test_everything_is_taken_over(moved: tuple[Path, Path], data: Path) -> None:
    old, new = moved
    store, notes = await opened(new, data)
    await notes.apply([Add(memory("n1", "already here"))], AT)

    await link(store, old, new, data)

    held = {each.id: each for each in await notes.memories(frozenset(MemoryState))}
    assert {name: each.state.value for name, each in held.items()} == {
        "m1": "active",
        "m2": "inbox",
        "m3": "forgotten",
        "n1": "active",
    }
    assert held["m1"].source == MemorySource(uri=(new / "a.py").as_uri(), sha256="x")
    assert [match.memory.id for match in await notes.search("harbour", AT, 5)] == ["m1"]
    assert len(await notes.audit("m4")) == 2
    assert await notes.cursor("s1") == Cursor("s1", "b", 2)
    assert await store.entries("s1") == [said("a"), said("b")]
    assert [each.address for each in (await store.get("s1")).addresses] == [
        "http://127.0.0.1:8080",
        "https://api.example.org",
    ]
    assert [(each.id, each.agent) for each in await store.agents_of("s1")] == [("c1", "work")]
    assert (locate(new, data).session("s1") / "kept.txt").read_text() == "whole output"
    assert looks_moved(new, data) == []
    await store.close()


async def test_what_was_forgotten_and_purged_there_stays_so(
    moved: tuple[Path, Path], data: Path
) -> None:
    old, new = moved
    store, notes = await opened(new, data)
    await link(store, old, new, data)

    for words in ("forgotten words", "purged words"):
        again = memory("x1", words, title="t", author=Author.EXTRACTION)
        with pytest.raises(MemoryRefused):
            await notes.apply([Add(again)], AT)
        assert await notes.apply([Add(memory(words[:3], words, title="t"))], AT) != []
    await store.close()


async def test_doing_it_again_changes_nothing(moved: tuple[Path, Path], data: Path) -> None:
    old, new = moved
    old_store = locate(new, data).folder.parent / "copy"
    source = next(path for path in old_store.parent.iterdir() if (path / "plimsoll.db").exists())
    shutil.copytree(source, old_store)
    store, notes = await opened(new, data)
    await link(store, old, new, data)
    before = (await notes.memories(frozenset(MemoryState)), await notes.audit())

    shutil.copytree(old_store, source)
    await link(store, old, new, data)

    assert (await notes.memories(frozenset(MemoryState)), await notes.audit()) == before
    assert len(await store.entries("s1")) == 2
    await store.close()


async def test_a_folder_that_is_there_keeps_what_it_has(tmp_path: Path, data: Path) -> None:
    here, new = tmp_path / "here", tmp_path / "new"
    here.mkdir()
    new.mkdir()
    store, _ = await opened(here, data)
    await store.close()
    store, _ = await opened(new, data)

    with pytest.raises(InvalidInput, match="still is a folder"):
        await link(store, here, new, data)
    with pytest.raises(NotFound):
        await link(store, tmp_path / "never", new, data)
    await store.close()


async def test_a_store_that_somebody_has_open_stays_where_it_is(
    moved: tuple[Path, Path], data: Path
) -> None:
    old, new = moved
    editor, _ = await opened(old, data)
    store, _ = await opened(new, data)

    with pytest.raises(Busy, match="has the store of"):
        await link(store, old, new, data)

    assert await editor.append("s1", [said("c")], 2) == [said("c")]
    await editor.close()
    await link(store, old, new, data)
    assert await store.entries("s1") == [said("a"), said("b"), said("c")]
    await store.close()


async def shared(store: SqliteStore) -> None:
    """A folder that takes part in a team, with something of everybody's."""
    await store.replica.join(HARBOUR)
    await store.replica.accept_author("anna", AT)
    theirs = from_anna(team_memory("t1", "Ships leave at noon."))
    pin = pin_from_anna(team_pin("tp1"))
    await store.replica.take_in(News(position=7, memories=[theirs], pins=[pin]), AT)
    await store.memories.apply([Add(team_memory("t2", "Cranes rust fast."))], AT)
    await store.pins.add("tp2", "Ask first.", AT, MemoryScope.TEAM)


async def moved_team(tmp_path: Path, data: Path, *, elsewhere: bool) -> SqliteStore:
    """Move a folder of a team; ``elsewhere``: its new path has joined another project."""
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    before, _ = await opened(old, data)
    await shared(before)
    await before.close()
    old.rename(new)
    store, _ = await opened(new, data)
    if elsewhere:
        await store.replica.join(replace(HARBOUR, project="other", name="other"))
    await link(store, old, new, data)
    return store


async def test_a_moved_folder_stays_in_its_team(tmp_path: Path, data: Path) -> None:
    store = await moved_team(tmp_path, data, elsewhere=False)

    assert await store.replica.read_joined() == replace(HARBOUR, position=7, seen_at=AT)
    assert await store.replica.accepted_authors() == {"anna"}
    assert [each.operation for each in await store.replica.read_queued()] == [
        ShareMemory(team_memory("t2", "Cranes rust fast.")),
        SharePin(replace(team_pin("tp2", "Ask first."), at=AT)),
    ]
    memories = {each.id: each for each in await store.memories.memories({MemoryState.ACTIVE})}
    assert (memories["t1"].author_name, memories["t1"].version) == ("anna", 1)
    pins = {pin.id: pin.sharing for pin in await store.pins.pins()}
    assert pins == {
        "tp1": PinSharing(MemoryScope.TEAM, "anna"),
        "tp2": PinSharing(MemoryScope.TEAM),
    }
    await store.close()


async def test_a_folder_that_joined_another_project_takes_its_own_alone(
    tmp_path: Path, data: Path
) -> None:
    store = await moved_team(tmp_path, data, elsewhere=True)

    joined = await store.replica.read_joined()
    assert joined is not None
    assert joined.project == "other"
    assert await store.replica.read_queued() == []
    assert await store.memories.memories({MemoryState.ACTIVE}) == [
        memory("t2", "Cranes rust fast.")
    ]
    assert [(pin.id, pin.sharing) for pin in await store.pins.pins()] == [("tp2", PinSharing())]
    await store.close()
