"""The index of what was said: it changes no answer, and keeps nothing that was deleted."""

import asyncio
import sqlite3
import unicodedata
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from plimsoll.storage.database.units import Database
from plimsoll.storage.locate import ProjectPaths
from plimsoll.storage.registry import OPENERS
from plimsoll.storage.said.index import PIECE, index_piece, mark, rows_behind
from plimsoll.storage.sqlite import SqliteStore
from storage.conftest import Open
from storage.said.asking import found, read_through
from storage.samples import pair, record, said, unchanged

TRICKY = (
    "sS\xdf\u1e9e\u017fk\u212aKi\u0130\u0131I\ufb01fi\ufb00\u0149n\u03a3\u03c3\u03c2\u01c5\xc4\xe4a\u0308"
    "会議船\0\ue000\u3000\"'\\%_*- \n"
)
"""What folds to other letters, to more than one or not at all, and what FTS5 or JSON write."""
TEXTS = st.text(st.one_of(st.sampled_from(TRICKY), st.characters(codec="utf-8")), max_size=12)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("say"), st.integers(0, 3), TEXTS),
        st.tuples(st.just("title"), st.integers(0, 3), TEXTS),
        st.tuples(st.just("delete"), st.integers(0, 3), st.just("")),
        st.tuples(st.just("index"), st.just(0), st.just("")),
        st.tuples(st.just("number anew"), st.just(0), st.just("")),
    ),
    max_size=25,
)


@pytest.fixture(params=list(OPENERS))
async def store(request: pytest.FixtureRequest, opened: Open) -> AsyncIterator[SqliteStore]:
    yield await opened(request.param)


def database_of(store: SqliteStore) -> Database:
    return store.database


async def step(store: SqliteStore, act: str, number: int, text: str) -> None:
    name = f"s{number}"
    known = {each.id: each for each in await store.sessions()}
    if act in ("say", "title") and name not in known:
        await store.create(record(name, title=""))
    if act == "say":
        length = len(await store.entries(name))
        await store.append(name, [said(f"m{length}", text)], length)
    elif act == "title":
        now = await store.get(name)
        await store.update(replace(now, title=text), now)
    elif act == "delete" and name in known:
        await store.delete(name)
    elif act == "index":
        await store.database.write(index_piece)
    elif act == "number anew":
        await store.database.write(number_anew)


def number_anew(db: sqlite3.Connection) -> None:
    """As SQLite may in a VACUUM, and does where a dump is read in."""
    rows = db.execute("SELECT rowid FROM entries ORDER BY rowid").fetchall()
    for number, (row,) in enumerate(rows, 1):
        db.execute("UPDATE entries SET rowid = ? WHERE rowid = ?", (number, row))


@settings(max_examples=examples(300))
@given(STEPS, st.data())
def test_a_search_finds_with_the_index_what_it_finds_without(
    steps: Sequence[tuple[str, int, str]], data: st.DataObject
) -> None:
    async def run() -> None:
        store = SqliteStore.in_memory(unchanged)
        for each in steps:
            await step(store, *each)
        spoken = [text for act, _, text in steps if act in ("say", "title") and text.split()]
        for _ in range(4):
            query = data.draw(st.one_of(TEXTS, *map(parts, spoken)))
            if query.split():
                assert await found(store, query) == await read_through(store, query)
        await store.close()

    asyncio.run(run())


def parts(text: str) -> st.SearchStrategy[str]:
    """What stands in a text, and what does with another case."""
    cut = st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))
    piece = cut.map(lambda ends: text[min(ends) : max(ends)])
    return st.one_of(piece, piece.map(str.upper), piece.map(str.casefold))


async def test_the_newest_message_that_fits_is_found_in_each_session(store: SqliteStore) -> None:
    await store.create(record("s1"), [said("a", "The Windlass"), said("b", "a windlaß"), said("c")])
    await store.create(record("s2"), [said("d", "windlass and rope"), *pair("found")])
    await store.create(record("s3", title="Windlass"))
    everything = [("s3", None), ("s2", "d"), ("s1", "b")]

    for _ in range(2):
        assert await found(store, "windlass") == everything
        assert await found(store, "windlass", 2) == everything[:2]
        assert await found(store, "windlass", 1) == everything[:1]
        assert await found(store, "rope windlass") == [("s2", "d")]
        assert await found(store, "found by") == []
        await store.database.write(index_piece)


async def test_sessions_of_agents_are_not_found(store: SqliteStore) -> None:
    await store.create(record("s1", agent="explore", title="rope"), [said("a", "windlass")])
    for _ in range(2):
        assert await found(store, "windlass") == await found(store, "rope") == []
        await store.database.write(index_piece)


