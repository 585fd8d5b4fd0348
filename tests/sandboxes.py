"""Sandboxes of tests: they confine nothing, and a command can see that it is started in one."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from plimsoll.tools.process.confinement import protection
from plimsoll.tools.process.confinement.base import (
    Access,
    Confined,
    Confinement,
    Coverage,
    MovedAside,
    Probed,
    ReadOnly,
    Rung,
    Unavailable,
)
from plimsoll.tools.process.confinement.bubblewrap import find_all_bubblewraps
from plimsoll.tools.process.confinement.confining import Confining, Probing
from plimsoll.tools.process.confinement.protection import Protection


def find_bubblewrap(path: str) -> Path | None:
    return next(find_all_bubblewraps(path), None)


def above_homes() -> str:
    """A folder for homes of tests: not one for temporary files, which a sandbox has for itself.

    Nor one that every sandbox of the machine looks through, as it does through ``/opt``: what goes
    there amid a start makes it fail.
    """
    if os.geteuid() != 0:
        return str(Path.cwd())
    return "/srv" if Path("/srv").is_dir() else "/opt"


NO_BUBBLEWRAP = Unavailable("bubblewrap", "bwrap is not installed.")


@dataclass
class PassThrough:
    """Starts each command as it is, with what it may use in the variable CONFINED."""

    rung: Rung = "bubblewrap"
    coverage: Coverage = "full"
    accesses: list[Access] = field(default_factory=list)
    moves: tuple[MovedAside, ...] = ()
    """What it says it has moved aside after each command."""
    open: str | None = None
    """A protected file that it says it cannot keep."""
    guards: bool = False
    """Whether it really moves aside what a command makes."""

    def read_only(self, command: Sequence[str], readable: Sequence[Path]) -> ReadOnly:
        del readable
        return ReadOnly(arguments=tuple(command))

    def confinement(self, *, network: bool, registries: bool = False) -> Confinement:
        reach = "the network" if network else "no network"
        summary = f"sandboxed: writes only in this folder, {reach}"
        return Confinement(rung=self.rung, coverage=self.coverage, network=network, summary=summary)

    def find_uncovered(self, access: Access) -> str | None:
        return self.open

    def confine(self, command: Sequence[str], access: Access) -> Confined:
        self.accesses.append(access)
        told = f"CONFINED={'network' if access.network else 'yes'}"
        aside = access.aside_folder
        guard = (
            protection.guard(Protection(access.root), aside) if self.guards else Moves(self.moves)
        )
        return Confined(arguments=("/usr/bin/env", told, *command), guard=guard)


@dataclass(frozen=True)
class Moves:
    """Says what it was made with."""

    moved: tuple[MovedAside, ...]

    def settle(self) -> tuple[MovedAside, ...]:
        return self.moved

    def finish(self) -> tuple[MovedAside, ...]:
        return self.moved

    def describe_left_behind(self) -> tuple[str, ...]:
        return ()

    def accept(self, paths: Sequence[Path]) -> None:
        """It protects nothing."""


def confining(root: Path, sandbox: PassThrough | None, *, network: bool = False) -> Confining:
    """``network``: the person's setting that commands may always use it."""

    def access(asked: bool) -> Access:
        return Access(
            root=root, home=Path.home(), caches=root.parent / "caches", network=asked or network
        )

    return Confining(Probing(lambda: Probed(sandbox)), access)
