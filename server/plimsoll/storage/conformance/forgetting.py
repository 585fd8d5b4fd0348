"""Checks of memories that leave: forgotten, purged, replaced, in the inbox; and their trail."""

from dataclasses import replace

from plimsoll.errors import InvalidInput, MemoryRefused, NotFound
from plimsoll.memory.changes import Accept, Add, Forget, Mark, Purge, RestoreMemory, Revise, Use
from plimsoll.memory.types import (
    Action,
    Author,
    MemorySource,
    MemoryState,
)
from plimsoll.storage.conformance.base import AT, LATER, Check, OpenStore, find_ids, memory, refusal

USER = Author.USER


async def check_the_inbox_has_no_effect_until_it_is_accepted(open_store: OpenStore) -> None:
    """The inbox has no effect until it is accepted."""
    store = (await open_store()).memories
    same = MemorySource(session_id="s1")
    waiting = memory(
        "m2", "obey zebras", state=MemoryState.INBOX, source=same, supersedes="m1", title="t"
    )
    await store.apply([Add(memory("m1", "horses", source=same, title="t")), Add(waiting)], AT)

    assert await find_ids(store, "zebras") == []
    assert (await store.get("m1")).state is MemoryState.ACTIVE

    [accepted] = await store.apply([Accept("m2")], LATER)

    assert accepted == replace(waiting, state=MemoryState.ACTIVE)
    assert await find_ids(store, "zebras") == ["m2"]
    assert (await store.get("m1")).state is MemoryState.FORGOTTEN
    await refusal(store.apply([Accept("m2")], LATER), InvalidInput)


async def check_forget_hides_at_once_and_restore_brings_back(open_store: OpenStore) -> None:
    """A forgotten memory is hidden at once, and restoring brings it back."""
    store = (await open_store()).memories
    whole = memory("m1", "the secret harbour entrance faces north")
    waiting = memory("m2", "waits", state=MemoryState.INBOX)
    await store.apply([Add(whole), Add(waiting)], AT)

    await store.apply([Forget("m1", USER), Forget("m2", USER, Action.REJECTED)], LATER)
    assert await find_ids(store, "harbour") == []
    assert await store.memories({MemoryState.ACTIVE, MemoryState.INBOX}) == []

    assert await store.apply([RestoreMemory("m1", USER)], LATER) == [whole]
    assert await store.apply([RestoreMemory("m2", USER)], LATER) == [waiting]
    assert await find_ids(store, "harbour") == ["m1"]


async def check_what_was_forgotten_is_not_taken_in_again_but_by_the_user(
    open_store: OpenStore,
) -> None:
    """A forgotten text is stored again only when the user adds it."""
    store = (await open_store()).memories
    await store.apply([Add(memory("m1", "Push to main."))], AT)
    await store.apply([Forget("m1", USER)], AT)
    again = memory("m2", "  push TO main!", title="title of m1", author=Author.EXTRACTION)

    refused = await refusal(store.apply([Add(again)], LATER), MemoryRefused)
    assert refused.data == {"reason": "tombstone"}
    assert await store.apply([Add(again, optional=True)], LATER) == []

    said = replace(again, id="m3", author=USER)
    assert [kept.id for kept in await store.apply([Add(said)], LATER)] == ["m3"]
    await store.apply([Forget("m3", USER)], LATER)
    await store.apply([RestoreMemory("m3", USER), Purge("m3", USER)], LATER)
    await refusal(store.apply([Add(replace(again, id="m4"))], LATER), MemoryRefused)


async def check_the_same_is_not_kept_twice(open_store: OpenStore) -> None:
    """A memory that says the same as a stored one is refused as a duplicate."""
    store = (await open_store()).memories
    await store.apply([Add(memory("m1", "Tests run with pytest."))], AT)

    again = memory("m2", "(the) tests run with PYTEST!", title="title of m1")
    refused = await refusal(store.apply([Add(again)], AT), MemoryRefused)

    assert refused.data == {"reason": "duplicate", "memoryId": "m1"}
    for name, other in (("m3", "Tests never run with pytest."), ("m4", "pytest: tests run.")):
        assert await store.apply([Add(memory(name, other, title="title of m1"))], AT) != []


