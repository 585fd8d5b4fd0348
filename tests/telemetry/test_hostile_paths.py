"""Where a trace may be written: to plain files that the person named, and to nothing else."""

import os
import socket
from pathlib import Path

import pytest

from plimsoll.errors import InvalidInput
from plimsoll.telemetry.trace_file import trace_sinks

HERE = ("", ".", "folder", "folder/", "folder/.", "file/x", "missing/x", "x/" * 3_000)
NAMES = ("x" * 300, "a\0b", "\0", "é" * 200)
TRAPS = (
    "loop",
    "dangling",
    "to-file",
    "to-folder",
    "to-null",
    "chain",
    "pipe",
    "socket",
    "locked/x",
)
SYSTEM = (
    "/", "/dev/null", "/dev/zero", "/dev/full", "/dev/stdin", "/dev/stdout", "/dev/stderr",
    "/dev/tty", "/dev/fd/0", "/dev/fd/1", "/proc/self/mem", "/proc/self/fd/2", "/proc/1/mem",
    "/etc", "~nobody-of-that-name/x",
)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "file").write_text("the person's\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "locked").mkdir(0o000)
    for name, target in (
        ("loop", "loop"),
        ("dangling", "nowhere"),
        ("to-file", "file"),
        ("to-folder", "folder"),
        ("to-null", "/dev/null"),
        ("chain", "to-file"),
    ):
        (tmp_path / name).symlink_to(target)
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(tmp_path / "socket"))
    return tmp_path


@pytest.mark.parametrize("name", [*HERE[1:], *NAMES, *TRAPS])
def test_what_is_no_plain_file_in_a_folder_is_refused(folder: Path, name: str):
    if name == "locked/x" and os.geteuid() == 0:
        name = "locked"
    descriptors = set(Path("/dev/fd").iterdir())
    with pytest.raises(InvalidInput, match="The trace cannot be written") as refused:
        trace_sinks(f"{folder}/{name}")
    assert refused.value.message.isprintable()
    assert set(Path("/dev/fd").iterdir()) == descriptors
    assert (folder / "file").read_text() == "the person's\n"
    assert not (folder / "nowhere").exists()


@pytest.mark.parametrize("name", SYSTEM)
def test_what_is_the_systems_is_refused(name: str):
    with pytest.raises(InvalidInput, match="The trace cannot be written"):
        trace_sinks(name)


@pytest.mark.parametrize("name", ["-", "a\nb", "\udc80", "$HOME", "x y", "é"])
def test_an_odd_name_is_a_name(folder: Path, name: str):
    (sink,) = trace_sinks(f"{folder}/{name}")
    sink.close()
    assert (folder / name).stat().st_mode & 0o777 == 0o600
