"""The score of what is found: its words, corrections, repetition; what a person set stays."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.samples import person, reading
from plimsoll.context.log.entries import Said
from plimsoll.memory.changes import Revise
from plimsoll.memory.extraction.importance import importance_of
from plimsoll.memory.extraction.job import Extraction
from plimsoll.memory.types import Author, Memory, MemoryState
from plimsoll.storage.database.in_memory import InMemoryDatabase
from plimsoll.storage.memories.store import SqliteMemories


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("We deploy on Tuesdays.", 3),
        ("Never push to main.", 4),
        ("It is important that the docs are built first.", 4),
        ("Die Version muss in der Datei stehen.", 4),
        ("テストは必ず先に実行する", 4),
        ("I prefer tabs, if possible.", 2),
        ("Use the old mirror for now.", 2),
        ("Never use the new mirror for now.", 3),
        ("That is not important.", 2),
        ("The mustard colour is the house colour.", 3),
    ],
)
def test_strong_words_raise_and_weak_words_lower(text: str, score: int) -> None:
    assert importance_of(text, own=True) == score


def test_what_is_asked_corrected_or_said_again_matters_more() -> None:
    assert importance_of("We deploy on Tuesdays.", own=True, asked=True) == 4
    assert importance_of("Don't touch the lock file.", own=True, corrects=True) == 4
    assert [importance_of("Ships.", own=True, times=n) for n in (1, 2, 3, 9)] == [3, 4, 5, 5]


@given(st.text(), st.booleans(), st.booleans(), st.integers(1, 99))
def test_a_score_is_from_one_to_five_and_others_words_never_raise_it(
    text: str, asked: bool, corrects: bool, times: int
) -> None:
    more = {"asked": asked, "corrects": corrects, "times": times}
    assert 1 <= importance_of(text, own=True, **more) <= 5
    assert 1 <= importance_of(f"{text} Never, always, important!", own=False, **more) <= 3


@pytest.fixture
def store() -> SqliteMemories:
    return SqliteMemories(InMemoryDatabase())


def at(day: int, text: str) -> Said:
    return replace(person(f"m{day}", text, f"t{day}"), at=f"2026-11-{day:02d}T08:00:00.000Z")


async def read(store: SqliteMemories, *said: Said) -> list[Memory]:
    """Read what was said by the newest message, as after its turn."""
    facts = reading()
    name = said[-1].id
    facts = replace(facts, now=said[-1].at.replace("08:00", "08:01"), new_id=lambda: f"x{name}")
    return await Extraction(store=store, reading=facts).run(said)


async def held(store: SqliteMemories) -> list[tuple[str, int | None]]:
    return [(m.content, m.importance) for m in await store.memories({MemoryState.ACTIVE})]


async def test_what_is_said_again_on_another_day_is_raised_once_each_time(store) -> None:
    said = [at(10, "Never push to main on a Friday.")]
    [first] = await read(store, *said)
    assert first.importance == 4
    said.append(at(11, "Ships are grey."))
    assert await read(store, *said) == []
    assert await held(store) == [("Never push to main on a Friday.", 4)]
    said.append(at(12, "Never push to main on a Friday!"))
    # Nothing new was remembered, so nobody is told that it was.
    assert await read(store, *said) == []
    assert await read(store, *said) == []
    assert await held(store) == [("Never push to main on a Friday.", 5)]
    last = (await store.audit(first.id))[-1]
    assert (last.author, last.reason) == (Author.EXTRACTION, "the user said it again")


async def test_twice_in_one_reading_counts_too(store) -> None:
    said = (
        at(10, "We decided on SQLite for the cache."),
        at(11, "We decided on SQLite for the cache."),
    )
    await read(store, *said)
    assert await held(store) == [("We decided on SQLite for the cache.", 4)]


async def test_what_a_person_has_set_stays(store) -> None:
    said = [at(10, "We decided on SQLite for the cache.")]
    [first] = await read(store, *said)
    await store.apply([Revise(id=first.id, author=Author.USER, importance=1)], said[0].at)
    said.append(at(12, "We decided on SQLite for the cache."))
    await read(store, *said)
    assert await held(store) == [("We decided on SQLite for the cache.", 1)]
