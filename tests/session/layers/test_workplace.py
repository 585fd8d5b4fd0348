"""Where a session works, in words, and what is checked out there."""

import os
import subprocess
from pathlib import Path

import pytest

from plimsoll.session.layers.workplace import Workplace, branch_of, environment_text
from plimsoll.session.ports.agent import MAIN, Agent, Machine

HASH = "0123456789abcdef" * 4
FULL = "System: Linux 6.8; shell: bash. Folder: {}. Git branch: {}. Agent: {}."
HERE = Workplace(
    machine=Machine("Linux 6.8", "bash", "here"),
    folder=Path("/home/ship"),
    branch="main",
    agent=MAIN,
)


@pytest.mark.parametrize(
    ("around", "slim", "text"),
    [
        (
            HERE,
            False,
            FULL.format("/home/ship", "main", "main, depth 0"),
        ),
        (
            HERE,
            True,
            "Linux 6.8, bash. Folder: /home/ship. Branch: main. Agent: main, depth 0.",
        ),
        (
            Workplace(
                machine=HERE.machine,
                folder=Path("/a\n[pinned 1] b"),
                branch=None,
                agent=Agent("explore", 2),
            ),
            False,
            FULL.format("/a [pinned 1] b", "none", "explore, depth 2"),
        ),
    ],
)
def test_where_a_session_works_is_one_line(around: Workplace, slim: bool, text: str):
    assert environment_text(around, slim=slim) == text


@pytest.mark.parametrize(
    ("head", "branch"),
    [
        ("ref: refs/heads/feat/load-line\n", "feat/load-line"),
        (f"{HASH}\n", HASH[:7]),
        ("ref: refs/heads/two words\n", None),
        ("ref: refs/heads/a\nmore", None),
        ("ref: refs/tags/v1\n", None),
        ("ref: refs/heads/.invalid\n", None),
        ("ref: refs/heads/a/.b\n", None),
        ("ref: refs/heads/v1.2\n", "v1.2"),
        ("", None),
    ],
)
def test_what_is_checked_out(tmp_path: Path, head: str, branch: str | None):
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/HEAD").write_text(head)
    inner = tmp_path / "packages/hull"
    inner.mkdir(parents=True)
    assert (branch_of(tmp_path), branch_of(inner)) == (branch, branch)


def test_what_is_no_file_of_git_is_none_and_keeps_nobody_waiting(tmp_path: Path):
    assert branch_of(tmp_path) is None
    git = tmp_path / ".git"
    git.mkdir()
    assert branch_of(tmp_path) is None
    os.mkfifo(git / "HEAD")
    assert branch_of(tmp_path) is None
    (git / "HEAD").unlink()
    (tmp_path / "elsewhere").write_text("ref: refs/heads/main\n")
    (git / "HEAD").symlink_to("../elsewhere")
    assert branch_of(tmp_path) is None
    (git / "HEAD").unlink()
    (git / "HEAD").write_bytes(b"ref: refs/heads/\xff\n")
    assert branch_of(tmp_path) is None


@pytest.mark.slow
def test_a_linked_worktree_has_its_own_branch(tmp_path: Path):
    def git(*words: str) -> None:
        own = ("-c", "user.name=a", "-c", "user.email=a@b", "-C", str(tmp_path / "repository"))
        subprocess.run(["git", *own, *words], check=True, capture_output=True)

    (tmp_path / "repository").mkdir()
    git("init", "-b", "main")
    git("commit", "--allow-empty", "-m", "first")
    git("worktree", "add", "-b", "side", str(tmp_path / "linked"))
    assert branch_of(tmp_path / "repository") == "main"
    assert branch_of(tmp_path / "linked") == "side"
