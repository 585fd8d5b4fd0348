import os
import resource
from pathlib import Path

import pytest

from plimsoll.errors import StoreUnavailable
from plimsoll.redaction.secrets import Secrets
from plimsoll.storage.locate import ProjectPaths, sizes_in
from plimsoll.storage.spill import Spills, open_up, remove_folder
from storage.samples import unchanged


@pytest.fixture
def spills(paths: ProjectPaths) -> Spills:
    return Spills(paths, Secrets({"SHIP_KEY": "sail-and-anchor"}))


def test_a_text_is_kept_whole_without_secrets(spills: Spills) -> None:
    path = spills.of("s1").write("c1", "Grüße\r\nsail-and-anchor\n")

    assert path.read_bytes() == "Grüße\r\n[redacted: SHIP_KEY]\n".encode()
    assert path.parent == spills.of("s1").folder
    assert path.stat().st_mode & 0o777 == 0o600


def test_names_are_new_and_cannot_be_guessed(spills: Spills) -> None:
    paths = {spills.of("s1").write("../c1", "same") for _ in range(20)}

    assert len({path.name for path in paths}) == 20
    assert {path.parent for path in paths} == {spills.of("s1").folder}


def test_a_text_that_does_not_fit_the_disk_is_refused_and_leaves_nothing(
    spills: Spills, paths: ProjectPaths
) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        with pytest.raises(StoreUnavailable) as full:
            spills.of("s1").write("call_7", "x" * 200_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert "call_7" in full.value.message
    assert full.value.remedy
    assert list(spills.of("s1").folder.iterdir()) == []


def test_old_files_are_swept(spills: Spills) -> None:
    old, new = spills.of("s1").write("c1", "old"), spills.of("s2").write("c2", "new")
    now = new.stat().st_mtime
    eight_days_ago = now - 8 * 86_400
    os.utime(old, (eight_days_ago, eight_days_ago))

    assert spills.sweep(7, now) == 1
    assert spills.sweep(7, now) == 0

    assert (old.exists(), new.exists()) == (False, True)


def test_a_file_that_cannot_be_swept_is_left(spills: Spills, paths: ProjectPaths) -> None:
    first, last = spills.of("s1").write("c1", "old"), spills.of("s2").write("c2", "old")
    for name in ("s1", "s2"):
        (paths.session(name) / "spill" / "folder.txt").mkdir()

    assert spills.sweep(7, first.stat().st_mtime + 8 * 86_400) == 2

    assert (first.exists(), last.exists()) == (False, False)


def test_a_sessions_files_are_deleted_with_it(spills: Spills) -> None:
    gone, kept = spills.of("s1").write("c1", "gone"), spills.of("s2").write("c2", "kept")

    remove_folder(spills.of("s1").folder)
    remove_folder(spills.of("s1").folder)

    assert (gone.exists(), kept.exists()) == (False, True)


def test_a_linked_folder_is_not_followed(paths: ProjectPaths, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious.txt").write_text("stay")
    spills = Spills(paths, unchanged)
    paths.session("s1").mkdir()
    spills.of("s1").folder.symlink_to(outside)

    remove_folder(spills.of("s1").folder)

    assert not spills.of("s1").folder.is_symlink()
    assert (outside / "precious.txt").read_text() == "stay"


def test_folders_are_opened_for_their_owner_and_what_a_link_names_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "cache" / "shut"
    outside.mkdir(mode=0o755)
    inside.mkdir(parents=True)
    inside.chmod(0o500)
    (tmp_path / "cache" / "link").symlink_to(outside)
    # As if the link had taken a folder's place behind the look.
    monkeypatch.setattr(Path, "is_symlink", lambda _: False)

    open_up(tmp_path / "cache")

    modes = [path.stat().st_mode & 0o777 for path in (outside, inside)]
    assert modes == [0o755, 0o700]


@pytest.mark.parametrize("descriptors", [256, pytest.param(4096, marks=pytest.mark.slow)])
def test_folders_deeper_than_calls_can_be_nested_are_removed(
    tmp_path: Path, descriptors: int
) -> None:
    folder = tmp_path / "caches"
    folder.mkdir()
    at = os.open(folder, os.O_RDONLY)
    for _ in range(1500):
        for name in ("a", "b"):
            os.mkdir(name, dir_fd=at)
        above, at = at, os.open("a", os.O_RDONLY, dir_fd=at)
        os.close(above)
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, 0o600, dir_fd=at))
    os.close(at)

    assert list(sizes_in(folder)) == [0]
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(descriptors, before[1]), before[1]))
    try:
        remove_folder(folder)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)

    assert not folder.exists()
