"""What a person shares, takes back, forgets for all and accepts, where a team is joined."""

import itertools

import pytest

from memory.samples import AT, PORT, memory
from plimsoll.errors import InvalidInput
from plimsoll.memory.changes import Add, Revise
from plimsoll.memory.lineage import Lineage
from plimsoll.memory.service import Memories
from plimsoll.memory.sharing import unfit_for_sharing, writer_of
from plimsoll.memory.types import (
    Author,
    Memory,
    MemoryScope,
    MemoryState,
    MemoryType,
    NewNote,
    Trust,
)
from plimsoll.storage.shared.news import News
from plimsoll.storage.shared.operations import (
    ChangeMemory,
    Done,
    ForgetMemory,
    Operation,
    Overtaken,
    ShareMemory,
)
from plimsoll.storage.sqlite import SqliteStore
from storage.samples import unchanged
from storage.shared.samples import HARBOUR, from_anna, own, team_memory

TEAM, PRIVATE = MemoryScope.TEAM, MemoryScope.PRIVATE
INBOX, ACTIVE = MemoryState.INBOX, MemoryState.ACTIVE
TOX = "The tests of this project run with tox."


@pytest.fixture
async def store() -> SqliteStore:
    store = SqliteStore.in_memory(unchanged)
    await store.replica.join(HARBOUR)
    return store


@pytest.fixture
def notes(store: SqliteStore) -> Memories:
    numbers = itertools.count(1)
    joined = store.replica.read_joined
    return Memories(store.memories, lambda: f"n{next(numbers)}", lambda: AT, joined=joined)


async def waiting(store: SqliteStore) -> list[Operation]:
    return [each.operation for each in await store.replica.read_queued()]


async def sent(store: SqliteStore, version: int = 1) -> None:
    for queued in await store.replica.read_queued():
        await store.replica.settle(queued, Done(version), AT)


async def held(notes: Memories) -> dict[str, Memory]:
    return {each.id: each for each in await notes.store.memories(frozenset(MemoryState))}


async def test_forgetting_what_one_shared_removes_it_everywhere(
    notes: Memories, store: SqliteStore
) -> None:
    await notes.apply(Add(team_memory()), Add(memory("m2", "Ships leave at noon.")))

    assert await notes.forget("m1") is True
    assert await notes.forget("m2") is False

    assert await waiting(store) == [ForgetMemory("m1")]
    assert [(each.id, each.state) for each in (await held(notes)).values()] == [
        ("m2", MemoryState.FORGOTTEN)
    ]


async def test_a_colleagues_memory_is_forgotten_here_alone(
    notes: Memories, store: SqliteStore
) -> None:
    await store.replica.take_in(News(position=1, memories=[from_anna(team_memory())]), AT, "all")

    assert await notes.forget("m1") is False

    assert (await notes.restore("m1")).state is ACTIVE
    assert await waiting(store) == []


async def test_where_no_team_is_joined_what_is_forgotten_can_be_restored(
    notes: Memories, store: SqliteStore
) -> None:
    await store.replica.leave()
    await notes.apply(Add(team_memory()))

    assert await notes.forget("m1") is False
    assert (await notes.restore("m1")).state is ACTIVE


@pytest.mark.parametrize("scope", [TEAM, MemoryScope.MINE])
async def test_what_the_agent_wants_for_others_waits_for_the_person(
    notes: Memories, store: SqliteStore, scope: MemoryScope
) -> None:
    note = NewNote(type=PORT.type, title=PORT.title, content=PORT.content, scope=scope)

    kept = await notes.save(note, Lineage.TYPED)

    assert (kept.state, kept.trust) == (INBOX, Trust.AGENT)
    assert await waiting(store) == []
    accepted = await notes.review(kept.id, accept=True)
    assert await waiting(store) == [ShareMemory(accepted)]


async def test_accepting_a_correction_of_a_shared_memory_changes_it_for_all(
    notes: Memories, store: SqliteStore
) -> None:
    await notes.apply(Add(team_memory(pinned=True, tags=("ci",))))
    await sent(store)
    note = NewNote(type=MemoryType.DECISION, title="Tests", content=TOX)
    correction = await notes.suggest("m1", note)

    kept = await notes.review(correction.id, accept=True)

    assert kept == team_memory(
        content=TOX,
        title="Tests",
        type=MemoryType.DECISION,
        pinned=True,
        tags=("ci",),
        version=1,
    )
    assert await waiting(store) == [
        ChangeMemory(
            team_memory(
                content=TOX, title="Tests", type=MemoryType.DECISION, pinned=True, tags=("ci",)
            ),
            1,
        )
    ]
    assert (await held(notes))[correction.id].state is MemoryState.FORGOTTEN


