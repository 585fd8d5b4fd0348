"""The pins of a folder are its own."""

from pathlib import Path

import pytest

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
