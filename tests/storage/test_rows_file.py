"""A small file of rows: what cannot be written holds in the process until it can."""

from pathlib import Path

from plimsoll.errors import StoreUnavailable
from plimsoll.storage.rows_file import RowsFile


def test_rows_that_cannot_be_written_stay_in_memory_until_they_can(tmp_path: Path):
    warned: list[StoreUnavailable] = []
    folder = tmp_path / "data"
    folder.write_text("no folder")
    rows = RowsFile(folder / "rows.json", warned.append)

    rows.write([{"a": 1}])
    rows.write([{"a": 2}])
    assert rows.read() == [{"a": 2}]
    assert len(warned) == 1

    folder.unlink()
    rows.write([{"a": 3}])
    (folder / "rows.json").write_text('[{"a": 4}]')
    assert rows.read() == [{"a": 4}]
