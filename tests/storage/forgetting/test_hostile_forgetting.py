"""`forget-everything` in a data folder full of traps: what lies outside of it is left as it was."""

import contextlib
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from plimsoll.errors import PlimsollError
from plimsoll.storage.forgetting import forget_everything, list_kept
from plimsoll.storage.locate import locate, projects_folder
from plimsoll.storage.rows_file import MENDS_FILE

OWN = "projects/OWN"
PLACES = (
    "projects",
    OWN,
    f"{OWN}/sessions",
    f"{OWN}/sessions/s1",
    f"{OWN}/sessions/s1/spill",
    f"{OWN}/caches",
    f"{OWN}/caches/pip/deep",
    f"{OWN}/moved-aside",
    f"{OWN}/project.json",
    f"{OWN}/plimsoll.db",
    f"{OWN}/plimsoll.db-wal",
    f"{OWN}/plimsoll.lock",
    f"{OWN}/plimsoll.queue",
    f"{OWN}/history",
    "projects/.forgotten-0123456789abcdef",
    "projects/ffffffffffffffffffffffffffffffff",
    "log",
    "log/plimsoll.log",
    "tcp",
    MENDS_FILE,
)
KINDS = ("folder", "file", "nothing", "loop", "pipe", "twin")


pytestmark = pytest.mark.slow


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """What no forgetting may touch; its modes tell too."""
    folder = tmp_path / "outside"
    for name in ("photos", "photos/0123456789abcdef0123456789abcdef", "photos/.forgotten-mine"):
        (folder / name).mkdir(parents=True)
        (folder / name / "file.txt").write_text("canary")
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return folder


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def seen(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        str(path.relative_to(folder)): (
            stat.S_IMODE(path.stat().st_mode),
            b"" if path.is_dir() else path.read_bytes(),
        )
        for path in sorted(folder.rglob("*"))
    }


def filled(data: Path, root: Path) -> Path:
    root.mkdir(exist_ok=True)
    paths = locate(root, data)
    for place in PLACES:
        path = data / place.replace("OWN", paths.folder.name)
        path.parent.mkdir(parents=True, exist_ok=True)
    return paths.folder


def set_trap(path: Path, kind: str, outside: Path) -> None:
    with contextlib.suppress(FileNotFoundError):
        path.rename(path.with_name("was-there"))
    match kind:
        case "folder":
            path.symlink_to(outside / "photos")
        case "file":
            path.symlink_to(outside / "photos/file.txt")
        case "nothing":
            path.symlink_to(outside / "not-there")
        case "loop":
            path.symlink_to(path.name)
        case "pipe":
            os.mkfifo(path)
        case _:
            os.link(outside / "photos/file.txt", path)


def traps() -> Iterator[tuple[str, str]]:
    yield from ((place, kind) for place in PLACES for kind in KINDS)


@pytest.mark.parametrize(("place", "kind"), list(traps()))
def test_nothing_outside_is_touched(
    data: Path, outside: Path, tmp_path: Path, place: str, kind: str
):
    root = tmp_path / "workspace"
    own = filled(data, root)
    set_trap(data / place.replace("OWN", own.name), kind, outside)
    before = seen(outside)
    for named in (root, None):
        # What it cannot remove it says.
        with contextlib.suppress(PlimsollError):
            list_kept(data, named)
            forget_everything(data, named)
    # A twin is the same file, which is ours to close.
    held = [1] if kind == "twin" else [0, 1]
    now = seen(outside)
    assert {name: [found[at] for at in held] for name, found in now.items()} == {
        name: [found[at] for at in held] for name, found in before.items()
    }
    assert not (outside / "not-there").exists()


def test_a_kill_at_any_step_leaves_a_whole_store_or_none(data: Path, tmp_path: Path):
    """Killed before the first change, the second, and so on; the next try finishes."""
    steps = 0
    for step in range(200):
        root = tmp_path / f"workspace-{step}"
        own = filled(data, root)
        (own / "plimsoll.db").write_bytes(b"whole")
        (data / "log").mkdir(exist_ok=True)
        (data / "log/plimsoll.log").write_text("line\n")
        before = {path.name for path in own.iterdir()}
        killed = forgotten_until(step, data)
        if own.is_dir():
            assert {path.name for path in own.iterdir()} >= before
        forget_everything(data, None)
        assert not list(projects_folder(data).iterdir())
        steps += killed
        if not killed:
            break
    assert steps >= 10


def forgotten_until(step: int, data: Path) -> bool:
    """Forget in another process, which dies at a step; false: it came to its end."""
    child = os.fork()
    if child == 0:
        seen_so_far = 0

        def die(event: str, _arguments: object) -> None:
            nonlocal seen_so_far
            if event in {"os.rename", "os.remove", "os.rmdir", "shutil.rmtree"}:
                seen_so_far += 1
                if seen_so_far > step:
                    os._exit(9)

        sys.addaudithook(die)
        try:
            forget_everything(data, None)
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
