"""Says which folders of a machine a confined command sees, and which it does not.

The disk is empty but for what is listed: the workspace, tools, and of the system what anybody may
read. What is not listed is not visible, so a secret that nobody thought of is not either.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.tools.process.confinement.base import Access
from plimsoll.tools.process.confinement.seen.closed import ClosedPaths, outermost
from plimsoll.tools.process.confinement.seen.home import account_homes
from plimsoll.tools.process.confinement.seen.looks import (
    is_folder,
    is_link,
    is_there,
    real,
    within,
)
from plimsoll.tools.process.confinement.seen.system import (
    LOOKED_THROUGH,
    SYSTEM,
    Link,
    beside,
    follow,
    system_folders,
    system_links,
)
from plimsoll.tools.process.confinement.seen.toolchains import absolute, credentials, toolchains

LIBRARIES = tuple(
    Path(path)
    for path in (
        *("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin", "/nix/store", "/gnu/store"),
        *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives"),
    )
)
"""What programs of the system are made of; nobody's data."""
TEMPORARY = (Path("/", "tmp"), Path("/", "var", "tmp"))
_RESOLVER = Path("/etc/resolv.conf")
# To hide one of these hides what every command needs.
_NEEDED = tuple(map(Path, ("/usr", "/bin", "/lib", "/etc", "/dev", "/proc", "/sys")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The paths that a command sees and does not see besides its workspace; real paths."""

    hidden: tuple[Path, ...]
    """Folders that it finds empty, the outermost first; it may write there, for itself."""
    shown: tuple[Path, ...]
    """What it sees, and cannot change; of all else on the disk nothing."""
    links: tuple[Link, ...] = ()
    """Links by which that is named, where no folder that is shown has them."""
    masked: tuple[Path, ...] = ()
    """Files and folders inside what it sees, that it finds closed."""


def places(access: Access, environment: Mapping[str, str], closed: ClosedPaths) -> Places:
    """Find which folders a command sees and which it does not; blocks to look.

    Raises:
        ToolFailed: The workspace holds the home folder, so the one cannot be shown without the
            other.
    """
    homes = tuple(dict.fromkeys((access.home, *account_homes())))
    for home in homes:
        if access.root in (home, *home.parents):
            raise ToolFailed(
                f"No command can be sandboxed in {access.root}: your home folder lies in it, with "
                "your credentials. Open a folder inside of it."
            )
    ways = [follow(path) for path in _find_system_places(access, homes, environment)]
    found = frozenset(path for _, path in ways if path is not None)
    hidden = tuple(_find_hidden(access, homes, environment, found))
    shown = tuple(
        path for path in _sort_by_depth(found) if not _is_seen(path, found, frozenset(hidden))
    )
    links = (*system_links(), *(link for way, _ in ways for link in way))
    own = (access.root, access.caches, *access.writable, *access.readable)
    looked = _Looked(homes=homes, shown=shown, own=(*own, *hidden))
    masked = tuple(_find_masked(looked, closed))
    # What is laid over a folder comes before what is shown in it.
    above = {path for path in masked if any(within(one, (path,)) for one in own)}
    return Places(
        hidden=_sort_by_depth((*hidden, *above)),
        shown=shown,
        links=tuple(beside(links, (*shown, *own))),
        masked=tuple(path for path in masked if path not in above),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Looked:
    homes: tuple[Path, ...]
    shown: tuple[Path, ...]
    own: tuple[Path, ...]
    """What has rules of its own."""


def _is_seen(path: Path, found: frozenset[Path], hidden: frozenset[Path]) -> bool:
    """Tell whether a path lies in a folder that the sandbox shows to the command."""
    for above in path.parents:
        if above in hidden:
            return False
        if above in found:
            return True
    return False


def _find_system_places(
    access: Access, homes: tuple[Path, ...], environment: Mapping[str, str]
) -> Iterator[Path]:
    yield from system_folders()
    yield from toolchains(homes, access.root, environment)
    if access.network and is_there(_RESOLVER):
        yield _RESOLVER


def _find_hidden(
    access: Access,
    homes: tuple[Path, ...],
    environment: Mapping[str, str],
    found: frozenset[Path],
) -> Iterator[Path]:
    """Yield the folders that look empty to a command: temporary ones, homes, closed ones."""
    runtime = _runtime(environment.get("XDG_RUNTIME_DIR", ""), access.root)
    inside = (*found, access.root, *homes)
    closed = (path for path in (*access.hidden, *runtime) if within(path, inside))
    for path in _sort_by_depth((*TEMPORARY, Path("/run"), *homes, *closed)):
        if path != access.root and is_folder(path) and not is_link(path):
            yield path


def _runtime(named: str, root: Path) -> Iterator[Path]:
    """Yield the person's runtime folder of sockets, unless a command needs it."""
    for path in absolute([named]):
        led = real(path)
        if led and not any(led in (needed, *needed.parents) for needed in (root, *_NEEDED)):
            yield led


def _find_masked(looked: _Looked, closed: ClosedPaths) -> Iterator[Path]:
    own = frozenset((*looked.homes, *SYSTEM))
    named = [path for path in looked.shown if own.isdisjoint((path, *path.parents))]
    system = [path for path in LOOKED_THROUGH if is_folder(path)]
    found = set(
        closed.look(map(str, (*system, *named)), map(str, looked.own), entered=map(str, named))
    )
    for home in looked.homes:
        # By its own name: where a link in it leads is mounted there.
        led = map(real, credentials(home, looked.shown))
        found.update(str(path) for path in led if path)
    for path in map(Path, outermost(found)):
        if path in looked.shown or within(path, looked.shown):
            yield path


def _sort_by_depth(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(sorted(set(paths), key=lambda path: (len(path.parts), path)))
