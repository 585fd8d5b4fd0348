"""What a command makes of protected names goes aside, however it hinders that."""

import os
import resource
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from plimsoll.tools.process.confinement.protection.moving import Mover

NOBODY = 65534
LONG = f"{'x' * 240}.code-workspace"
DEEP = "/".join("a" * 400)


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder in which the tests act as a user whom modes bind."""
    own = os.geteuid()
    with tempfile.TemporaryDirectory(prefix="plimsoll-moving-", dir="/tmp") as folder:
        if own == 0:
            os.chown(folder, NOBODY, NOBODY)
            os.seteuid(NOBODY)
        (Path(folder) / "work").mkdir()
        try:
            yield Path(folder)
        finally:
            os.seteuid(own)
            (Path(folder) / "work").chmod(0o755)


def _closed(root: Path, path: str, mode: int, above: str | None = None) -> str:
    (root / path).mkdir(parents=True)
    (root / path / "tasks.json").write_text("x")
    (root / (path if above is None else above)).chmod(mode)
    return path


def _deep(root: Path) -> str:
    at = os.open(root, os.O_RDONLY)
    for name in (*DEEP.split("/"), ".vscode"):
        os.mkdir(name, dir_fd=at)
        below = os.open(name, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = below
    os.close(at)
    return f"{DEEP}/.vscode"


def _long(root: Path) -> str:
    (root / LONG).write_text("x")
    return LONG


HINDERED: dict[str, Callable[[Path], str]] = {
    "a folder that nobody may write": lambda root: _closed(root, ".vscode", 0o555),
    "a folder that nobody may enter": lambda root: _closed(root, ".vscode", 0),
    "in one that nobody may write": lambda root: _closed(root, "d/.vscode", 0o555, "d"),
    "in one that nobody may enter": lambda root: _closed(root, "d/.vscode", 0, "d"),
    "in a workspace that nobody may write": lambda root: _closed(root, ".vscode", 0o555, ""),
    "the longest name": _long,
    "deeper than there are descriptors": _deep,
}


@pytest.fixture
def few_descriptors(place: Path) -> Iterator[None]:
    # Its removal takes more of them, and comes later.
    assert place.is_dir()
    before, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, most))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (before, most))


@pytest.mark.usefixtures("few_descriptors")
@pytest.mark.parametrize("hindered", HINDERED.values(), ids=HINDERED)
def test_what_is_closed_long_or_deep_goes_aside(
    place: Path, hindered: Callable[[Path], str]
) -> None:
    root = place / "work"
    path = hindered(root)

    with Mover(root, place / "aside") as mover:
        moved = mover.move(path, "why")

    assert (moved.path, moved.why) == (root / path, "why")
    assert moved.place.is_relative_to(place / "aside")
    assert os.path.lexists(moved.place)
    assert not os.path.lexists(root / path)


@pytest.mark.parametrize("taken", ["file", "link", "closed folder"])
def test_a_command_that_takes_the_place_in_the_workspace_keeps_nothing(
    place: Path, taken: str
) -> None:
    root = place / "work"
    _closed(root, "d/.vscode", 0o755)
    at = root / "plimsoll-moved-aside"
    match taken:
        case "file":
            at.write_text("x")
        case "link":
            at.symlink_to(place)
        case _:
            at.mkdir(mode=0o555)
    # As on another file system: nothing can be moved there.
    (place / "aside").write_text("x")

    with Mover(root, place / "aside") as mover:
        moved = mover.move("d/.vscode", "why")

    assert (moved.path, moved.why) == (root / "d/.vscode", "why")
    assert (moved.place / "tasks.json").read_text() == "x"
    assert moved.place.name.startswith("plimsoll-moved-aside-")
    assert not (root / "d/.vscode").exists()


@pytest.mark.parametrize("mode", [0o555, 0])
def test_what_was_written_elsewhere_is_handed_over_though_it_is_closed(
    place: Path, mode: int
) -> None:
    written = place / "staged" / ".vscode"
    written.mkdir(parents=True)
    (written / "tasks.json").write_text("x")
    written.chmod(mode)

    with Mover(place / "work", place / "aside") as mover:
        moved = mover.hand_over(written, ".vscode", "why")

    assert (moved.path, moved.why) == (place / "work" / ".vscode", "why")
    moved.place.chmod(0o700)
    assert (moved.place / "tasks.json").read_text() == "x"
