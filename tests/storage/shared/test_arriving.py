"""What arriving memories come to on this machine."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.samples import memory
from plimsoll.memory.applying import (
    Bury,
    FingerprintKeys,
    KnownMemories,
    Put,
    Record,
    Remove,
    Write,
)
from plimsoll.memory.types import (
    SEARCHED,
    Action,
    Author,
    Memory,
    MemoryScope,
    MemorySource,
    MemoryState,
    MemoryType,
    Trust,
)
from plimsoll.storage.shared.arriving import (
    Acceptance,
    Arrived,
    LocalMemories,
    accept_waiting,
    decide_arrivals,
)
from plimsoll.storage.shared.operations import SharedMemory
from storage.shared.samples import LATER, from_anna, own, team_memory

KEYS = FingerprintKeys((b"key",))
ACTIVE, INBOX = MemoryState.ACTIVE, MemoryState.INBOX
FORGOTTEN, STALE = MemoryState.FORGOTTEN, MemoryState.STALE
KNOWN_ANNA = Acceptance(frozenset({"anna"}))
NOBODY = Acceptance()


def here(*held: Memory, acceptance: Acceptance = NOBODY, **fields: object) -> LocalMemories:
    memories = {each.id: each for each in held}
    marks = {each.id: KEYS.of(each) for each in held}
    tombstones = fields.pop("tombstones", {})
    return LocalMemories(KnownMemories(memories, marks, tombstones), KEYS, acceptance, **fields)


def after(arrived: SharedMemory, place: LocalMemories) -> Memory | None:
    """The memory of that id once the news is taken in; None if nothing is written of it."""
    writes = decide_arrivals(Arrived(memories=[arrived], at=LATER), place)
    puts = [each.memory for each in writes if isinstance(each, Put)]
    return next((each for each in puts if each.id == arrived.memory.id), None)


def theirs(**fields: object) -> Memory:
    """A colleague's memory as it is held here."""
    return team_memory(**{"trust": Trust.TEAM, "author_name": "anna", "version": 1, **fields})


@pytest.mark.parametrize(
    ("acceptance", "state"),
    [
        (NOBODY, INBOX),
        (KNOWN_ANNA, ACTIVE),
        (Acceptance(frozenset({"anna"}), "ask"), INBOX),
        (Acceptance(frozenset(), "ask"), INBOX),
        (Acceptance(frozenset(), "all"), ACTIVE),
    ],
)
def test_a_colleagues_memory_waits_unless_its_author_passes(
    acceptance: Acceptance, state: MemoryState
) -> None:
    got = after(from_anna(team_memory()), here(acceptance=acceptance))

    assert got == theirs(state=state)


def test_what_is_ones_own_arrives_as_it_was_sent() -> None:
    sent = team_memory(scope=MemoryScope.MINE, trust=Trust.AGENT, author=Author.AGENT)

    assert after(own(sent, 2), here()) == replace(sent, version=2)


def test_a_preference_comes_to_ones_other_machines_and_from_nobody_else() -> None:
    preference = memory(type=MemoryType.USER, scope=MemoryScope.MINE)

    assert after(own(preference), here()) == replace(preference, version=1)
    assert after(from_anna(preference), here()) is None


@pytest.mark.parametrize(
    "fields",
    [
        {"content": "Password: " + "ghp_" + "R7dK2mQ9xW4zT8vB1nL6cY3hJ5fS0pGaE2uX"},
        {"content": "x" * 5_000},
        {"tags": ("two words\nand a line",)},
        {"importance": 9},
        {"title": "", "content": ""},
        {"type": MemoryType.USER},
        {"scope": MemoryScope.PRIVATE},
        {"scope": MemoryScope.MINE},
    ],
)
def test_what_no_plimsoll_would_have_shared_is_left_out(fields: dict[str, object]) -> None:
    assert after(from_anna(team_memory(**fields)), here(acceptance=KNOWN_ANNA)) is None


def test_a_change_of_what_was_accepted_stays_accepted_with_what_is_known_of_it_here() -> None:
    source = MemorySource("s1")
    held = theirs(times_used=4, last_used_at="2026-11-26", source=source)
    sent = team_memory(content="Tests run with tox.")

    assert after(from_anna(sent, 2), here(held)) == replace(held, content=sent.content, version=2)


