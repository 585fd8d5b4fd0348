"""Every kind of store of memories, and what it finds."""

from collections.abc import AsyncIterator

import pytest

from memory.samples import AT
from plimsoll.memory.base import MemoryStore
from plimsoll.storage.registry import OPENERS
from storage.conftest import SHARED, Open


@pytest.fixture(params=[*OPENERS, SHARED])
async def store(request: pytest.FixtureRequest, opened: Open) -> AsyncIterator[MemoryStore]:
    yield (await opened(request.param)).memories


async def found(store: MemoryStore, question: str) -> list[str]:
    return [match.memory.id for match in await store.search(question, AT, 10)]
