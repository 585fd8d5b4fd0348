"""Finds the git repository of a folder, and says why no worktree can be made of it.

A folder of a workspace must not name any other repository as its own: an agent would read that.
"""

from dataclasses import dataclass
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.tools.git.program import Git, GitSilent
from plimsoll.tools.process.confinement.worktree import worktree_of

NO_GIT = "this folder is in no git repository, so there is nothing to make a worktree of"
BARE = "this folder is a bare repository, which has no files of its own"
UNBORN = "this repository has no commit yet; make the first one, then it works"
ELSEWHERE = (
    "the repository of this folder lies elsewhere ({at}), as of a submodule or with a separate git "
    "folder, and is not opened from here"
)
WITHIN = "Plimsoll's data folder lies in this folder, so a worktree would lie in itself"


class NoTreeError(ToolFailed):
    """No worktree can be made here; the message is for the model and for people."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"no worktree can be made: {why}. Nothing was done. Without `isolated` the agent works "
            "in the user's own folder: call it so only if that is wanted."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """The repository of a folder, as git has it; real paths."""

    root: Path
    """The workspace folder."""
    top: Path
    """The folder that the repository is checked out in."""
    common: Path
    """The folder of the repository."""
    own: Path
    """The git folder of this checkout; the same, unless it is a linked worktree."""
    index: Path
    head: str
    """The id of the commit that is checked out."""

    @property
    def below(self) -> Path:
        """The path of the workspace folder below the top."""
        return self.root.relative_to(self.top)


def find_ground(git: Git, trees: Path) -> Ground:
    """Find the repository in which a folder lies. Blocks.

    ``trees``: where worktrees are to be made.

    Raises:
        ToolFailed: There is none of which a worktree can be made, or git fails.
    """
    if trees.is_relative_to(git.root):
        raise NoTreeError(WITHIN)
    try:
        bare = git.ask("rev-parse", "--is-bare-repository").output.strip()
    except GitSilent:
        raise
    except ToolFailed as error:
        raise NoTreeError(
            NO_GIT if "no git repository" in error.message else error.message
        ) from error
    if bare == "true":
        raise NoTreeError(BARE)
    top = _path(git, "--show-toplevel")
    common, own = _path(git, "--git-common-dir"), _path(git, "--absolute-git-dir")
    _refuse_elsewhere(top, common, own)
    try:
        head = git.ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}").output.strip()
    except GitSilent:
        raise
    except ToolFailed as error:
        raise NoTreeError(UNBORN) from error
    index = git.ask("rev-parse", "--git-path", "index").output.rstrip("\n")
    return Ground(root=git.root, top=top, common=common, own=own, index=git.root / index, head=head)


def _path(git: Git, which: str) -> Path:
    return (git.root / git.ask("rev-parse", which).output.rstrip("\n")).resolve()


def _refuse_elsewhere(top: Path, common: Path, own: Path) -> None:
    """Raise ToolFailed unless the repository stands in its folder, or lists that as a worktree."""
    at = top / ".git"
    if at.is_dir() and not at.is_symlink():
        is_ours = own == common == at
    else:
        linked = worktree_of(top)
        is_ours = linked is not None and (linked.own, linked.common) == (own, common)
    if not is_ours:
        raise NoTreeError(ELSEWHERE.format(at=common))
