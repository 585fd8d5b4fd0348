"""Checks of the list of memories in pages, and of the fields by which it is asked for."""

from plimsoll.errors import InvalidInput
from plimsoll.memory.base import MemoryStore, PageQuery
from plimsoll.memory.changes import Add, Purge, Revise
from plimsoll.memory.types import SHOWN, Author, MemoryClass, MemoryScope, MemoryType
from plimsoll.storage.conformance.base import AT, Check, OpenStore, find_ids, memory, refusal


def at(second: int) -> str:
    """Return a time of the day of the samples."""
    return f"2026-11-21T10:00:{second:02}.000Z"


async def fill(store: MemoryStore, count: int) -> None:
    """Store so many memories."""
    # Three share each time: a place in the list is more than a time.
    adds = [
        Add(memory(f"m{n}", f"The mast {n} is {n * 7} feet tall.", created_at=at(n // 3)))
        for n in range(count)
    ]
    await store.apply(adds, AT)


async def read(store: MemoryStore, limit: int, cursor: str | None = None) -> list[list[str]]:
    """Read all pages from a cursor on, as ids."""
    parts: list[list[str]] = []
    while True:
        page = await store.page(PageQuery(states=SHOWN, cursor=cursor, limit=limit))
        parts.append([one.id for one in page.memories])
        cursor = page.next_cursor
        if cursor is None:
            return parts


async def check_the_parts_are_the_list(open_store: OpenStore) -> None:
    """All pages together are the whole list, in its order."""
    store = (await open_store()).memories
    await fill(store, 10)
    whole = [one.id for one in await store.memories(SHOWN)]
    for limit in (1, 3, 9, 10, 11):
        parts = await read(store, limit)
        assert [name for part in parts for name in part] == whole
        assert all(len(part) == limit for part in parts[:-1])
        assert parts[-1]


async def check_what_comes_or_goes_between_two_parts_moves_nothing(open_store: OpenStore) -> None:
    """A memory added or purged between two pages does not shift the next page."""
    store = (await open_store()).memories
    await fill(store, 8)
    first = await store.page(PageQuery(states=SHOWN, limit=3))
    last = first.memories[-1].id
    await store.apply([Purge(last, Author.USER)], AT)
    await store.apply([Add(memory("new", "The deck is of oak.", created_at=at(59)))], AT)
    rest = await read(store, 3, first.next_cursor)
    assert [name for part in rest for name in part] == ["m4", "m3", "m2", "m1", "m0"]


async def check_a_list_without_limit_is_whole_and_filters_hold(open_store: OpenStore) -> None:
    """A list without limit is whole and filters hold."""
    store = (await open_store()).memories
    await fill(store, 4)
    await store.apply(
        [
            Revise(
                id="m2", author=Author.USER, type=MemoryType.PROCEDURE, class_=MemoryClass.WORKING
            )
        ],
        AT,
    )
    for asked in (
        PageQuery(states=SHOWN, type=MemoryType.PROCEDURE),
        PageQuery(states=SHOWN, class_=MemoryClass.WORKING, limit=1),
    ):
        page = await store.page(asked)
        assert ([one.id for one in page.memories], page.next_cursor) == (["m2"], None)
    assert len((await store.page(PageQuery(states=SHOWN))).memories) == 4


async def check_a_cursor_that_is_none_says_so(open_store: OpenStore) -> None:
    """A malformed cursor is refused with an error that says so."""
    store = (await open_store()).memories
    for cursor in ("x", "/", "2026/x", "2026/-1", "a/" + "9" * 30):
        error = await refusal(store.page(PageQuery(states=SHOWN, cursor=cursor)), InvalidInput)
        assert "not a cursor" in error.message


async def check_fields_are_kept_and_tags_are_found(open_store: OpenStore) -> None:
    """Fields are kept and tags are found."""
    store = (await open_store()).memories
    kept = memory(tags=("zephyr", "ci"), importance=2, scope=MemoryScope.TEAM)
    await store.apply([Add(kept)], AT)
    assert await store.get("m1") == kept
    assert await find_ids(store, "zephyr") == ["m1"]
    await store.apply([Revise(id="m1", author=Author.USER, tags=("mistral",), importance=5)], AT)
    assert await find_ids(store, "zephyr") == []
    assert await find_ids(store, "mistral") == ["m1"]
    assert (await store.get("m1")).importance == 5


async def check_important_ones_are_among_the_foremost_however_old(open_store: OpenStore) -> None:
    """Important ones are among the foremost however old."""
    store = (await open_store()).memories
    await fill(store, 6)
    old = memory("old", "The harbour has two entrances.", importance=4, created_at=at(0))
    await store.apply([Add(old)], AT)
    foremost, total = await store.foremost(2)
    assert ([one.id for one in foremost], total) == (["old", "m5"], 7)


PAGES: tuple[Check, ...] = (
    check_the_parts_are_the_list,
    check_what_comes_or_goes_between_two_parts_moves_nothing,
    check_a_list_without_limit_is_whole_and_filters_hold,
    check_a_cursor_that_is_none_says_so,
    check_fields_are_kept_and_tags_are_found,
    check_important_ones_are_among_the_foremost_however_old,
)
"""What a store of memories must pass that are read page by page."""
