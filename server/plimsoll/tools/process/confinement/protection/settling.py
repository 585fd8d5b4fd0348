"""Compares a workspace with what was protected in it before a command ran, and sets it right."""

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from plimsoll.tools.files.opening import folder
from plimsoll.tools.process.confinement.base import MovedAside
from plimsoll.tools.process.confinement.protection.left_behind import left_behind
from plimsoll.tools.process.confinement.protection.links import text_of_link
from plimsoll.tools.process.confinement.protection.looking import Protection
from plimsoll.tools.process.confinement.protection.moving import Mover
from plimsoll.tools.process.confinement.protection.path_programs import newly_before
from plimsoll.tools.process.confinement.protection.protected_paths import ProtectedPaths
from plimsoll.tools.process.confinement.protection.staging import Staging

_FORBIDDEN_WHY = "git takes its configuration or programs from there"
_LINK_WHY = "it was a link to another place"
_BARE_WHY = "git takes a folder with it for a repository"
_IN_ORDER = ("HEAD", "commondir", "objects", "refs")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtectionGuard:
    """Compares a workspace's protected paths with those from before a command ran."""

    protection: Protection
    found: ProtectedPaths
    """What was protected before."""
    aside: Path
    forbidden: tuple[Path, ...] = ()
    """What nothing was at, outside of the workspace, and nothing may be."""
    staging: Staging | None = None
    """What lies over protected folders that are missing."""
    _after: list[ProtectedPaths] = field(default_factory=list[ProtectedPaths], repr=False)
    """What the last look found."""
    _accepted: set[str] = field(default_factory=set[str], repr=False)
    _settling: Lock = field(default_factory=Lock, repr=False)

    @property
    def before(self) -> Mapping[str, str]:
        """The protected paths that existed before, from the root, each with the reason."""
        return self.found.protected

    @property
    def links(self) -> Mapping[str, str]:
        """The protected links from before the command, each with its target."""
        return self.found.links

    @property
    def special(self) -> tuple[Path, ...]:
        """The pipes, sockets and devices of the workspace; absolute paths."""
        return tuple(self.protection.root / path for path in sorted(self.found.special))

    def settle(self) -> tuple[MovedAside, ...]:
        """Move aside new protected files, and put back links that were changed. Blocks."""
        with self._settling:
            return self._settle()

    def finish(self) -> tuple[MovedAside, ...]:
        """Settle once more, and move aside the files in the private folders. Blocks."""
        staged = self.staging.close(self.aside) if self.staging is not None else ()
        return (*staged, *self.settle())

    def describe_left_behind(self) -> tuple[str, ...]:
        """Describe changes by the ended command that may act outside of its sandbox. Blocks."""
        return tuple(
            line
            for after in self._after
            for line in left_behind(self.protection.root, self.found, after)
        )

    def accept(self, paths: Sequence[Path]) -> None:
        """Exempt everything at, above or below these paths from being moved aside. Blocks."""
        root = self.protection.root
        kept = {str(above) for path in paths for above in (path, *path.parents)}
        below = tuple(f"{path}/" for path in paths)
        with self._settling:
            found = self.protection.look()
            made = {*found.protected, *found.programs, *found.links, *_bare(found)}
            known = made | self.found.missing.keys()
            named = ((path, f"{root}/{path}") for path in known)
            self._accepted.update(
                path for path, whole in named if whole in kept or whole.startswith(below)
            )

    def _settle(self) -> tuple[MovedAside, ...]:
        for path in (*self.special, *self.forbidden):
            remove_mount_point(path)
        with Mover(self.protection.root, self.aside) as mover:
            planted = filter(os.path.lexists, self.forbidden)
            moved = [mover.move_from(path, _FORBIDDEN_WHY) for path in planted]
            after = self.protection.look()
            self._after[:] = [after]
            wrong = {**self._new(after), **self._find_made()}
            done: set[str] = set()
            for path in sorted(wrong):
                if not _lies_in(path, done):
                    done.add(path)
                    moved.append(mover.move(path, wrong[path]))
            moved += self._restore(mover)
        return tuple(moved)

    def _new(self, after: ProtectedPaths) -> dict[str, str]:
        """Return the protected paths that are new since the command began, each with its reason."""
        bare = {
            path: why
            for path, why in _bare(after, self.found).items()
            if path not in self._accepted
        }
        new = {
            path: why
            for path, why in after.names.items()
            if path not in self.found.names and path not in self.found.ends
        }
        gone = {
            *(new.keys() - self._accepted),
            *(f"{path}/HEAD".lstrip("/") for path in after.bare - self.found.bare),
        }
        left = {
            path: why
            for path, why in new.items()
            if path not in self._accepted
            # What leads to it goes, or went: then git finds none of it.
            and not (after.origins.get(path) or {""}) <= gone
        }
        programs = {
            path: why
            for path, why in newly_before(self.found.programs, after.programs)
            if path not in self._accepted
        }
        return {**programs, **left, **bare}

    def _find_made(self) -> dict[str, str]:
        """Return the files that were made where a protected link pointed to a missing path."""
        found: dict[str, str] = {}
        root = self.protection.root
        for path, why in self.found.missing.items():
            if path in self._accepted or not os.path.lexists(root / path):
                continue
            parts = path.split("/")
            above = ("/".join(parts[:count]) for count in range(1, len(parts)))
            links = (at for at in above if at not in self.links and Path(root / at).is_symlink())
            found[next(links, path)] = why
        return found

    def _restore(self, mover: Mover) -> Iterator[MovedAside]:
        for path, target in self.links.items():
            at = self.protection.root / path
            if path in self._accepted or _target(at) == target:
                continue
            if os.path.lexists(at):
                yield mover.move(path, _LINK_WHY)
            with suppress(OSError):
                at.symlink_to(target)


def _bare(after: ProtectedPaths, before: ProtectedPaths | None = None) -> dict[str, str]:
    """Return the entries by which folders have newly become git repositories, with the reason."""
    found: dict[str, str] = {}
    for path in after.bare - (before.bare if before else set()):
        had = before.git.get(path) if before else None
        name = next(name for name in _IN_ORDER if name in after.git[path] - (had or set()))
        found[f"{path}/{name}".lstrip("/")] = _BARE_WHY
    return found


def _lies_in(path: str, above: set[str]) -> bool:
    at = path.rfind("/")
    while at > 0:
        if path[:at] in above:
            return True
        at = path.rfind("/", 0, at)
    return False


def remove_mount_point(path: Path) -> None:
    """Remove an empty, unwritable file that was left by a mount over a missing path."""
    with suppress(OSError), folder(path.parent) as above:
        status = os.stat(path.name, dir_fd=above, follow_symlinks=False)
        closed = stat.S_ISREG(status.st_mode) and not status.st_mode & 0o222
        if closed and not status.st_size:
            os.unlink(path.name, dir_fd=above)


def _target(path: Path) -> str | None:
    try:
        return text_of_link(path)
    except OSError:
        return None
