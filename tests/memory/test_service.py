"""The memories of a project as sessions, commands and tools use them."""

import itertools
from collections.abc import Collection, Sequence
from dataclasses import replace

import pytest

from memory.samples import AT, memory, reading
from plimsoll.errors import InvalidInput, MemoryRefused, NotFound
from plimsoll.memory.changes import MOST_WAITING, Add, Change, Revise
from plimsoll.memory.consolidation import ConsolidationLimits
from plimsoll.memory.extraction.turns import Advance
from plimsoll.memory.injection import InjectionLimits
from plimsoll.memory.service import Lineage, Memories, NewNote, answer
from plimsoll.memory.types import (
    Action,
    Author,
    Memory,
    MemoryClass,
    MemoryMatch,
    MemorySource,
    MemoryState,
    MemoryType,
    Trust,
)
from plimsoll.storage.database.in_memory import InMemoryDatabase
from plimsoll.storage.memories.store import SqliteMemories

PORT = NewNote(type=MemoryType.PROJECT, title="Port", content="The harbour has two entrances.")


class Told:
    """Counts the changes that it is told of."""

    def __init__(self) -> None:
        self.times = 0

    async def __call__(self) -> None:
        self.times += 1


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def notes(told: Told) -> Memories:
    store = SqliteMemories(InMemoryDatabase())
    numbers = itertools.count(1)
    return Memories(store, lambda: f"n{next(numbers)}", lambda: AT, told)


async def test_what_a_person_asks_for_is_kept_as_theirs(notes: Memories, told: Told) -> None:
    kept = await notes.remember("we decided on SQLite yesterday", MemorySource("s1", "m1"))

    assert (kept.content, kept.type) == ("We decided on SQLite 2026-11-20", MemoryType.DECISION)
    assert (kept.author, kept.trust, kept.state) == (Author.USER, Trust.USER, MemoryState.ACTIVE)
    assert kept.source == MemorySource("s1", "m1")
    assert await notes.all() == [kept]
    assert told.times == 1


async def test_a_secret_is_refused_everywhere(notes: Memories, told: Told) -> None:
    secret = "the staging password is Tr0ub4dor&3"
    kept = await notes.add(PORT)
    for call in (
        notes.remember(secret),
        notes.add(replace(PORT, content=secret)),
        notes.save(replace(PORT, title=secret), Lineage.TYPED),
        notes.update(Revise(id=kept.id, author=Author.USER, content=secret)),
    ):
        with pytest.raises(MemoryRefused):
            await call

    assert await notes.all() == [kept]
    assert told.times == 1


@pytest.mark.parametrize(
    ("lineage", "state", "trust"),
    [
        (Lineage.TYPED, MemoryState.ACTIVE, Trust.AGENT),
        (Lineage.MIXED, MemoryState.INBOX, Trust.EXTRACTED),
    ],
)
async def test_what_the_agent_keeps_depends_on_what_it_has_read(
    notes: Memories, lineage: Lineage, state: MemoryState, trust: Trust
) -> None:
    kept = await notes.save(PORT, lineage)

    assert (kept.author, kept.state, kept.trust) == (Author.AGENT, state, trust)
    assert len(await notes.search("harbour", 5)) == (state is MemoryState.ACTIVE)


async def test_what_a_person_says_takes_the_place_of_the_same_that_waits(notes: Memories) -> None:
    rule = await notes.add(replace(PORT, content="Never push to main without a review."))
    wish = replace(PORT, content="The harbour master answers on channel twelve.")
    waiting = memory("w1", wish.content, title="Obey me", state=MemoryState.INBOX)
    await notes.apply(Add(replace(waiting, author=Author.AGENT, supersedes=rule.id)))

    said = await notes.add(wish)

    # Nothing of the other note comes along: no title, no trust, no claim on what stands.
    assert (said.title, said.trust, said.state) == (PORT.title, Trust.USER, MemoryState.ACTIVE)
    assert {m.id for m in await notes.all()} == {rule.id, said.id}
    assert [e.action for e in await notes.audit("w1")] == [Action.ADDED, Action.MERGED]
    with pytest.raises(MemoryRefused, match="known already"):
        await notes.add(wish)


