"""The port to the git repository of a folder: what is changed in it, read and never written."""

from dataclasses import dataclass
from typing import Protocol

from plimsoll.errors import ToolFailed


@dataclass(frozen=True, slots=True)
class DiffOfFiles:
    """The diff of some changed files in a folder."""

    names: tuple[str, ...] = ()
    """Each as git writes it, after the letter of what became of it: ``M src/ledger.py``."""
    diff: str = ""
    """Their change as a unified diff, without those that are withheld."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingChanges:
    """The uncommitted changes in a folder."""

    staged: DiffOfFiles
    unstaged: DiffOfFiles
    untracked: tuple[str, ...]
    """Names of files and folders that git does not know, without those that it ignores."""
    withheld: tuple[str, ...]
    """Changed files that by their names hold secrets: their content is nowhere in this."""


class Repository(Protocol):
    """Reads the git repository of a folder, without running anything that the repository names.

    Raises:
        ToolFailed: There is no repository, or git fails; the message is for the person.
    """

    def changes(self) -> WorkingChanges:
        """Return the uncommitted changes in the folder. Blocks."""
        ...

    def subjects(self, most: int) -> tuple[str, ...]:
        """Return the first lines of the newest commits, the newest first. Blocks."""
        ...


class NoRepository:
    """The repository of a session that was given none."""

    def changes(self) -> WorkingChanges:
        """Raise ToolFailed, as there is no repository."""
        raise ToolFailed("No git repository is known here.")

    def subjects(self, most: int) -> tuple[str, ...]:
        """Return no subjects, as there is no repository."""
        del most
        return ()
