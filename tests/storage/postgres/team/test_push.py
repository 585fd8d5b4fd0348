"""What becomes of each operation that a machine sends."""

from dataclasses import replace

import pytest

from plimsoll.memory.types import MemoryState, MemoryType
from plimsoll.storage.shared.operations import (
    ChangeMemory,
    Done,
    ForgetMemory,
    Gone,
    KnownAs,
    NotAllowed,
    Overtaken,
    RemovePin,
    ShareMemory,
    SharePin,
)
from storage.postgres.team.samples import MINE, TEAM, everything, note, pin, push, queued, texts

pytestmark = pytest.mark.slow


async def test_what_one_shares_the_other_reads_with_its_author(crew):
    ada, bob = crew.team("ada"), crew.team("bob")
    shared = note(tags=("crane",), importance=4, pinned=True)

    assert await push(ada, ShareMemory(shared)) == Done(1)

    [seen] = (await bob.news(0)).memories
    assert (seen.author_name, seen.is_own, seen.version) == (crew.role("ada"), False, 1)
    assert seen.written_by is None
    assert seen.memory == replace(shared, author_name=crew.role("ada"), version=1)
    [own] = (await ada.news(0)).memories
    assert own.is_own
    assert own.memory == replace(shared, version=1)


async def test_what_is_mine_reaches_my_other_machine_and_nobody_else(crew):
    laptop, desk, bob = crew.team("ada"), crew.team("ada", "desk"), crew.team("bob")
    mine = note("k1", scope=MINE, type=MemoryType.USER)

    await push(laptop, ShareMemory(mine))
    await push(laptop, SharePin(pin(scope=MINE)))

    news = await desk.news(0)
    assert [each.memory.id for each in news.memories] == ["k1"]
    assert [each.pin.id for each in news.pins] == ["p1"]
    assert (await bob.news(0)).is_empty
    assert (await bob.news(0)).position == news.position


async def test_two_who_change_one_memory_get_both_texts(crew):
    ada, bob = crew.team("ada"), crew.team("bob")
    await push(ada, ShareMemory(note()))
    await push(bob, ChangeMemory(note(content="The crane lifts fifty tons of cargo."), 1))

    late = note(content="The crane lifts sixty tons of cargo.")
    outcome = await push(ada, ChangeMemory(late, 1))

    assert isinstance(outcome, Overtaken)
    assert outcome.current.memory.content == "The crane lifts fifty tons of cargo."
    assert (outcome.current.version, outcome.current.written_by) == (2, crew.role("bob"))
    assert outcome.current.author_name == crew.role("ada")
    assert [each.written_by for each in (await bob.news(0)).memories] == [None, None]
    third = (await crew.team("cy").news(0)).memories
    assert [each.written_by for each in third] == [crew.role("bob"), None]
    suggested = outcome.suggestion.memory
    assert suggested.content == "The crane lifts sixty tons of cargo."
    assert (suggested.supersedes, suggested.state) == ("k1", MemoryState.INBOX)
    assert outcome.suggestion.is_own
    # Sent once more, it is the same suggestion, and what was changed alike is no conflict.
    assert await push(ada, ChangeMemory(late, 1)) == outcome
    alike = note(content="The crane lifts fifty tons of cargo.")
    assert await push(ada, ChangeMemory(alike, 1)) == Done(2)
    assert set(await texts(bob)) == {"k1", suggested.id}

    assert await push(bob, ShareMemory(replace(suggested, state=MemoryState.ACTIVE))) == Done(2)
    states = {each.memory.id: each.memory.state for each in (await everything(ada)).memories}
    assert states == {"k1": MemoryState.ACTIVE, suggested.id: MemoryState.ACTIVE}


async def test_what_is_forgotten_leaves_at_once_and_never_comes_back(crew):
    ada, bob = crew.team("ada"), crew.team("bob")
    await push(ada, ShareMemory(note(content="The safe opens with seven turns.")))
    await push(bob, ChangeMemory(note(content="The safe opens with nine turns."), 1))
    late = note(content="The safe opens with eight turns.")
    overtaken = await push(ada, ChangeMemory(late, 1))

    assert isinstance(await push(bob, ForgetMemory("k1")), NotAllowed)
    assert await push(ada, ForgetMemory("k1")) == Done()
    assert await push(ada, ForgetMemory("k1")) == Done()
    assert await push(ada, ForgetMemory(overtaken.suggestion.memory.id)) == Done()

    assert await push(bob, ChangeMemory(late, 2)) == Gone()
    assert await push(ada, ShareMemory(note())) == Gone()
    news = await bob.news(0)
    assert (news.memories, set(news.forgotten)) == ([], {"k1", overtaken.suggestion.memory.id})
    kept = crew.as_administrator("SELECT memory::text FROM plimsoll.memories AS memory")
    kept += crew.as_administrator("SELECT operation::text FROM plimsoll.operations AS operation")
    assert "safe" not in str(kept)
    assert "turns" not in str(kept)


