"""What every kind of store of workspace pins keeps to."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from plimsoll.errors import InvalidInput, NotFound
from plimsoll.redaction.secrets import Secrets
from plimsoll.storage.chosen.base import PinStore, WorkspacePin
from plimsoll.storage.locate import locate
from plimsoll.storage.registry import OPENERS, open_store
from storage.conftest import SHARED, Open
from storage.samples import AT, unchanged


@pytest.fixture(params=[*OPENERS, SHARED])
async def store(request: pytest.FixtureRequest, opened: Open) -> AsyncIterator[PinStore]:
    yield (await opened(request.param, Secrets({"SHIP_KEY": "anchor-and-chain"}))).pins


async def test_pins_come_back_by_number(store: PinStore) -> None:
    first = await store.add("p1", "Tabs, \ud800 not spaces.", AT)
    second = await store.add("p2", "Ask before you push.", AT)

    assert first == WorkspacePin(id="p1", at=AT, text="Tabs, ? not spaces.", number=1)
    assert await store.pins() == [first, second]


async def test_a_number_is_never_given_twice(store: PinStore) -> None:
    await store.add("p1", "one", AT)
    await store.add("p2", "two", AT)
    await store.remove("p2")

    assert (await store.add("p3", "three", AT)).number == 3
    assert [pin.id for pin in await store.pins()] == ["p1", "p3"]


async def test_an_id_is_given_once_and_what_is_not_there_is_named(store: PinStore) -> None:
    kept = await store.add("p1", "one", AT)

    with pytest.raises(InvalidInput):
        await store.add("p1", "two", AT)
    with pytest.raises(NotFound) as missing:
        await store.remove("p9")

    assert missing.value.kind == "pinNotFound"
    assert await store.pins() == [kept]


async def test_secrets_stay_outside(store: PinStore) -> None:
    pin = await store.add("p1", "use anchor-and-chain", AT)

    assert pin.text == "use [redacted: SHIP_KEY]"
    assert await store.pins() == [pin]


async def test_pins_outlive_the_process_and_two_editors_share_them(opened: Open) -> None:
    one, other = await opened(), await opened()
    await one.pins.add("p1", "first", AT)
    await other.pins.add("p2", "second", AT)
    await one.close()

    assert [pin.number for pin in await (await opened()).pins.pins()] == [1, 2]


async def test_another_folder_sees_none(tmp_path: Path) -> None:
    stores = []
    for name in ("one", "two"):
        root = tmp_path / name
        root.mkdir()
        paths = locate(root, tmp_path / "data")
        stores.append(await open_store("sqlite", paths, unchanged, pytest.fail))
    await stores[0].pins.add("p1", "first", AT)

    assert await stores[1].pins.pins() == []
    for store in stores:
        await store.close()
