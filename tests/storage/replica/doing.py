"""What tests of a copy of a shared project do to its store, and read of it."""

from plimsoll.memory.changes import Add, Change, Revise
from plimsoll.memory.types import Author, Memory, MemoryState
from plimsoll.storage.project import ProjectStore
from plimsoll.storage.shared.operations import (
    Done,
    Operation,
    Outcome,
)
from storage.shared.samples import (
    AT,
    HARBOUR,
    LATER,
    team_memory,
)

TOX = "Tests run with tox."


async def apply(store: ProjectStore, *changes: Change) -> None:
    await store.memories.apply(changes, AT)


async def waiting(store: ProjectStore) -> list[Operation]:
    return [each.operation for each in await store.replica.read_queued()]


async def settle(store: ProjectStore, *outcomes: Outcome) -> None:
    for outcome in outcomes:
        await store.replica.settle((await store.replica.read_queued())[0], outcome, LATER)


async def found(store: ProjectStore, question: str) -> list[str]:
    return [match.memory.id for match in await store.memories.search(question, LATER, 10)]


async def held(store: ProjectStore) -> dict[str, Memory]:
    return {each.id: each for each in await store.memories.memories(frozenset(MemoryState))}


def revise(**fields: object) -> Revise:
    return Revise(id="m1", author=Author.USER, **fields)


async def share(store: ProjectStore, version: int = 1) -> None:
    """Join, share m1, and have it sent."""
    await store.replica.join(HARBOUR)
    await apply(store, Add(team_memory()))
    await settle(store, Done(version))
