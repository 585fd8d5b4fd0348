"""What is looked at on the disk is said as it is, and what is not there is nothing."""

from pathlib import Path

import pytest

from plimsoll.tools.process.confinement.seen.looks import is_folder, is_link, is_program, is_there


@pytest.fixture
def at(tmp_path: Path) -> Path:
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").write_text("")
    (tmp_path / "program").touch(0o755)
    (tmp_path / "to folder").symlink_to("folder")
    (tmp_path / "to nothing").symlink_to("gone")
    return tmp_path


@pytest.mark.parametrize(
    ("asked", "those"),
    [
        (is_there, {"folder", "text", "program", "to folder"}),
        (is_folder, {"folder", "to folder"}),
        (is_link, {"to folder", "to nothing"}),
        (is_program, {"program"}),
    ],
)
def test_each_thing_is_what_it_is(at: Path, asked, those: set[str]):
    names = {path.name for path in at.iterdir()} | {"gone"}
    assert {name for name in names if asked(at / name)} == those
