"""Which operations arise from changes made here."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.samples import AT, memory
from plimsoll.errors import InvalidInput, MemoryRefused, NotFound
from plimsoll.memory.applying import FingerprintKeys, KnownMemories, decide
from plimsoll.memory.changes import (
    Accept,
    Add,
    Change,
    Forget,
    Mark,
    Purge,
    RestoreMemory,
    Revise,
    Use,
)
from plimsoll.memory.types import Action, Author, Memory, MemoryScope, MemoryState, MemoryType
from plimsoll.storage.shared.operations import (
    ChangeMemory,
    ForgetMemory,
    Operation,
    ShareMemory,
)
from plimsoll.storage.shared.sharing import is_shared, list_operations, subject_of
from storage.shared.samples import team_memory

KEYS = FingerprintKeys((b"key",))
TEAM, MINE, PRIVATE = MemoryScope.TEAM, MemoryScope.MINE, MemoryScope.PRIVATE
INBOX, FORGOTTEN = MemoryState.INBOX, MemoryState.FORGOTTEN


def operations(held: Memory | None, *changes: Change) -> list[Operation]:
    memories = {} if held is None else {held.id: held}
    marks = {name: KEYS.of(each) for name, each in memories.items()}
    known = KnownMemories(memories, marks, {})
    return list_operations(decide(changes, AT, known, KEYS).writes)


def revise(author: Author = Author.USER, **fields: object) -> Revise:
    return Revise(id="m1", author=author, **fields)


def test_what_a_person_shares_is_sent_whole() -> None:
    assert operations(memory(), revise(scope=TEAM)) == [ShareMemory(team_memory())]
    assert operations(None, Add(team_memory())) == [ShareMemory(team_memory())]


def test_a_change_names_the_version_that_was_changed() -> None:
    there = team_memory(version=3)
    after = team_memory(content="Tests run with tox.", version=3)

    assert operations(there, revise(content=after.content)) == [ChangeMemory(after, 3)]


def test_a_change_before_the_sharing_was_sent_names_no_version() -> None:
    after = team_memory(content="Tests run with tox.")

    assert operations(team_memory(), revise(content=after.content)) == [ChangeMemory(after, 0)]


def test_taking_it_back_and_purging_it_forget_it_for_all() -> None:
    there = team_memory(version=3)

    assert operations(there, revise(scope=PRIVATE)) == [ForgetMemory("m1")]
    assert operations(there, revise(type=MemoryType.USER)) == [ForgetMemory("m1")]
    assert operations(there, revise(Author.AGENT, scope=PRIVATE)) == [ForgetMemory("m1")]
    hidden = team_memory(state=FORGOTTEN)
    assert operations(hidden, revise(scope=PRIVATE)) == [ForgetMemory("m1")]
    assert operations(team_memory(state=INBOX), revise(scope=PRIVATE)) == []
    assert operations(there, Purge("m1", Author.USER)) == [ForgetMemory("m1")]
    assert operations(team_memory(), Purge("m1", Author.USER)) == [ForgetMemory("m1")]


def test_a_memory_of_the_inbox_is_sent_once_a_person_accepts_it() -> None:
    waiting = team_memory(state=INBOX, author=Author.AGENT)

    assert operations(None, Add(waiting)) == []
    assert operations(waiting, revise(content="Tests run with tox.")) == []
    assert operations(waiting, Purge("m1", Author.USER)) == []
    assert operations(waiting, Accept("m1")) == [
        ShareMemory(team_memory(author=Author.AGENT)),
    ]


@pytest.mark.parametrize(
    "change",
    [
        Use("m1"),
        Mark("m1", stale=True),
        Forget("m1", Author.USER),
        Forget("m1", Author.EXTRACTION, Action.MERGED),
        revise(Author.EXTRACTION, importance=5),
        revise(Author.EXTRACTION, supersedes="m0"),
    ],
)
def test_use_upkeep_and_hiding_stay_here(change: Change) -> None:
    assert operations(team_memory(version=3), change) == []


def test_what_the_agent_wants_for_the_team_is_not_sent_unread() -> None:
    assert operations(None, Add(team_memory(author=Author.AGENT))) == []


def test_a_colleagues_memory_is_changed_for_all_and_forgotten_here_alone() -> None:
    theirs = team_memory(version=3, author_name="anna")
    after = team_memory(content="Tests run with tox.", version=3, author_name="anna")

    assert operations(theirs, revise(content=after.content)) == [ChangeMemory(after, 3)]
    assert operations(theirs, Purge("m1", Author.USER)) == []
    assert operations(theirs, Forget("m1", Author.USER)) == []


def test_what_is_restored_and_was_sent_is_not_shared_anew() -> None:
    hidden = team_memory(version=3, state=FORGOTTEN, before=MemoryState.ACTIVE)

    assert operations(hidden, RestoreMemory("m1", Author.USER)) == []


_TEXTS = st.sampled_from(["Tests run with pytest.", "Ships leave at noon.", "Use tabs here."])
_HELD = st.builds(
    memory,
    st.just("m1"),
    _TEXTS,
    scope=st.sampled_from(MemoryScope),
    state=st.sampled_from(MemoryState),
    type=st.sampled_from([MemoryType.PROJECT, MemoryType.DECISION]),
    author=st.sampled_from(Author),
    author_name=st.sampled_from([None, "anna"]),
    version=st.sampled_from([None, 1, 4]),
)
_AUTHORS = st.sampled_from(Author)
_CHANGES = st.lists(
    st.one_of(
        st.builds(
            Revise,
            id=st.just("m1"),
            author=_AUTHORS,
            content=st.one_of(st.none(), _TEXTS),
            scope=st.one_of(st.none(), st.sampled_from(MemoryScope)),
            pinned=st.one_of(st.none(), st.booleans()),
        ),
        st.builds(Forget, st.just("m1"), _AUTHORS),
        st.builds(RestoreMemory, st.just("m1"), _AUTHORS),
        st.just(Accept("m1")),
        st.just(Use("m1")),
        st.builds(Mark, st.just("m1"), stale=st.booleans()),
        st.builds(Purge, st.just("m1"), _AUTHORS),
    ),
    max_size=4,
)


def decided(held: Memory, changes: list[Change]) -> list[Operation]:
    try:
        return operations(held, *changes)
    except (InvalidInput, MemoryRefused, NotFound):
        return []


@given(_HELD, _CHANGES)
def test_only_what_is_shared_and_in_effect_is_ever_sent(held: Memory, changes: list[Change]):
    for operation in decided(held, changes):
        if isinstance(operation, ShareMemory | ChangeMemory):
            assert is_shared(operation.memory)


@given(_HELD, st.lists(st.sampled_from([Use("m1"), Mark("m1", stale=True)])))
def test_use_and_marks_are_never_sent(held: Memory, changes: list[Change]) -> None:
    assert decided(held, changes) == []


@given(_HELD, _CHANGES)
def test_a_colleagues_memory_is_never_forgotten_for_all(held: Memory, changes: list[Change]):
    ended = [each for each in decided(held, changes) if isinstance(each, ForgetMemory)]
    assert not ended or held.author_name is None


@given(_HELD, _CHANGES)
def test_one_batch_never_shares_what_it_forgot_for_all(held: Memory, changes: list[Change]):
    kinds = [type(each) for each in decided(held, changes)]
    for earlier, later in itertools.pairwise(kinds):
        assert (earlier, later) != (ForgetMemory, ChangeMemory)


def test_the_subject_is_the_id_of_what_an_operation_is_about() -> None:
    assert subject_of(ChangeMemory(memory("m7"), 2)) == "m7"
    assert subject_of(ForgetMemory("m8")) == "m8"
