"""Joining, leaving and the queue, of every kind of copy of a shared project."""

from dataclasses import replace

import pytest

from memory.samples import memory
from plimsoll.errors import InvalidInput, NotFound
from plimsoll.memory.changes import Add, Forget, Purge, RestoreMemory
from plimsoll.memory.types import Author, MemoryScope, MemoryState
from plimsoll.storage.chosen.base import PinSharing
from plimsoll.storage.project import ProjectStore
from plimsoll.storage.shared.news import News, SharedSession
from plimsoll.storage.shared.operations import (
    ChangeMemory,
    DeleteSession,
    Done,
    ForgetMemory,
    Gone,
    KnownAs,
    NotAllowed,
    Operation,
    Outcome,
    Overtaken,
    ShareMemory,
    SharePin,
)
from storage.replica.doing import TOX, apply, found, held, revise, settle, share, waiting
from storage.samples import record
from storage.shared.samples import (
    AT,
    HARBOUR,
    LATER,
    from_anna,
    own,
    pin_from_anna,
    team_memory,
    team_pin,
)

ACTIVE, INBOX = MemoryState.ACTIVE, MemoryState.INBOX


async def test_a_folder_is_in_one_project_until_it_leaves(store: ProjectStore) -> None:
    replica = store.replica
    assert await replica.read_joined() is None

    await replica.join(HARBOUR)
    assert await replica.read_joined() == HARBOUR
    with pytest.raises(InvalidInput):
        await replica.join(replace(HARBOUR, project="other"))
    await replica.take_in(News(position=7), LATER)
    await replica.join(replace(HARBOUR, name="port", url="postgresql://other"))

    assert await replica.read_joined() == replace(
        HARBOUR, name="port", url="postgresql://other", position=7, seen_at=LATER
    )
    await replica.leave()
    assert await replica.read_joined() is None


async def test_where_no_project_is_joined_nothing_waits(store: ProjectStore) -> None:
    await apply(store, Add(team_memory()), revise(content=TOX))
    await store.pins.add("p1", "Ask first.", AT, MemoryScope.TEAM)
    await store.replica.enqueue(DeleteSession("s1"))

    assert await store.replica.take_in(News(position=3, memories=[own(memory("m5"))]), AT) is False
    assert await waiting(store) == []
    assert list(await held(store)) == ["m1"]


async def test_joining_sends_what_the_person_meant_for_others(store: ProjectStore) -> None:
    mine = team_memory("m1")
    await apply(store, Add(mine), Add(memory("m2", "Ships leave at noon.")))
    await apply(store, Add(team_memory("m3", "Cranes rust fast.", author=Author.AGENT)))
    await apply(store, Add(team_memory("m4", "Quays are long.", state=INBOX)))
    pin = await store.pins.add("p1", "Ask first.", AT, MemoryScope.TEAM)

    await store.replica.join(HARBOUR)

    assert await waiting(store) == [ShareMemory(mine), SharePin(replace(pin, number=0))]
    assert (await held(store))["m3"].scope is MemoryScope.PRIVATE


async def test_operations_wait_in_order_each_with_a_key_of_its_own(store: ProjectStore) -> None:
    await store.replica.join(HARBOUR)
    await apply(store, Add(team_memory("m1")))
    await store.replica.enqueue(DeleteSession("s1"))
    await apply(store, Add(team_memory("m2", "Ships leave at noon.")))

    queued = await store.replica.read_queued()

    assert [each.operation for each in queued] == [
        ShareMemory(team_memory("m1")),
        DeleteSession("s1"),
        ShareMemory(team_memory("m2", "Ships leave at noon.")),
    ]
    assert len({each.key for each in queued}) == 3
    assert await store.replica.read_queued() == queued
    assert await store.replica.read_queued(1) == queued[:1]
    assert await store.replica.count_queued() == 3


async def test_a_refused_change_leaves_nothing_to_send(store: ProjectStore) -> None:
    await store.replica.join(HARBOUR)

    with pytest.raises(NotFound):
        await apply(store, Add(team_memory()), Forget("m9", Author.USER))

    assert await waiting(store) == []


async def test_a_second_change_follows_the_version_of_the_first(store: ProjectStore) -> None:
    await store.replica.join(HARBOUR)
    first, second = team_memory(content=TOX), team_memory(content=TOX, pinned=True)
    await apply(store, Add(team_memory()))
    await apply(store, revise(content=TOX))
    await apply(store, revise(pinned=True))

    seen: list[list[Operation]] = []
    for version in (1, 2, 3):
        seen.append(await waiting(store))
        await settle(store, Done(version))

    assert seen == [
        [ShareMemory(team_memory())],
        [ChangeMemory(first, 1)],
        [ChangeMemory(second, 2)],
    ]
    assert await waiting(store) == []
    assert await store.memories.get("m1") == replace(second, version=3)


async def test_known_secrets_do_not_leave(store: ProjectStore) -> None:
    await store.replica.join(HARBOUR)
    await apply(store, Add(team_memory(content="Use anchor-and-chain for the ship.")))

    [operation] = await waiting(store)

    assert operation == ShareMemory(team_memory(content="Use [redacted: SHIP_KEY] for the ship."))


