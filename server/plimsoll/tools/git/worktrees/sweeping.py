"""Clears up the worktrees of processes that died, and names what nobody has reviewed."""

import os
import shutil
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.tools.git.program import Git
from plimsoll.tools.git.worktrees.making import remove
from plimsoll.tools.git.worktrees.place import TreePlace, TreeRecord
from plimsoll.tools.git.worktrees.tree import Left, leave, tree_git
from plimsoll.tools.ports.apart.own_trees import WITHHELD, LeftTree


def sweep(git: Git, trees: Path) -> list[LeftTree]:
    """Remove the trees of processes that died; of changes in one, a branch is made. Blocks.

    Those in use stay, and those of which no branch can be made.
    """
    found = sorted(trees.iterdir()) if trees.is_dir() else ()
    left = [_sweep_one(git, TreePlace(folder=folder)) for folder in found if folder.is_dir()]
    with suppress(OSError):
        trees.rmdir()
    return [tree for tree in left if tree is not None]


def _sweep_one(git: Git, place: TreePlace) -> LeftTree | None:
    try:
        lock = place.lock()
    except OSError as error:
        return _stays(place, str(error.strerror))
    if lock is None:
        return None
    try:
        return _clear_up(git, place)
    except (OSError, ValueError, TypeError, ToolFailed) as error:
        return _stays(place, error.message if isinstance(error, ToolFailed) else str(error))
    finally:
        os.close(lock)


def _clear_up(git: Git, place: TreePlace) -> LeftTree | None:
    if not place.record.exists():
        # The process died before there was a worktree, and after it has cleared one up.
        shutil.rmtree(place.folder)
        return None
    record = TreeRecord.read(place.record)
    left = Left(None, ())
    if record.status == "working":
        left = leave(tree_git(git, place, record), place, record, record.title)
    place.note(replace(record, status="over"))
    remove(place, Path(record.common))
    words = [f"The agent for “{record.title}” was interrupted as its process ended."]
    if (branch := left.branch) is not None:
        words.append(
            f"What it had changed is in the branch `{branch}` and nowhere else: "
            f"`git diff HEAD...{branch}` shows it, `git branch -D {branch}` drops it."
        )
    if left.withheld:
        words.append(WITHHELD.format(", ".join(left.withheld)))
    return LeftTree(" ".join(words)) if len(words) > 1 else None


def _stays(place: TreePlace, why: str) -> LeftTree:
    return LeftTree(
        f"The worktree of an agent that was interrupted is kept at `{place.top}`, since no branch "
        f"can be made of it: {why}"
    )
