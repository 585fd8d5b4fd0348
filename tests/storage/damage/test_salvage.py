"""What stands on sound pages of a damaged store is saved; the damaged file is kept as it is."""

import gzip
import os
import random
import shutil
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from plimsoll.context.log.serialization import encode
from plimsoll.errors import Busy, InvalidInput, StoreNewer, StoreUnavailable
from plimsoll.memory.changes import Revise
from plimsoll.memory.types import Author, MemoryScope, MemoryState
from plimsoll.storage.base import HeldAddress
from plimsoll.storage.database.journal import journal_of
from plimsoll.storage.database.pages import PagedFile
from plimsoll.storage.locate import ProjectPaths
from plimsoll.storage.salvage import Salvaged, salvage
from plimsoll.storage.shared.news import News
from plimsoll.storage.sqlite import SqliteStore
from storage.conftest import Open
from storage.damage.damaged_stores import damage, files, fill, rows, standing
from storage.samples import AT, pair, said
from storage.shared.samples import HARBOUR, from_anna, pin_from_anna, team_memory, team_pin
from storage.test_older_store import BEFORE

DAMAGES = int(os.environ.get("TEST_DAMAGES", "60"))


@pytest.fixture
async def filled(opened: Open, paths: ProjectPaths) -> Path:
    """The folder of a closed store with rows of every kind, short and long."""
    store: SqliteStore = await opened()
    await fill(store)
    await store.close()
    return paths.folder


@pytest.mark.slow
def test_what_stands_on_sound_pages_is_saved(filled: Path, seed: int) -> None:
    chance = random.Random(seed)
    original = (filled / "plimsoll.db").read_bytes()
    stands = standing(filled / "plimsoll.db")
    sound = saved = tried = 0
    for number in range(DAMAGES):
        folder = filled.with_name(f"damaged-{number}")
        folder.mkdir()
        data, hit = damage(chance, original)
        (folder / "plimsoll.db").write_bytes(data)
        before = files(folder)
        try:
            done = salvage(folder)
        except InvalidInput as error:
            assert "is whole" in error.message or len(data) < 40_000, error
            assert files(folder) == before
            continue
        tried += 1
        assert files(done.damaged) == before
        found = set().union(*rows(folder / "plimsoll.db").values())
        wanted = {name for name, pages in stands if not pages & hit}
        sound += len(wanted)
        saved += len(wanted & found)
        shutil.rmtree(folder)
    told = f"stores {tried}, rows on sound pages {sound}, saved {saved}\n"
    sys.stdout.write(told)
    assert tried > DAMAGES * 0.6
    assert saved >= 0.95 * sound


async def test_a_salvaged_store_works(filled: Path, opened: Open, paths: ProjectPaths) -> None:
    data = bytearray((filled / "plimsoll.db").read_bytes())
    data[:4096] = bytes(4096)
    (filled / "plimsoll.db").write_bytes(data)

    done = salvage(filled)
    store: SqliteStore = await opened()

    assert done == Salvaged(
        sessions=8, entries=560, missing=0, memories=39, pins=8, damaged=done.damaged
    )
    listed = await store.sessions(agents=True)
    assert [one.id for one in listed] == [f"s{n}" for n in reversed(range(8))]
    assert [(one.id, one.depth) for one in await store.agents_of("s0")] == [("s5", 1)]
    assert (await store.get("s3")).title == "Title 3"
    held = (HeldAddress("http://127.0.0.1:8080", "m1"), HeldAddress("https://s3.example"))
    assert (await store.get("s3")).addresses == held
    assert (await store.entries("s3"))[:2] == pair("s3-0")
    assert len(await store.append("s3", [said("more")], 70)) == 1
    assert (await store.pins.add("p9", "More.", AT)).number == 9
    found = await store.memories.search("How tall is mast 12?", AT, 5)
    assert "m12" in {match.memory.id for match in found}
    assert "m1" not in {match.memory.id for match in await store.memories.search("mast 1", AT, 50)}
    assert await store.recall.find("What of s3?", 3)


