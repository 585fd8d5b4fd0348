"""What only the database can show of memories: their bytes, their project, cancelled calls."""

import asyncio
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from examples import examples
from memory.samples import AT, memory
from plimsoll.errors import StoreUnavailable
from plimsoll.memory.changes import Add, Forget, Purge
from plimsoll.memory.extraction.turns import Advance, Cursor
from plimsoll.memory.types import Author, MemorySource, MemoryState
from plimsoll.storage.database.on_disk import FileDatabase, open_project_database
from plimsoll.storage.locate import ProjectPaths, locate
from plimsoll.storage.memories.index import candidates
from plimsoll.storage.memories.store import SqliteMemories
from storage.conftest import Open

ACTIVE = frozenset({MemoryState.ACTIVE})


async def at_path(root: Path, data: Path) -> tuple[FileDatabase, SqliteMemories]:
    paths = locate(root, data)
    database = await open_project_database(paths.folder, pytest.fail)
    return database, SqliteMemories(database)


def bytes_of(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


async def test_a_purged_text_is_in_no_file_any_more(opened: Open, paths: ProjectPaths) -> None:
    store = SqliteMemories((await opened()).database)
    same = MemorySource(session_id="s1")
    await store.apply(
        [Add(memory(f"m{n}", f"The quiet heron{n} nests here.", source=same)) for n in range(300)],
        AT,
    )
    await store.apply([Add(memory("gone", "zanzibar quokka", title="oryx", source=same))], AT)
    await store.apply(
        [Add(memory(f"k{n}", f"The loud gull{n} nests here.", source=same)) for n in range(30)], AT
    )
    await store.apply([Forget("gone", Author.USER)], AT)
    (paths.folder / "backups").mkdir()
    (paths.folder / "backups" / "version-1-ab.db").write_bytes(b"a copy with zanzibar in it")
    assert b"zanzibar" in bytes_of(paths.folder)

    await store.apply([Purge("gone", Author.USER)], AT)

    left = bytes_of(paths.folder)
    for word in (b"zanzibar", b"quokka", b"oryx", b"quokka".upper()):
        assert word not in left
    assert b"heron7 " in left
    events = await store.audit("gone")
    assert [event.action.value for event in events] == ["added", "forgotten", "purged"]
    assert all(event.fingerprint and len(event.fingerprint) == 32 for event in events)
    assert [match.memory.id for match in await store.search("heron7", AT, 1)] == ["m7"]


@pytest.mark.slow
async def test_a_purge_beside_a_reader_says_that_traces_are_left(
    opened: Open, paths: ProjectPaths
) -> None:
    store = SqliteMemories((await opened()).database)
    await store.apply([Add(memory("m1", "zanzibar"))], AT)
    reader = sqlite3.connect(paths.folder / "plimsoll.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM memories").fetchone()

    with pytest.raises(StoreUnavailable, match="keeps traces"):
        await store.apply([Purge("m1", Author.USER)], AT)

    reader.close()
    assert await store.memories(frozenset(MemoryState)) == []


async def test_a_project_is_its_real_path_and_nothing_else(tmp_path: Path) -> None:
    data, root = tmp_path / "data", tmp_path / "project"
    (root / "inner").mkdir(parents=True)
    (root / "notes.md").write_text("x")
    (tmp_path / "link").symlink_to(root)
    database, store = await at_path(root, data)
    await store.apply([Add(memory("m1", "harbour"))], AT)
    await database.close()
    shutil.copytree(root, tmp_path / "clone")

    seen: dict[str, int] = {}
    paths = ("link", "project/../project", "clone", "project/inner", ".")
    for name in paths:
        database, store = await at_path(tmp_path / name, data)
        seen[name] = len(await store.memories(ACTIVE))
        await database.close()

    assert seen == {"link": 1, "project/../project": 1, "clone": 0, "project/inner": 0, ".": 0}
    assert not list(root.rglob("*.db*"))


async def test_a_folder_in_the_place_of_another_sees_nothing(tmp_path: Path) -> None:
    """Also when the file system gives the new folder the number of the old one."""
    data, root = tmp_path / "data", tmp_path / "project"
    root.mkdir()
    database, store = await at_path(root, data)
    await store.apply([Add(memory("m1", "harbour"))], AT)
    await database.close()
    root.rename(tmp_path / "moved")

    database, store = await at_path(tmp_path / "moved", data)

    assert await store.memories(ACTIVE) == []
    await database.close()


async def test_the_cursors_of_a_session_keep_their_keys_in_the_store(
    opened: Open, paths: ProjectPaths
) -> None:
    """A store of an earlier version is read on from where it was, and that version reads on too."""
    store = SqliteMemories((await opened()).database)
    spoken, read = Cursor("s1", "m1", 1), Cursor("s1", "m2", 2, "model")
    for cursor in (spoken, read):
        await store.apply([], AT, Advance(None, cursor))

    with closing(sqlite3.connect(paths.folder / "plimsoll.db")) as other:
        rows = other.execute("SELECT session_id, message_id, count FROM memory_cursors").fetchall()
    assert sorted(rows) == [("s1", "m1", 1), ("s1/model", "m2", 2)]
    assert await store.cursor("s1") == spoken
    assert await store.cursor("s1", "model") == read


async def test_cancelled_calls_leave_whole_units(
    opened: Open, paths: ProjectPaths, seed: int
) -> None:
    """A unit is two memories, their events and a step of the cursor."""
    chance = random.Random(seed)
    store = SqliteMemories((await opened()).database)
    landed = 0
    for number in range(examples(400)):
        pair = [Add(memory(f"{number}-{half}", f"unit {number} {half} x")) for half in "ab"]
        before = await store.cursor("s1")
        step = Advance(before, Cursor("s1", f"m{number}", number))
        task = asyncio.create_task(store.apply(pair, AT, step))
        await asyncio.sleep(chance.uniform(0, 0.004))
        task.cancel()
        (end,) = await asyncio.gather(task, return_exceptions=True)
        assert isinstance(end, list | asyncio.CancelledError)
        reached = await store.cursor("s1") == step.cursor
        assert reached or isinstance(end, asyncio.CancelledError)
        landed += reached

    memories = await store.memories(ACTIVE)
    units = {each.id.split("-")[0] for each in memories}
    assert len(memories) == 2 * len(units) == 2 * landed
    assert len(await store.audit()) == 2 * landed
    other = sqlite3.connect(paths.folder / "plimsoll.db", timeout=0, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    other.execute("ROLLBACK")
    other.close()


async def test_of_many_matches_the_newest_are_ranked_and_those_with_the_word_in_the_title(
    opened: Open,
) -> None:
    database = (await opened()).database
    titles = ["The harbour", "Old", "The harbour", "Old", "Old", "New", "New"]
    notes = [memory(f"m{n}", f"Harbour {n}.", title=title) for n, title in enumerate(titles)]
    notes += [memory("other", "The pier.", title="Pier")]
    await SqliteMemories(database).apply([Add(note) for note in notes], AT)

    async def ranked(question: str, postings: int) -> list[int]:
        found = await database.read(lambda db: candidates(db, question, postings))
        return [key for key, _ in found]

    assert await ranked("harbour", 8) == [3, 1, 7, 6, 5, 4, 2]
    assert await ranked("harbour", 2) == [3, 1, 7, 6]
    assert await ranked("harbour", 1) == [3, 7]
    assert await ranked("harbour pier", 1) == [8]
    assert await ranked("harbour pier", 8) == [8, 3, 1, 7, 6, 5, 4, 2]
