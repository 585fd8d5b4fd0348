"""What is changed in a folder's git repository, without the content of files that hold secrets."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.tools.display import visible_path
from plimsoll.tools.git.program import Git, GitAnswer
from plimsoll.tools.ports.repository import DiffOfFiles, WorkingChanges
from plimsoll.tools.process.environment import child_environment
from plimsoll.tools.search.secret_names import holds_secrets

_DIFF = (
    "diff",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    # A submodule is looked at by a git of its own, with that repository's configuration.
    "--ignore-submodules=dirty",
    "--submodule=short",
    "--find-renames",
    "--relative",
    "--src-prefix=a/",
    "--dst-prefix=b/",
)
_OTHERS = (
    "ls-files",
    "-z",
    "--others",
    "--exclude-standard",
    "--directory",
    "--no-empty-directory",
)
CUT = "[the rest of this diff is not read: it is too long]\n"


class GitRepository:
    """Reads a folder's git repository, as far as it concerns files below the folder."""

    def __init__(self, root: Path, variables: Mapping[str, str]) -> None:
        """Set the folder's real path, and the environment variables of this process."""
        self._git = Git(root=root, environment=child_environment(variables))

    def changes(self) -> WorkingChanges:
        """Return the uncommitted changes below the folder; see ``Repository``."""
        with self._git.reading() as git:
            staged, hidden = _diff(git, "--cached")
            unstaged, also_hidden = _diff(git)
            others = git.ask(*_OTHERS)
        return WorkingChanges(
            staged=staged,
            unstaged=unstaged,
            untracked=tuple(map(visible_path, _names(others))),
            withheld=tuple(sorted({*hidden, *also_hidden})),
        )

    def subjects(self, most: int) -> tuple[str, ...]:
        """Return the subjects of the newest commits; empty before the first. See ``Repository``."""
        try:
            answer = self._git.ask("log", f"--max-count={most}", "--no-merges", "--format=%s")
        except ToolFailed:
            return ()
        return tuple(line for line in answer.output.split("\n") if line.strip())


def _diff(git: Git, *which: str) -> tuple[DiffOfFiles, tuple[str, ...]]:
    """Return the diff of the changed files, and the names of files withheld for their secrets."""
    listed = git.ask(*_DIFF, *which, "--name-status", "-z")
    files = [*_records(_names(listed))]
    hidden = [names for _, names in files if any(holds_secrets(name.split("/")) for name in names)]
    out = [f":(exclude,literal){name}" for names in hidden for name in names]
    diff = git.ask(*_DIFF, *which, "--", ".", *out) if len(hidden) < len(files) else None
    told = "" if diff is None else diff.output if diff.whole else f"{diff.output}\n{CUT}"
    rows = (f"{letter} {' -> '.join(map(visible_path, names))}" for letter, names in files)
    return DiffOfFiles(tuple(rows), told), tuple(visible_path(names[-1]) for names in hidden)


def _names(answer: GitAnswer) -> Sequence[str]:
    """Split git's answer at its NULs, without the last name of an answer that was cut."""
    return answer.output.split("\0")[:-1]


def _records(fields: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the status letter and name of each changed file; a renamed one has two names."""
    rest = iter(fields)
    for status in rest:
        count = 2 if status[:1] in "RC" else 1
        names = tuple(name for _, name in zip(range(count), rest, strict=False))
        if names:
            yield status[:1], names
