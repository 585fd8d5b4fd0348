"""The memories of an empty project, and who is told of their changes."""

import itertools

import pytest

from memory.samples import AT, Told
from plimsoll.memory.service import Memories
from plimsoll.storage.database.in_memory import InMemoryDatabase
from plimsoll.storage.memories.store import SqliteMemories


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def notes(told: Told) -> Memories:
    store = SqliteMemories(InMemoryDatabase())
    numbers = itertools.count(1)
    return Memories(store, lambda: f"n{next(numbers)}", lambda: AT, told)