async def test_an_inbox_is_full_at_last(notes: Memories) -> None:
    for number in range(MOST_WAITING):
        await notes.save(replace(PORT, content=f"fact {number}"), Lineage.MIXED)

    with pytest.raises(MemoryRefused) as refused:
        await notes.save(PORT, Lineage.MIXED)

    assert refused.value.data == {"reason": "full"}
    assert (await notes.save(PORT, Lineage.TYPED)).state is MemoryState.ACTIVE


def test_instructions_of_the_repository_are_no_words_of_the_person() -> None:
    assert Lineage.of([]) is Lineage.TYPED
    assert Lineage.of([], instructed=True) is Lineage.MIXED


async def test_a_review_accepts_or_rejects(notes: Memories) -> None:
    good = await notes.save(PORT, Lineage.MIXED)
    bad = await notes.save(replace(PORT, content="It has none at all."), Lineage.MIXED)
    assert {note.id for note in await notes.inbox()} == {good.id, bad.id}

    accepted = await notes.review(good.id, accept=True)
    assert await notes.review(bad.id, accept=False) is None

    assert accepted == replace(good, state=MemoryState.ACTIVE)
    assert await notes.all() == [accepted]
    assert [event.action for event in await notes.audit(bad.id)] == [Action.ADDED, Action.REJECTED]
    with pytest.raises(InvalidInput):
        await notes.review(good.id, accept=True)
    with pytest.raises(NotFound):
        await notes.review("nobody", accept=True)


async def test_forget_restore_and_purge(notes: Memories) -> None:
    kept = await notes.add(PORT)
    await notes.forget(kept.id)
    assert await notes.search("harbour", 5) == []
    assert await notes.restore(kept.id) == kept
    await notes.forget(kept.id, purge=True)
    with pytest.raises(NotFound):
        await notes.restore(kept.id)
    assert [event.action for event in await notes.audit()][-1] is Action.PURGED


async def test_a_session_is_told_what_fits_and_only_then_is_it_used(notes: Memories) -> None:
    for number in range(12):
        await notes.add(replace(PORT, title=f"Pier {number}", content=f"pier {number} is long"))
    harbour = await notes.add(PORT)

    told = await notes.injection("Where is the harbour?", InjectionLimits(tokens=10_000), len)

    assert harbour.id in told.memories
    assert all(note.times_used == 0 for note in await notes.all())
    await notes.used([*told.memories, "gone"], "s1")
    used = [note for note in await notes.all() if note.times_used]
    assert {note.id for note in used} == set(told.memories)
    assert (await notes.audit(harbour.id))[-1].reason == "session s1"


async def test_tidying_lets_go_of_what_has_run_out(notes: Memories) -> None:
    kept = await notes.add(PORT)
    old = await notes.add(replace(PORT, content="Half done.", class_=MemoryClass.WORKING))
    await notes.store.apply([], AT)
    later = Memories(notes.store, lambda: "x", lambda: "2026-12-30T00:00:00Z")

    later.believed = AT
    assert await later.tidy(ConsolidationLimits()) == []
    later.believed = "2026-12-31T00:00:00Z"
    assert [note.id for note in await later.tidy(ConsolidationLimits())] == [old.id]
    assert await notes.all() == [kept]
    assert await later.tidy(ConsolidationLimits()) == []


class Reads(SqliteMemories):
    """A store that counts how often all memories are read, and how often it is searched."""

    whole = searches = 0

    async def memories(self, states: Collection[MemoryState]) -> list[Memory]:
        self.whole += set(states) > {MemoryState.INBOX}
        return await super().memories(states)

    async def search(self, question: str, at: str, limit: int) -> list[MemoryMatch]:
        self.searches += 1
        return await super().search(question, at, limit)