async def test_what_was_said_since_is_found_too(store: SqliteStore) -> None:
    await store.create(record("s1"), [said("a", "windlass")])
    await store.database.write(index_piece)
    await store.append("s1", [said("b", "the pier"), said("c", "A windlass!")], 1)
    assert await found(store, "windlass") == [("s1", "c")]
    assert await found(store, "pier") == [("s1", "b")]


async def test_rows_that_are_given_again_are_indexed_again(store: SqliteStore) -> None:
    await store.create(record("s1"), [said("a", "the pier")])
    await store.create(record("s2"), [said("b", "windlass")])
    await store.database.write(index_piece)
    await store.delete("s2")
    await store.create(record("s3"), [said("c", "capstan")])
    assert await store.database.read(rows_behind) == 1
    for _ in range(2):
        assert await found(store, "capstan") == [("s3", "c")]
        assert await found(store, "windlass") == []
        assert await found(store, "pier") == [("s1", "a")]
        await store.database.write(index_piece)


async def test_rows_that_another_program_has_numbered_anew_are_indexed_again() -> None:
    store = SqliteStore.in_memory(unchanged)
    await store.create(record("s1"), [said("a"), said("b")])
    await store.create(record("s2"), [said("c", "the pier")])
    await store.database.write(index_piece)
    await store.delete("s1")
    await step(store, "number anew", 0, "")
    # The mark names the third row, which is another entry now.
    await store.append("s2", [said("d", "windlass"), said("e", "capstan")], 1)
    for _ in range(2):
        assert await found(store, "windlass") == [("s2", "d")]
        assert await found(store, "pier") == [("s2", "c")]
        await store.database.write(index_piece)
    await store.close()


@pytest.mark.parametrize("query", ['"ahoy"', "c:\\ship", "50%", "sea\u0301", "ship_x-1"])
async def test_signs_that_stand_otherwise_in_json_or_sql_are_found(
    store: SqliteStore, query: str
) -> None:
    text = 'He said "ahoy" 50%, sea\u0301, in c:\\ship/ship_x-1'
    await store.create(record("s1"), [said("a", text)])
    for _ in range(2):
        assert await found(store, query) == [("s1", "a")]
        await store.database.write(index_piece)


async def test_of_another_unicode_nothing_is_used(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store.create(record("s1"), [said("a", "windlass")])
    await store.database.write(index_piece)
    assert await store.database.read(mark) == 1
    monkeypatch.setattr(unicodedata, "unidata_version", "99.0.0")
    assert await store.database.read(mark) == 0
    await store.database.write(index_piece)
    assert await store.database.read(mark) == 1
    assert await found(store, "windlass") == [("s1", "a")]
    assert await store.database.read(stretches) == 1


def stretches(db: sqlite3.Connection) -> int:
    return db.execute("SELECT count(*) FROM said_stretches").fetchone()[0]


async def test_one_piece_is_bounded_and_the_next_one_goes_on(store: SqliteStore) -> None:
    entries = [said(f"m{number}", f"word{number}") for number in range(2 * PIECE + 1)]
    await store.create(record("s1"), entries)
    left = [await store.database.write(index_piece) for _ in range(4)]
    assert left == [PIECE + 1, 1, 0, 0]
    assert await found(store, f"word{PIECE + 3}") == [("s1", f"m{PIECE + 3}")]


async def test_an_entry_that_cannot_be_read_does_not_stop_the_index(store: SqliteStore) -> None:
    await store.create(record("s1"), [said("a", "windlass"), said("b", "pier")])
    broken = "UPDATE entries SET body = '{' WHERE place = 1"
    await store.database.write(lambda db: db.execute(broken))
    assert await store.database.write(index_piece) == 0
    assert await found(store, "windlass") == [("s1", "a")]


@pytest.mark.parametrize("forget", ["session", "of another unicode"])
async def test_a_deleted_session_leaves_nothing_in_the_index(
    opened: Open, paths: ProjectPaths, monkeypatch: pytest.MonkeyPatch, forget: str
) -> None:
    store = await opened("sqlite")
    await store.create(record("s1"), [said("a", "the pier is long")])
    await store.create(record("s2"), [said("b", "xqzzyw"), said("c", "windlass")])
    await store.database.write(index_piece)
    assert b"xqz" in written(paths)

    if forget == "of another unicode":
        monkeypatch.setattr(unicodedata, "unidata_version", "99.0.0")
    await store.delete("s2")

    assert [gram for gram in (b"xqz", b"qzz", b"zzy", b"zyw") if gram in written(paths)] == []
    assert await found(store, "pier") == [("s1", "a")]


def written(paths: ProjectPaths) -> bytes:
    return b"".join(path.read_bytes() for path in paths.folder.rglob("*") if path.is_file())
