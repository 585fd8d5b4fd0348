import json
from pathlib import Path

import pytest

from plimsoll.errors import StoreUnavailable
from plimsoll.storage.locate import data_folder, locate, looks_moved


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def made(path: Path) -> Path:
    path.mkdir()
    return path


def test_a_project_is_found_again_by_every_way_to_it(tmp_path: Path, data: Path) -> None:
    root = made(tmp_path / "project")
    (tmp_path / "link").symlink_to(root)

    places = {
        locate(way, data)
        for way in (root, tmp_path / "link", root / ".." / "project", Path(f"{root}/"))
    }

    assert len(places) == 1


def test_another_folder_is_another_project_whatever_is_in_it(tmp_path: Path, data: Path) -> None:
    one, other = made(tmp_path / "one"), made(tmp_path / "other")
    for root in (one, other):
        (root / "project.json").write_text('{"path":"/same"}')

    assert locate(one, data).folder != locate(other, data).folder


def test_what_the_folder_is_stands_beside_the_store(tmp_path: Path, data: Path) -> None:
    root = made(tmp_path / "project")
    status = root.stat()

    described = locate(root, data).folder / "project.json"

    assert json.loads(described.read_text()) == {
        "path": str(root),
        "device": status.st_dev,
        "inode": status.st_ino,
    }
    assert described.stat().st_mode & 0o777 == 0o600


def test_a_broken_description_is_written_anew(tmp_path: Path, data: Path) -> None:
    root = made(tmp_path / "project")
    described = locate(root, data).folder / "project.json"
    whole = described.read_text()
    described.write_bytes(b"\xff{")

    assert looks_moved(root, data) == []
    locate(root, data)

    assert described.read_text() == whole


def test_a_moved_folder_is_offered_and_not_taken(tmp_path: Path, data: Path) -> None:
    root = made(tmp_path / "before")
    first = locate(root, data)
    assert looks_moved(root, data) == []
    root.rename(tmp_path / "after")

    assert looks_moved(tmp_path / "after", data) == [root]
    assert locate(tmp_path / "after", data).folder != first.folder


def test_a_folder_that_is_still_there_is_not_offered(tmp_path: Path, data: Path) -> None:
    root = made(tmp_path / "before")
    locate(root, data)
    root.rename(tmp_path / "after")
    made(root)

    assert looks_moved(tmp_path / "after", data) == []


def test_the_data_folder_can_be_chosen(tmp_path: Path) -> None:
    assert data_folder({"PLIMSOLL_DATA_DIR": str(tmp_path / "x")}) == tmp_path / "x"
    assert data_folder({}).name == "plimsoll"


def test_a_folder_that_was_there_keeps_its_rights_and_ours_are_private(tmp_path: Path) -> None:
    shared = made(tmp_path / "shared")
    shared.chmod(0o755)

    paths = locate(made(tmp_path / "project"), shared)

    assert shared.stat().st_mode & 0o777 == 0o755
    assert paths.folder.stat().st_mode & 0o777 == 0o700
    assert paths.folder.parent.stat().st_mode & 0o777 == 0o700


def test_a_file_where_the_data_should_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")

    with pytest.raises(StoreUnavailable) as error:
        locate(made(tmp_path / "project"), tmp_path / "data")

    assert error.value.remedy
