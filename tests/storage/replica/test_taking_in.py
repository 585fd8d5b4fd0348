"""Taking in news, of every kind of copy of a shared project."""

from dataclasses import replace

import pytest

from plimsoll.errors import NotFound
from plimsoll.memory.changes import Accept, Forget
from plimsoll.memory.types import Author, MemoryScope, MemoryState, Trust
from plimsoll.storage.chosen.base import PinSharing
from plimsoll.storage.chosen.pins import ROOM_FOR_COLLEAGUES
from plimsoll.storage.project import ProjectStore
from plimsoll.storage.shared.news import News
from plimsoll.storage.shared.operations import (
    ChangeMemory,
    Gone,
    RemovePin,
    SharePin,
)
from storage.replica.doing import TOX, apply, found, held, revise, settle, share, waiting
from storage.shared.samples import (
    AT,
    HARBOUR,
    LATER,
    from_anna,
    own,
    pin_from_anna,
    team_memory,
    team_pin,
)

ACTIVE, INBOX = MemoryState.ACTIVE, MemoryState.INBOX


async def test_news_are_found_with_author_version_and_age(store: ProjectStore) -> None:
    await store.replica.join(HARBOUR)
    await store.replica.accept_author("anna", AT)
    news = News(position=5, memories=[from_anna(team_memory(), 2)])

    assert await store.replica.take_in(news, LATER) is True
    assert await store.replica.take_in(news, LATER) is False

    assert await store.memories.get("m1") == team_memory(
        trust=Trust.TEAM, author_name="anna", version=2, seen_at=LATER
    )
    assert await found(store, "pytest") == ["m1"]
    assert await waiting(store) == []
    assert (await store.replica.read_joined()).position == 5
    [event] = await store.memories.audit("m1")
    assert (event.action, event.reason) == ("added", "by anna")


async def test_a_position_never_goes_back(store: ProjectStore) -> None:
    await store.replica.join(HARBOUR)
    await store.replica.take_in(News(position=9), AT)
    await store.replica.take_in(News(position=4), LATER)

    assert (await store.replica.read_joined()).position == 9


async def test_accepting_an_author_lets_what_waits_take_effect(store: ProjectStore) -> None:
    await store.replica.join(HARBOUR)
    pin = team_pin()
    await store.replica.take_in(
        News(position=1, memories=[from_anna(team_memory())], pins=[pin_from_anna(pin)]), AT
    )
    assert (await store.memories.get("m1")).state is INBOX
    assert await found(store, "pytest") == []
    assert await store.pins.pins() == []

    await store.replica.accept_author("anna", LATER)

    assert await store.replica.accepted_authors() == {"anna"}
    assert (await store.memories.get("m1")).state is ACTIVE
    assert await found(store, "pytest") == ["m1"]
    shown = replace(pin, number=1, sharing=PinSharing(MemoryScope.TEAM, "anna"))
    assert await store.pins.pins() == [shown]
    assert await waiting(store) == []


@pytest.mark.parametrize(("accept", "state"), [("ask", INBOX), ("all", ACTIVE)])
async def test_the_setting_says_who_waits(store: ProjectStore, accept, state) -> None:
    await store.replica.join(HARBOUR)
    if accept == "ask":
        await store.replica.accept_author("anna", AT)

    await store.replica.take_in(News(position=1, memories=[from_anna(team_memory())]), AT, accept)

    assert (await store.memories.get("m1")).state is state


async def test_what_a_person_rejected_stays_so_until_its_text_is_another(
    store: ProjectStore,
) -> None:
    await store.replica.join(HARBOUR)
    await store.replica.take_in(News(position=1, memories=[from_anna(team_memory())]), AT)
    await apply(store, Forget("m1", Author.USER))

    await store.replica.take_in(
        News(position=2, memories=[from_anna(team_memory(pinned=True), 2)]), AT
    )
    rejected = await store.memories.get("m1")
    await store.replica.take_in(
        News(position=3, memories=[from_anna(team_memory(content=TOX), 3)]), AT
    )

    assert (rejected.state, rejected.version) == (MemoryState.FORGOTTEN, 2)
    assert (await store.memories.get("m1")).state is INBOX


