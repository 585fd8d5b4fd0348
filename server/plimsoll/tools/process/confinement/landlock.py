"""Confines commands by Landlock: which files a process may open, whatever its user may.

It knows folders that may be written, and nothing inside of them that may not; changing the mode or
the times of a file is not among its rights.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from plimsoll.tools.process.confinement.base import (
    Access,
    Confined,
    Confinement,
    ReadOnly,
    Rung,
    part_confinement,
)
from plimsoll.tools.process.confinement.caches import cache_variables
from plimsoll.tools.process.confinement.limits import CommandLimits
from plimsoll.tools.process.confinement.places import LIBRARIES, TEMPORARY, Places, places
from plimsoll.tools.process.confinement.protection import Protections
from plimsoll.tools.process.confinement.seen.closed import ClosedPaths
from plimsoll.tools.process.confinement.seen.looks import entries, is_folder, is_link
from plimsoll.tools.process.confinement.worktree import worktree_of

_DEVICES = tuple(
    Path("/dev", name) for name in ("null", "zero", "full", "random", "urandom", "tty", "shm")
)

# Of other processes no more than anybody sees: Landlock itself closes what traces them.
_PROCESSES = Path("/proc")


@dataclass(frozen=True, slots=True, kw_only=True)
class Landlock:
    """Runs commands under Landlock rules that the supervisor applies."""

    environment: Mapping[str, str] = field(repr=False)
    limits: CommandLimits = field(default_factory=CommandLimits)
    rung: Rung = "landlock"
    _protections: Protections = field(default_factory=Protections, repr=False)
    _closed: ClosedPaths = field(default_factory=ClosedPaths, repr=False)

    def confinement(self, *, network: bool, registries: bool = False) -> Confinement:
        """Return which protections this sandbox gives, and which not."""
        lacking = "not protected: .git and its like, programs that run on this machine"
        return part_confinement(self.rung, lacking, network=network, registries=registries)

    def find_uncovered(self, access: Access) -> str | None:
        """Return None, as its confinement says already that protected files can be changed."""
        del access

    def confine(self, command: Sequence[str], access: Access) -> Confined:
        """Look at the folders, and return the rules for a command; blocks."""
        with self._protections.guarding(access, self.environment) as guarded:
            found = places(access, self.environment, self._closed)
        variables = dict(cache_variables(access.caches, access.home, network=access.network))
        rules = {
            "limits": self.limits.rules(filter(is_folder, writable(access))),
            "harden": True,
            "network": access.network,
            "unix_sockets": access.unix_sockets,
            "landlock": {
                "network": access.network,
                "readable": sorted(map(str, readable(access, found))),
                "writable": sorted(map(str, writable(access))),
            },
            "variables": variables,
        }
        return Confined(arguments=tuple(command), rules=json.dumps(rules), guard=guarded)

    def read_only(self, command: Sequence[str], readable: Sequence[Path]) -> ReadOnly:
        """Return how to start a program of ours under rules that it applies to itself."""
        paths = sorted(map(str, (*LIBRARIES, *readable)))
        files = {"files": True, "network": False, "readable": paths, "writable": []}
        rules = {"harden": True, "network": False, "landlock": files}
        return ReadOnly(arguments=tuple(command), rules=rules)


def writable(access: Access) -> tuple[Path, ...]:
    """Return the paths that a command may change."""
    own = worktree_of(access.root) if access.commits else None
    commits = own.written if own else ()
    return (access.root, access.caches, *commits, *access.writable, *TEMPORARY, *_DEVICES)


def readable(access: Access, found: Places) -> Iterator[Path]:
    """Yield the paths that a command may read; of a folder with hidden entries, the others."""
    hidden = {*found.hidden, *found.masked}
    above = {parent for path in hidden for parent in path.parents}
    yield from access.readable
    yield _PROCESSES
    for folder in found.shown:
        yield from _around(folder, hidden, above)


def _around(folder: Path, hidden: set[Path], above: set[Path]) -> Iterator[Path]:
    if folder in hidden:
        return
    if folder not in above:
        yield folder
        return
    for below in entries(folder):
        # Where a link leads is looked at by itself.
        if not is_link(below):
            yield from _around(below, hidden, above)
