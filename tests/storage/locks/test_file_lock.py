"""Files are locked on Linux and macOS; elsewhere nothing starts, and a person is told why."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from plimsoll.cli import require_file_locks
from plimsoll.errors import StoreUnavailable
from plimsoll.storage.locks.open_files import lock, open_locked, try_lock, unlock, unlock_and_close

ON_WINDOWS = """
import sys
sys.modules["fcntl"] = None
from plimsoll.cli import main
sys.platform = "win32"
main(["doctor"])
"""


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_linux_and_macos_are_supported(platform: str) -> None:
    require_file_locks(platform)


def test_windows_is_refused_with_a_remedy() -> None:
    with pytest.raises(StoreUnavailable, match="Windows") as refused:
        require_file_locks("win32")
    assert "WSL" in (refused.value.remedy or "")


@pytest.mark.slow
def test_the_program_says_so_at_start_and_ends(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", ON_WINDOWS], capture_output=True, text=True, cwd=tmp_path
    )

    assert ended.returncode == 1
    assert "does not run on Windows" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_lock_is_held_by_one_open_file(tmp_path: Path) -> None:
    one, other = (os.open(tmp_path / "lock", os.O_CREAT | os.O_RDWR) for _ in range(2))
    lock(one)
    with pytest.raises(BlockingIOError):
        try_lock(other)
    unlock(one)
    try_lock(other)
    os.close(one)
    os.close(other)


def test_a_lock_is_given_back_though_a_forked_process_has_the_file_open(tmp_path: Path) -> None:
    held = open_locked(tmp_path / "lock")
    forked = os.dup(held)
    with pytest.raises(BlockingIOError):
        open_locked(tmp_path / "lock")

    unlock_and_close(held)

    os.close(open_locked(tmp_path / "lock"))
    os.close(forked)