async def test_news_leave_alone_what_has_an_operation_waiting(store: ProjectStore) -> None:
    await share(store)
    await apply(store, revise(content=TOX))
    theirs = team_memory(content="Tests run with nose.")

    assert await store.replica.take_in(News(position=2, memories=[own(theirs, 2)]), LATER) is False

    assert (await store.memories.get("m1")).content == TOX
    assert await waiting(store) == [ChangeMemory(team_memory(content=TOX), 1)]


@pytest.mark.parametrize("by_news", [False, True])
async def test_what_was_forgotten_for_all_is_gone_here(store: ProjectStore, by_news: bool) -> None:
    await share(store)
    await apply(store, revise(content=TOX))
    await apply(store, revise(content="Tests run with nose."))

    if by_news:
        await store.replica.take_in(News(position=2, forgotten=["m1"]), LATER)
    else:
        await settle(store, Gone())

    assert await held(store) == {}
    assert await found(store, "tests") == []
    assert await waiting(store) == []
    assert [each.action for each in await store.memories.audit("m1")][-1] == "purged"


async def test_own_pins_are_removed_for_all_and_others_here_alone(store: ProjectStore) -> None:
    await store.replica.join(HARBOUR)
    mine = await store.pins.add("p1", "Ask first.", AT, MemoryScope.TEAM)
    assert await waiting(store) == [SharePin(replace(mine, number=0))]
    news = News(position=1, pins=[pin_from_anna(team_pin("p2")), pin_from_anna(team_pin("p3"))])
    assert await store.replica.take_in(news, AT, "all") is True

    await store.pins.remove("p1")
    await store.pins.remove("p2")
    with pytest.raises(NotFound):
        await store.pins.remove("p2")

    assert await waiting(store) == [RemovePin("p1")]
    assert await store.replica.take_in(news, AT, "all") is False
    assert [pin.id for pin in await store.pins.pins()] == ["p3"]
    assert await store.replica.take_in(News(position=2, removed_pins=["p2", "p3"]), AT) is True
    assert await store.pins.pins() == []
    assert await store.replica.take_in(News(position=3, removed_pins=["p3"]), AT) is False


async def test_colleagues_pins_fill_no_request(store: ProjectStore) -> None:
    await store.replica.join(HARBOUR)
    long = replace(team_pin("p2"), text="x" * ROOM_FOR_COLLEAGUES)
    pins = [pin_from_anna(each) for each in (team_pin("p1"), long, team_pin("p3"))]
    await store.replica.take_in(News(position=1, pins=pins), AT, "all")
    own = await store.pins.add("p4", "y" * ROOM_FOR_COLLEAGUES, AT, MemoryScope.TEAM)

    assert [pin.id for pin in await store.pins.pins()] == ["p1", "p3", own.id]

    await store.replica.take_in(News(position=2, removed_pins=["p1", "p3"]), AT)
    assert [pin.id for pin in await store.pins.pins()] == ["p2", own.id]


async def test_a_private_pin_is_neither_sent_nor_removed_by_news(store: ProjectStore) -> None:
    await store.replica.join(HARBOUR)
    kept = await store.pins.add("p1", "Ask first.", AT)

    await store.replica.take_in(News(position=2, removed_pins=["p1"]), AT)

    assert await store.pins.pins() == [kept]
    assert await waiting(store) == []


async def test_accepting_in_the_inbox_shares_nothing_of_a_colleague(store: ProjectStore) -> None:
    await store.replica.join(HARBOUR)
    await store.replica.take_in(News(position=1, memories=[from_anna(team_memory())]), AT)

    await apply(store, Accept("m1"))

    assert (await store.memories.get("m1")).state is ACTIVE
    assert await waiting(store) == []


async def test_a_colleagues_memory_is_changed_for_all(store: ProjectStore) -> None:
    await store.replica.join(HARBOUR)
    await store.replica.take_in(News(position=1, memories=[from_anna(team_memory(), 4)]), AT, "all")

    await apply(store, revise(content=TOX))

    [operation] = await waiting(store)
    assert isinstance(operation, ChangeMemory)
    assert (operation.memory.content, operation.base) == (TOX, 4)
