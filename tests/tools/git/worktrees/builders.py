"""Folders with git repositories, and the worktrees that are made of them."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from plimsoll.tools.git.worktrees.tree import GitTree
from plimsoll.tools.git.worktrees.trees import GitTrees
from plimsoll.tools.ports.apart.own_trees import FileIn, WrittenIn
from plimsoll.tools.ports.context import CallContext
from session.harness import Disk

CLEAN = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    **{
        f"GIT_{who}_{key}": value
        for who in ("AUTHOR", "COMMITTER")
        for key, value in (("NAME", "a"), ("EMAIL", "a@example.org"))
    },
    "GIT_CONFIG_GLOBAL": "/dev/null",
}


def git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, env=CLEAN, check=True, capture_output=True)
    return done.stdout.decode("utf-8", "surrogateescape")


def commit(root: Path, files: Mapping[str, str | bytes]) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    if not (root / ".git").exists():
        git(root, "init", "-q", "-b", "main")
    put(root, files)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "feat: begin")
    return root


def put(root: Path, files: Mapping[str, str | bytes]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def trees_of(root: Path) -> GitTrees:
    variables = {**CLEAN, "HOME": str(root.parent)}
    return GitTrees(root, root.parent / "data" / "worktrees", variables)


def context(root: Path) -> CallContext:
    return CallContext(
        root=root, documents=Disk(), spill_folder=root.parent / "spill", trusted=lambda: True
    )


async def all_in(tree: GitTree, root: Path) -> tuple[list[FileIn], list[WrittenIn]]:
    """Bring in whatever can be, unasked."""
    written: list[WrittenIn] = []

    async def keep(change: WrittenIn) -> None:
        written.append(change)

    review = tree.review(context(root))
    done = await tree.bring_in(review, context(root), keep)
    return [*done, *review.others], written


def leftovers(root: Path) -> list[str]:
    """What is on disk of trees, and what git knows of any."""
    data = root.parent / "data" / "worktrees"
    listed = git(root, "worktree", "list", "--porcelain").count("worktree ") - 1
    admin = root / ".git" / "worktrees"
    return [
        *(str(path) for path in (data.iterdir() if data.exists() else ())),
        *(["git worktree list"] * listed),
        *([str(admin)] if admin.exists() else []),
    ]


def state_of(root: Path) -> tuple[str, ...]:
    """What of a person's repository no tree may change."""
    return (
        (root / ".git/index").read_bytes().hex(),
        git(root, "rev-parse", "HEAD"),
        git(root, "for-each-ref"),
        git(root, "stash", "list"),
        (root / ".git/config").read_text(),
        git(root, "count-objects"),
    )
