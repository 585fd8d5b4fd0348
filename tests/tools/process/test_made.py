"""What was moved aside is shown, and put back as it was: over nothing, and through no link."""

import os
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.storage.spill import remove_folder
from plimsoll.tools.process.confinement.base import MovedAside
from plimsoll.tools.process.made import LONGEST_TEXT, MOST_OFFERED, look, restore_made

NOBODY = 65534


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = Path(os.path.realpath(tmp_path)) / "work"
    folder.mkdir()
    return folder


def moved(root: Path, name: str) -> MovedAside:
    """Where a file was in the workspace, and where it is now; it is there once it is made."""
    place = root.parent / "aside" / f"{name}.aside"
    place.parent.mkdir(parents=True, exist_ok=True)
    return MovedAside(path=root / name, place=place, why="git runs it")


def written(root: Path, name: str, text: str = "x\n") -> MovedAside:
    one = moved(root, name)
    one.place.write_text(text)
    return one


@pytest.mark.parametrize(
    ("depth", "whole"), [(1200, True), pytest.param(5000, False, marks=pytest.mark.slow)]
)
def test_what_lies_deeper_than_calls_can_be_nested_is_shown_as_far_as_it_has_a_path(
    root, depth, whole
):
    one = moved(root, ".vscode")
    one.place.mkdir()
    at = os.open(one.place, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("a", dir_fd=at)
        above, at = at, os.open("a", os.O_RDONLY, dir_fd=at)
        os.close(above)
    os.close(os.open("tasks.json", os.O_CREAT | os.O_WRONLY, 0o644, dir_fd=at))
    os.close(at)
    (file,) = look([one], root)
    assert file.whole == whole
    assert file.diff.count("empty" if whole else "what is in this folder cannot be seen") == 1
    assert restore_made(file).failed is None
    remove_folder(one.path)


@pytest.fixture
def as_another_user() -> Iterator[Path]:
    """A folder of another user than root, whom modes bind."""
    user = NOBODY if os.geteuid() == 0 else os.geteuid()
    with tempfile.TemporaryDirectory() as made:
        os.chown(made, user, user)
        os.seteuid(user)
        try:
            yield Path(os.path.realpath(made))
        finally:
            os.seteuid(os.getuid())


@pytest.mark.parametrize("mode", [0o000, 0o311, 0o555])
def test_a_folder_that_is_closed_to_its_owner_says_so_and_goes_back(as_another_user, mode):
    root = as_another_user / "work"
    one = moved(root, ".husky")
    root.mkdir()
    one.place.mkdir()
    (one.place / "pre-commit").write_text("x\n")
    one.place.chmod(mode)
    (file,) = look([one], root)
    opened, unseen = mode == 0o555, "what is in this folder cannot be seen"
    assert (file.whole, "+x" in file.diff, unseen in file.diff) == (opened, opened, not opened)
    assert restore_made(file).failed is None
    assert stat.S_IMODE(one.path.stat().st_mode) == mode


def test_a_file_goes_back_with_its_mode_and_its_time(root):
    one = written(root, "sub/.envrc")
    one.place.chmod(0o751)
    os.utime(one.place, (1, 2))
    (file,) = look([one], root)
    assert (file.name, file.whole) == ("sub/.envrc", True)
    assert restore_made(file).failed is None
    status = one.path.stat()
    assert (one.path.read_text(), stat.S_IMODE(status.st_mode)) == ("x\n", 0o751)
    assert (status.st_mtime, os.path.lexists(one.place)) == (2, False)


def test_a_link_goes_back_as_a_link(root):
    one = moved(root, ".vscode")
    one.place.symlink_to("conf")
    (file,) = look([one], root)
    assert file.diff == "--- /dev/null\n+++ b/.vscode\n@@ -0,0 +0,0 @@ a link to conf\n"
    assert restore_made(file).failed is None
    assert one.path.readlink() == Path("conf")


@pytest.mark.parametrize("there", ["file", "folder", "link"])
@pytest.mark.parametrize("kind", ["file", "folder"])
def test_nothing_is_put_over_what_stands_there(root, kind, there):
    one = moved(root, ".husky")
    if kind == "file":
        one.place.write_text("made")
    else:
        one.place.mkdir()
        (one.place / "pre-commit").write_text("made")
    (file,) = look([one], root)
    if there == "file":
        one.path.write_text("mine")
    elif there == "folder":
        one.path.mkdir()
    else:
        one.path.symlink_to("gone")
    before = one.path.lstat()
    assert restore_made(file).failed == "Something else stands there now."
    assert one.path.lstat() == before
    assert one.place.exists()
    # It is not even offered again.
    assert look([one], root) == ()


def test_no_link_is_followed_on_the_way(root):
    one = written(root, "sub/.envrc")
    (file,) = look([one], root)
    elsewhere = root.parent / "elsewhere"
    elsewhere.mkdir()
    (root / "sub").symlink_to(elsewhere)
    assert restore_made(file).failed is not None
    assert list(elsewhere.iterdir()) == []
    assert one.place.exists()


@pytest.mark.parametrize("change", ["text", "mode", "more"])
def test_what_was_changed_since_it_was_shown_stays_aside(root, change):
    one = moved(root, ".husky")
    one.place.mkdir()
    hook = one.place / "pre-commit"
    hook.write_text("true\n")
    (file,) = look([one], root)
    if change == "text":
        hook.write_text("evil\n")
        os.utime(hook, (1, 1))
    elif change == "mode":
        hook.chmod(0o777)
    else:
        (one.place / "post-commit").write_text("evil\n")
    assert restore_made(file).failed == "It was changed since it was shown."
    assert not one.path.exists()


def test_what_cannot_go_back_is_not_offered(root):
    outside = replace(written(root, "a"), path=root.parent / "other/.git/hooks")
    gone = moved(root, "b")
    never_moved = MovedAside(path=root / "c", place=root / "c", why="it could not be moved")
    (root / "c").write_text("c")
    assert look([outside, gone, never_moved], root) == ()


def test_of_what_was_made_several_times_the_newest_is_offered(root):
    first, last = written(root, ".envrc", "1"), written(root, "x/../.envrc2", "2")
    (file,) = look([first, replace(last, path=first.path)], root)
    assert "+2" in file.diff


def test_so_much_at_once_and_no_more(root):
    many = [written(root, f"d{n:03}/.envrc") for n in range(MOST_OFFERED + 7)]
    assert [file.name for file in look(many, root)] == [
        f"d{n:03}/.envrc" for n in range(MOST_OFFERED)
    ]


def test_what_is_no_text_or_too_long_is_said(root):
    long = written(root, "AGENTS.md", "x" * (LONGEST_TEXT + 1))
    binary = moved(root, ".envrc")
    binary.place.write_bytes(b"\xff\xfe")
    pipe = moved(root, ".vimrc")
    os.mkfifo(pipe.place)
    shown = {
        file.name: (file.diff.splitlines()[2:], file.whole)
        for file in look([long, binary, pipe], root)
    }
    assert shown == {
        "AGENTS.md": (["@@ -0,0 +0,0 @@ 20,001 bytes that are not shown"], False),
        ".envrc": (["@@ -0,0 +0,0 @@ 2 bytes that are not shown"], False),
        ".vimrc": (["@@ -0,0 +0,0 @@ it cannot be read"], False),
    }


def test_nothing_that_is_hidden_in_a_name_or_a_text_stays_hidden(root):
    one = written(root, "a\u202eb/.envrc", "echo \u200bx\n")
    (file,) = look([one], root)
    assert "\u202e" not in file.name
    assert "\u202e" not in file.diff
    assert "\u200b" not in file.diff
    assert restore_made(file).failed is None
