"""A file keeps what hangs on it: names, attributes, owner, mode; its text is whole or kept."""

import errno
import os
import resource
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from plimsoll.tools.files.opening import folder
from plimsoll.tools.files.replacing import Replacing
from plimsoll.tools.written_over import unfinished_writes


def replaced(path: Path, data: bytes, kept: Path) -> None:
    with folder(path.parent) as parent:
        Replacing(path, parent, data, kept).carry_out(lambda: None)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "kept"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    path = tmp_path / "work" / "a.cfg"
    path.write_text("an old text that is longer\n")
    return path


def test_a_file_of_one_name_is_another_file_afterwards(file: Path, kept: Path):
    before = file.stat()
    replaced(file, b"new\n", kept)
    assert (file.read_text(), file.stat().st_mode) == ("new\n", before.st_mode)
    assert file.stat().st_ino != before.st_ino
    assert not kept.exists()


def test_other_names_and_attributes_stay(file: Path, kept: Path):
    twin = file.with_name("twin.cfg")
    twin.hardlink_to(file)
    replaced(file, b"new\n", kept)
    assert (twin.read_text(), twin.stat().st_ino) == ("new\n", file.stat().st_ino)
    twin.unlink()
    if not hasattr(os, "setxattr"):
        return
    try:
        os.setxattr(file, "user.note", b"kept")
    except OSError as error:
        assert error.errno in (errno.ENOTSUP, errno.EPERM)
        return
    replaced(file, b"newer\n", kept)
    assert (file.read_text(), os.getxattr(file, "user.note")) == ("newer\n", b"kept")
    assert [*kept.iterdir()] == []


def test_the_group_of_a_program_stays_in_its_mode(file: Path, kept: Path):
    file.chmod(0o2755)
    replaced(file, b"new\n", kept)
    assert stat.S_IMODE(file.stat().st_mode) == 0o2755


def test_the_old_text_is_kept_until_the_new_one_is_written(file: Path, kept: Path):
    file.with_name("twin.cfg").hardlink_to(file)
    seen: list[str] = []

    def check() -> None:
        (copy,) = (each for each in kept.iterdir() if each.suffix != ".of")
        seen.append(copy.read_text())
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600

    with folder(file.parent) as parent:
        Replacing(file, parent, b"new\n", kept).carry_out(check)
    assert seen == ["an old text that is longer\n"]
    assert [*kept.iterdir()] == []


def test_a_change_that_is_refused_at_the_last_moment_leaves_the_text(file: Path, kept: Path):
    file.with_name("twin.cfg").hardlink_to(file)

    def refuse() -> None:
        raise RuntimeError

    with folder(file.parent) as parent, pytest.raises(RuntimeError):
        Replacing(file, parent, b"new\n", kept).carry_out(refuse)
    assert file.read_text() == "an old text that is longer\n"


def test_a_text_that_does_not_fit_on_the_disk_leaves_the_old_one(file: Path, kept: Path):
    file.with_name("twin.cfg").hardlink_to(file)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40, hard))
    try:
        with pytest.raises(OSError, match="too large"):
            replaced(file, b"n" * 100, kept)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert file.read_text() == "an old text that is longer\n"
    assert [*kept.iterdir()] == []


def test_a_file_in_a_closed_folder_is_written(file: Path, kept: Path):
    """Where it stands; by root, to whom no folder is closed, beside it as ever."""
    file.parent.chmod(0o555)
    replaced(file, b"new\n", kept)
    file.parent.chmod(0o755)
    assert file.read_text() == "new\n"


KILLED = """
import os, resource, signal, sys
from pathlib import Path
from plimsoll.tools.files.opening import folder
from plimsoll.tools.files.replacing import Replacing
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
path, kept = map(Path, sys.argv[1:])
with folder(path.parent) as parent:
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (40, 40))
    Replacing(path, parent, b"n" * 100, kept).carry_out(limit)
"""


@pytest.mark.slow
def test_what_a_kill_leaves_half_written_is_found_with_its_old_text(file: Path, kept: Path):
    file.with_name("twin.cfg").hardlink_to(file)
    done = subprocess.run([sys.executable, "-c", KILLED, file, kept], check=False)
    assert done.returncode == -signal.SIGXFSZ
    assert file.read_bytes() == b"n" * 40
    (found,) = unfinished_writes(kept)
    assert found.path == file
    assert found.copy.read_text() == "an old text that is longer\n"
    file.write_bytes(b"n" * 100)
    assert unfinished_writes(kept) == []
    assert [*kept.iterdir()] == []