async def test_who_was_second_finds_both_texts(store: ProjectStore) -> None:
    await share(store)
    await apply(store, revise(content=TOX))
    await apply(store, revise(title="How tests run"))
    theirs = team_memory(content="Tests run with nose.")
    mine = team_memory("m8", TOX, title="Title of m1", supersedes="m1")

    await settle(store, Overtaken(own(theirs, 2), own(mine, 1)))

    kept = await held(store)
    assert (kept["m1"].content, kept["m1"].version, kept["m1"].state) == (theirs.content, 2, ACTIVE)
    waits = kept["m8"]
    assert (waits.title, waits.content, waits.state) == ("How tests run", TOX, INBOX)
    assert await waiting(store) == [ChangeMemory(replace(mine, title="How tests run"), 1)]
    assert await found(store, "nose") == ["m1"]
    assert await found(store, "tox") == []


async def test_a_text_that_was_purged_while_it_was_sent_leaves_the_server_too(
    store: ProjectStore,
) -> None:
    await share(store)
    await apply(store, revise(content=TOX))
    [sent] = await store.replica.read_queued()
    await apply(store, Purge("m1", Author.USER))
    mine = team_memory("m8", TOX, supersedes="m1")

    await store.replica.settle(sent, Overtaken(own(team_memory(), 2), own(mine, 1)), LATER)

    assert await waiting(store) == [ForgetMemory("m1"), ForgetMemory("m8")]
    assert await held(store) == {}


async def test_purging_takes_the_text_off_the_queue(store: ProjectStore) -> None:
    await store.replica.join(HARBOUR)
    await apply(store, Add(team_memory()))
    await apply(store, revise(content=TOX))

    await apply(store, Purge("m1", Author.USER))

    assert await waiting(store) == [ForgetMemory("m1")]
    assert await store.replica.count_queued() == 1


async def test_the_ids_of_what_waits_are_told(store: ProjectStore) -> None:
    await store.replica.join(HARBOUR)
    assert await store.replica.waiting() == frozenset()
    await apply(store, Add(team_memory()))
    await store.pins.add("p1", "Tabs.", AT, MemoryScope.TEAM)

    assert await store.replica.waiting() == {"m1", "p1"}
    await settle(store, Done(1), Done(None))
    assert await store.replica.waiting() == frozenset()


async def test_what_is_private_again_stays_here_though_the_server_buried_it(
    store: ProjectStore,
) -> None:
    await store.replica.join(HARBOUR)
    await apply(store, Add(team_memory()))
    await apply(store, revise(scope=MemoryScope.PRIVATE))
    assert await waiting(store) == [ForgetMemory("m1")]

    await settle(store, Gone())
    await store.replica.take_in(News(position=2, forgotten=["m1"]), LATER)

    assert await store.memories.get("m1") == memory(version=1, seen_at=LATER)
    assert await found(store, "pytest") == ["m1"]


@pytest.mark.parametrize("outcome", [KnownAs("m7"), NotAllowed("You may only read.")])
async def test_what_the_server_does_not_take_stays_private(
    store: ProjectStore, outcome: Outcome
) -> None:
    await store.replica.join(HARBOUR)
    await apply(store, Add(team_memory()))
    await apply(store, revise(content=TOX))
    await store.pins.add("p1", "Ask first.", AT, MemoryScope.TEAM)

    await settle(store, outcome, outcome)

    assert await store.memories.get("m1") == memory(content=TOX)
    assert await waiting(store) == []
    [pin] = await store.pins.pins()
    kept = MemoryScope.PRIVATE if isinstance(outcome, NotAllowed) else MemoryScope.TEAM
    assert pin.sharing == PinSharing(kept)


async def test_a_change_that_is_not_allowed_stays_here(store: ProjectStore) -> None:
    await share(store)
    await apply(store, revise(content=TOX))

    await settle(store, NotAllowed("You may only read."))

    assert await store.memories.get("m1") == team_memory(content=TOX, version=1)


async def test_a_pin_that_was_removed_meanwhile_goes(store: ProjectStore) -> None:
    await store.replica.join(HARBOUR)
    await store.pins.add("p1", "Ask first.", AT, MemoryScope.TEAM)

    await settle(store, Gone())

    assert await store.pins.pins() == []


async def test_leaving_takes_what_colleagues_wrote_and_keeps_ones_own(store: ProjectStore) -> None:
    await share(store)
    mine = await store.pins.add("p1", "Ask first.", AT, MemoryScope.TEAM)
    anna = from_anna(team_memory("m2", "Ships leave at noon."))
    session = SharedSession(record("s1"), 3, "laptop", is_held=False)
    news = News(
        position=1, memories=[anna], pins=[pin_from_anna(team_pin("p2"))], sessions=[session]
    )
    await store.replica.accept_author("anna", AT)
    await store.replica.take_in(news, AT)
    await apply(store, revise(content=TOX))

    await store.replica.leave()

    assert await held(store) == {"m1": memory(content=TOX)}
    assert await found(store, "ships") == []
    assert await store.pins.pins() == [replace(mine, sharing=PinSharing())]
    assert await waiting(store) == []
    assert await store.replica.accepted_authors() == frozenset()
    # What is done afterwards stays here.
    await apply(store, revise(pinned=True))
    assert await waiting(store) == []


async def test_what_is_hidden_and_in_effect_again_before_it_was_sent_is_shared_once(
    store: ProjectStore,
) -> None:
    await store.replica.join(HARBOUR)
    await apply(store, Add(team_memory()))
    await apply(store, Forget("m1", Author.EXTRACTION))
    await apply(store, RestoreMemory("m1", Author.USER))

    assert await waiting(store) == [ShareMemory(team_memory())]
    await settle(store, Done(1))
    assert await waiting(store) == [ChangeMemory(team_memory(), 1)]
