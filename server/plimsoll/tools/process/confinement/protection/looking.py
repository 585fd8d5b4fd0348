"""Looks for what is protected in one workspace, again only where it changed."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Lock

from plimsoll.tools.process.confinement.protection.git.repositories import Repositories
from plimsoll.tools.process.confinement.protection.home_names import HomeNames
from plimsoll.tools.process.confinement.protection.links import (
    Chain,
    follow,
    inside,
    last_name,
    text_of_link,
)
from plimsoll.tools.process.confinement.protection.listing import (
    LINK_WHY,
    REPOSITORY,
    SUBMODULES,
    WORKTREES,
    Folder,
    FolderRole,
)
from plimsoll.tools.process.confinement.protection.path_programs import PathProgram, PathPrograms
from plimsoll.tools.process.confinement.protection.protected_paths import ProtectedPaths
from plimsoll.tools.process.confinement.protection.staging import vacant
from plimsoll.tools.process.confinement.protection.tree import Tree

_WHERE_IT_ENDS = "{} leads to it"
_RESOLVED_OTHERWISE = frozenset({FolderRole.REPOSITORY, FolderRole.REPOSITORIES})
_KEEPING = frozenset({SUBMODULES, WORKTREES})


class Protection:
    """Finds the protected paths in one workspace folder."""

    def __init__(
        self, root: Path, home: Path | None = None, search_path: str = "", *, watch: bool = True
    ) -> None:
        """``home``: the person's home folder, whose settings may lie or name files here.

        ``search_path``: the person's own PATH.
        """
        self.root = root
        self._top = str(root)
        self._tree = Tree(root, watch=watch)
        home = home or Path.home()
        self._repositories = Repositories(root, home)
        self._of_home = HomeNames(root, home)
        self._on_path = PathPrograms(root, search_path)
        self._looking = Lock()
        self._vacant: frozenset[str] = frozenset()

    def look(self) -> ProtectedPaths:
        """Return the protected paths below the folder; blocks."""
        with self._looking:
            self._tree.refresh()
            found = ProtectedPaths()
            # An empty one holds nothing; what a command makes of it is new.
            self._vacant = vacant(self.root)
            for path, folder in self._tree.notable.items():
                self._add(found, path, folder)
            for name, chain in self._of_home.ends():
                self._protect_end(found, name, chain)
            for path, program in self._on_path.look():
                self._add_program(found, path, program)
            self._repositories.resolve(
                found,
                self._find_repositories(),
                sorted(found.bare),
                sorted(self._find_kept_repositories()),
            )
            return found

    def _add(self, found: ProtectedPaths, path: str, folder: Folder) -> None:
        above = f"{path}/" if path else ""
        protected = ((f"{above}{name}", why) for name, why in folder.protected)
        found.names.update({at: why for at, why in protected if at not in self._vacant})
        found.special.update(above + name for name in folder.special)
        if folder.git and folder.role not in _RESOLVED_OTHERWISE:
            found.git[path] = folder.git
            if folder.bare:
                found.bare.add(path)
        found.leading.update((above + name, text) for name, text in folder.leading)
        of_repository = {name for name, why in folder.protected if why == LINK_WHY}
        for name in folder.links:
            path = f"{above}{name}"
            if name in of_repository:
                self._keep(found, path)
            else:
                self._follow(found, path)

    def _add_program(self, found: ProtectedPaths, path: str, program: PathProgram) -> None:
        if program.packaged:
            found.programs[path] = program
            return
        found.names.setdefault(path, program.why)
        if program.is_link:
            self._follow(found, path)

    def _keep(self, found: ProtectedPaths, path: str) -> None:
        """Protect a link itself, but not the target, to which git writes."""
        # What is gone meanwhile is no link any more.
        with suppress(OSError):
            found.links[path] = text_of_link(f"{self._top}/{path}")

    def _follow(self, found: ProtectedPaths, path: str) -> None:
        """Protect the target of a link, and the links on the way to it."""
        chain = follow(self.root, f"{self._top}/{path}")
        if last_name(path).casefold() == REPOSITORY and chain.exists:
            # What a repository's name leads to is a repository, and protected in parts.
            found.links.update(chain.links)
            return
        self._protect_end(found, path, chain)

    def _protect_end(self, found: ProtectedPaths, path: str, chain: Chain) -> None:
        found.links.update(chain.links)
        end = inside(self._top, chain.end) if chain.end is not None else None
        if end is None:
            return
        kept = found.ends if chain.exists else found.missing
        kept.setdefault(end, _WHERE_IT_ENDS.format(path))

    def _find_repositories(self) -> Iterator[str]:
        for path, folder in self._tree.notable.items():
            for name, _ in folder.protected:
                if name.casefold() == REPOSITORY and (path or name not in self._vacant):
                    yield f"{path}/{name}".lstrip("/")

    def _find_kept_repositories(self) -> Iterator[str]:
        """Yield the folders in which a repository keeps its submodules and worktrees."""
        for path, folder in self._tree.notable.items():
            if folder.role is FolderRole.REPOSITORIES:
                above = last_name(path.rpartition("/")[0])
                if above in _KEEPING or "HEAD" in folder.git:
                    yield path
