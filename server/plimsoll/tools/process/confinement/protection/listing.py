"""Lists one folder: what in it is protected, what git looks for, and what is no plain file."""

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from plimsoll.tools.files.opening import folder
from plimsoll.tools.files.protected import why_acted_on
from plimsoll.tools.process.confinement.protection.links import text_of_link

REPOSITORY = ".git"
GIT_NAMES = frozenset({"HEAD", "objects", "refs", "commondir"})
"""By these git knows a folder of its own, whatever that is called."""
SUBMODULES, WORKTREES = "modules", "worktrees"
_HOOKS = "hooks"
_STORES = frozenset({"objects", "refs", "logs", "lfs"})
_OBJECTS = "objects"
LINK_WHY = "git writes where it leads"
# As git made it long ago.
_OLD_HEAD = re.compile(r"refs/(?!.*\.\.)")
DEPENDENCIES = frozenset(
    {"node_modules", "site-packages", ".venv", "venv", ".tox", ".nox", "bower_components"}
)
"""Packages bring protected names by the hundred, and no editor or agent acts on them there."""
_MOST_REASONS = 100_000


class FolderRole(Enum):
    """The role of a folder, which decides which names in it are protected."""

    PLAIN = "any folder"
    PACKAGES = "installed packages"
    KEPT = "a protected folder"
    REPOSITORY = "a repository's own folder"
    REPOSITORIES = "where a repository keeps those of its submodules and worktrees"
    STATE = "what a repository keeps of its branches, logs and work"
    OBJECTS = "what a repository keeps of its history"


_INSIDE_REPOSITORY = frozenset({FolderRole.STATE, FolderRole.OBJECTS})
_OF_REPOSITORY = _INSIDE_REPOSITORY | {FolderRole.REPOSITORY, FolderRole.REPOSITORIES}


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """The protected names, links and repositories' parts that one folder holds."""

    role: FolderRole
    below: tuple[tuple[str, FolderRole], ...] = ()
    """The folders in it that are looked into."""
    protected: tuple[tuple[str, str], ...] = ()
    """The protected names in it, each with the reason."""
    git: frozenset[str] = frozenset()
    """Which of the names by which git knows its folders stand in it."""
    links: tuple[str, ...] = ()
    """Links in it that have a protected name, or lie in what is protected."""
    leading: tuple[tuple[str, str], ...] = ()
    """Other links in it, each with its text; none of those among packages."""
    special: tuple[str, ...] = ()
    """Pipes, sockets and devices."""

    @property
    def bare(self) -> bool:
        """Whether git takes the folder itself for a repository."""
        return "HEAD" in self.git and ("commondir" in self.git or {"objects", "refs"} <= self.git)

    @property
    def notable(self) -> bool:
        """Whether the folder holds anything but folders that matters."""
        kept = self.role is FolderRole.REPOSITORIES
        links = self.links or self.leading
        return bool(kept or self.protected or self.git or links or self.special)


EMPTY = {role: Folder(role=role) for role in FolderRole}
"""Most folders hold nothing that matters."""


class Reasons:
    """Finds the reason why a name is protected; each name is looked up once."""

    def __init__(self) -> None:
        self._known: dict[FolderRole, dict[str, str | None]] = {role: {} for role in FolderRole}

    def known_names(self, role: FolderRole) -> dict[str, str | None]:
        """Return the reasons of the names that were looked up for a role of folders."""
        found = self._known[role]
        if len(found) > _MOST_REASONS:
            found.clear()
        return found


def why_in(name: str, role: FolderRole) -> str | None:
    """Return why a name is protected in a folder of a role; None if it is not."""
    # The table folds a name; the name of a repository is the one that git itself looks for.
    return why_acted_on(name) if role is FolderRole.PLAIN or name.casefold() == REPOSITORY else None


def list_folder(path: str, role: FolderRole, reasons: Reasons) -> Folder:
    """List the relevant entries of a folder; one closed to its owner is opened for it. Blocks.

    Raises:
        OSError: The folder is gone, or belongs to another user.
    """

    def list_at(at: str) -> Folder:
        with os.scandir(at) as entries:
            return _classify_entries(entries, role, reasons)

    try:
        return list_at(path)
    except PermissionError:
        return _list_closed_folder(path, list_at)


