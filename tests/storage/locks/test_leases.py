import errno
import fcntl
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from plimsoll.errors import Busy, StoreUnavailable
from plimsoll.storage.locate import ProjectPaths
from plimsoll.storage.locks.leases import FileLeases


def test_a_lease_left_by_a_crash_is_free(tmp_path: Path) -> None:
    (tmp_path / "sessions" / "s1").mkdir(parents=True)
    (tmp_path / "sessions" / "s1" / "lease").write_text("pid 1")

    FileLeases(ProjectPaths(tmp_path)).acquire("s1")


def test_two_holders_in_one_process_exclude_each_other(tmp_path: Path) -> None:
    one, other = FileLeases(ProjectPaths(tmp_path)), FileLeases(ProjectPaths(tmp_path))
    lease = one.acquire("s1")

    with pytest.raises(Busy):
        other.acquire("s1")
    assert (one.holds("s1"), other.holds("s1")) == (True, False)

    one.release(lease)
    other.acquire("s1")
    other.release_all()
    one.acquire("s1")


def test_a_lock_on_a_file_that_lost_its_name_is_no_lease(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock: Callable[[int, int], None] = fcntl.flock
    deletions = [tmp_path / "sessions" / "s1"]

    def delete_first(descriptor: int, operation: int) -> None:
        while deletions:
            shutil.rmtree(deletions.pop())
            (tmp_path / "sessions" / "s1").mkdir(parents=True)
        lock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", delete_first)
    FileLeases(ProjectPaths(tmp_path)).acquire("s1")

    with pytest.raises(Busy):
        FileLeases(ProjectPaths(tmp_path)).acquire("s1")


def test_a_lease_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "sessions" / "s1").mkdir(parents=True)
    (tmp_path / "sessions" / "s1" / "lease").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(StoreUnavailable) as error:
        FileLeases(ProjectPaths(tmp_path)).acquire("s1")

    assert error.value.remedy
    assert not (tmp_path / "elsewhere").exists()


def test_a_lease_that_cannot_be_signed_is_free_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leases = FileLeases(ProjectPaths(tmp_path))

    def refuse(descriptor: int, text: bytes, offset: int) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr("plimsoll.storage.locks.open_files.os.pwrite", refuse)
        with pytest.raises(StoreUnavailable, match="No space left"):
            leases.acquire("s1")
    assert not leases.holds("s1")
    assert leases.acquire("s1").session_id == "s1"