async def test_a_log_with_a_hole_is_saved_and_says_so(
    filled: Path, opened: Open, paths: ProjectPaths
) -> None:
    page = next(
        row.pages[0]
        for row in PagedFile(filled / "plimsoll.db").rows()
        if row.number is not None and len(row.values) == 3 and row.values[:2] == (4, 20)
    )
    data = bytearray((filled / "plimsoll.db").read_bytes())
    data[(page - 1) * 4096 : page * 4096] = bytes(4096)
    (filled / "plimsoll.db").write_bytes(data)

    done = salvage(filled)
    store = await opened()

    assert done.missing > 0
    kept = await store.entries("s3")
    assert len(kept) == 70 - done.missing
    assert (await store.get("s3")).title == (f"Title 3 (salvaged: {done.missing} entries missing)")


async def test_what_is_in_the_log_of_a_crash_is_saved(
    filled: Path, opened: Open, paths: ProjectPaths
) -> None:
    store = await opened()
    await store.append("s0", [said("in the log")], 70)
    crashed = filled.with_name("crashed")
    shutil.copytree(filled, crashed)
    data = bytearray((crashed / "plimsoll.db").read_bytes())
    data[4096 * 3 : 4096 * 4] = b"\xff" * 4096
    (crashed / "plimsoll.db").write_bytes(data)
    before = files(crashed)

    done = salvage(crashed)

    assert files(done.damaged) == before
    assert not (crashed / "plimsoll.db-wal").exists()
    bodies = rows(crashed / "plimsoll.db")["entries"]
    assert any("in the log" in str(body) for body in bodies)


async def test_what_is_in_the_log_alone_is_saved(
    filled: Path, opened: Open, paths: ProjectPaths
) -> None:
    store = await opened()
    await store.append("s0", [said("in the log")], 70)
    lost = filled.with_name("lost")
    lost.mkdir()
    shutil.copy(filled / "plimsoll.db-wal", lost)

    salvage(lost)

    bodies = rows(lost / "plimsoll.db")["entries"]
    assert any("in the log" in str(body) for body in bodies)


def test_rows_with_one_number_are_all_saved(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "plimsoll.db")
    for table, found in (("one", [(5, 0)]), ("other", [(5, 1), (6, 2)])):
        connection.execute(f"CREATE TABLE {table} (session INTEGER, place INTEGER, body TEXT)")
        connection.executemany(
            f"INSERT INTO {table} (rowid, session, place, body) VALUES (?, 1, ?, ?)",
            [(number, place, encode(said(f"m{place}"))) for number, place in found],
        )
    connection.commit()
    connection.close()

    assert (salvage(tmp_path).entries, len(rows(tmp_path / "plimsoll.db")["entries"])) == (3, 3)


async def test_two_sessions_that_damage_gave_one_id_are_both_saved(
    filled: Path, opened: Open
) -> None:
    connection = sqlite3.connect(filled / "plimsoll.db")
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute(
        "UPDATE sqlite_schema SET sql = replace(sql, ' UNIQUE', '') WHERE name = 'sessions'"
    )
    connection.execute("DELETE FROM sqlite_schema WHERE name LIKE 'sqlite_autoindex_sessions%'")
    connection.commit()
    connection.close()
    connection = sqlite3.connect(filled / "plimsoll.db")
    connection.execute("UPDATE sessions SET id = 's2' WHERE id = 's6'")
    connection.commit()
    connection.close()
    data = (filled / "plimsoll.db").read_bytes()
    (filled / "plimsoll.db").write_bytes(bytes(4096) + data[4096:])

    done = salvage(filled)
    store: SqliteStore = await opened()

    assert (done.sessions, done.entries, done.missing) == (8, 560, 0)
    renamed = next(one.id for one in await store.sessions() if one.id.startswith("s-salvaged-7-"))
    assert (await store.entries("s2"))[:2] == pair("s2-0")
    assert (await store.entries(renamed))[:2] == pair("s6-0")


def test_machines_go_on_sharing_what_they_share(filled: Path) -> None:
    connection = sqlite3.connect(filled / "plimsoll.db")
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    data = (filled / "plimsoll.db").read_bytes()
    (filled / "plimsoll.db").write_bytes(data[:8192] + bytes(4096) + data[12_288:])

    salvage(filled)

    assert journal_of(filled / "plimsoll.db") == "delete"


def test_what_a_crash_has_left_goes(filled: Path) -> None:
    (filled / ".salvage-of-a-crash").mkdir()
    (filled / "plimsoll.db").write_bytes((filled / "plimsoll.db").read_bytes()[:100_000])

    salvage(filled)

    assert not list(filled.glob(".salvage-*"))


