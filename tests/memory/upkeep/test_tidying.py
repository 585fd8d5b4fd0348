"""Order among memories: what ran out goes, what is new is compared, a changed file is seen."""

import itertools
from collections.abc import Collection, Sequence
from dataclasses import replace

from memory.samples import AT, PORT, Told, memory
from plimsoll.memory.changes import Add, Change
from plimsoll.memory.extraction.turns import Advance
from plimsoll.memory.service import Memories
from plimsoll.memory.types import (
    Memory,
    MemoryClass,
    MemoryMatch,
    MemorySource,
    MemoryState,
)
from plimsoll.memory.upkeep.consolidation import ConsolidationLimits
from plimsoll.storage.database.in_memory import InMemoryDatabase
from plimsoll.storage.memories.store import SqliteMemories


class Reads(SqliteMemories):
    """A store that counts how often all memories are read, and how often it is searched."""

    whole = searches = 0

    async def memories(self, states: Collection[MemoryState]) -> list[Memory]:
        self.whole += set(states) > {MemoryState.INBOX}
        return await super().memories(states)

    async def search(self, question: str, at: str, limit: int) -> list[MemoryMatch]:
        self.searches += 1
        return await super().search(question, at, limit)


class Parts(SqliteMemories):
    """A store that counts the changes of each of its writes."""

    def __init__(self, database: InMemoryDatabase) -> None:
        super().__init__(database)
        self.parts: list[int] = []

    async def apply(
        self, changes: Sequence[Change], at: str, advance: Advance | None = None
    ) -> list[Memory]:
        self.parts.append(len(changes))
        return await super().apply(changes, at, advance)


async def test_tidying_lets_go_of_what_has_run_out(notes: Memories) -> None:
    kept = await notes.add(PORT)
    old = await notes.add(replace(PORT, content="Half done.", class_=MemoryClass.WORKING))
    await notes.store.apply([], AT)
    later = Memories(notes.store, lambda: "x", lambda: "2026-12-30T00:00:00Z")

    later.upkeep.believed = AT
    assert await later.upkeep.tidy(ConsolidationLimits()) == []
    later.upkeep.believed = "2026-12-31T00:00:00Z"
    assert [note.id for note in await later.upkeep.tidy(ConsolidationLimits())] == [old.id]
    assert await notes.all() == [kept]
    assert await later.upkeep.tidy(ConsolidationLimits()) == []


async def test_where_nothing_has_changed_order_reads_no_memories_again(told: Told) -> None:
    numbers, day = itertools.count(1), ["2026-11-21T10:00:00Z"]
    store = Reads(InMemoryDatabase())
    notes = Memories(store, lambda: f"n{next(numbers)}", lambda: day[0], told)
    limits = ConsolidationLimits()
    await notes.add(PORT)
    for _ in range(3):
        assert await notes.upkeep.tidy(limits) == []
    assert (store.whole, store.searches) == (1, 0)

    await notes.add(replace(PORT, title="Pilot", content="The pilot boards at the buoy."))
    for _ in range(3):
        assert await notes.upkeep.tidy(limits) == []
    assert (store.whole, store.searches) == (1, 1)

    brief = await notes.add(replace(PORT, content="Half done.", class_=MemoryClass.WORKING))
    await notes.upkeep.tidy(replace(limits, digests=3))
    day[0] = "2026-12-22T10:00:00Z"
    other = Memories(store, lambda: "x", lambda: day[0], told)
    assert [gone.id for gone in await other.upkeep.tidy(limits)] == [brief.id]
    assert store.whole == 1


async def test_what_comes_later_is_merged_trimmed_and_contradicted_at_once(told: Told) -> None:
    store, ids, times = SqliteMemories(InMemoryDatabase()), itertools.count(1), itertools.count(10)
    notes = Memories(
        store, lambda: f"n{next(ids)}", lambda: f"2026-11-21T10:00:{next(times)}Z", told
    )
    limits = ConsolidationLimits(digests=3)
    said = (
        "The release pipeline builds the wheel with hatchling, signs it on the build host, uploads "
        "it to the internal mirror and tags the commit afterwards."
    )
    first = await notes.add(replace(PORT, title="Release", content=said))
    old = await notes.add(replace(PORT, title="Always commit the lock file.", content=""))
    await notes.upkeep.tidy(limits)

    again = await notes.add(
        replace(PORT, title="release", content=said.replace("afterwards", "later"))
    )
    new = await notes.add(replace(PORT, title="Never commit the lock file.", content=""))
    digests = [
        memory(f"d{n}", f"Asked: {n}", digest=True, class_=MemoryClass.WORKING, created_at=at)
        for n, at in enumerate(f"2026-11-{day}T00:00:00Z" for day in range(10, 16))
    ]
    await notes.store.apply([Add(each) for each in digests], AT)
    gone = {memory.id for memory in await notes.upkeep.tidy(limits)}

    merged = {first.id, again.id} & gone
    assert len(merged) == 1
    assert gone - {new.id} == {old.id, "d0", "d1", "d2"} | merged
    assert (await notes.store.get(new.id)).supersedes == old.id
    assert await notes.upkeep.tidy(limits) == []


async def test_others_may_write_while_order_is_brought(told: Told) -> None:
    store = Parts(InMemoryDatabase())
    notes = Memories(store, lambda: "x", lambda: "2026-12-30T00:00:00Z", told)
    working = [memory(f"m{n}", f"step {n}", class_=MemoryClass.WORKING) for n in range(70)]
    await store.apply([Add(each) for each in working], AT)
    store.parts.clear()

    assert len(await notes.upkeep.tidy(ConsolidationLimits())) == 70
    assert store.parts == [20, 20, 20, 10]
    assert told.times == 1


async def test_a_hundred_new_ones_are_read_with_all(told: Told) -> None:
    numbers = itertools.count(1)
    store = Reads(InMemoryDatabase())
    notes = Memories(store, lambda: f"n{next(numbers)}", lambda: AT, told)
    await notes.add(PORT)
    await notes.upkeep.tidy(ConsolidationLimits())
    await store.apply([Add(memory(f"m{n}", f"fact number {n}")) for n in range(100)], AT)
    await notes.upkeep.tidy(ConsolidationLimits())
    await notes.upkeep.tidy(ConsolidationLimits())
    assert (store.whole, store.searches) == (2, 0)


async def test_a_changed_file_makes_its_memories_stale(notes: Memories) -> None:
    file = MemorySource(uri="file:///w/a.py", sha256="old")
    await notes.store.apply(
        [
            Add(memory("m1", "from the file", source=file)),
            Add(memory("m2", "also from it", source=file)),
            Add(memory("m3", "from a session", source=MemorySource("s1", "m1"))),
        ],
        AT,
    )
    asked: list[str] = []

    def now(value: str | None):
        def hash_of(uri: str) -> str | None:
            asked.append(uri)
            return value

        return hash_of

    assert await notes.upkeep.check_sources(now("old")) == []
    assert {note.id for note in await notes.upkeep.check_sources(now("new"))} == {"m1", "m2"}
    assert {note.state for note in await notes.all()} == {MemoryState.STALE, MemoryState.ACTIVE}
    assert await notes.upkeep.check_sources(now(None)) == []
    assert len(await notes.upkeep.check_sources(now("old"))) == 2
    assert asked == ["file:///w/a.py"] * 4
    assert [e.reason for e in await notes.audit("m1")][1:] == [
        "its file has changed",
        "its file is as it was",
    ]
