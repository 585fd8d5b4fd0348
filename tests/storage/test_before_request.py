"""What every kind of store reads before a request, as one."""

from collections.abc import AsyncIterator

import pytest

from memory.samples import memory
from plimsoll.errors import NotFound
from plimsoll.memory.changes import Add, Forget
from plimsoll.memory.types import Author
from plimsoll.storage.chosen.base import WorkspacePin
from plimsoll.storage.project import BeforeRequest, ProjectStore
from plimsoll.storage.registry import OPENERS
from storage.conftest import Open
from storage.samples import AT, record, said


@pytest.fixture(params=list(OPENERS))
async def store(request: pytest.FixtureRequest, opened: Open) -> AsyncIterator[ProjectStore]:
    kept = await opened(request.param)
    await kept.create(record("s1"), [said("a"), said("b")])
    await kept.create(record("s2"), [said("c")])
    yield kept


async def test_the_tail_the_pins_and_what_still_stands_come_together(store: ProjectStore) -> None:
    await store.pins.add("p1", "No tabs.", AT)
    await store.memories.apply([Add(memory("m1", "one")), Add(memory("m2", "two"))], AT)
    await store.memories.apply([Forget("m2", Author.USER)], AT)

    found = await store.before_request("s1", 1, ["m1", "m2", "m3"])

    pin = WorkspacePin(id="p1", at=AT, text="No tabs.", number=1)
    assert found == BeforeRequest(
        record=record("s1"), entries=[said("b")], pins=[pin], standing=frozenset({"m1"})
    )


async def test_where_nothing_is_new_nothing_comes(store: ProjectStore) -> None:
    assert await store.before_request("s1", 2, []) == BeforeRequest(
        record=record("s1"), entries=[], pins=[], standing=frozenset()
    )


async def test_a_session_that_is_not_there_is_named(store: ProjectStore) -> None:
    with pytest.raises(NotFound) as missing:
        await store.before_request("nobody", 0, [])

    assert missing.value.kind == "sessionNotFound"