def _classify_entries(
    entries: Iterable[os.DirEntry[str]], role: FolderRole, reasons: Reasons
) -> Folder:
    folders: list[str] = []
    protected: list[tuple[str, str]] = []
    git: list[str] = []
    links: list[os.DirEntry[str]] = []
    others: list[os.DirEntry[str]] = []
    special: list[str] = []
    known = reasons.known_names(role)
    for entry in entries:
        name = entry.name
        try:
            why = known[name]
        except KeyError:
            why = known[name] = why_in(name, role)
        if why is not None:
            protected.append((name, why))
        if name in GIT_NAMES and role not in _INSIDE_REPOSITORY:
            git.append(name)
        if entry.is_file(follow_symlinks=False):
            continue
        if entry.is_dir(follow_symlinks=False):
            folders.append(name)
        elif not entry.is_symlink():
            special.append(name)
        else:
            (links if why is not None or role is FolderRole.KEPT else others).append(entry)
    if not (folders or protected or git or links or special or others):
        return EMPTY[role]
    found = Folder(
        role=role,
        protected=tuple(sorted(protected)),
        git=frozenset(git),
        links=tuple(entry.name for entry in links),
        special=tuple(special),
    )
    found = _with_others(found, others) if others else found
    return found if not folders else replace(found, below=tuple(_below(found, folders)))


def _with_others(found: Folder, links: Iterable[os.DirEntry[str]]) -> Folder:
    if found.role in _OF_REPOSITORY or found.bare:
        return _with_links_of_repository(found, links)
    if found.role is FolderRole.PLAIN:
        return replace(found, leading=tuple(_texts(links)))
    return found


def _with_links_of_repository(found: Folder, links: Iterable[os.DirEntry[str]]) -> Folder:
    """Protect links in a repository, by which git's next writing would go somewhere else."""
    names = [
        entry.name
        for entry in links
        if entry.name != "HEAD" or not _OLD_HEAD.match(text_of_link(entry.path))
    ]
    return replace(
        found,
        protected=(*found.protected, *((name, LINK_WHY) for name in names)),
        links=(*found.links, *names),
    )


def _texts(links: Iterable[os.DirEntry[str]]) -> Iterator[tuple[str, str]]:
    for entry in links:
        # What is gone meanwhile is no link any more.
        with suppress(OSError):
            yield entry.name, text_of_link(entry.path)


def _below(found: Folder, folders: Iterable[str]) -> Iterator[tuple[str, FolderRole]]:
    named = {name for name, _ in found.protected}
    for name in folders:
        role = _role_below(found, name, name in named)
        if role is not None:
            yield name, role


def _role_below(above: Folder, name: str, protected: bool) -> FolderRole | None:
    """Return the role of a folder inside another; None if no program acts on its content."""
    if above.role is FolderRole.REPOSITORY or (
        above.role is FolderRole.REPOSITORIES and "HEAD" in above.git
    ):
        return {
            SUBMODULES: FolderRole.REPOSITORIES,
            WORKTREES: FolderRole.REPOSITORIES,
            _HOOKS: FolderRole.KEPT,
            _OBJECTS: FolderRole.OBJECTS,
        }.get(name, FolderRole.STATE)
    if above.role is FolderRole.OBJECTS:
        return None
    if name.casefold() == REPOSITORY:
        return FolderRole.REPOSITORY
    if name == _OBJECTS and (above.bare or above.role is FolderRole.STATE):
        return FolderRole.OBJECTS
    if above.role is FolderRole.STATE or (above.bare and name in _STORES):
        return FolderRole.STATE
    if above.role in {FolderRole.REPOSITORIES, FolderRole.KEPT}:
        return above.role
    if protected:
        return FolderRole.KEPT
    return (
        FolderRole.PACKAGES
        if above.role is FolderRole.PACKAGES or name in DEPENDENCIES
        else FolderRole.PLAIN
    )


def _list_closed_folder(path: str, listed: Callable[[str], Folder]) -> Folder:
    with folder(Path(path)) as descriptor:
        status = os.lstat(path)
        if descriptor is None or status.st_uid != os.geteuid():
            raise PermissionError(f"{path} is closed")
        # A command may close a folder to hide in it what others open later.
        link = f"/proc/self/fd/{descriptor}"
        Path(link).chmod(stat.S_IRWXU)
        try:
            return listed(link)
        finally:
            Path(link).chmod(stat.S_IMODE(status.st_mode))