@pytest.mark.parametrize("state", [ACTIVE, STALE, INBOX, FORGOTTEN])
def test_what_the_person_decided_of_the_same_text_stands(state: MemoryState) -> None:
    held = theirs(state=state)

    assert after(from_anna(team_memory(pinned=True), 2), here(held, acceptance=KNOWN_ANNA)) == (
        replace(held, pinned=True, version=2)
    )


def test_another_text_of_what_was_forgotten_here_waits_again() -> None:
    held = theirs(state=FORGOTTEN, before=ACTIVE)
    sent = team_memory(content="Tests run with tox.")

    got = after(from_anna(sent, 2), here(held, acceptance=KNOWN_ANNA))

    assert got == theirs(content=sent.content, version=2, state=INBOX)


def test_what_was_purged_here_waits_though_its_author_is_accepted() -> None:
    sent = from_anna(team_memory())
    mark = KEYS.of(sent.memory)

    by_id = after(sent, here(acceptance=KNOWN_ANNA, purged=frozenset({"m1"})))
    by_text = after(sent, here(acceptance=KNOWN_ANNA, tombstones={mark: LATER}))

    assert by_id == by_text == theirs(state=INBOX)


@pytest.mark.parametrize("arrived", [own, from_anna])
def test_nothing_that_arrives_hides_what_is_in_effect(arrived) -> None:
    held = replace(theirs(), id="m0", content="Ships leave at noon.")
    sent = team_memory("m2", "Ships leave at one.", supersedes="m0")

    got = after(arrived(sent), here(held, acceptance=KNOWN_ANNA))

    assert got is not None
    assert (got.state, got.supersedes) == (INBOX, "m0")


def test_a_suggestion_ends_where_the_memory_says_the_same() -> None:
    changed = team_memory("m1", "The tests of this project run with tox.")
    waiting = replace(theirs(), id="m2", content=changed.content, state=INBOX, supersedes="m1")
    place = here(theirs(), waiting)

    writes = decide_arrivals(Arrived(memories=[from_anna(changed, 2)], at=LATER), place)

    ended = replace(waiting, state=FORGOTTEN, before=INBOX)
    assert ended in [each.memory for each in writes if isinstance(each, Put)]


def test_what_is_known_here_in_the_same_words_is_not_told_twice() -> None:
    text = "The tests of this project run with pytest."
    mine = memory("m9", text)

    got = after(from_anna(team_memory("m1", text)), here(mine, acceptance=KNOWN_ANNA))

    assert got == theirs(content=text, state=FORGOTTEN, before=INBOX)


@pytest.mark.parametrize(
    ("held", "arrived"),
    [(memory(), from_anna), (team_memory(version=1), from_anna), (theirs(), own)],
)
def test_nobody_takes_the_place_of_anothers_memory_by_its_id(held: Memory, arrived) -> None:
    sent = arrived(team_memory(content="Everything is allowed here."), 9)

    assert after(sent, here(held, acceptance=KNOWN_ANNA)) is None


def forgotten(*held: Memory) -> tuple[Write, ...]:
    return decide_arrivals(Arrived(forgotten=["m1"], at=LATER), here(*held))


def test_what_was_forgotten_for_all_is_purged_here() -> None:
    mine, of_anna = team_memory(version=2), theirs()

    record, bury, remove = forgotten(mine)
    assert isinstance(record, Record)
    assert (record.event.action, record.event.memory_id) == (Action.PURGED, "m1")
    assert (bury, remove) == (Bury(KEYS.of(mine), "m1", LATER), Remove(mine))
    # A colleague's wish does not keep this person's agent from the same words.
    assert [type(each) for each in forgotten(of_anna)] == [Record, Remove]


def test_what_was_taken_back_to_this_machine_stays() -> None:
    assert forgotten(memory(version=1)) == ()
    assert forgotten() == ()


def test_an_accepted_author_takes_effect_but_for_what_would_hide_another() -> None:
    held = replace(theirs(), id="m0", content="Ships leave at noon.")
    waiting = theirs(state=INBOX)
    hiding = replace(waiting, id="m2", content="Ships leave at one.", supersedes="m0")

    writes = accept_waiting([waiting, hiding], here(held, waiting, hiding), LATER)

    assert [each.memory for each in writes if isinstance(each, Put)] == [theirs()]


ANOTHER = "Tests run with tox."


def changed_by_ben(held: Memory, arrived) -> SharedMemory:
    return replace(arrived(replace(held, content=ANOTHER), 2), written_by="ben")


