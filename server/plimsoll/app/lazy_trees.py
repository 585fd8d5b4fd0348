"""The worktrees of a folder; what makes them is loaded with the first one."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from plimsoll.storage.locate import ProjectPaths
from plimsoll.tools.ports.apart.own_trees import LeftTree, OwnTree, OwnTrees


class LazyTrees:
    """Makes worktrees of a folder, and clears up those that a crash has left."""

    def __init__(self, root: Path, home: ProjectPaths, variables: Mapping[str, str]) -> None:
        self._root = root
        self._folder = home.worktrees
        self._variables = variables
        self._made: OwnTrees | None = None

    def make(self, title: str, session: str) -> OwnTree:
        """Make a tree with the present state of the folder. Blocks; raises ToolFailed."""
        return self._trees().make(title, session)

    def sweep(self) -> Sequence[LeftTree]:
        """Remove the trees of processes that died, once; return those with changes. Blocks."""
        return self._trees().sweep() if self._made or self._folder.is_dir() else ()

    def _trees(self) -> OwnTrees:
        if self._made is None:
            # Late: few sessions have an agent that works apart.
            from plimsoll.tools.git.worktrees.trees import GitTrees

            self._made = GitTrees(self._root, self._folder, self._variables)
        return self._made
