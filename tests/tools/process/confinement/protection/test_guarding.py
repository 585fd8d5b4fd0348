"""What stands before a confined command begins."""

import stat
from pathlib import Path

import pytest

from plimsoll.errors import ToolFailed
from plimsoll.tools.process.confinement.base import Access
from plimsoll.tools.process.confinement.protection.guarding import Protections


def access(tmp_path: Path) -> Access:
    return Access(root=tmp_path / "work", home=tmp_path, caches=tmp_path / "data/caches")


def test_the_caches_of_a_command_are_there_and_their_owners_alone(tmp_path: Path):
    own = access(tmp_path)
    own.root.mkdir()
    with Protections().guarding(own, {}):
        assert stat.S_IMODE(own.caches.stat().st_mode) == 0o700


def test_in_a_folder_that_is_gone_no_command_is_run_and_nothing_is_made(tmp_path: Path):
    with (
        pytest.raises(ToolFailed, match="is gone, so no command can run in it"),
        Protections().guarding(access(tmp_path), {}),
    ):
        pass
    assert not [*tmp_path.iterdir()]
