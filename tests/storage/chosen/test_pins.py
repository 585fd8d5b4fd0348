"""The pins of a folder are its own."""

from pathlib import Path

import pytest

from plimsoll.errors import InvalidInput, NotFound
from plimsoll.memory.types import MemoryScope
from plimsoll.storage.chosen.base import PinSharing, WorkspacePin
from plimsoll.storage.chosen.pins import ROOM_FOR_COLLEAGUES, leave_room
from plimsoll.storage.locate import locate
from plimsoll.storage.registry import open_store
from storage.samples import AT, unchanged


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


def pin(number: int, length: int, author: str | None = "anna") -> WorkspacePin:
    sharing = PinSharing(MemoryScope.TEAM, author)
    return WorkspacePin(id=f"p{number}", at=AT, text="x" * length, number=number, sharing=sharing)


@pytest.mark.parametrize(
    ("pins", "shown"),
    [
        ([pin(1, ROOM_FOR_COLLEAGUES)], [1]),
        ([pin(1, ROOM_FOR_COLLEAGUES + 1)], []),
        ([pin(1, ROOM_FOR_COLLEAGUES - 5), pin(2, 6), pin(3, 5), pin(4, 1)], [1, 3]),
        ([pin(1, ROOM_FOR_COLLEAGUES + 1, None), pin(2, ROOM_FOR_COLLEAGUES)], [1, 2]),
    ],
)
def test_colleagues_have_so_much_room_and_ones_own_pins_take_none_of_it(
    pins: list[WorkspacePin], shown: list[int]
) -> None:
    assert [each.number for each in leave_room(pins)] == shown


async def test_a_pin_is_numbered_once_and_goes_once(tmp_path: Path) -> None:
    store = await open_store("sqlite", locate(tmp_path, tmp_path / "data"), unchanged, pytest.fail)
    assert [(await store.pins.add(f"p{n}", "text", AT)).number for n in (1, 2)] == [1, 2]
    with pytest.raises(InvalidInput, match="a pin 'p2' already"):
        await store.pins.add("p2", "other", AT)
    await store.pins.remove("p2")
    with pytest.raises(NotFound):
        await store.pins.remove("p2")
    # No number is given twice.
    assert (await store.pins.add("p3", "text", AT)).number == 3
    assert [each.id for each in await store.pins.pins()] == ["p1", "p3"]
    await store.close()
