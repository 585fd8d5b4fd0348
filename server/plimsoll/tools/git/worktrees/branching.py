"""Leaves what is changed in a worktree as a branch of the person's repository.

The branch is new and nobody is on it; its first commit holds what was uncommitted in the folder.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from plimsoll.tools.git.program import Git
from plimsoll.tools.git.worktrees.place import UPDATE_INDEX, TreePlace, TreeRecord

PREFIX = "plimsoll/"
_UNCOMMITTED = "Work in the folder that was not committed"
_PACK = ("pack-objects", "--revs", "--quiet")
_NAME, _EMAIL = "Plimsoll", "plimsoll@localhost"
_IDENTITY = {
    f"GIT_{who}_{key}": value
    for who in ("AUTHOR", "COMMITTER")
    for key, value in (("NAME", _NAME), ("EMAIL", _EMAIL))
}


def branch_of(place: TreePlace) -> str:
    """Return the name of a tree's branch."""
    return f"{PREFIX}{place.name}"


def make_branch(
    git: Git, place: TreePlace, record: TreeRecord, *, names: Sequence[str], message: str
) -> str:
    """Commit changed files of a tree and make its branch; return the branch's name. Blocks.

    ``git``: of the tree, run where ``names`` are.

    Raises:
        ToolFailed: Git refuses; the branch is not made.
    """
    theirs = replace(git, variables={"GIT_DIR": record.common}, folder=Path(record.top))
    if _is_there(theirs, branch_of(place)):
        # By a process that died before it could remove the tree.
        return branch_of(place)
    index = place.folder / "branch-index"
    with suppress(FileNotFoundError):
        index.unlink()
    own = replace(git, variables={**git.variables, **_IDENTITY, "GIT_INDEX_FILE": str(index)})
    own.ask("read-tree", record.base)
    given = b"".join(os.fsencode(name) + b"\0" for name in names)
    own.feed(given, *UPDATE_INDEX)
    changed = own.ask("write-tree").output.strip()
    parent = record.head
    if own.ask("rev-parse", f"{parent}^{{tree}}").output.strip() != record.base:
        parent = _commit(own, record.base, parent, _UNCOMMITTED)
    commit = _commit(own, changed, parent, message)
    _hand_over(own, theirs, place, f"{commit}\n^{record.head}\n")
    theirs.ask("update-ref", f"refs/heads/{branch_of(place)}", commit, "0" * len(commit))
    return branch_of(place)


def _commit(git: Git, tree: str, parent: str, message: str) -> str:
    return git.feed(message.encode(), *("commit-tree", tree, "-p", parent)).decode().strip()


def _is_there(git: Git, branch: str) -> bool:
    found = git.ask("rev-parse", "--verify", "--quiet", f"refs/heads/{branch}", failing=1)
    return found.code == 0


def _hand_over(own: Git, theirs: Git, place: TreePlace, wanted: str) -> None:
    """Copy commits with what the repository lacks of them from the tree's store into its own."""
    pack = place.folder / "pack"
    name = own.feed(wanted.encode(), *_PACK, str(pack)).decode().strip()
    with Path(f"{pack}-{name}.pack").open("rb") as file:
        theirs.feed(file, "unpack-objects", "-q")
