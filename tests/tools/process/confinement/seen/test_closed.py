"""What others may not read in a folder of the system, and that a change of it is noticed."""

import os
import shutil
import socket
import sys
from pathlib import Path

import pytest

from left_out import not_on_this_machine
from plimsoll.tools.process.confinement.seen import closed as module
from plimsoll.tools.process.confinement.seen.closed import ClosedPaths, outermost


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    tree = tmp_path.resolve() / "tree"
    for folder in ("open/deep", "shut/deep", "node_modules/p", "listed"):
        (tree / folder).mkdir(parents=True)
    for name, mode in (
        ("open/all", 0o644),
        ("open/own", 0o600),
        ("open/deep/group", 0o640),
        ("open/deep/program", 0o711),
        ("shut/deep/all", 0o644),
        ("node_modules/p/own", 0o600),
        ("listed/own", 0o600),
    ):
        (tree / name).write_text("")
        (tree / name).chmod(mode)
    (tree / "shut").chmod(0o750)
    (tree / "listed").chmod(0o711)
    (tree / "open" / "link").symlink_to(tree / "shut")
    os.mkfifo(tree / "open" / "fifo")
    (tree / "open" / "fifo").chmod(0o666)
    return tree


CLOSED = {"open/own", "open/deep/group", "open/deep/program", "shut", "listed/own", "open/fifo"}


def names(tree: Path, found: tuple[str, ...]) -> set[str]:
    return {str(Path(path).relative_to(tree)) for path in found}


@pytest.fixture(params=[True, False], ids=["watched", "by change times"])
def closed(request: pytest.FixtureRequest) -> ClosedPaths:
    return ClosedPaths(watch=request.param)


def test_what_others_may_not_read_is_closed(tree: Path, closed: ClosedPaths):
    # The second time from what is kept.
    for _ in range(2):
        assert names(tree, closed.look([str(tree)])) == CLOSED


def test_a_socket_is_closed(tree: Path):
    with socket.socket(socket.AF_UNIX) as end:
        end.bind(str(tree / "s"))
        assert str(tree / "s") in ClosedPaths().look([str(tree)])


def test_what_has_rules_of_its_own_is_left_out(tree: Path):
    found = ClosedPaths().look([str(tree)], [str(tree / "open"), str(tree / "shut")])
    assert names(tree, found) == {"listed/own"}


def test_a_tree_that_a_person_named_is_looked_through_whoever_may_enter_it(tree: Path):
    shut = str(tree / "shut")
    assert ClosedPaths().look([shut]) == (shut,)
    assert ClosedPaths().look([shut], entered=[shut]) == ()


def test_a_change_is_noticed(tree: Path, closed: ClosedPaths):
    closed.look([str(tree)])
    (tree / "open" / "own").chmod(0o644)
    (tree / "open" / "deep" / "new").write_text("")
    (tree / "open" / "deep" / "new").chmod(0o600)
    (tree / "shut").chmod(0o755)
    now = CLOSED - {"open/own", "shut"} | {"open/deep/new"}
    assert names(tree, closed.look([str(tree)])) == now


def test_what_was_moved_is_at_its_new_place(tree: Path, closed: ClosedPaths):
    closed.look([str(tree)])
    (tree / "open").rename(tree / "moved")
    (tree / "moved" / "deep" / "new").touch(0o600)
    moved = {name.replace("open/", "moved/") for name in CLOSED}
    assert names(tree, closed.look([str(tree)])) == moved | {"moved/deep/new"}
    (tree / "moved" / "deep").rename(tree / "open")
    (tree / "open" / "newer").touch(0o600)
    moved -= {"moved/deep/group", "moved/deep/program"}
    moved |= {"open/group", "open/program", "open/new", "open/newer"}
    assert names(tree, closed.look([str(tree)])) == moved


def test_a_tree_that_comes_again_is_looked_through(tree: Path, closed: ClosedPaths):
    shutil.move(tree, tree.parent / "away")
    assert closed.look([str(tree)]) == ()
    shutil.move(tree.parent / "away", tree)
    assert names(tree, closed.look([str(tree)])) == CLOSED


@pytest.fixture
def watched() -> ClosedPaths:
    if not sys.platform.startswith("linux"):
        not_on_this_machine("no events of changes")
    return ClosedPaths()


def test_of_what_did_not_change_nothing_is_looked_at(
    tree: Path, watched: ClosedPaths, monkeypatch: pytest.MonkeyPatch
):
    before = watched.look([str(tree)])
    with monkeypatch.context() as patch:
        patch.delattr(os, "lstat")
        patch.delattr(os, "scandir")
        assert watched.look([str(tree)]) == before


def test_what_is_closed_later_is_noticed_at_once(tree: Path, watched: ClosedPaths):
    for number in range(100):
        (tree / "open" / f"folder-{number}").mkdir()
        (tree / "open" / f"folder-{number}" / "all").touch(0o644)
    watched.look([str(tree)])
    (tree / "open" / "folder-99" / "all").chmod(0o600)
    assert "open/folder-99/all" in names(tree, watched.look([str(tree)]))


def test_beyond_what_may_be_watched_times_tell(tree: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "MOST_WATCHED", 2)
    closed = ClosedPaths()
    assert names(tree, closed.look([str(tree)])) == CLOSED
    (tree / "listed" / "new").touch(0o600)
    (tree / "open" / "deep" / "new").touch(0o600)
    found = names(tree, closed.look([str(tree)]))
    assert found == CLOSED | {"listed/new", "open/deep/new"}


def test_where_much_is_closed_the_whole_is(tree: Path, monkeypatch: pytest.MonkeyPatch):
    for number in range(30):
        (tree / "open" / f"own-{number}").touch(0o600)
    assert "open" in names(tree, ClosedPaths().look([str(tree)]))
    monkeypatch.setattr(module, "MOST_FOLDERS", 2)
    assert ClosedPaths().look([str(tree)]) == (str(tree),)


def test_the_outermost_are_enough():
    assert [*outermost(["/a/b/c", "/a/b", "/a/bc", "/d", "/a/b/e/f"])] == ["/a/b", "/a/bc", "/d"]
    assert [*outermost(["/a/b", "/a/b-c", "/a/b/c"])] == ["/a/b", "/a/b-c"]
