"""Checks of memories: what is stored, read and refused."""

from plimsoll.errors import InvalidInput, LogConflict, MemoryRefused, NotFound
from plimsoll.memory.base import RecentChanges
from plimsoll.memory.changes import Accept, Add, Forget, Mark, Purge, RestoreMemory, Revise, Use
from plimsoll.memory.extraction.turns import Advance, Cursor
from plimsoll.memory.types import (
    Author,
    MemoryClass,
    MemorySource,
    MemoryState,
    MemoryType,
    Trust,
)
from plimsoll.storage.conformance.base import AT, LATER, Check, OpenStore, find_ids, memory, refusal

ALL = frozenset(MemoryState)
USER = Author.USER


async def check_a_memory_comes_back_as_it_was_stored(open_store: OpenStore) -> None:
    """A memory comes back as it was stored."""
    store = (await open_store()).memories
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


async def check_the_newest_comes_first_in_the_states_asked_for(
    open_store: OpenStore,
) -> None:
    """The newest comes first and only in the states asked for."""
    store = (await open_store()).memories
    old = memory("m1", "one")
    new = memory("m2", "two", created_at=LATER)
    waiting = memory("m3", "three", state=MemoryState.INBOX)
    await store.apply([Add(old), Add(new), Add(waiting)], AT)

    assert await store.memories({MemoryState.ACTIVE}) == [new, old]
    assert await store.memories({MemoryState.INBOX}) == [waiting]
    assert await store.memories(()) == []


async def check_recent_is_what_changed_and_then_all_that_passes(
    open_store: OpenStore,
) -> None:
    """The recent memories are the new and changed ones and, if asked for, all that will expire."""
    store = (await open_store()).memories
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


async def check_the_foremost_are_pinned_then_of_priority_then_new(
    open_store: OpenStore,
) -> None:
    """The foremost memories are the pinned ones, then those of class priority, then the newest."""
    store = (await open_store()).memories

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


async def check_a_batch_is_whole_or_absent(open_store: OpenStore) -> None:
    """A batch is whole or absent."""
    store = (await open_store()).memories
    advance = Advance(None, Cursor("s1", "m9", 9))
    changes = [Add(memory("m1", "fine")), Add(memory("m2", "password: hunter2!x"))]
    await refusal(store.apply(changes, AT, advance), MemoryRefused)

    assert await store.memories(ALL) == []
    assert await store.audit() == []
    assert await store.cursor("s1") is None
    assert await find_ids(store, "fine") == []


async def check_a_cursor_moves_with_what_it_brought(open_store: OpenStore) -> None:
    """The cursor of a session advances in the same write as the memories read up to it."""
    store = (await open_store()).memories
    first, second = Cursor("s1", "a", 3), Cursor("s1", "b", 5)
    await store.apply([Add(memory("m1", "one"))], AT, Advance(None, first))
    await store.apply([], AT, Advance(first, second))
    await store.apply([], AT, Advance(None, Cursor("s2", "c", 1)))

    assert await store.cursor("s1") == second
    assert await store.cursor("s2") == Cursor("s2", "c", 1)


async def check_of_two_that_read_the_same_one_is_refused_whole(open_store: OpenStore) -> None:
    """Of two batches that advance one cursor from the same place, the second is refused whole."""
    store = (await open_store()).memories
    advance = Advance(None, Cursor("s1", "a", 3))
    await store.apply([Add(memory("m1", "one"))], AT, advance)

    await refusal(store.apply([Add(memory("m2", "two"))], AT, advance), LogConflict)

    assert [kept.id for kept in await store.memories(ALL)] == ["m1"]


async def check_no_text_with_a_secret_is_kept(open_store: OpenStore) -> None:
    """No text with a secret is kept."""
    store = (await open_store()).memories
    text = "the staging password is Tr0ub4dor&3"
    await store.apply([Add(memory("m1", "fine", title="fine"))], AT)

    for bad in (memory("m2", text), memory("m2", "x y", title=text)):
        refused = await refusal(store.apply([Add(bad)], AT), MemoryRefused)
        assert "Tr0ub4dor" not in refused.message
    in_title = Revise(id="m1", author=USER, title=text)
    for revised in (in_title, Revise(id="m1", author=USER, content=text)):
        await refusal(store.apply([revised], AT), MemoryRefused)

    assert await store.get("m1") == memory("m1", "fine", title="fine")
    assert len(await store.audit()) == 1


async def check_empty_and_endless_texts_are_refused(open_store: OpenStore) -> None:
    """Empty and endless texts are refused."""
    store = (await open_store()).memories
    for bad in (
        memory("m1", " \n", title=""),
        memory("m1", "x" * 4_001),
        memory("m1", title="x" * 201),
    ):
        await refusal(store.apply([Add(bad)], AT), MemoryRefused)


async def check_use_counts_and_a_stale_memory_is_still_found(open_store: OpenStore) -> None:
    """Each use of a memory is counted, and a stale memory is still found by a search."""
    store = (await open_store()).memories
    await store.apply([Add(memory("m1", "harbour"))], AT)
    await store.apply([Use("m1"), Use("m1"), Mark("m1", stale=True)], LATER)

    kept = await store.get("m1")
    assert (kept.times_used, kept.last_used_at, kept.state) == (2, LATER, MemoryState.STALE)
    assert await find_ids(store, "harbour") == ["m1"]


async def check_what_is_not_there_is_named(open_store: OpenStore) -> None:
    """An operation on an unknown id fails with an error that names it."""
    store = (await open_store()).memories
    for change in (Accept("x"), Forget("x", USER), RestoreMemory("x", USER), Purge("x", USER)):
        missing = await refusal(store.apply([change], AT), NotFound)
        assert missing.kind == "memoryNotFound"


async def check_an_id_is_given_once(open_store: OpenStore) -> None:
    """A second memory of the same id is refused."""
    store = (await open_store()).memories
    await store.apply([Add(memory("m1", "first"))], AT)

    await refusal(store.apply([Add(memory("m1", "second"))], AT), InvalidInput)

    assert (await store.get("m1")).content == "first"
    assert await find_ids(store, "first") == ["m1"]


MEMORIES: tuple[Check, ...] = (
    check_a_memory_comes_back_as_it_was_stored,
    check_the_newest_comes_first_in_the_states_asked_for,
    check_recent_is_what_changed_and_then_all_that_passes,
    check_the_foremost_are_pinned_then_of_priority_then_new,
    check_a_batch_is_whole_or_absent,
    check_a_cursor_moves_with_what_it_brought,
    check_of_two_that_read_the_same_one_is_refused_whole,
    check_no_text_with_a_secret_is_kept,
    check_empty_and_endless_texts_are_refused,
    check_use_counts_and_a_stale_memory_is_still_found,
    check_what_is_not_there_is_named,
    check_an_id_is_given_once,
)
"""What a store of memories must pass."""
