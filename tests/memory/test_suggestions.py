"""The agent suggests to correct or to remove a memory; a person decides."""

import itertools

import pytest

from memory.samples import AT, memory
from plimsoll.errors import InvalidInput, MemoryRefused, NotFound
from plimsoll.memory.changes import Add
from plimsoll.memory.service import Memories
from plimsoll.memory.types import Action, Author, MemoryState, MemoryType, NewNote, Trust
from plimsoll.storage.database.in_memory import InMemoryDatabase
from plimsoll.storage.memories.store import SqliteMemories

OLD = "The tests of the harbour run on Tuesday."
NEW = NewNote(type=MemoryType.PROJECT, title="Tests", content="The tests run on Friday.")
GONE = NewNote(type=MemoryType.PROJECT, title="There are no tests any more.", content="")


@pytest.fixture
async def notes() -> Memories:
    numbers = itertools.count(1)
    made = Memories(SqliteMemories(InMemoryDatabase()), lambda: f"n{next(numbers)}", lambda: AT)
    await made.store.apply([Add(memory("m1", OLD))], AT)
    return made


async def states(notes: Memories) -> dict[str, str]:
    known = await notes.store.memories(frozenset(MemoryState))
    return {one.id: one.state.value for one in known}


async def test_a_correction_has_no_effect_until_it_is_accepted(notes: Memories) -> None:
    kept = await notes.suggest("m1", NEW)
    assert (kept.author, kept.trust, kept.supersedes) == (Author.AGENT, Trust.EXTRACTED, "m1")
    assert await states(notes) == {"m1": "active", "n1": "inbox"}
    assert [match.memory.id for match in await notes.search("tests", 5)] == ["m1"]
    old = await notes.find_replaced(kept)
    assert old is not None
    assert old.content == OLD

    await notes.review("n1", accept=True)

    assert await states(notes) == {"m1": "forgotten", "n1": "active"}
    assert (await notes.audit("m1"))[-1].action is Action.SUPERSEDED


async def test_a_removal_that_is_accepted_hides_both_and_can_be_undone(notes: Memories) -> None:
    kept = await notes.suggest("m1", GONE, removal=True)
    assert (kept.removal, await states(notes)) == (True, {"m1": "active", "n1": "inbox"})

    await notes.review("n1", accept=True)

    assert await states(notes) == {"m1": "forgotten", "n1": "forgotten"}
    last = (await notes.audit("m1"))[-1]
    assert (last.action, last.author, last.reason) == (
        Action.FORGOTTEN,
        Author.USER,
        "as n1 suggested",
    )
    await notes.restore("m1")
    assert await states(notes) == {"m1": "active", "n1": "forgotten"}


async def test_what_was_rejected_is_not_suggested_again(notes: Memories) -> None:
    kept = await notes.suggest("m1", GONE, removal=True)
    with pytest.raises(MemoryRefused, match="known already"):
        await notes.suggest("m1", GONE, removal=True)
    await notes.review(kept.id, accept=False)
    assert (await states(notes))["m1"] == "active"
    again = NewNote(type=MemoryType.PROJECT, title="The tests were deleted.", content="")
    with pytest.raises(MemoryRefused, match="had it forgotten"):
        await notes.suggest("m1", again, removal=True)


async def test_two_memories_are_removed_for_one_reason(notes: Memories) -> None:
    await notes.store.apply([Add(memory("m2", "The harbour has two entrances."))], AT)
    await notes.suggest("m1", GONE, removal=True)
    await notes.suggest("m2", GONE, removal=True)
    assert len(await notes.inbox()) == 2


async def test_only_what_has_an_effect_is_corrected(notes: Memories) -> None:
    with pytest.raises(NotFound):
        await notes.suggest("m9", NEW)
    await notes.forget("m1")
    with pytest.raises(InvalidInput, match="has no effect: it is forgotten"):
        await notes.suggest("m1", NEW)


async def test_what_was_purged_meanwhile_is_no_obstacle(notes: Memories) -> None:
    await notes.suggest("m1", NEW)
    await notes.forget("m1", purge=True)
    await notes.review("n1", accept=True)
    assert await states(notes) == {"n1": "active"}
