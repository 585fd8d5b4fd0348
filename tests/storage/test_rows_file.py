"""A small file of rows: what cannot be written holds in the process until it can."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from plimsoll.errors import StoreUnavailable
from plimsoll.storage.rows_file import MOST_BYTES, RowsFile, kept_files

Rows = Sequence[Mapping[str, object]]


def never(error: StoreUnavailable) -> None:
    raise AssertionError(error)


def test_another_process_reads_what_was_written_last(tmp_path: Path):
    path = tmp_path / "data/rows.json"
    rows = RowsFile(path, never)
    assert rows.read() == ()
    rows.write([{"a": 1}, {"a": 2}])
    assert RowsFile(path, never).read() == [{"a": 1}, {"a": 2}]
    rows.write([{"a": 3}])
    assert RowsFile(path, never).read() == [{"a": 3}]
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_change_is_made_of_the_rows_that_another_process_wrote(tmp_path: Path):
    path = tmp_path / "data/rows.json"
    one, other = RowsFile(path, never), RowsFile(path, never)
    one.change(lambda rows: [*rows, {"a": 1}])
    other.change(lambda rows: [*rows, {"a": 2}])
    one.change(lambda rows: [*rows, {"a": 3}])
    assert other.read() == [{"a": 1}, {"a": 2}, {"a": 3}]


def test_a_change_in_a_folder_that_cannot_be_written_is_made_once(tmp_path: Path):
    warned: list[StoreUnavailable] = []
    (tmp_path / "data").write_text("no folder")
    rows = RowsFile(tmp_path / "data/rows.json", warned.append)
    rows.change(lambda rows: [*rows, {"a": 1}])
    rows.change(lambda rows: [*rows, {"a": 2}])
    assert rows.read() == [{"a": 1}, {"a": 2}]
    assert len(warned) == 1


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("no JSON", []),
        ("[" * 100_000, []),
        ('{"a": 1}', []),
        ('[{"a": 1}, 2, null, "b"]', [{"a": 1}]),
        (json.dumps([{"a": 1}]).ljust(MOST_BYTES), [{"a": 1}]),
        (json.dumps([{"a": 1}]).ljust(MOST_BYTES + 1), []),
    ],
    ids=["no JSON", "deep", "no list", "other things", "the largest", "too large"],
)
def test_of_a_file_that_was_not_written_here_what_can_be_is_read(
    tmp_path: Path, text: str, read: Rows
):
    (tmp_path / "rows.json").write_text(text)
    assert [*RowsFile(tmp_path / "rows.json", never).read()] == read


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


def test_a_store_in_memory_keeps_no_file_and_the_others_keep_two(tmp_path: Path):
    environment = {"PLIMSOLL_DATA_DIR": str(tmp_path)}
    nothing = kept_files(environment, "memory", never)
    assert (nothing.mends, nothing.connections) == (None, None)
    kept = kept_files(environment, "sqlite", never)
    assert kept.mends is not None
    assert kept.connections is not None
    kept.mends.write([{"a": 1}])
    kept.connections.write([{"b": 1}])
    assert sorted(each.name for each in tmp_path.rglob("*.json")) == [
        "connections.json",
        "mends.json",
    ]
