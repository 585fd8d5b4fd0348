"""A worktree in which one agent works: its surroundings, its review, and how it ends."""

import os
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.tools.display import visible_path
from plimsoll.tools.editor.knowledge import NoKnowledge
from plimsoll.tools.git.program import Git
from plimsoll.tools.git.worktrees.branching import make_branch
from plimsoll.tools.git.worktrees.bringing_in import bring_in
from plimsoll.tools.git.worktrees.changes import TreeChange, note_written, read_changes
from plimsoll.tools.git.worktrees.making import MadeTree, remove
from plimsoll.tools.git.worktrees.place import TreePlace, TreeRecord
from plimsoll.tools.git.worktrees.reviewing import review_changes
from plimsoll.tools.ports.apart.own_folder import OwnFolder
from plimsoll.tools.ports.apart.own_trees import FileIn, TreeReview, WrittenIn
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.repository import NoRepository
from plimsoll.tools.process.confinement.base import Access
from plimsoll.tools.search.secret_names import holds_secrets


@dataclass(frozen=True, slots=True)
class Left:
    """The branch that a tree left in the person's repository, and the files left out."""

    branch: str | None
    """None: nothing is changed that a branch may hold."""
    withheld: tuple[str, ...]
    """The changed files that were left out of it, for people."""


class GitTree:
    """A git worktree beside the folder; its lock tells other processes that it is in use."""

    def __init__(self, git: Git, made: MadeTree) -> None:
        """``git``: of the workspace folder."""
        self._made = made
        self._git = tree_git(git, made.place, made.record)
        self._lock: int | None = made.lock
        self._withheld: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of the tree, which is that of its branch too."""
        return self._made.place.name

    @property
    def root(self) -> Path:
        """The folder in it that stands for the workspace folder."""
        return self._made.place.top / self._made.ground.below

    @property
    def linked(self) -> Sequence[str]:
        """The ignored folders that are linked into it, to be read."""
        return self._made.links

    @property
    def missing(self) -> Sequence[str]:
        """The files of the folder that are not in the tree, each with the reason."""
        return self._made.missing

    def context(self, outer: CallContext) -> CallContext:
        """Return the context of calls in the tree, which write nothing outside of it."""
        linked = tuple(outer.root / name for name in self.linked)
        confining = outer.confining
        if confining is not None:
            access = partial(self._access, confining.access, linked)
            confining = replace(confining, access=access)
        return replace(
            outer,
            root=self.root,
            confining=confining,
            knowledge=NoKnowledge(),
            repository=NoRepository(),
            own_folder=OwnFolder(outer.root, linked),
        )

    def _access(
        self, given: Callable[[bool], Access], linked: tuple[Path, ...], network: bool
    ) -> Access:
        """Return what commands may use: this tree in place of the folder, which is not written."""
        outer, main = given(network), self._made.ground.root
        apart = (
            path
            for path in outer.writable
            if not (path.is_relative_to(main) or main.is_relative_to(path))
        )
        return replace(
            outer,
            root=self.root,
            readable=(*outer.readable, *linked),
            writable=tuple(apart),
            commits=False,
        )

    def note_written(self, names: Collection[str]) -> None:
        """Note files that count though git ignores them. Blocks."""
        note_written(self._made.place, names)

    def review(self, context: CallContext) -> TreeReview:
        """Compare the tree with what it began with and with the folder as it is now. Blocks."""
        place = self._made.place
        changes = read_changes(self._git, place, self.root)
        return review_changes(self._git, changes, context, self._made.record.title)

    async def bring_in(
        self,
        review: TreeReview,
        context: CallContext,
        keep: Callable[[WrittenIn], Awaitable[None]],
    ) -> list[FileIn]:
        """Make the changes of a review in the folder, each file in one step."""
        planned = review.intent.plan if review.intent else ()
        return await bring_in(planned, context, keep)

    def leave(self, message: str) -> str | None:
        """Make a branch of what is changed in the tree; None: nothing is. Blocks."""
        left = leave(self._git, self._made.place, self._made.record, message)
        self._withheld = left.withheld
        return left.branch

    @property
    def withheld(self) -> Sequence[str]:
        """The changed files that were left out of the branch, for people: secrets not in git."""
        return self._withheld

    def keep(self) -> str:
        """Let the tree stay on disk for the next start; return its path."""
        self._unlock()
        return str(self._made.place.top)

    def remove(self) -> None:
        """Remove the tree and all that git knows of it. Blocks; raises ToolFailed."""
        place, record = self._made.place, self._made.record
        try:
            # From here on nobody wants it, whatever stops us.
            place.note(replace(record, status="over"))
            remove(place, Path(record.common))
        except OSError as error:
            raise ToolFailed(f"{place.top} cannot be removed: {error.strerror}.") from error
        finally:
            self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def tree_git(git: Git, place: TreePlace, record: TreeRecord) -> Git:
    """Return the git of a tree, run where its workspace folder is."""
    below = Path(record.root).relative_to(record.top)
    return place.git(git, Path(record.common), below=below)


def leave(git: Git, place: TreePlace, record: TreeRecord, message: str) -> Left:
    """Make a branch of what is changed in a tree, without secrets that git does not have. Blocks.

    Raises:
        ToolFailed: Git refuses, or the disk is full.
    """
    git = git.without_filters()
    root = git.folder or git.root
    try:
        changes = read_changes(git, place, root)
        withheld = _own_secrets(git, record, changes)
        names = [change.name for change in changes if change.name not in withheld]
        branch = make_branch(git, place, record, names=names, message=message) if names else None
        return Left(branch, tuple(map(visible_path, withheld)))
    except OSError as error:
        raise ToolFailed(f"No branch can be made: {error.strerror}.") from error


def _own_secrets(git: Git, record: TreeRecord, changes: Sequence[TreeChange]) -> list[str]:
    """Return the changed files that the person had, hold secrets by name, and are not committed."""
    names = [
        change.name
        for change in changes
        if change.base is not None and holds_secrets(change.name.split("/"))
    ]
    if not names:
        return []
    committed = set(git.names(*("ls-tree", "-r", "-z", "--name-only"), record.head))
    return [name for name in names if name not in committed]