async def check_every_change_leaves_its_event(open_store: OpenStore) -> None:
    """Every change leaves its event."""
    store = (await open_store()).memories
    await store.apply([Add(memory("m1", "one", state=MemoryState.INBOX), reason="said so")], AT)
    for change in (
        Accept("m1"),
        Revise(id="m1", author=USER, pinned=True, reason="asked"),
        Use("m1", "session s1"),
        Mark("m1", stale=True, reason="a.py changed"),
        Mark("m1", stale=False),
        Forget("m1", USER, reason="wrong"),
        RestoreMemory("m1", USER),
        Purge("m1", USER, "private"),
    ):
        await store.apply([change], LATER)

    events = await store.audit("m1")
    assert [(event.action, event.author, event.reason) for event in events] == [
        (Action.ADDED, USER, "said so"),
        (Action.ACCEPTED, USER, None),
        (Action.UPDATED, USER, "asked"),
        (Action.USED, Author.AGENT, "session s1"),
        (Action.STALE, Author.AGENT, "a.py changed"),
        (Action.FRESH, Author.AGENT, None),
        (Action.FORGOTTEN, USER, "wrong"),
        (Action.RESTORED, USER, None),
        (Action.PURGED, USER, "private"),
    ]
    assert [event.at for event in events] == [AT] + [LATER] * 8
    assert len({event.fingerprint for event in events}) == 1
    assert await store.audit("other") == []
    assert await store.audit("half a character: \ud800") == []
    assert await store.audit() == events
    await refusal(store.get("m1"), NotFound)


async def check_what_changes_nothing_leaves_no_event(open_store: OpenStore) -> None:
    """A change that has no effect is not recorded as an event."""
    store = (await open_store()).memories
    await store.apply([Add(memory("m1", "one"))], AT)

    for change in (
        RestoreMemory("m1", USER),
        Mark("m1", stale=False),
        Revise(id="m1", author=USER, content="one"),
    ):
        assert await store.apply([change], LATER) == [memory("m1", "one")]
    await store.apply([Forget("m1", USER), Forget("m1", USER)], LATER)

    assert [event.action for event in await store.audit()] == [Action.ADDED, Action.FORGOTTEN]


async def check_what_takes_the_place_of_another_hides_it(open_store: OpenStore) -> None:
    """A memory that supersedes another one hides it."""
    store = (await open_store()).memories
    await store.apply([Add(memory("m1", "Deploy on Monday"))], AT)
    await store.apply([Add(memory("m2", "Deploy on Friday", supersedes="m1"))], LATER)

    assert await find_ids(store, "deploy") == ["m2"]
    assert [e.reason for e in await store.audit("m1")] == [None, "replaced by m2"]
    await store.apply([Add(memory("m3", "Deploy daily", supersedes="gone"))], LATER)
    assert (await store.get("m3")).supersedes == "gone"


async def check_what_is_noted_of_a_purged_memory_is_dropped(open_store: OpenStore) -> None:
    """A use or a mark of a purged memory is dropped without an error."""
    store = (await open_store()).memories
    assert await store.apply([Use("gone"), Mark("gone", stale=True)], AT) == []
    assert await store.audit() == []


async def check_a_sentence_is_known_under_any_title(open_store: OpenStore) -> None:
    """A sentence is a duplicate under any title."""
    store = (await open_store()).memories
    sentence = "Deploy from the release branch, never from main."
    await store.apply([Add(memory("m1", sentence, title="Deploys"))], AT)
    again = Add(memory("m2", sentence, title="Branches", author=Author.EXTRACTION))
    await refusal(store.apply([again], AT), MemoryRefused)
    await store.apply([Forget("m1", Author.USER)], AT)
    refused = await refusal(store.apply([again], AT), MemoryRefused)
    assert refused.data == {"reason": "tombstone"}


async def check_a_word_or_two_mean_what_their_title_says(open_store: OpenStore) -> None:
    """Texts of one or two words are duplicates only under the same title."""
    store = (await open_store()).memories
    hosts = [memory(f"m{n}", "harbour.example", title=t) for n, t in enumerate(("Staging", "Live"))]
    assert len(await store.apply([Add(host) for host in hosts], AT)) == 2


FORGETTING: tuple[Check, ...] = (
    check_the_inbox_has_no_effect_until_it_is_accepted,
    check_forget_hides_at_once_and_restore_brings_back,
    check_what_was_forgotten_is_not_taken_in_again_but_by_the_user,
    check_the_same_is_not_kept_twice,
    check_every_change_leaves_its_event,
    check_what_changes_nothing_leaves_no_event,
    check_what_takes_the_place_of_another_hides_it,
    check_what_is_noted_of_a_purged_memory_is_dropped,
    check_a_sentence_is_known_under_any_title,
    check_a_word_or_two_mean_what_their_title_says,
)
"""What a store of memories must pass when memories leave or come twice."""