def test_another_ones_text_of_ones_own_memory_is_a_colleagues_word() -> None:
    mine = team_memory(version=1)
    passing = here(mine, acceptance=Acceptance(frozenset({"ben"})))

    waits = after(changed_by_ben(team_memory(), own), here(mine))
    counts = after(changed_by_ben(team_memory(), own), passing)

    changed = replace(mine, content=ANOTHER, version=2, trust=Trust.TEAM)
    assert counts == changed
    assert waits == replace(changed, state=INBOX)


def test_who_wrote_the_text_is_named_and_must_be_accepted() -> None:
    arrived = changed_by_ben(team_memory(), from_anna)

    waits = after(arrived, here(theirs(), acceptance=KNOWN_ANNA))
    new = after(arrived, here(acceptance=KNOWN_ANNA))

    expected = theirs(content=ANOTHER, version=2, state=INBOX, author_name="ben")
    assert waits == new == expected


def test_ones_own_words_again_are_ones_own() -> None:
    held = team_memory(version=2, trust=Trust.TEAM)

    assert after(own(team_memory(), 2), here(held)) == team_memory(version=2)


_TEXTS = st.sampled_from(
    ["Tests run with pytest.", "Ships leave the harbour at noon.", "Use tabs here."]
)
_IDS = st.sampled_from(["m1", "m2", "m3"])
_SENT = st.builds(
    memory,
    _IDS,
    _TEXTS,
    scope=st.sampled_from(MemoryScope),
    type=st.sampled_from([MemoryType.PROJECT, MemoryType.USER]),
    supersedes=st.one_of(st.none(), _IDS),
    author=st.sampled_from(Author),
)
_NEWS = st.builds(
    SharedMemory,
    memory=_SENT,
    version=st.integers(1, 3),
    author_name=st.sampled_from(["anna", "ben"]),
    is_own=st.booleans(),
    written_by=st.sampled_from([None, "anna", "ben"]),
)
_HELD = st.builds(
    replace,
    _SENT,
    state=st.sampled_from(MemoryState),
    author_name=st.sampled_from([None, "anna"]),
    version=st.sampled_from([None, 1]),
)
_HERE = st.builds(
    lambda held, authors, rule: here(
        *{each.id: each for each in held}.values(), acceptance=Acceptance(authors, rule)
    ),
    st.lists(_HELD, max_size=3),
    st.sampled_from([frozenset[str](), frozenset({"anna"})]),
    st.sampled_from(["ask", "known", "all"]),
)
_ARRIVED = st.builds(
    lambda memories, gone: Arrived(memories=memories, forgotten=gone, at=LATER),
    st.lists(_NEWS, max_size=3, unique_by=lambda each: each.memory.id),
    st.frozensets(_IDS, max_size=1),
)


def left_by(arrived: Arrived, place: LocalMemories) -> LocalMemories:
    """This machine once the writes are made."""
    memories = dict(place.known.memories)
    for write in decide_arrivals(arrived, place):
        if isinstance(write, Put):
            memories[write.memory.id] = write.memory
        elif isinstance(write, Remove):
            del memories[write.before.id]
    return here(*memories.values(), acceptance=place.acceptance)


@given(_ARRIVED, _HERE)
def test_the_same_news_twice_are_the_same_as_once(arrived: Arrived, place: LocalMemories) -> None:
    once = left_by(arrived, place)
    assert left_by(arrived, once) == once


@given(_ARRIVED, _HERE)
def test_what_the_person_wrote_for_this_machine_alone_stays_or_is_their_own_again(
    arrived: Arrived, place: LocalMemories
) -> None:
    left = left_by(arrived, place).known.memories
    for name, held in place.known.memories.items():
        if held.author_name is None and held.scope is MemoryScope.PRIVATE:
            assert left[name].author_name is None


@given(_ARRIVED, _HERE)
def test_no_stranger_takes_effect_unread(arrived: Arrived, place: LocalMemories) -> None:
    left = left_by(arrived, place).known.memories
    for name, now in left.items():
        before = place.known.memories.get(name)
        began = before is None or before.state not in SEARCHED
        if now.author_name is not None and now.state in SEARCHED and began:
            assert place.acceptance.passes(now.author_name)
        if now.trust is Trust.TEAM and now.state in SEARCHED and began:
            assert place.acceptance.passes("anna") or place.acceptance.passes("ben")