async def overtaken(notes: Memories, store: SqliteStore) -> None:
    """Change a shared memory after somebody else has: both texts are here, mine in the inbox."""
    await notes.apply(Add(team_memory()))
    await sent(store)
    await notes.update(Revise(id="m1", author=Author.USER, content=TOX))
    [queued] = await store.replica.read_queued()
    first = own(team_memory(content="The tests run with nose."), 2)
    mine = own(team_memory("m8", TOX, title="Title of m1", supersedes="m1"))
    await store.replica.settle(queued, Overtaken(first, mine), AT)


async def test_of_two_texts_the_person_takes_one(notes: Memories, store: SqliteStore) -> None:
    await overtaken(notes, store)
    [waits] = await notes.inbox()
    beside = await notes.find_replaced(waits)
    assert beside is not None
    assert (waits.content, beside.content) == (TOX, "The tests run with nose.")

    await notes.review("m8", accept=True)

    changed = team_memory(content=TOX)
    assert await waiting(store) == [ChangeMemory(changed, 2), ForgetMemory("m8")]
    assert [each.content for each in (await held(notes)).values()] == [TOX]


async def test_of_two_texts_the_person_leaves_the_other(
    notes: Memories, store: SqliteStore
) -> None:
    await overtaken(notes, store)

    await notes.review("m8", accept=False)

    assert await waiting(store) == [ForgetMemory("m8")]
    assert [each.content for each in (await held(notes)).values()] == ["The tests run with nose."]


async def test_an_accepted_removal_of_what_one_shared_removes_it_everywhere(
    notes: Memories, store: SqliteStore
) -> None:
    await notes.apply(Add(team_memory()))
    note = NewNote(type=MemoryType.PROJECT, title="No longer so.", content="")
    removal = await notes.suggest("m1", note, removal=True)

    kept = await notes.review(removal.id, accept=True)

    assert kept is not None
    assert kept.removal
    assert await waiting(store) == [ForgetMemory("m1")]
    assert "m1" not in await held(notes)


async def test_what_was_taken_back_is_not_shared_again(notes: Memories, store: SqliteStore) -> None:
    await notes.apply(Add(team_memory()))
    await notes.update(Revise(id="m1", author=Author.USER, scope=PRIVATE))

    with pytest.raises(InvalidInput, match="taken back"):
        await notes.update(Revise(id="m1", author=Author.USER, scope=TEAM))

    await store.replica.leave()
    await store.replica.join(HARBOUR)
    await store.replica.take_in(News(position=4, forgotten=["m1"]), AT)
    with pytest.raises(InvalidInput, match="taken back"):
        await notes.update(Revise(id="m1", author=Author.USER, scope=TEAM))
    assert await waiting(store) == []


async def test_only_its_author_decides_who_has_a_memory(
    notes: Memories, store: SqliteStore
) -> None:
    await store.replica.take_in(News(position=1, memories=[from_anna(team_memory())]), AT, "all")

    for change in ({"scope": PRIVATE}, {"type": MemoryType.USER}):
        with pytest.raises(InvalidInput, match="anna shared"):
            await notes.update(Revise(id="m1", author=Author.USER, **change))


@pytest.mark.parametrize(
    ("fields", "writer"),
    [
        ({"author": Author.USER}, "user"),
        ({"author": Author.AGENT}, "agent"),
        ({"author": Author.AGENT, "author_name": "anna"}, "agent"),
        ({"trust": Trust.TEAM, "author_name": "anna"}, "anna (a colleague)"),
        ({"trust": Trust.TEAM}, "a colleague"),
    ],
)
def test_a_memory_of_a_team_is_a_colleagues(fields: dict[str, object], writer: str) -> None:
    assert writer_of(memory("m1", TOX, **fields)) == writer


@pytest.mark.parametrize(
    ("fields", "scope", "why"),
    [
        ({}, TEAM, None),
        ({"state": MemoryState.STALE}, TEAM, None),
        ({"state": INBOX}, TEAM, "it is inbox"),
        ({"author_name": "anna"}, TEAM, "anna shared this memory"),
        ({"type": MemoryType.USER}, TEAM, "never for a team"),
        ({"type": MemoryType.FEEDBACK}, TEAM, "never for a team"),
        ({"type": MemoryType.USER}, MemoryScope.MINE, None),
    ],
)
def test_a_memory_is_given_to_others_only_where_it_can_be(
    fields: dict[str, object], scope: MemoryScope, why: str | None
) -> None:
    found = unfit_for_sharing(memory("m1", TOX, **fields), scope)
    assert (found is None) is (why is None)
    assert found is None or (why is not None and why in found.message)
