"""What a process that died has left is cleared up, and what nobody has reviewed is named."""

import os
import shutil
import signal
import subprocess
import sys

import pytest

from tools.git.worktrees.builders import commit, git, leftovers, put, state_of, trees_of

pytestmark = pytest.mark.slow
# Works in a tree and then waits for its end, which comes with SIGKILL.
DYING = """
import sys, signal
from pathlib import Path
from tools.git.worktrees.builders import put, trees_of
tree = trees_of(Path(sys.argv[1])).make("the task", "s1")
for text in sys.argv[2:]:
    put(tree.root, {"a.py": text, "new.py": text})
print(tree.root, flush=True)
signal.pause()
"""


def begun(root, *texts: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", DYING, str(root), *texts],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def killed(process: "subprocess.Popen[str]") -> None:
    with process:
        process.send_signal(signal.SIGKILL)
        process.wait()


def test_changes_of_a_killed_process_become_a_branch_that_is_named_once(tmp_path):
    root = commit(tmp_path / "work", {"a.py": "a\n"})
    put(root, {"b.py": "uncommitted\n"})
    with_changes, without = begun(root, "changed\n"), begun(root)
    for process in (with_changes, without):
        assert process.stdout is not None
        assert process.stdout.readline()
    # In use they stay.
    assert trees_of(root).sweep() == []
    assert len(leftovers(root)) == 5
    killed(with_changes)
    killed(without)
    index = (root / ".git/index").read_bytes()
    trees = trees_of(root)
    (left,) = trees.sweep()
    branch = git(root, "branch", "--list", "plimsoll/*").strip()
    assert f"`{branch}`" in left.words
    assert "the task" in left.words
    assert (
        git(root, "show", f"{branch}:a.py") == git(root, "show", f"{branch}:new.py") == "changed\n"
    )
    assert git(root, "show", f"{branch}:b.py") == "uncommitted\n"
    assert leftovers(root) == []
    assert (root / ".git/index").read_bytes() == index
    assert trees.sweep() == ()
    assert trees_of(root).sweep() == []


def test_a_file_of_the_persons_secrets_that_was_changed_is_named(tmp_path):
    root = commit(tmp_path / "work", {"a.py": "a\n"})
    put(root, {".env": "mine\n"})
    tree = trees_of(root).make("the task", "s1")
    put(tree.root, {".env": "other\n"})
    tree.keep()
    (left,) = trees_of(root).sweep()
    assert left.words.endswith("as files with secrets that git does not have: .env.")
    assert git(root, "branch", "--list", "plimsoll/*") == ""


def test_a_tree_of_which_no_branch_can_be_made_is_kept_and_named_each_time(tmp_path):
    root = commit(tmp_path / "work", {"a.py": "a\n"})
    git(root, "branch", "plimsoll")
    process = begun(root, "changed\n")
    assert process.stdout is not None
    at = process.stdout.readline().strip()
    killed(process)
    for _ in range(2):
        (left,) = trees_of(root).sweep()
        assert f"kept at `{at}`" in left.words
    git(root, "branch", "-D", "plimsoll")
    (left,) = trees_of(root).sweep()
    assert "is in the branch" in left.words
    assert leftovers(root) == []


@pytest.mark.parametrize("closed", [False, True])
def test_a_tree_that_is_removed_takes_closed_folders_and_links_with_it(tmp_path, closed):
    root = commit(tmp_path / "work", {"a.py": "a\n", ".gitignore": "x/\n"})
    put(root, {".gitignore": "x/\nnode_modules\n", "node_modules/m.js": "m\n"})
    before = state_of(root)
    tree = trees_of(root).make("t", "s1")
    put(tree.root, {"x/y/z.txt": "z\n"})
    (tree.root / "x/out").symlink_to(root)
    if closed:
        (tree.root / "x/y").chmod(0)
    tree.remove()
    assert leftovers(root) == []
    assert (root / "node_modules/m.js").exists()
    assert state_of(root) == before


# Each round a process makes a tree and is killed by the git that it calls, one call later.
KILLING = """
import os, sys
from pathlib import Path
from tools.git.worktrees.builders import leftovers, put, trees_of
root, calls = Path(sys.argv[1]), Path(sys.argv[2])
number, alive = 0, False
while not alive:
    number += 1
    calls.write_text("x" * number)
    child = os.fork()
    if not child:
        tree = trees_of(root).make("the task", "s1")
        calls.unlink()
        put(tree.root, {"new.py": "n"})
        tree.leave("Change")
        os._exit(0)
    alive = os.waitpid(child, 0)[1] == 0
    calls.unlink(missing_ok=True)
    print(number, trees_of(root).sweep(), leftovers(root), flush=True)
"""
COUNTING = """#!/bin/sh
calls={calls}
if [ -f $calls ]; then
    left=$(cat $calls)
    printf %s "${{left#x}}" > $calls
    [ -n "$left" ] || {{ kill -9 $PPID; exit 1; }}
fi
exec {git} "$@"
"""


def test_a_process_killed_at_any_step_of_making_a_tree_leaves_nothing(tmp_path):
    root = commit(tmp_path / "work", {"a.py": "a\n", "sub/b.py": "b\n"})
    put(root, {"a.py": "b\n", "c.py": "c\n"})
    before = state_of(root)
    bin_, calls = tmp_path / "bin", tmp_path / "calls"
    bin_.mkdir()
    (bin_ / "git").write_text(COUNTING.format(calls=calls, git=shutil.which("git")))
    (bin_ / "git").chmod(0o755)
    path = f"{bin_}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [sys.executable, "-c", KILLING, str(root), str(calls)],
        env={**os.environ, "PATH": path, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=True,
        capture_output=True,
        text=True,
    )
    *killed_ones, last = done.stdout.splitlines()
    assert len(killed_ones) > 10
    assert {row.partition(" ")[2] for row in killed_ones} == {"[] []"}
    assert "is in the branch" in last
    assert last.endswith(" []")
    git(root, "branch", "-D", git(root, "branch", "--list", "plimsoll/*").strip())
    assert state_of(root)[:-1] == before[:-1]
