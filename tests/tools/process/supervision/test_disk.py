"""How much a command may take of a disk: others write on it too, so both bounds are far away."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from plimsoll.tools.process.supervision.disk import DiskSpace

FAR = 1 << 60
"""Bytes; no disk here has as many, so nobody takes or frees them meanwhile."""


@pytest.mark.parametrize(("most", "exceeded"), [(-FAR, True), (FAR, False)])
def test_a_command_takes_too_much_above_its_bound(tmp_path: Path, most: int, exceeded: bool):
    assert DiskSpace([str(tmp_path)], most).is_exceeded() is exceeded


def test_nothing_is_taken_of_a_folder_that_is_not_there(tmp_path: Path):
    assert not DiskSpace([str(tmp_path / "gone")], -FAR).is_exceeded()
    assert DiskSpace([str(tmp_path / "gone"), str(tmp_path)], -FAR).is_exceeded()


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """What the system tells of the disk, as the test sets it."""
    told = {"f_frsize": 10, "f_bfree": 100, "f_files": 50, "f_ffree": 40}
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(**told))
    return told


@pytest.mark.parametrize(
    ("most", "now", "exceeded"),
    [
        (300, {"f_bfree": 70}, False),
        (300, {"f_bfree": 69}, True),
        (None, {"f_bfree": 50}, False),
        (None, {"f_bfree": 49}, True),
        (300, {"f_bfree": 200}, False),
        (300, {"f_ffree": 20}, False),
        (300, {"f_ffree": 19}, True),
    ],
)
def test_a_command_takes_too_many_bytes_or_too_many_files(
    tmp_path: Path, disk: dict[str, int], most: int | None, now: dict[str, int], exceeded: bool
):
    space = DiskSpace([str(tmp_path)], most)
    assert not space.is_exceeded()
    disk.update(now)
    assert space.is_exceeded() is exceeded


def test_a_disk_without_a_number_of_files_has_no_bound_of_them(
    tmp_path: Path, disk: dict[str, int]
):
    disk.update(f_files=0, f_ffree=40)
    space = DiskSpace([str(tmp_path)], 300)
    disk.update(f_ffree=0)
    assert not space.is_exceeded()
