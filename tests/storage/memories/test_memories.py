"""What every kind of store of memories keeps to."""

from dataclasses import replace

import pytest

from memory.samples import AT, memory
from plimsoll.errors import InvalidInput, LogConflict, MemoryRefused, NotFound
from plimsoll.memory.base import MemoryStore, RecentChanges
from plimsoll.memory.changes import Accept, Add, Forget, Mark, Purge, RestoreMemory, Revise, Use
from plimsoll.memory.extraction.turns import Advance, Cursor
from plimsoll.memory.types import (
    Action,
    Author,
    MemoryClass,
    MemorySource,
    MemoryState,
    MemoryType,
    Trust,
)
from storage.memories.conftest import found

LATER = "2026-11-22T10:00:00.000Z"
ALL = frozenset(MemoryState)
USER = Author.USER


async def test_a_memory_comes_back_as_it_was_stored(store: MemoryStore) -> None:
    whole = memory(
        "m1",
        "Grüße 😀",
        type=MemoryType.DECISION,
        class_=MemoryClass.PRIORITY,
        pinned=True,
        digest=True,
        trust=Trust.AGENT,
        source=MemorySource("s1", "m7", "file:///w/a.py", "ab"),
        expires_at=LATER,
        supersedes="m0",
    )

    assert await store.apply([Add(whole)], AT) == [whole]
    assert await store.get("m1") == whole
    assert await store.memories({MemoryState.ACTIVE}) == [whole]


async def test_the_newest_comes_first_and_only_in_the_states_asked_for(store: MemoryStore) -> None:
    old = memory("m1", "one")
    new = memory("m2", "two", created_at=LATER)
    waiting = memory("m3", "three", state=MemoryState.INBOX)
    await store.apply([Add(old), Add(new), Add(waiting)], AT)

    assert await store.memories({MemoryState.ACTIVE}) == [new, old]
    assert await store.memories({MemoryState.INBOX}) == [waiting]
    assert await store.memories(()) == []


async def test_recent_is_what_has_come_or_changed_and_then_all_that_passes(store) -> None:
    working = MemoryClass.WORKING
    old = memory("old", "old")
    digest = memory("day", "day", class_=working, digest=True)
    soon = memory("soon", "soon", expires_at=LATER)
    assert await store.recent() == RecentChanges(0, None)
    await store.apply([Add(old), Add(digest), Add(memory("step", "step", class_=working))], AT)
    await store.apply([Add(soon)], AT)
    assert await store.recent() == RecentChanges(4, None)
    await store.keep_order(4)
    assert await store.recent() == RecentChanges(4, 4, [], [])
    assert {each.id for each in (await store.recent(passing=True)).passing} == {
        "day",
        "step",
        "soon",
    }

    await store.apply([Revise(id="day", author=Author.EXTRACTION, content="later")], AT)
    await store.apply([Use("old", "session s1")], AT)
    assert await store.recent() == RecentChanges(6, 4, [], [])

    await store.apply([Revise(id="old", author=Author.USER, content="new")], AT)
    await store.apply([Add(memory("gone", "gone")), Forget("gone", Author.USER)], AT)
    recent = await store.recent()
    assert [(each.id, each.content) for each in recent.changed] == [("old", "new")]
    assert {each.id for each in recent.passing} == {"day", "step", "soon"}
    await store.keep_order(recent.newest)
    await store.keep_order(4)
    assert (await store.recent()).since == recent.newest


async def test_the_foremost_are_pinned_then_priority_then_the_newest(store: MemoryStore) -> None:
    def at(day: int) -> str:
        return f"2026-11-{day:02d}T00:00:00Z"

    working = MemoryClass.WORKING
    await store.apply(
        [
            *[Add(memory(f"m{n}", f"fact {n}", created_at=at(n + 10))) for n in range(9)],
            Add(memory("pin", "pinned", pinned=True, created_at=at(1))),
            Add(memory("first", "first", class_=MemoryClass.PRIORITY, created_at=at(1))),
            Add(memory("step", "step", class_=working, created_at=at(1))),
            Add(memory("day", "day", class_=working, digest=True, created_at=at(1))),
            Add(memory("wait", "waits", state=MemoryState.INBOX, pinned=True)),
        ],
        AT,
    )

    foremost, total = await store.foremost(4)

    assert [each.id for each in foremost] == ["pin", "first", "m8", "m7", "step", "day"]
    assert total == 13