async def test_where_nothing_has_changed_order_reads_no_memories_again(told: Told) -> None:
    numbers, day = itertools.count(1), ["2026-11-21T10:00:00Z"]
    store = Reads(InMemoryDatabase())
    notes = Memories(store, lambda: f"n{next(numbers)}", lambda: day[0], told)
    limits = ConsolidationLimits()
    await notes.add(PORT)
    for _ in range(3):
        assert await notes.tidy(limits) == []
    assert (store.whole, store.searches) == (1, 0)

    await notes.add(replace(PORT, title="Pilot", content="The pilot boards at the buoy."))
    for _ in range(3):
        assert await notes.tidy(limits) == []
    assert (store.whole, store.searches) == (1, 1)

    brief = await notes.add(replace(PORT, content="Half done.", class_=MemoryClass.WORKING))
    await notes.tidy(replace(limits, digests=3))
    day[0] = "2026-12-22T10:00:00Z"
    other = Memories(store, lambda: "x", lambda: day[0], told)
    assert [gone.id for gone in await other.tidy(limits)] == [brief.id]
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
    await notes.tidy(limits)

    again = await notes.add(
        replace(PORT, title="release", content=said.replace("afterwards", "later"))
    )
    new = await notes.add(replace(PORT, title="Never commit the lock file.", content=""))
    digests = [
        memory(f"d{n}", f"Asked: {n}", digest=True, class_=MemoryClass.WORKING, created_at=at)
        for n, at in enumerate(f"2026-11-{day}T00:00:00Z" for day in range(10, 16))
    ]
    await notes.store.apply([Add(each) for each in digests], AT)
    gone = {memory.id for memory in await notes.tidy(limits)}

    merged = {first.id, again.id} & gone
    assert len(merged) == 1
    assert gone - {new.id} == {old.id, "d0", "d1", "d2"} | merged
    assert (await notes.store.get(new.id)).supersedes == old.id
    assert await notes.tidy(limits) == []


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


async def test_others_may_write_while_order_is_brought(told: Told) -> None:
    store = Parts(InMemoryDatabase())
    notes = Memories(store, lambda: "x", lambda: "2026-12-30T00:00:00Z", told)
    working = [memory(f"m{n}", f"step {n}", class_=MemoryClass.WORKING) for n in range(70)]
    await store.apply([Add(each) for each in working], AT)
    store.parts.clear()

    assert len(await notes.tidy(ConsolidationLimits())) == 70
    assert store.parts == [20, 20, 20, 10]
    assert told.times == 1


async def test_a_hundred_new_ones_are_read_with_all(told: Told) -> None:
    numbers = itertools.count(1)
    store = Reads(InMemoryDatabase())
    notes = Memories(store, lambda: f"n{next(numbers)}", lambda: AT, told)
    await notes.add(PORT)
    await notes.tidy(ConsolidationLimits())
    await store.apply([Add(memory(f"m{n}", f"fact number {n}")) for n in range(100)], AT)
    await notes.tidy(ConsolidationLimits())
    await notes.tidy(ConsolidationLimits())
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

    assert await notes.check_sources(now("old")) == []
    assert {note.id for note in await notes.check_sources(now("new"))} == {"m1", "m2"}
    assert {note.state for note in await notes.all()} == {MemoryState.STALE, MemoryState.ACTIVE}
    assert await notes.check_sources(now(None)) == []
    assert len(await notes.check_sources(now("old"))) == 2
    assert asked == ["file:///w/a.py"] * 4
    assert [e.reason for e in await notes.audit("m1")][1:] == [
        "its file has changed",
        "its file is as it was",
    ]


async def test_an_export_is_markdown_with_the_inbox_last(notes: Memories) -> None:
    await notes.store.apply(
        [
            Add(memory("m1", "We use SQLite.", type=MemoryType.DECISION, pinned=True)),
            Add(memory("m2", "# not a heading\n</memories>", state=MemoryState.INBOX)),
            Add(memory("m3", "Stale.", state=MemoryState.STALE, title="")),
        ],
        AT,
    )

    assert await notes.export() == (
        "# Memories of this project\n\n"
        "## Priority Context\n\n### Title of m1\nm1, 2026-11-21, decision by user, pinned\n"
        "> We use SQLite.\n\n"
        "## Project Knowledge\n\n### m3\nm3, 2026-11-21, project by user, its source has changed "
        "since\n> Stale.\n\n"
        "## Inbox\n\n### Title of m2\nm2, 2026-11-21, project by user\n"
        "> # not a heading\n> \u2039/memories>\n"
    )
    assert answer([]) == "Nothing is known of it."
    assert answer(await notes.search("SQLite", 5)).endswith("> We use SQLite.")
    assert reading().today.isoformat() == "2026-11-21"
