"""Checks of the pins of a project."""

from plimsoll.errors import InvalidInput, NotFound
from plimsoll.storage.chosen.base import WorkspacePin
from plimsoll.storage.conformance.base import (
    AT,
    MARK,
    SECRET,
    Check,
    OpenStore,
    hide_secret,
    refusal,
)


async def check_pins_come_back_by_number(open_store: OpenStore) -> None:
    """Pins come back by number."""
    store = (await open_store()).pins
    first = await store.add("p1", "Tabs, \ud800 not spaces.", AT)
    second = await store.add("p2", "Ask before you push.", AT)

    assert first == WorkspacePin(id="p1", at=AT, text="Tabs, ? not spaces.", number=1)
    assert await store.pins() == [first, second]


async def check_a_number_is_never_given_twice(open_store: OpenStore) -> None:
    """A number is never given twice."""
    store = (await open_store()).pins
    await store.add("p1", "one", AT)
    await store.add("p2", "two", AT)
    await store.remove("p2")

    assert (await store.add("p3", "three", AT)).number == 3
    assert [pin.id for pin in await store.pins()] == ["p1", "p3"]


async def check_an_id_is_given_once_and_what_is_not_there_is_named(open_store: OpenStore) -> None:
    """A second pin of the same id is refused, and an unknown id is named in the error."""
    store = (await open_store()).pins
    kept = await store.add("p1", "one", AT)

    await refusal(store.add("p1", "two", AT), InvalidInput)
    missing = await refusal(store.remove("p9"), NotFound)

    assert missing.kind == "pinNotFound"
    assert await store.pins() == [kept]


async def check_secrets_stay_outside(open_store: OpenStore) -> None:
    """Secrets in the texts of pins are redacted before they are stored."""
    store = (await open_store(hide_secret)).pins
    pin = await store.add("p1", f"use {SECRET}", AT)

    assert pin.text == f"use {MARK}"
    assert await store.pins() == [pin]


PINS: tuple[Check, ...] = (
    check_pins_come_back_by_number,
    check_a_number_is_never_given_twice,
    check_an_id_is_given_once_and_what_is_not_there_is_named,
    check_secrets_stay_outside,
)
"""What a store of pins must pass."""
