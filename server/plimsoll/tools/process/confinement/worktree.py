"""Finds the repository of a linked worktree, and says what a commit writes in it.

Its folder lies elsewhere, so a file of the workspace alone must not name it: it would show any
folder of a person, or open it.
"""

from dataclasses import dataclass
from pathlib import Path

_STEERING = ("commondir", "gitdir", "config.worktree", "modules")
"""Git takes other repositories, configurations or programs from these."""


@dataclass(frozen=True, slots=True)
class Worktree:
    """The parts of a repository that a linked worktree uses; real paths."""

    own: Path
    """The folder of what is its own: its HEAD, its index."""
    common: Path
    """The folder of the repository."""

    @property
    def written(self) -> tuple[Path, ...]:
        """The folders that a commit writes to."""
        shared = (self.common / name for name in ("objects", "refs", "logs"))
        return (self.own, *(path for path in shared if path.is_dir() and not path.is_symlink()))

    @property
    def kept(self) -> tuple[Path, ...]:
        """The existing paths in these folders that must not change."""
        return tuple(path for path in self._steering() if path.exists())

    @property
    def forbidden(self) -> tuple[Path, ...]:
        """The missing paths in these folders that must not be made."""
        return tuple(path for path in self._steering() if not path.exists())

    def _steering(self) -> tuple[Path, ...]:
        return tuple(self.own / name for name in _STEERING)


def worktree_of(root: Path) -> Worktree | None:
    """Return the repository of a folder, if the repository lists it as its linked worktree.

    Blocks. None for a damaged repository: git itself will report it.
    """
    try:
        named = (root / ".git").read_text("utf-8").removeprefix("gitdir:").strip()
        own = (root / named).resolve()
        common = (own / (own / "commondir").read_text("utf-8").strip()).resolve()
        back = Path((own / "gitdir").read_text("utf-8").strip()).resolve()
    except (OSError, ValueError):
        return None
    outside = root not in own.parents
    # A folder of the workspace could name any other as its repository.
    if back != root / ".git" or own.parent != common / "worktrees" or not outside:
        return None
    return Worktree(own, common)
