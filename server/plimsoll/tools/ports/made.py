"""The port to files made under protected names: moved aside until a person keeps them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from plimsoll.tools.display import visible_diff
from plimsoll.tools.process.confinement.base import MovedAside


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeFile:
    """A protected file or folder that a command made, as a person is shown it."""

    name: str
    """Its path below the workspace, with nothing hidden; that of a folder ends in a slash."""
    moved: MovedAside
    diff: str
    """What is in it, as a unified diff of what is new."""
    whole: bool
    """Whether the diff shows all that is in it."""
    stamp: str
    """A SHA-256 of what is in it; another one: it was changed since it was shown."""

    @property
    def readable_diff(self) -> str:
        """The diff with long runs of blanks as counts, for reading alone."""
        return visible_diff(self.diff)


@dataclass(frozen=True, slots=True)
class PutInPlace:
    """The result of moving back a file that a person wants to keep."""

    file: MadeFile
    failed: str | None = None
    """Why it is still aside, in a sentence for people; none: it is in its place."""


class CommandMade(Protocol):
    """A command, with the protected files that it made."""

    @property
    def command(self) -> str:
        """The text of the command on one line, with no character hidden."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether the command has ended."""
        ...

    async def wait(self, seconds: float | None = None) -> object:
        """Wait for the end of the command, or until the time is up."""
        ...

    def take_moved(self) -> tuple[MovedAside, ...]:
        """Return the files moved aside since the last call, and forget them."""
        ...


class MadeFiles(Protocol):
    """Shows the files that were moved aside, and moves them back."""

    async def look_at_made(self, moved: Sequence[MovedAside], root: Path) -> tuple[MadeFile, ...]:
        """Return the moved files of the workspace that can be put back: their place is free."""
        ...

    async def put_in_place(self, files: Sequence[MadeFile]) -> tuple[PutInPlace, ...]:
        """Move files back to where they were made, replacing nothing and following no link."""
        ...
