"""Finds what is protected in a workspace, and moves aside what a command made of it.

The names are those of the file tools, and a few parts of a repository's own folder: from these,
editors, git and agents run things that nobody started. A folder is listed again only when it
changed, by its change time, which no program can set back.
"""

import os
import secrets
import stat
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from threading import Lock

from plimsoll.errors import ToolFailed
from plimsoll.tools.files.opening import folder
from plimsoll.tools.files.protected import why_acted_on
from plimsoll.tools.process.confinement.base import Access, MovedAside

_REPOSITORY = ".git"
_REPOSITORY_PARTS: Mapping[str, str] = {
    "hooks": "git runs what lies in it",
    "config": "git runs commands that stand in it",
    "config.worktree": "git runs commands that stand in it",
    "commondir": "git takes its configuration from where it points",
    "modules": "the repositories of submodules lie in it, with their configuration",
    "worktrees": "the repositories of worktrees lie in it, with their configuration",
}
_FORBIDDEN_WHY = "git takes its configuration or programs from there"
_BARE = frozenset({"HEAD", "objects", "refs"})
_BARE_WHY = "git takes a folder with it for a repository"
# Packages bring such names by the hundred, and no editor or agent acts on them there.
_DEPENDENCIES = frozenset(
    {"node_modules", "site-packages", ".venv", "venv", ".tox", ".nox", "bower_components"}
)
# Two changes within one tick of the kernel's clock have the same change time.
_TICK_NANOSECONDS = 50_000_000
_UNSETTLED = -1
_LONGEST_CONFIGURATION = 100_000
_SUFFIX = ".aside"
_PLACE_INSIDE = "plimsoll-moved-aside"


@dataclass(frozen=True, slots=True)
class _Listed:
    changed: int
    folders: tuple[str, ...]
    protected: tuple[tuple[str, str], ...]


class Protection:
    """Looks through one workspace folder, again only where it changed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._listed: dict[str, _Listed] = {}
        self._looking = Lock()

    def look(self) -> dict[str, str]:
        """Return the protected paths below the folder that exist, each with the reason; blocks."""
        with self._looking:
            before, self._listed = self._listed, {}
            found: dict[str, str] = {}
            pending = [""]
            while pending:
                at = pending.pop()
                listed = self._list(at, before.get(at))
                if listed is not None:
                    self._listed[at] = listed
                    found.update(listed.protected)
                    pending += listed.folders
            return found

    def _list(self, at: str, before: _Listed | None) -> _Listed | None:
        now = time.time_ns()
        path = self.root / at
        try:
            changed = path.lstat().st_ctime_ns
            if before is not None and before.changed == changed:
                return before
            entries = _entries(path)
        except OSError:
            # It is gone, or belongs to somebody else.
            return None
        names = dict(entries)
        # A repository's parts can change while the folder around it does not.
        steady = not any(map(is_repository, names)) and now - changed > _TICK_NANOSECONDS
        folders = tuple(f"{at}/{name}".lstrip("/") for name, into in entries if into)
        protected = tuple(self._protected(at, names))
        kept = {path for path, _ in protected}
        within = tuple(path for path in folders if path not in kept)
        return _Listed(changed if steady else _UNSETTLED, within, protected)

    def _protected(self, at: str, names: Mapping[str, bool]) -> Iterator[tuple[str, str]]:
        dependency = not _DEPENDENCIES.isdisjoint(at.split("/"))
        for name, is_folder in names.items():
            path = f"{at}/{name}".lstrip("/")
            if name.casefold() == _REPOSITORY:
                yield path, why_acted_on(name) or ""
                yield from self._parts(path) if is_folder else ()
            elif not dependency and (why := why_acted_on(name)) is not None:
                yield path, why
        if names.keys() >= _BARE:
            yield f"{at}/HEAD".lstrip("/"), _BARE_WHY

    def _parts(self, repository: str) -> Iterator[tuple[str, str]]:
        for name, why in _REPOSITORY_PARTS.items():
            if os.path.lexists(self.root / repository / name):
                yield f"{repository}/{name}", why
        for path in _named_by(self.root / repository):
            if self.root in path.parents and os.path.lexists(path):
                yield str(path.relative_to(self.root)), "the repository's configuration names it"


def _named_by(repository: Path) -> Iterator[Path]:
    """Find what a repository's configuration says that git runs or includes."""
    try:
        text = (repository / "config").read_text("utf-8", "replace")[:_LONGEST_CONFIGURATION]
    except OSError:
        return
    for line in text.splitlines():
        key, _, value = line.rpartition("]")[2].partition("=")
        above = {"hookspath": repository.parent, "path": repository}.get(key.strip().casefold())
        if above is not None and value.strip():
            yield Path(os.path.normpath(above / value.strip().strip('"')))


def is_repository(path: str) -> bool:
    """Tell whether a protected path is a repository's folder, of which only parts are kept."""
    return PurePosixPath(path).name.casefold() == _REPOSITORY