def test_a_store_that_another_program_uses_is_not_salvaged(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plimsoll.storage.database.opening._BUSY_SECONDS", 0)
    browser = sqlite3.connect(filled / "plimsoll.db", isolation_level=None)
    browser.execute("PRAGMA locking_mode = EXCLUSIVE")
    browser.execute("BEGIN EXCLUSIVE")

    with pytest.raises(StoreUnavailable, match="locked") as refused:
        salvage(filled)

    assert "Close other programs" in (refused.value.remedy or "")
    assert not (filled / "damaged").exists()
    browser.close()


Break = Callable[[Path], object]


@pytest.mark.parametrize(
    ("broken", "error", "words"),
    [
        (lambda path: None, InvalidInput, "is whole"),
        (lambda path: path.write_bytes(b"nothing of ours " * 5000), InvalidInput, "Nothing in"),
        (lambda path: path.unlink(), InvalidInput, "There is no store"),
        (lambda path: shutil.rmtree(path.parent), InvalidInput, "There is no store"),
        (
            lambda path: path.write_bytes(
                path.read_bytes()[:60] + (99).to_bytes(4, "big") + path.read_bytes()[64:]
            ),
            StoreNewer,
            "version 99",
        ),
    ],
    ids=["whole", "foreign", "missing", "no folder", "newer"],
)
def test_what_cannot_be_salvaged_is_left_alone(
    filled: Path, broken: Break, error: type[Exception], words: str
) -> None:
    broken(filled / "plimsoll.db")
    before = files(filled)

    with pytest.raises(error, match=words):
        salvage(filled)

    assert files(filled) == before
    assert not (filled / "damaged").exists()


async def test_a_store_that_is_open_is_not_salvaged(filled: Path, opened: Open) -> None:
    await opened()

    with pytest.raises(Busy):
        salvage(filled)


async def test_memories_of_a_store_of_before_are_saved_with_what_they_lacked(
    opened: Open, paths: ProjectPaths
) -> None:
    await (await opened()).close()
    data = bytearray(gzip.decompress(BEFORE.read_bytes()))
    data[100:4096] = bytes(3996)
    (paths.folder / "plimsoll.db").write_bytes(data)

    done = salvage(paths.folder)
    store: SqliteStore = await opened()

    found = await store.memories.memories({MemoryState.ACTIVE})
    assert done.memories == len(found) > 0
    assert {(one.scope, one.importance, one.tags) for one in found} == {
        (MemoryScope.PRIVATE, None, ())
    }
    assert "We deploy from the branch release." in {one.content for one in found}


async def test_a_salvaged_store_takes_no_part_in_a_team_and_says_so(
    opened: Open, paths: ProjectPaths
) -> None:
    store: SqliteStore = await opened()
    await fill(store, sessions=2, memories=3)
    await store.replica.join(HARBOUR)
    theirs = [from_anna(team_memory(f"t{n}", f"Ship {n} leaves at noon.")) for n in range(3)]
    pins = [pin_from_anna(team_pin("tp1")), pin_from_anna(team_pin("tp2"))]
    await store.replica.take_in(News(position=1, memories=theirs, pins=pins[:1]), AT, "all")
    await store.replica.take_in(News(position=2, pins=pins[1:]), AT)
    own = Revise(id="m0", author=Author.USER, scope=MemoryScope.TEAM)
    await store.memories.apply([own], AT)
    await store.close()
    damaged = bytearray((paths.folder / "plimsoll.db").read_bytes())
    damaged[:4096] = bytes(4096)
    (paths.folder / "plimsoll.db").write_bytes(damaged)

    done = salvage(paths.folder)

    assert (done.left_team, done.memories, done.pins, done.sessions) == ("harbour", 2, 2, 2)
    again: SqliteStore = await opened()
    assert await again.replica.read_joined() is None
    kept = await again.memories.memories(frozenset(MemoryState))
    assert {(each.id, each.scope) for each in kept} == {
        ("m0", MemoryScope.PRIVATE),
        ("m1", MemoryScope.PRIVATE),
    }
    assert {pin.id for pin in await again.pins.pins()} == {"p0", "p1"}
    # A colleague's name and a number must not be taken for the kind of a subagent.
    assert {each.id for each in await again.sessions()} == {"s0", "s1"}