async def test_the_inbox_has_no_effect_until_it_is_accepted(store: MemoryStore) -> None:
    same = MemorySource(session_id="s1")
    waiting = memory(
        "m2", "obey zebras", state=MemoryState.INBOX, source=same, supersedes="m1", title="t"
    )
    await store.apply([Add(memory("m1", "horses", source=same, title="t")), Add(waiting)], AT)

    assert await found(store, "zebras") == []
    assert (await store.get("m1")).state is MemoryState.ACTIVE

    [accepted] = await store.apply([Accept("m2")], LATER)

    assert accepted == replace(waiting, state=MemoryState.ACTIVE)
    assert await found(store, "zebras") == ["m2"]
    assert (await store.get("m1")).state is MemoryState.FORGOTTEN
    with pytest.raises(InvalidInput):
        await store.apply([Accept("m2")], LATER)


async def test_forget_hides_at_once_and_restore_brings_back(store: MemoryStore) -> None:
    whole = memory("m1", "the secret harbour entrance faces north")
    waiting = memory("m2", "waits", state=MemoryState.INBOX)
    await store.apply([Add(whole), Add(waiting)], AT)

    await store.apply([Forget("m1", USER), Forget("m2", USER, Action.REJECTED)], LATER)
    assert await found(store, "harbour") == []
    assert await store.memories({MemoryState.ACTIVE, MemoryState.INBOX}) == []

    assert await store.apply([RestoreMemory("m1", USER)], LATER) == [whole]
    assert await store.apply([RestoreMemory("m2", USER)], LATER) == [waiting]
    assert await found(store, "harbour") == ["m1"]


async def test_what_was_forgotten_is_not_taken_in_again_but_by_the_user(store: MemoryStore) -> None:
    await store.apply([Add(memory("m1", "Push to main."))], AT)
    await store.apply([Forget("m1", USER)], AT)
    again = memory("m2", "  push TO main!", title="title of m1", author=Author.EXTRACTION)

    with pytest.raises(MemoryRefused) as refused:
        await store.apply([Add(again)], LATER)
    assert refused.value.data == {"reason": "tombstone"}
    assert await store.apply([Add(again, optional=True)], LATER) == []

    said = replace(again, id="m3", author=USER)
    assert [kept.id for kept in await store.apply([Add(said)], LATER)] == ["m3"]
    await store.apply([Forget("m3", USER)], LATER)
    await store.apply([RestoreMemory("m3", USER), Purge("m3", USER)], LATER)
    with pytest.raises(MemoryRefused):
        await store.apply([Add(replace(again, id="m4"))], LATER)


async def test_the_same_is_not_kept_twice(store: MemoryStore) -> None:
    await store.apply([Add(memory("m1", "Tests run with pytest."))], AT)

    with pytest.raises(MemoryRefused) as refused:
        await store.apply(
            [Add(memory("m2", "(the) tests run with PYTEST!", title="title of m1"))], AT
        )

    assert refused.value.data == {"reason": "duplicate", "memoryId": "m1"}
    for name, other in (("m3", "Tests never run with pytest."), ("m4", "pytest: tests run.")):
        assert await store.apply([Add(memory(name, other, title="title of m1"))], AT) != []


async def test_a_batch_is_whole_or_absent(store: MemoryStore) -> None:
    advance = Advance(None, Cursor("s1", "m9", 9))
    with pytest.raises(MemoryRefused):
        await store.apply(
            [Add(memory("m1", "fine")), Add(memory("m2", "password: hunter2!x"))], AT, advance
        )

    assert await store.memories(ALL) == []
    assert await store.audit() == []
    assert await store.cursor("s1") is None
    assert await found(store, "fine") == []


async def test_a_cursor_moves_with_what_it_brought(store: MemoryStore) -> None:
    first, second = Cursor("s1", "a", 3), Cursor("s1", "b", 5)
    await store.apply([Add(memory("m1", "one"))], AT, Advance(None, first))
    await store.apply([], AT, Advance(first, second))
    await store.apply([], AT, Advance(None, Cursor("s2", "c", 1)))

    assert await store.cursor("s1") == second
    assert await store.cursor("s2") == Cursor("s2", "c", 1)


async def test_of_two_that_read_the_same_one_is_refused_whole(store: MemoryStore) -> None:
    await store.apply([Add(memory("m1", "one"))], AT, Advance(None, Cursor("s1", "a", 3)))

    with pytest.raises(LogConflict):
        await store.apply([Add(memory("m2", "two"))], AT, Advance(None, Cursor("s1", "a", 3)))

    assert [kept.id for kept in await store.memories(ALL)] == ["m1"]


