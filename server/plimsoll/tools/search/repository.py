"""Finds the git repository of a folder, and asks git for what it ignores by and yet tracks.

Law: a repository is a stranger's. Git runs nothing that it configures, and no file that it names is
read as rules unless it lies in the repository, or says itself that it belongs to it.
"""

import os
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from plimsoll.errors import ToolFailed
from plimsoll.tools.files.opening import folder, open_regular_file
from plimsoll.tools.git.program import Git, GitSilent
from plimsoll.tools.search.ignore import IgnoreFile

GIT = ".git"
_LONGEST_LINE = 4_096
_MOST_ANSWERS = 64
_RACY = 2_000_000_000
"""Nanoseconds: an index that is younger may be written again with the same times."""
_SILENT = 300_000_000_000
"""Nanoseconds after which git is asked again in a repository where it did not answer in time."""
IgnoreFiles = tuple[tuple[str, IgnoreFile], ...]
"""Ignore files with their folders, as `Rules` has them."""
_INDEX = "GIT_INDEX_FILE"
_OF_THE_PERSON = frozenset({"system", "global"})


@dataclass(frozen=True, slots=True)
class GitFolder:
    """The top folder of a git repository or worktree, and the folder that its worktrees share."""

    top: Path
    own: Path
    """The folder of this worktree alone: its index is there."""
    common: Path
    """The folder that its linked worktrees have in common."""
    is_its_own: bool
    """False where a file alone says that ``common`` is its: nothing is read there."""

    @property
    def exclude(self) -> Path | None:
        """The path of the repository's own ignore file, ``info/exclude``."""
        return self.common / "info" / "exclude" if self.is_its_own else None


def repository_at(top: Path) -> GitFolder | None:
    """Return the git repository whose top is this folder, or None."""
    link = top / GIT
    try:
        status = link.lstat()
    except OSError:
        return None
    if stat.S_ISDIR(status.st_mode):
        return GitFolder(top, link, link, is_its_own=True) if _has_head(link) else None
    named = _line(link)
    if named is None or not named.startswith("gitdir:"):
        return None
    own = Path(os.path.realpath(top / named.removeprefix("gitdir:").strip()))
    if not _has_head(own):
        return None
    shared = _line(own / "commondir")
    common = own if shared is None else Path(os.path.realpath(own / shared))
    back = _line(own / "gitdir")
    linked = back is not None and Path(os.path.realpath(own / back)) == link
    is_module = any(own.is_relative_to(above / GIT / "modules") for above in top.parents)
    is_its_own = (linked and own.parent == common / "worktrees") or (is_module and common == own)
    return GitFolder(top, own, common, is_its_own=is_its_own)


def _has_head(folder: Path) -> bool:
    """Tell whether a folder holds a plain file HEAD; git waits for ever for a pipe in its place."""
    return (folder / "HEAD").is_file()


def repository_above(start: Path) -> GitFolder | None:
    """Return the git repository that a folder lies in or is the top of, or None."""
    found = (repository_at(each) for each in (start, *start.parents))
    return next((each for each in found if each is not None), None)


@dataclass(frozen=True, slots=True)
class _Premises:
    """The files and settings that git's answer on tracked names depends on."""

    stamps: tuple[tuple[int, ...] | None, ...]
    """Of the index, of `info/exclude` and of the repository's own configuration."""
    configured: tuple[str, ...]
    files: IgnoreFiles

    def is_same(self, other: "_Premises") -> bool:
        """Compare two sets of premises; ignore files by identity, as each text has one object."""
        return (
            self.stamps == other.stamps
            and self.configured == other.configured
            and len(self.files) == len(other.files)
            and all(
                folder == its_folder and file is its_file
                for (folder, file), (its_folder, its_file) in zip(
                    self.files, other.files, strict=True
                )
            )
        )


class KeptAnswers:
    """Git's answers on names that are tracked though ignored, by repository and folder.

    Also the repositories in which git was too slow, so that the next search does not wait again.
    """

    def __init__(self, now: Callable[[], int] = time.time_ns) -> None:
        self.now = now
        self._silent_until: dict[Path, int] = {}
        self._kept: dict[tuple[Path, str], tuple[_Premises, list[str]]] = {}
        self._lock = Lock()

    def get(self, place: tuple[Path, str], asked: _Premises) -> list[str] | None:
        """Return an earlier answer to the same question, if its premises have not changed."""
        found = self._kept.get(place)
        return found[1] if found is not None and found[0].is_same(asked) else None

    def keep(self, place: tuple[Path, str], asked: _Premises, names: list[str]) -> None:
        """Store an answer; when there are many, the oldest is dropped."""
        with self._lock:
            self._kept.pop(place, None)
            self._kept[place] = (asked, names)
            while len(self._kept) > _MOST_ANSWERS:
                del self._kept[next(iter(self._kept))]

    def note_silence(self, top: Path) -> None:
        """Record that git did not answer in time in a repository."""
        self._silent_until[top] = self.now() + _SILENT

    def is_silent(self, top: Path) -> bool:
        """Tell whether git recently did not answer in time in a repository."""
        return self.now() < self._silent_until.get(top, 0)


