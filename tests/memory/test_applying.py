"""What a batch of changes comes to, without a store."""

import pytest

from memory.samples import AT, memory
from plimsoll.errors import MemoryRefused, NotFound
from plimsoll.memory.applying import (
    Bury,
    Exhume,
    FingerprintKeys,
    KnownMemories,
    Put,
    Record,
    Remove,
    decide,
    list_needed,
    list_replaced,
)
from plimsoll.memory.changes import Accept, Add, Forget, Mark, Purge, RestoreMemory, Revise, Use
from plimsoll.memory.types import Action, Author, MemoryState

KEYS = FingerprintKeys((b"own", b"taken over"))
NOTHING = KnownMemories({}, {}, {})
TABS = "Indent every source file with tabs."


def known(*memories, tombstones=None):
    marks = {each.id: KEYS.of(each) for each in memories}
    return KnownMemories({each.id: each for each in memories}, marks, tombstones or {})


def made(changes, *memories, **more):
    return decide(changes, AT, known(*memories, **more), KEYS)


def test_what_is_added_is_put_and_recorded():
    new = memory("m1", "Push to main.")
    decided = decide([Add(new, "said")], AT, NOTHING, KEYS)

    assert decided.memories == (new,)
    exhumed, put, recorded = decided.writes
    assert (exhumed, put) == (Exhume(KEYS.all_of(new)), Put(new, KEYS.of(new)))
    assert isinstance(recorded, Record)
    assert (recorded.event.action, recorded.event.reason) == (Action.ADDED, "said")


def test_a_later_change_of_a_batch_sees_the_earlier_ones():
    old, new = memory("m1", "tabs"), memory("m2", "spaces", supersedes="m1")
    decided = made([Add(new), Revise(id="m2", author=Author.USER, content="four spaces")], old)

    assert [each.content for each in decided.memories] == ["spaces", "four spaces"]
    puts = [each for each in decided.writes if isinstance(each, Put)]
    assert [(each.memory.id, each.memory.state.value) for each in puts] == [
        ("m2", "active"),
        ("m1", "forgotten"),
        ("m2", "active"),
    ]
    assert puts[2].before == puts[0].memory
    with pytest.raises(MemoryRefused, match="known already, as memory m1"):
        made([Add(memory("m1", TABS)), Add(memory("m2", TABS.upper()))])


def test_an_optional_memory_that_is_refused_writes_nothing():
    held = memory("m1", TABS)
    again = memory("m2", TABS, author=Author.AGENT)

    assert made([Add(again, optional=True)], held) == decide([], AT, NOTHING, KEYS)


def test_what_was_forgotten_in_a_store_that_was_taken_over_stays_so():
    gone = memory("m1", "tabs", author=Author.AGENT)
    buried = {KEYS.all_of(gone)[1]: AT}

    with pytest.raises(MemoryRefused, match="had it forgotten"):
        made([Add(gone)], tombstones=buried)
    by_the_person = memory("m2", "tabs")
    assert made([Add(by_the_person)], tombstones=buried).memories == (by_the_person,)


def test_the_persons_own_word_takes_the_place_of_the_same_in_the_inbox():
    waiting = memory("m1", TABS, author=Author.AGENT, state=MemoryState.INBOX)
    decided = made([Add(memory("m2", TABS))], waiting)

    assert [each.event.action for each in decided.writes if isinstance(each, Record)] == [
        Action.MERGED,
        Action.ADDED,
    ]


def test_a_page_is_no_title():
    with pytest.raises(MemoryRefused, match="title has"):
        made([Add(memory("m1", TABS, title="Indent. " * 100))])


def test_what_is_not_forgotten_stays_as_it_is_when_it_is_restored():
    held = memory("m1", TABS)

    assert made([RestoreMemory("m1", Author.USER)], held).memories == (held,)


def test_what_was_purged_meanwhile_is_missed_only_by_whom_it_matters_to():
    gone = memory("m1", "tabs")
    decided = made([Purge("m1", Author.USER), Use("m1"), Mark("m1", stale=True)], gone)

    assert decided.memories == ()
    _, buried, removed = decided.writes
    assert (buried, removed) == (Bury(KEYS.of(gone), "m1", AT), Remove(gone))
    with pytest.raises(NotFound):
        made([Forget("m1", Author.USER)])


def test_everything_is_asked_for_that_is_needed():
    new = memory("m3", "spaces", supersedes="m2")
    revised = Revise(id="m1", author=Author.USER, supersedes="m0")

    wanted = list_needed([Add(new), revised, Accept("m4"), Add(memory("m5", " ", title=""))], KEYS)

    assert wanted.ids == {"m0", "m1", "m2", "m3", "m4", "m5"}
    assert wanted.fingerprints == set(KEYS.all_of(new))
    assert list_replaced([memory("m4", "x", supersedes="m9"), memory("m5", "y")]) == {"m9"}
