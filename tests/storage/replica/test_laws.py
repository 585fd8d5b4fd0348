"""What holds of a copy of a shared project whatever a person does and whatever arrives."""

import asyncio
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from memory.samples import memory
from plimsoll.errors import InvalidInput, MemoryRefused, NotFound
from plimsoll.memory.changes import Accept, Add, Change, Forget, Purge, RestoreMemory, Revise
from plimsoll.memory.types import Author, MemoryScope, MemoryState
from plimsoll.storage.shared.news import News
from plimsoll.storage.shared.operations import (
    ChangeMemory,
    Done,
    ForgetMemory,
    Gone,
    Outcome,
    SharedMemory,
    ShareMemory,
)
from plimsoll.storage.shared.sharing import subject_of
from plimsoll.storage.sqlite import SqliteStore
from storage.samples import unchanged
from storage.shared.samples import AT, HARBOUR, LATER

_IDS = st.sampled_from(["m1", "m2"])
_TEXTS = st.sampled_from(
    ["Tests run with pytest.", "Ships leave the harbour at noon.", "Use tabs here."]
)
_SCOPES = st.sampled_from(MemoryScope)
_ADDED = st.builds(
    Add,
    st.builds(
        memory,
        _IDS,
        _TEXTS,
        scope=_SCOPES,
        state=st.sampled_from([MemoryState.ACTIVE, MemoryState.INBOX]),
        author=st.sampled_from(Author),
    ),
)
_CHANGE = st.one_of(
    _ADDED,
    st.builds(
        Revise,
        id=_IDS,
        author=st.sampled_from(Author),
        content=st.one_of(st.none(), _TEXTS),
        scope=st.one_of(st.none(), _SCOPES),
    ),
    st.builds(Forget, _IDS, st.sampled_from(Author)),
    st.builds(RestoreMemory, _IDS, st.just(Author.USER)),
    st.builds(Accept, _IDS),
    st.builds(Purge, _IDS, st.just(Author.USER)),
)
_SHARED = st.builds(
    SharedMemory,
    memory=st.builds(memory, _IDS, _TEXTS, scope=_SCOPES, author=st.sampled_from(Author)),
    version=st.integers(1, 3),
    author_name=st.sampled_from(["anna", "ben"]),
    is_own=st.booleans(),
    written_by=st.sampled_from([None, "ben"]),
)
_NEWS = st.builds(
    News,
    position=st.integers(1, 9),
    memories=st.lists(_SHARED, max_size=2, unique_by=lambda each: each.memory.id),
    forgotten=st.lists(_IDS, max_size=1),
)
_OUTCOMES = st.sampled_from([Done(1), Done(2), Gone()])
_STEPS = st.lists(st.one_of(_CHANGE, _NEWS, _OUTCOMES), max_size=8)
Steps = Sequence[Change | News | Outcome]


async def _run(store: SqliteStore, steps: Steps) -> None:
    await store.replica.join(HARBOUR)
    for step in steps:
        if isinstance(step, News):
            await store.replica.take_in(step, LATER)
        elif isinstance(step, Done | Gone):
            for queued in await store.replica.read_queued(1):
                await store.replica.settle(queued, step, LATER)
        else:
            await _apply(store, step)


async def _apply(store: SqliteStore, change: Change) -> None:
    try:
        await store.memories.apply([change], AT)
    except (InvalidInput, MemoryRefused, NotFound):
        # What the store refuses must leave no operation either.
        return


@given(_STEPS, _NEWS)
def test_news_never_bring_an_operation(steps: Steps, news: News) -> None:
    async def law() -> None:
        store = SqliteStore.in_memory(unchanged)
        await _run(store, steps)
        before = await store.replica.read_queued()
        await store.replica.take_in(news, LATER)
        gone = set(news.forgotten)
        left = [each for each in before if subject_of(each.operation) not in gone]
        after = await store.replica.read_queued()
        assert [each for each in after if subject_of(each.operation) not in gone] == left
        assert all(isinstance(e.operation, ForgetMemory) for e in after if e not in left)

    asyncio.run(law())


@given(_STEPS)
def test_what_waits_to_be_sent_is_shared_and_the_persons_own_doing(steps: Steps) -> None:
    async def law() -> None:
        store = SqliteStore.in_memory(unchanged)
        await _run(store, steps)
        held = {e.id: e for e in await store.memories.memories(frozenset(MemoryState))}
        for queued in await store.replica.read_queued():
            operation = queued.operation
            if isinstance(operation, ShareMemory | ChangeMemory):
                assert operation.memory.scope is not MemoryScope.PRIVATE
                # A text that is gone here does not leave any more.
                assert operation.memory.id in held
                assert held[operation.memory.id].scope is not MemoryScope.PRIVATE

    asyncio.run(law())


@given(_STEPS, _NEWS)
def test_the_same_news_twice_are_the_same_as_once(steps: Steps, news: News) -> None:
    async def law() -> None:
        store = SqliteStore.in_memory(unchanged)
        await _run(store, steps)
        await store.replica.take_in(news, LATER)
        once = await store.memories.memories(frozenset(MemoryState))
        assert await store.replica.take_in(news, LATER) is False
        assert await store.memories.memories(frozenset(MemoryState)) == once

    asyncio.run(law())
