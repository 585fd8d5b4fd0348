"""Tells which files git leaves out: by all the ignore files that hold for a folder.

The deepest file that says anything about a path decides, then what a repository's owner ignores in
it, then what they ignore everywhere. A folder that is left out is never entered, so nothing in it
can come back.
"""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from plimsoll.tools.search.halt import Halt
from plimsoll.tools.search.ignore import IgnoreFile, IgnoreReader
from plimsoll.tools.search.repository import GitFolder, GitKnowledge, repository_above

IGNORE_FILE = ".gitignore"


@dataclass(frozen=True, slots=True)
class Rules:
    """The ignore files that apply in a folder, outermost first."""

    reader: "IgnoreReader"
    files: tuple[tuple[str, IgnoreFile], ...] = ()
    """Each ignore file with its folder, an absolute path with a trailing ``/``."""

    def below(self, folder: Path, names: Collection[str], halt: Halt) -> "Rules":
        """Return the rules inside of a folder that holds files with these names."""
        if IGNORE_FILE not in names:
            return self
        return self.with_file(folder, folder / IGNORE_FILE, halt)

    def with_file(self, folder: Path, file: Path, halt: Halt) -> "Rules":
        """Return the rules with one more ignore file, which applies below a folder."""
        prefix = folder.as_posix()
        prefix = prefix if prefix.endswith("/") else f"{prefix}/"
        return Rules(self.reader, (*self.files, (prefix, self.reader.read(file, halt))))

    def ignores(self, path: str, halt: Halt, *, is_folder: bool) -> bool:
        """Tell whether the rules ignore an absolute path with ``/``."""
        for folder, lines in reversed(self.files):
            halt.spend(1)
            decided = lines.decides(path[len(folder) :], halt, is_folder=is_folder)
            if decided is not None:
                return decided
        return False


def rules_of(repository: GitFolder, reader: IgnoreReader, git: GitKnowledge, halt: Halt) -> Rules:
    """Return a repository's ignore rules from outside of its tree, such as ``info/exclude``."""
    rules = Rules(reader)
    for file in (git.excludes(repository), repository.exclude):
        if file is not None:
            rules = rules.with_file(repository.top, file, halt)
    return rules


def rules_above(
    root: Path, start: Path, reader: IgnoreReader, halt: Halt, *, git: GitKnowledge
) -> Rules:
    """Read the rules from a repository's top (or the workspace) down to above ``start``.

    A workspace can be a folder of a larger repository; then that one's files count, as in git.
    """
    if not start.is_relative_to(root):
        return Rules(reader)
    repository = repository_above(start)
    top = root if repository is None else repository.top
    rules = Rules(reader) if repository is None else rules_of(repository, reader, git, halt)
    for folder in reversed(start.parents):
        if folder.is_relative_to(top):
            rules = rules.below(folder, [IGNORE_FILE], halt)
    return rules