async def test_an_admin_removes_what_anybody_has_shared(crew):
    owner, ada = crew.team("owner"), crew.team("ada")
    await push(ada, ShareMemory(note()))
    await push(ada, SharePin(pin()))

    assert await push(owner, ForgetMemory("k1")) == Done()
    assert await push(owner, RemovePin("p1")) == Done()

    news = await ada.news(0)
    assert (news.memories, news.pins) == ([], [])


async def test_the_same_text_is_kept_once(crew):
    ada, bob = crew.team("ada"), crew.team("bob")
    text = "Ships moor at the eastern pier on Mondays."
    await push(ada, ShareMemory(note("k1", text)))

    assert await push(bob, ShareMemory(note("k2", text.upper()))) == KnownAs("k1")
    assert await push(bob, ShareMemory(note("k3", text, scope=MINE))) == KnownAs("k1")
    await push(ada, SharePin(pin("p1")))
    assert await push(bob, SharePin(pin("p2"))) == KnownAs("p1")

    # What somebody has for themselves is nobody's duplicate, and not the team's either.
    await push(ada, ShareMemory(note("k4", "The tide turns at noon today.", scope=MINE)))
    assert await push(bob, ShareMemory(note("k5", "The tide turns at noon today."))) == Done(1)
    assert await push(ada, ShareMemory(note("k6", "The tide turns at noon today."))) == KnownAs(
        "k5"
    )


async def test_what_may_not_be_kept_is_said_in_a_sentence(crew):
    ada, bob, cy = crew.team("ada"), crew.team("bob"), crew.team("cy")
    await push(ada, ShareMemory(note()))
    refused = [
        (ada, ShareMemory(note("k2", "The key is ghp_16C7e42F292c6912E7710c838347Ae178B4a now."))),
        (ada, ShareMemory(note("k2", type=MemoryType.USER))),
        (ada, ShareMemory(note("k2", scope=type(TEAM).PRIVATE))),
        (ada, ChangeMemory(note(scope=MINE), 1)),
        (bob, ChangeMemory(note(scope=MINE), 1)),
        (cy, ShareMemory(note("k2"))),
        (cy, ForgetMemory("k1")),
        (cy, SharePin(pin())),
        (ada, SharePin(pin(scope=type(TEAM).PRIVATE))),
    ]

    for team, operation in refused:
        outcome = await push(team, operation)
        assert isinstance(outcome, NotAllowed), operation
        assert outcome.message.endswith(".")
    assert await texts(cy) == {"k1": note().content}


async def test_what_was_mine_becomes_the_teams(crew):
    ada, bob = crew.team("ada"), crew.team("bob")
    await push(ada, ShareMemory(note(scope=MINE)))
    before = (await bob.news(0)).position

    assert await push(ada, ChangeMemory(note(), 1)) == Done(2)

    assert [each.version for each in (await bob.news(before)).memories] == [2]


async def test_a_pin_is_shared_once_without_secrets_and_removed_for_good(crew):
    ada, bob = crew.team("ada"), crew.team("bob")

    assert await push(ada, SharePin(pin(text="Sign with four-leaf-anchor."))) == Done()
    assert await push(ada, SharePin(pin())) == Done()

    [seen] = (await bob.news(0)).pins
    assert "four-leaf" not in seen.pin.text
    assert (seen.author_name, seen.is_own) == (crew.role("ada"), False)
    assert isinstance(await push(bob, RemovePin("p1")), NotAllowed)
    assert await push(ada, RemovePin("p1")) == Done()
    assert await push(bob, SharePin(pin())) == Gone()
    assert await push(bob, RemovePin("p1")) == Done()
    assert (await bob.news(0)).removed_pins == ["p1"]


async def test_an_operation_of_one_key_is_done_once(crew):
    ada, bob = crew.team("ada"), crew.team("bob")
    share, change = queued(ShareMemory(note())), queued(ChangeMemory(note(title="New"), 1))

    assert [await ada.push(share) for _ in range(3)] == [Done(1)] * 3
    assert [await ada.push(change) for _ in range(2)] == [Done(2)] * 2
    # A colleague who knows the key has one of their own.
    other = replace(change, operation=ChangeMemory(note(title="Newer"), 2))
    assert await bob.push(other) == Done(3)
    late = queued(ChangeMemory(note(title="Late"), 1))
    first = await ada.push(late)
    assert isinstance(first, Overtaken)
    assert await ada.push(late) == first
    await push(ada, ForgetMemory("k1"))
    assert await ada.push(late) == Gone()
    assert await ada.push(share) == Done(1)


async def test_a_server_that_was_set_back_gets_the_persons_own_again(crew):
    ada = crew.team("ada")

    assert await push(ada, ChangeMemory(note(), 7)) == Done(8)

    colleagues = note("k2", author_name=crew.role("bob"))
    assert await push(ada, ChangeMemory(colleagues, 7)) == Gone()
    assert await push(ada, ForgetMemory("k3")) == Done()