@dataclass(slots=True)
class GitKnowledge:
    """Asks git about repositories, once for each question; blocks."""

    environment: Mapping[str, str] | None
    """The environment of child processes; none: git is not asked."""
    answers: KeptAnswers = field(default_factory=KeptAnswers)
    """What was answered to earlier searches."""
    _configured: dict[Path, tuple[str, ...]] = field(default_factory=dict[Path, tuple[str, ...]])

    def excludes(self, repository: GitFolder) -> Path | None:
        """Return the path of a person's ignore file for all folders (``core.excludesFile``)."""
        if self.environment is None:
            return None
        return _excludes(
            repository, self.environment, self._read_configured(repository, self.environment)
        )

    def tracked_though_ignored(
        self, repository: GitFolder, start: Path, files: IgnoreFiles | None = None
    ) -> Iterator[str]:
        """Yield the plain files below ``start`` that are tracked though ignored, relative to it.

        ``files``: all ignore files that apply above ``start`` and below; with them an answer is
        kept until one of them changes.
        """
        if self.environment is None or not repository.is_its_own:
            return
        for name in self._list_tracked(repository, start, files, self.environment):
            path = repository.top / name
            if GIT not in path.parts and _is_plain_file(path):
                yield path.relative_to(start).as_posix()

    def _list_tracked(
        self,
        repository: GitFolder,
        start: Path,
        files: IgnoreFiles | None,
        environment: Mapping[str, str],
    ) -> list[str]:
        excludes = self.excludes(repository) or os.devnull
        below = start.relative_to(repository.top).as_posix()
        place, asked = (repository.top, below), None
        if files is not None and _INDEX not in environment:
            told = self._read_configured(repository, environment)
            asked = _premises_now(repository, told, files, self.answers.now())
            kept = None if asked is None else self.answers.get(place, asked)
            if kept is not None:
                return kept
        if self.answers.is_silent(repository.top):
            return []
        try:
            names = Git(root=repository.top, environment=environment).names(
                *("-c", f"core.excludesFile={excludes}", "--literal-pathspecs", "ls-files", "-z"),
                *("--cached", "--ignored", "--exclude-standard", "--", below),
            )
        except GitSilent:
            self.answers.note_silence(repository.top)
            return []
        except ToolFailed:
            # Without git, or where it refuses the folder, nobody knows what is tracked.
            return []
        if asked is not None:
            self.answers.keep(place, asked, names)
        return names

    def _read_configured(
        self, repository: GitFolder, environment: Mapping[str, str]
    ) -> tuple[str, ...]:
        """Return the configured values of ``core.excludesFile``, each after its scope."""
        if repository.top not in self._configured and not self.answers.is_silent(repository.top):
            question = ("config", "--null", "--show-scope", "--type=path", "--get-all")
            git = Git(root=repository.top, environment=environment)
            try:
                told = tuple(git.names(*question, "core.excludesFile", failing=1))
            except GitSilent:
                self.answers.note_silence(repository.top)
                told = ()
            except ToolFailed:
                told = ()
            self._configured[repository.top] = told
        return self._configured.get(repository.top, ())


def _premises_now(
    repository: GitFolder, configured: tuple[str, ...], files: IgnoreFiles, now: int
) -> _Premises | None:
    """Return the current premises of git's answer; None if they cannot be read."""
    index = _stamp(repository.own / "index")
    if index is None or now - max(index[0], index[1]) < _RACY:
        return None
    if any(file.notes for _, file in files):
        # Of such a file we have not seen all.
        return None
    others = (repository.common / "info" / "exclude", repository.common / "config")
    return _Premises((index, *map(_stamp, others)), configured, files)


def _stamp(path: Path) -> tuple[int, ...] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def _excludes(
    repository: GitFolder, environment: Mapping[str, str], told: tuple[str, ...]
) -> Path | None:
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
    """Tell whether a path is a plain file, reached through no link."""
    try:
        with folder(path.parent) as parent:
            status = path.lstat() if parent is None else os.lstat(path.name, dir_fd=parent)
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode)


def _line(path: Path) -> str | None:
    """Read a file that holds one line; None if it is missing or holds something else."""
    try:
        with open_regular_file(path) as descriptor:
            data = os.read(descriptor, _LONGEST_LINE)
    except (OSError, ToolFailed):
        return None
    return os.fsdecode(data).strip()
