"""Finds the repositories of a workspace as git resolves them, and what of each is protected.

By folders named ``.git``, files that name one, what git takes for a bare one, the common folder of
worktrees, submodules, and the repository that the workspace itself lies in.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from plimsoll.tools.process.confinement.protection.git.configuration import (
    HOOKS,
    Configurations,
    Named,
)
from plimsoll.tools.process.confinement.protection.git.states import (
    STATE_WHY,
    STATES,
    acts_later,
)
from plimsoll.tools.process.confinement.protection.links import (
    Chain,
    follow,
    inside,
    join_path,
    last_name,
    parent,
)
from plimsoll.tools.process.confinement.protection.listing import REPOSITORY, WORKTREES
from plimsoll.tools.process.confinement.protection.protected_paths import ProtectedPaths

PARTS: Mapping[str, str] = {
    "hooks": "git runs what lies in it",
    "config": "git runs commands that stand in it",
    "config.worktree": "git runs commands that stand in it",
    "commondir": "git takes its configuration from where it points",
    "gitdir": "git takes it for the place of a worktree",
    "info/attributes": "git chooses programs by it",
    "objects/info/alternates": "git takes objects from where it points",
    "objects/info/http-alternates": "git takes objects from where it points",
    "branches": "git takes addresses from it",
    "remotes": "git takes addresses from it",
}
"""What of a repository's own folder is protected, each with the reason."""
NAMED_WHY = "the configuration of a repository names it"
_REPOSITORY_WHY = "it is the repository of a submodule or worktree"
_LEADS_WHY = "a repository's own file leads to it"
_LONGEST = 10_000


@dataclass(slots=True)
class _Repository:
    worktrees: set[str] = field(default_factory=set[str])
    origins: set[str] = field(default_factory=set[str])
    """What leads to it, as paths from the root; an empty one: something outside."""


