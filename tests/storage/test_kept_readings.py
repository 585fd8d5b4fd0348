"""What was read of a log, in a file of its session."""

import os
from pathlib import Path

import pytest

from plimsoll.errors import StoreUnavailable
from plimsoll.redaction.secrets import Secrets
from plimsoll.storage.locate import ProjectPaths
from plimsoll.storage.spill import Spills, remove_folder


@pytest.fixture
def spills(paths: ProjectPaths) -> Spills:
    return Spills(paths, Secrets({}))


def test_the_newest_is_kept_for_its_owner_alone_and_goes_with_the_session(
    spills: Spills, paths: ProjectPaths
) -> None:
    readings = spills.readings("s1")
    assert readings.read() is None

    readings.keep(b"old")
    readings.keep(b"new")

    assert (readings.read(), spills.readings("s2").read()) == (b"new", None)
    (path,) = readings.folder.iterdir()
    assert path.stat().st_mode & 0o777 == 0o600
    remove_folder(paths.session("s1"))
    assert readings.read() is None


def test_a_link_is_not_followed_and_gives_way(spills: Spills, tmp_path: Path) -> None:
    readings, other = spills.readings("s1"), tmp_path / "other"
    readings.keep(b"kept")
    (path,) = readings.folder.iterdir()
    path.rename(other)
    path.symlink_to(other)

    assert readings.read() is None

    readings.keep(b"new")
    assert (readings.read(), other.read_bytes()) == (b"new", b"kept")


def test_where_a_file_has_the_name_of_the_folder_it_is_refused(spills: Spills) -> None:
    folder = spills.readings("s1").folder
    folder.parent.mkdir(parents=True)
    folder.write_text("mine")

    with pytest.raises(StoreUnavailable):
        spills.readings("s1").keep(b"new")

    assert (spills.readings("s1").read(), folder.read_text()) == (None, "mine")


def test_old_ones_and_half_written_ones_are_swept(spills: Spills) -> None:
    readings = spills.readings("s1")
    readings.keep(b"kept")
    (path,) = readings.folder.iterdir()
    half = path.with_name(f".{path.name}.0123456789abcdef")
    half.write_text("ha")
    now = half.stat().st_mtime
    os.utime(half, (now - 8 * 86_400, now - 8 * 86_400))

    assert spills.sweep(7, now) == 1
    assert readings.read() == b"kept"

    os.utime(path, (now - 8 * 86_400, now - 8 * 86_400))
    assert spills.sweep(7, now) == 1
    assert readings.read() is None
