"""A text that others have forgotten is in no file of this machine any more."""

from collections.abc import Awaitable, Callable

import pytest

from memory.samples import AT
from plimsoll.context.log.entries import Framed, Passage, Slot
from plimsoll.memory.changes import Add, Revise
from plimsoll.memory.types import Author
from plimsoll.storage.locate import ProjectPaths
from plimsoll.storage.project import ProjectStore
from plimsoll.storage.shared.news import News
from plimsoll.storage.shared.operations import Done, Gone
from storage.conftest import Open
from storage.memories.test_memories_sqlite import bytes_of
from storage.samples import record, said
from storage.shared.samples import HARBOUR, LATER, from_anna, team_memory

SECRET = "The quokka sleeps in zanzibar."
FRAME = Framed(
    id="f1",
    at=AT,
    slot="memories",
    kind=Slot.MEMORIES,
    text=f"# Memories\n- m1\n{SECRET}\n- m2",
    passages=(Passage(1), Passage(2, "m1"), Passage(1, "m2")),
)


async def by_news(store: ProjectStore) -> None:
    await store.replica.take_in(News(position=2, forgotten=["m1"]), LATER)


async def by_an_answer(store: ProjectStore) -> None:
    [queued] = await store.replica.read_queued()
    await store.replica.settle(queued, Gone(), LATER)


async def by_leaving(store: ProjectStore) -> None:
    await store.replica.leave()


async def told(store: ProjectStore) -> None:
    await store.create(record("s1"), [said("a"), FRAME])


async def own_and_changed(store: ProjectStore) -> None:
    await store.memories.apply([Add(team_memory(content=SECRET))], AT)
    [queued] = await store.replica.read_queued()
    await store.replica.settle(queued, Done(1), AT)
    await store.memories.apply([Revise(id="m1", author=Author.USER, pinned=True)], AT)
    await told(store)


async def a_colleagues(store: ProjectStore) -> None:
    shared = from_anna(team_memory(content=SECRET))
    await store.replica.take_in(News(position=1, memories=[shared]), AT, "all")


Act = Callable[[ProjectStore], Awaitable[None]]


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        (own_and_changed, by_news),
        (own_and_changed, by_an_answer),
        (a_colleagues, by_news),
        (a_colleagues, by_leaving),
    ],
)
async def test_what_has_gone_is_in_no_file(
    opened: Open, paths: ProjectPaths, begin: Act, end: Act
) -> None:
    store = await opened()
    await store.replica.join(HARBOUR)
    await begin(store)
    (paths.folder / "backups").mkdir()
    (paths.folder / "backups" / "version-1-ab.db").write_bytes(b"a copy with zanzibar in it")
    assert b"zanzibar" in bytes_of(paths.folder)

    await end(store)

    left = bytes_of(paths.folder)
    assert b"zanzibar" not in left
    assert b"quokka" not in left
