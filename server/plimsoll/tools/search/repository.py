"""Finds the git repository of a folder, and asks git for what it ignores by and yet tracks.

Law: a repository is a stranger's. Git runs nothing that it configures, and no file that it names is
read as rules unless it lies in the repository, or says itself that it belongs to it.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.tools.files.opening import folder, opened
from plimsoll.tools.git.program import Git

GIT = ".git"
_LONGEST_LINE = 4_096
_OF_THE_PERSON = frozenset({"system", "global"})


@dataclass(frozen=True, slots=True)
class GitFolder:
    """A folder that git manages, and where what its worktrees share is kept."""

    top: Path
    common: Path
    """The folder that its linked worktrees have in common."""
    is_its_own: bool
    """False where a file alone says that ``common`` is its: nothing is read there."""

    @property
    def exclude(self) -> Path | None:
        """The file of what its owner ignores in it."""
        return self.common / "info" / "exclude" if self.is_its_own else None


def repository_at(top: Path) -> GitFolder | None:
    """Return the repository whose top is this folder."""
    link = top / GIT
    try:
        status = link.lstat()
    except OSError:
        return None
    if stat.S_ISDIR(status.st_mode):
        return GitFolder(top, link, is_its_own=True) if (link / "HEAD").exists() else None
    named = _line(link)
    if named is None or not named.startswith("gitdir:"):
        return None
    own = Path(os.path.realpath(top / named.removeprefix("gitdir:").strip()))
    if not (own / "HEAD").exists():
        return None
    shared = _line(own / "commondir")
    common = own if shared is None else Path(os.path.realpath(own / shared))
    back = _line(own / "gitdir")
    linked = back is not None and Path(os.path.realpath(own / back)) == link
    is_module = any(own.is_relative_to(above / GIT / "modules") for above in top.parents)
    is_its_own = (linked and own.parent == common / "worktrees") or (is_module and common == own)
    return GitFolder(top, common, is_its_own=is_its_own)


def repository_above(start: Path) -> GitFolder | None:
    """Return the repository that holds a folder, or whose top it is."""
    found = (repository_at(each) for each in (start, *start.parents))
    return next((each for each in found if each is not None), None)


@dataclass(slots=True)
class GitKnowledge:
    """What git says of repositories, each asked once; blocks."""

    environment: Mapping[str, str] | None
    """The environment of child processes; none: git is not asked."""
    _excludes: dict[Path, Path | None] = field(default_factory=dict[Path, Path | None])

    def excludes(self, repository: GitFolder) -> Path | None:
        """Return the file of what a person ignores in all repositories (``core.excludesFile``)."""
        if self.environment is None:
            return None
        if repository.top not in self._excludes:
            self._excludes[repository.top] = _excludes(repository, self.environment)
        return self._excludes[repository.top]

    def tracked_though_ignored(self, repository: GitFolder, start: Path) -> Iterator[str]:
        """Yield the plain files below ``start`` that are tracked though ignored, relative to it."""
        if self.environment is None or not repository.is_its_own:
            return
        excludes = self.excludes(repository) or os.devnull
        below = start.relative_to(repository.top).as_posix()
        try:
            names = Git(repository.top, self.environment).names(
                *("-c", f"core.excludesFile={excludes}", "--literal-pathspecs", "ls-files", "-z"),
                *("--cached", "--ignored", "--exclude-standard", "--", below),
            )
        except ToolFailed:
            # Without git, or where it refuses the folder, nobody knows what is tracked.
            return
        for name in names:
            path = repository.top / name
            if GIT not in path.parts and _is_plain_file(path):
                yield path.relative_to(start).as_posix()


def _excludes(repository: GitFolder, environment: Mapping[str, str]) -> Path | None:
    question = ("config", "--null", "--show-scope", "--type=path", "--get-all")
    try:
        told = Git(repository.top, environment).names(*question, "core.excludesFile", failing=1)
    except ToolFailed:
        told = ()
    found = _usual(environment)
    for scope, value in zip(told[::2], told[1::2], strict=False):
        path = Path(os.path.realpath(repository.top / value)) if value else None
        # What a repository itself configures stays in it.
        if scope in _OF_THE_PERSON or path is None or path.is_relative_to(repository.top):
            found = path
    return found


def _usual(environment: Mapping[str, str]) -> Path | None:
    home = environment.get("HOME", "")
    folder_of_settings = environment.get("XDG_CONFIG_HOME") or (home and f"{home}/.config")
    if not folder_of_settings.startswith("/"):
        return None
    return Path(os.path.realpath(f"{folder_of_settings}/git/ignore"))


def _is_plain_file(path: Path) -> bool:
    """Tell whether no link leads to a file."""
    try:
        with folder(path.parent) as parent:
            status = path.lstat() if parent is None else os.lstat(path.name, dir_fd=parent)
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode)


def _line(path: Path) -> str | None:
    """Read a file that holds one line; none: there is none, or it is something else."""
    try:
        with opened(path) as descriptor:
            data = os.read(descriptor, _LONGEST_LINE)
    except (OSError, ToolFailed):
        return None
    return os.fsdecode(data).strip()