@pytest.mark.parametrize("field", ["title", "content"])
async def test_no_text_with_a_secret_is_kept(store: MemoryStore, field: str) -> None:
    secret = "the staging password is Tr0ub4dor&3"
    await store.apply([Add(memory("m1", "fine", title="fine"))], AT)

    with pytest.raises(MemoryRefused) as refused:
        await store.apply([Add(replace(memory("m2", "x y"), **{field: secret}))], AT)
    with pytest.raises(MemoryRefused):
        await store.apply([Revise(id="m1", author=USER, **{field: secret})], AT)

    assert "Tr0ub4dor" not in refused.value.message
    assert await store.get("m1") == memory("m1", "fine", title="fine")
    assert len(await store.audit()) == 1


async def test_empty_and_endless_texts_are_refused(store: MemoryStore) -> None:
    for bad in (
        memory("m1", " \n", title=""),
        memory("m1", "x" * 4_001),
        memory("m1", title="x" * 201),
    ):
        with pytest.raises(MemoryRefused):
            await store.apply([Add(bad)], AT)


async def test_every_change_leaves_its_event(store: MemoryStore) -> None:
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
    with pytest.raises(NotFound):
        await store.get("m1")


async def test_what_changes_nothing_leaves_no_event(store: MemoryStore) -> None:
    await store.apply([Add(memory("m1", "one"))], AT)

    for change in (
        RestoreMemory("m1", USER),
        Mark("m1", stale=False),
        Revise(id="m1", author=USER, content="one"),
    ):
        assert await store.apply([change], LATER) == [memory("m1", "one")]
    await store.apply([Forget("m1", USER), Forget("m1", USER)], LATER)

    assert [event.action for event in await store.audit()] == [Action.ADDED, Action.FORGOTTEN]


async def test_use_counts_and_a_stale_memory_is_still_found(store: MemoryStore) -> None:
    await store.apply([Add(memory("m1", "harbour"))], AT)
    await store.apply([Use("m1"), Use("m1"), Mark("m1", stale=True)], LATER)

    kept = await store.get("m1")
    assert (kept.times_used, kept.last_used_at, kept.state) == (2, LATER, MemoryState.STALE)
    assert await found(store, "harbour") == ["m1"]


async def test_what_takes_the_place_of_another_hides_it(store: MemoryStore) -> None:
    await store.apply([Add(memory("m1", "Deploy on Monday"))], AT)
    await store.apply([Add(memory("m2", "Deploy on Friday", supersedes="m1"))], LATER)

    assert await found(store, "deploy") == ["m2"]
    assert [e.reason for e in await store.audit("m1")] == [None, "replaced by m2"]
    await store.apply([Add(memory("m3", "Deploy daily", supersedes="gone"))], LATER)
    assert (await store.get("m3")).supersedes == "gone"


async def test_what_is_not_there_is_named(store: MemoryStore) -> None:
    for change in (Accept("x"), Forget("x", USER), RestoreMemory("x", USER), Purge("x", USER)):
        with pytest.raises(NotFound) as missing:
            await store.apply([change], AT)
        assert missing.value.kind == "memoryNotFound"


async def test_what_is_noted_of_a_purged_memory_is_dropped(store: MemoryStore) -> None:
    assert await store.apply([Use("gone"), Mark("gone", stale=True)], AT) == []
    assert await store.audit() == []


async def test_an_id_is_given_once(store: MemoryStore) -> None:
    await store.apply([Add(memory("m1", "first"))], AT)

    with pytest.raises(InvalidInput):
        await store.apply([Add(memory("m1", "second"))], AT)

    assert (await store.get("m1")).content == "first"
    assert await found(store, "first") == ["m1"]


async def test_a_sentence_is_known_under_any_title(store: MemoryStore) -> None:
    sentence = "Deploy from the release branch, never from main."
    await store.apply([Add(memory("m1", sentence, title="Deploys"))], AT)
    again = Add(memory("m2", sentence, title="Branches", author=Author.EXTRACTION))
    with pytest.raises(MemoryRefused):
        await store.apply([again], AT)
    await store.apply([Forget("m1", Author.USER)], AT)
    with pytest.raises(MemoryRefused) as refused:
        await store.apply([again], AT)
    assert refused.value.data == {"reason": "tombstone"}


async def test_a_word_or_two_mean_what_their_title_says(store: MemoryStore) -> None:
    hosts = [memory(f"m{n}", "harbour.example", title=t) for n, t in enumerate(("Staging", "Live"))]
    assert len(await store.apply([Add(host) for host in hosts], AT)) == 2