class Repositories:
    """Finds all git repositories of one workspace, and their protected paths."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root = root
        self._top = str(root)
        self._configurations = Configurations(str(home))
        self._of_person = (
            f"{home}/.gitconfig",
            f"{os.environ.get('XDG_CONFIG_HOME') or f'{home}/.config'}/git/config",
            "/etc/gitconfig",
        )
        self._found = ProtectedPaths()
        self._all: dict[str, _Repository] = {}

    def resolve(
        self, found: ProtectedPaths, named: Iterable[str], bare: Iterable[str], kept: Iterable[str]
    ) -> None:
        """Add the protected paths of the repositories to those found so far; blocks.

        All are paths from the root. ``named``: entries called ``.git``; ``bare``: folders that git
        takes for its own; ``kept``: those in which a repository keeps the ones of submodules and
        worktrees.
        """
        self._found, self._all = found, {}
        for path in named:
            self._enter(path)
        for path in bare:
            self._add(self._at(path), self._at(path), f"{path}/HEAD".lstrip("/"))
        for path in kept:
            self._keep(path)
        self._look_above()
        # What one leads to is added while they are gone through.
        done: set[str] = set()
        while left := self._all.keys() - done:
            for path in sorted(left):
                done.add(path)
                self._resolve_common(path)
        for path, repository in sorted(self._all.items()):
            self._protect(path, repository)
        self._find_named()

    def _at(self, path: str) -> str:
        return f"{self._top}/{path}" if path else self._top

    def _add(self, path: str, worktree: str | None, origin: str) -> None:
        known = self._all.setdefault(path, _Repository())
        known.origins.add(origin)
        if worktree is not None:
            known.worktrees.add(worktree)

    def _enter(self, path: str) -> None:
        """Add the repository that an entry ``.git`` stands for: a folder, a file, or a link."""
        at = self._at(path)
        worktree = parent(at)
        chain = follow(self.root, at)
        self._note(chain)
        if chain.end is None or not chain.exists:
            return
        if Path(chain.end).is_dir():
            self._add(chain.end, worktree, path)
            return
        file = inside(self._top, chain.end)
        if chain.links and file is not None:
            self._found.ends[file] = _LEADS_WHY
        named = _pointer(chain.end)
        if named is None:
            return
        into = follow(self.root, join_path(parent(chain.end), named))
        self._note(into)
        if into.end is None or not into.exists:
            return
        self._add(into.end, worktree, path)
        if not chain.links and self._is_harmless_worktree(into.end):
            # It is there by `git worktree add`, and leads to what is protected in its turn.
            self._found.ends[path] = self._found.names.pop(path, _LEADS_WHY)

    def _keep(self, path: str) -> None:
        at = self._at(path)
        if not self._is_harmless_worktree(at):
            self._found.names[path] = _REPOSITORY_WHY
        self._add(at, None, path)

    def _look_above(self) -> None:
        """Add the repository above the workspace, of whose worktree the workspace is a folder."""
        for above in self.root.parents:
            at = f"{above}/{REPOSITORY}"
            if os.path.lexists(at):
                named = _pointer(at) if Path(at).is_file() else at
                if named is not None:
                    into = follow(self.root, join_path(str(above), named))
                    if into.end is not None and into.exists:
                        self._add(into.end, str(above), "")
                return

    def _is_harmless_worktree(self, path: str) -> bool:
        """Tell whether a folder is git's own folder of a worktree, and can run no program."""
        above = parent(path)
        common = parent(above)
        named = _line(f"{path}/commondir")
        return (
            last_name(above) == WORKTREES
            and named is not None
            and inside(self._top, path) is not None
            and os.path.realpath(join_path(path, named)) == common
            and not any(
                os.path.lexists(f"{path}/{name}") for name in ("config.worktree", "modules")
            )
            and not any(acts_later(f"{path}/{name}") for name in STATES)
        )

    def _resolve_common(self, path: str) -> None:
        repository = self._all[path]
        named = _line(f"{path}/commondir")
        if named is None:
            return
        into = follow(self.root, join_path(path, named))
        self._note(into)
        if into.end is None or not into.exists:
            return
        for worktree in repository.worktrees or {path}:
            self._add(into.end, worktree, inside(self._top, f"{path}/commondir") or "")

    def _protect(self, path: str, repository: _Repository) -> None:
        here = inside(self._top, path)
        if here is None:
            return
        self._found.partial.add(here)
        kept = self._found.ends if self._is_harmless_worktree(path) else self._found.names
        for part, why in PARTS.items():
            if os.path.lexists(f"{path}/{part}"):
                kept[f"{here}/{part}"] = why
                self._found.origins[f"{here}/{part}"] = frozenset(repository.origins)
                if Path(f"{path}/{part}").is_symlink():
                    self._protect_named(follow(self.root, f"{path}/{part}"), missing=True)
        for state in STATES:
            if acts_later(f"{path}/{state}"):
                self._found.names[f"{here}/{state}"] = STATE_WHY
                self._found.origins[f"{here}/{state}"] = frozenset(repository.origins)

    def _note(self, chain: Chain) -> None:
        """Protect the links on the way to a repository, and its path if it does not exist."""
        self._found.links.update(chain.links)
        here = inside(self._top, chain.end) if chain.end is not None else None
        if here is not None and not chain.exists:
            self._found.missing[here] = _LEADS_WHY

    def _find_named(self) -> None:
        """Add the files and folders that git configurations name to the protected paths."""
        for path, repository in self._all.items():
            own = (f"{path}/config", f"{path}/config.worktree")
            named = self._configurations.named_by((*own, *self._of_person))
            self._add_named(named, path, repository.worktrees or {path})

    def _add_named(self, named: Named, path: str, worktrees: Iterable[str]) -> None:
        for included in named.included:
            self._protect_named(follow(self.root, included), missing=True)
        for worktree in worktrees:
            for hooks in named.folders:
                self._protect_hooks(follow(self.root, join_path(worktree, hooks)), path)
            for word in named.words:
                at = join_path(worktree, word)
                if inside(self._top, at) is not None or not at.startswith("/"):
                    self._protect_named(follow(self.root, at), missing="/" in word, file=True)

    def _protect_hooks(self, chain: Chain, repository: str) -> None:
        end = chain.end
        if end is not None and (end == self._top or f"{repository}/".startswith(f"{end}/")):
            # A folder that holds everything can't be closed as a whole.
            for name in HOOKS:
                self._protect_named(follow(self.root, f"{end}/{name}"), missing=True)
            return
        self._protect_named(chain, missing=True)

    def _protect_named(self, chain: Chain, *, missing: bool, file: bool = False) -> None:
        here = inside(self._top, chain.end) if chain.end is not None else None
        if here is None or (file and chain.exists and not Path(self._at(here)).is_file()):
            return
        if not chain.exists and not missing:
            return
        self._found.links.update(chain.links)
        kept = self._found.ends if chain.exists else self._found.missing
        kept.setdefault(here, NAMED_WHY)


def _pointer(path: str) -> str | None:
    """Return the folder that a ``.git`` file points to."""
    text = _line(path)
    if text is None or not text.startswith("gitdir:"):
        return None
    return text.removeprefix("gitdir:").strip(" ") or None


def _line(path: str) -> str | None:
    try:
        if not Path(path).is_file():
            return None
        with Path(path).open(encoding="utf-8", errors="surrogateescape") as file:
            return file.read(_LONGEST).rstrip("\r\n") or None
    except (OSError, ValueError):
        return None
