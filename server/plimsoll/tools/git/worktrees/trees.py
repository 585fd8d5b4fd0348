"""The worktrees of a workspace folder: made for agents, and cleared up after a crash."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from plimsoll.tools.git.program import Git
from plimsoll.tools.git.worktrees.making import make_tree
from plimsoll.tools.git.worktrees.sweeping import sweep
from plimsoll.tools.git.worktrees.tree import GitTree
from plimsoll.tools.ports.apart.own_trees import LeftTree
from plimsoll.tools.process.environment import child_environment


class GitTrees:
    """Makes worktrees of one folder, in a folder of our own data."""

    def __init__(self, root: Path, folder: Path, variables: Mapping[str, str]) -> None:
        """``root``: the workspace folder's real path; ``folder``: where the worktrees are."""
        self._git = Git(root=root, environment=child_environment(variables))
        self._folder = folder
        self._is_swept = False

    def make(self, title: str, session: str) -> GitTree:
        """Make a tree with the present state of the folder. Blocks; raises ToolFailed."""
        folder = Path(os.path.realpath(self._folder))
        return GitTree(self._git, make_tree(self._git, folder, title, session))

    def sweep(self) -> Sequence[LeftTree]:
        """Remove the trees of processes that died, once; return those with changes. Blocks."""
        if self._is_swept:
            return ()
        self._is_swept = True
        return sweep(self._git, Path(os.path.realpath(self._folder)))
