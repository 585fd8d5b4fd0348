"""The port to trees of their own: copies of the folder in which agents work side by side."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from plimsoll.errors import ToolFailed
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import AnyIntent

CameIn = Literal["merged", "same", "conflict", "left"]
"""How a file came in: brought in, equal already, changed on both sides, or left for a reason."""
WITHHELD = "Changed but in no branch, as files with secrets that git does not have: {}."


@dataclass(frozen=True, slots=True, kw_only=True)
class FileIn:
    """How a file that was changed in a tree came into the folder."""

    name: str
    """Relative to the folder."""
    how: CameIn
    what: str
    """What was done to it in the tree: ``added``, ``changed +3 -1``, ``deleted`` …"""
    why: str = ""
    """Why it was not brought in, or what is to be known of it, for people."""
    both: str = ""
    """The lines that both sides changed, each side as it has them."""
    needs_branch: bool = False
    """Whether what stood there before is kept by the tree's branch alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenIn:
    """A change of a file in the folder, as it was made."""

    path: Path
    before: str | None
    """The text before; none: there was no file, or no text."""
    after: str | None
    """The text after; none: the file was removed."""
    encoding: str = "utf-8"
    guarded: str | None = None
    """Why each change of it is asked about."""
    is_text: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeReview:
    """What is changed in a tree, compared with the folder as it is now."""

    intent: AnyIntent | None
    """What a person is asked before the changes come in; none: there is nothing to bring in."""
    others: tuple[FileIn, ...] = ()
    """The files that are not brought in by it."""


@dataclass(frozen=True, slots=True)
class LeftTree:
    """A tree that was left by a process that died, with changes that nobody has reviewed."""

    words: str
    """Where its changes are now, for people."""


class OwnTree(Protocol):
    """A copy of the folder in which one agent works."""

    @property
    def name(self) -> str:
        """The name of the tree, which is that of its branch too."""
        ...

    @property
    def root(self) -> Path:
        """The folder in it that stands for the workspace folder; a real path."""
        ...

    @property
    def linked(self) -> Sequence[str]:
        """The ignored folders that are linked into it, to be read."""
        ...

    @property
    def missing(self) -> Sequence[str]:
        """The files of the folder that are not in the tree, each with the reason."""
        ...

    def context(self, outer: CallContext) -> CallContext:
        """Return the context of calls in the tree."""
        ...

    def note_written(self, names: Collection[str]) -> None:
        """Note files, relative to the root, that count though git ignores them. Blocks."""
        ...

    def review(self, context: CallContext) -> TreeReview:
        """Compare the tree with what it began with and with the folder as it is now. Blocks.

        Raises:
            ToolFailed: Git fails.
        """
        ...

    async def bring_in(
        self,
        review: TreeReview,
        context: CallContext,
        keep: Callable[[WrittenIn], Awaitable[None]],
    ) -> list[FileIn]:
        """Make the changes of a review in the folder, each file in one step.

        ``keep``: called after each change.
        """
        ...

    def leave(self, message: str) -> str | None:
        """Make a branch of all that is changed in the tree; return its name. Blocks.

        None: nothing is changed that a branch may hold. Raises ToolFailed where git refuses.
        """
        ...

    @property
    def withheld(self) -> Sequence[str]:
        """The changed files that were left out of the branch, for people: secrets not in git."""
        ...

    def keep(self) -> str:
        """Let the tree stay on disk for the next start; return its path."""
        ...

    def remove(self) -> None:
        """Remove the tree and all that git knows of it. Blocks; raises ToolFailed."""
        ...


class OwnTrees(Protocol):
    """Makes trees of a folder, and clears up those that are over."""

    def make(self, title: str, session: str) -> OwnTree:
        """Make a tree with the present state of the folder. Blocks.

        Raises:
            ToolFailed: The folder cannot have one; the message says why.
        """
        ...

    def sweep(self) -> Sequence[LeftTree]:
        """Remove the trees of processes that died, once; return those with changes. Blocks."""
        ...


class NoTrees:
    """The trees of a folder that can have none."""

    def make(self, title: str, session: str) -> OwnTree:
        """Raise ToolFailed, as nothing is kept on disk here."""
        del title, session
        raise ToolFailed("No tree of its own can be made here: nothing of this folder is stored.")

    def sweep(self) -> Sequence[LeftTree]:
        """Return no trees, as there are none."""
        return ()