def _entries(path: Path) -> list[tuple[str, bool]]:
    """List a folder: each name, and whether it is a folder; one closed to its owner is opened."""
    try:
        return _scanned(path)
    except PermissionError:
        with folder(path) as descriptor:
            status = path.lstat()
            if descriptor is None or status.st_uid != os.geteuid():
                raise
            # A command may close a folder to hide in it what others open later.
            link = f"/proc/self/fd/{descriptor}"
            Path(link).chmod(stat.S_IRWXU)
            try:
                return _scanned(Path(link))
            finally:
                Path(link).chmod(stat.S_IMODE(status.st_mode))


def _scanned(path: Path) -> list[tuple[str, bool]]:
    with os.scandir(path) as entries:
        return [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtectionGuard:
    """Compares a workspace with what was protected in it before a command ran."""

    protection: Protection
    before: Mapping[str, str]
    links: Mapping[str, str]
    """The protected paths that are links, each with its target."""
    aside: Path
    forbidden: tuple[Path, ...] = ()
    """What nothing was at, outside of the workspace, and nothing may be."""
    _accepted: set[str] = field(default_factory=set[str], repr=False)
    _settling: Lock = field(default_factory=Lock, repr=False)

    def settle(self) -> tuple[MovedAside, ...]:
        """Move aside what is new; put back the links that were changed. Blocks."""
        with self._settling:
            return self._settled()

    def accept(self, paths: Sequence[Path]) -> None:
        """Leave in place from now on what is at or above one of these. Blocks."""
        kept = {above for path in paths for above in (path, *path.parents)}
        with self._settling:
            self._accepted.update(
                path for path in self.protection.look() if self.protection.root / path in kept
            )

    def _settled(self) -> tuple[MovedAside, ...]:
        for path in self.forbidden:
            _remove_mount_point(path)
        stamp = f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}"
        moved = [self._move(path, why, stamp) for path, why in self._new()]
        planted = filter(os.path.lexists, self.forbidden)
        moved += [self._aside(path, Path(path.name), _FORBIDDEN_WHY, stamp) for path in planted]
        for path, target in self.links.items():
            if path in self._accepted:
                continue
            now = _target(self.protection.root / path)
            if now == target:
                continue
            if os.path.lexists(self.protection.root / path):
                moved.append(self._move(path, "it was a link to another place", stamp))
            with suppress(OSError):
                (self.protection.root / path).symlink_to(target)
        return tuple(moved)

    def _new(self) -> Iterator[tuple[str, str]]:
        after = self.protection.look()
        done: list[str] = []
        for path in sorted(after.keys() - self.before.keys() - self._accepted):
            if not any(path.startswith(f"{above}/") for above in done):
                done.append(path)
                yield path, after[path]

    def _move(self, path: str, why: str, stamp: str) -> MovedAside:
        return self._aside(self.protection.root / path, Path(path), why, stamp)

    def _aside(self, source: Path, path: Path, why: str, stamp: str) -> MovedAside:
        root = self.protection.root
        reason = ""
        # A rename leaves what it holds as it is; between file systems there is none.
        for place in (self.aside, root / _PLACE_INSIDE):
            target = place / stamp / f"{path}{_SUFFIX}"
            try:
                with folder(source.parent) as above, folder(target.parent, create=True) as below:
                    os.rename(source.name, target.name, src_dir_fd=above, dst_dir_fd=below)
            except OSError as error:
                reason = error.strerror or str(error)
            else:
                return MovedAside(path=source, place=target, why=why)
        return MovedAside(path=source, place=source, why=f"{why}; it could not be moved: {reason}")


def _remove_mount_point(path: Path) -> None:
    """Remove an empty file that nobody may write: what a mount over nothing made."""
    with suppress(OSError), folder(path.parent) as above:
        status = os.stat(path.name, dir_fd=above, follow_symlinks=False)
        closed = stat.S_ISREG(status.st_mode) and not status.st_mode & 0o222
        if closed and not status.st_size:
            os.unlink(path.name, dir_fd=above)


def guard(protection: Protection, aside: Path) -> ProtectionGuard:
    """Look before a command runs; return what compares with it afterwards. Blocks."""
    before = protection.look()
    targets = {path: _target(protection.root / path) for path in before}
    links = {path: target for path, target in targets.items() if target is not None}
    return ProtectionGuard(protection=protection, before=before, links=links, aside=aside)


class Protections:
    """What is protected in each folder in which commands were confined."""

    def __init__(self) -> None:
        self._of: dict[Path, Protection] = {}

    @contextmanager
    def guarding(self, access: Access) -> Generator[ProtectionGuard]:
        """Look at what is protected from a command, and make the folder of its caches; blocks.

        Raises:
            ToolFailed: The workspace folder is gone, or the block inside fails to look at the disk.
        """
        if not access.root.is_dir():
            raise ToolFailed(f"The folder {access.root} is gone, so no command can run in it.")
        protection = self._of.setdefault(access.root, Protection(access.root))
        try:
            access.caches.mkdir(parents=True, exist_ok=True)
            yield guard(protection, access.aside or access.caches.parent / "moved-aside")
        except OSError as error:
            raise ToolFailed(f"The command could not be confined: {error}.") from error


def _target(path: Path) -> str | None:
    try:
        return str(path.readlink())
    except OSError:
        return None
