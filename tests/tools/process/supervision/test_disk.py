"""How much a command may take of a disk: others write on it too, so both bounds are far away."""

from pathlib import Path

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
