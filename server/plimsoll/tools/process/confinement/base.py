"""The port of a sandbox: what it keeps a command from, and how a command is started in it.

Law 6: what is said of a sandbox is what was seen to hold. A rung is chosen once, by really running
a program in it; each rung states what it gives, and a person reads that before anything runs.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from plimsoll.tools.display import visible_line
from plimsoll.tools.process.confinement.registries.hosts import Registries

Rung = Literal["bubblewrap", "landlock", "seatbelt", "none"]
"""The kinds of sandboxes, the strongest first; ``none``: commands can do all that the user can."""
Coverage = Literal["full", "partial", "none"]
"""Whether a command can change only the workspace, and reach what was shown, and nothing else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confinement:
    """The list of what a sandbox keeps one command from."""

    rung: Rung
    coverage: Coverage
    network: bool
    """Whether it can reach the network."""
    registries: bool = False
    """Whether it can reach package registries, where it cannot reach the network."""
    summary: str
    """All of it in one line for people, such as
    ``sandboxed: writes only in this folder, no network``."""


UNCONFINED = Confinement(
    rung="none",
    coverage="none",
    network=True,
    summary="no sandbox on this machine: it can do all that you can",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """The paths, network and sockets that a command may use; real paths, with no link in them."""

    root: Path
    """The workspace folder, which it may change but for what is protected there."""
    home: Path
    caches: Path
    """A folder of its own for caches, which stays for the project."""
    readable: tuple[Path, ...] = ()
    """What a person lists besides: ``sandbox.readable``."""
    writable: tuple[Path, ...] = ()
    """What a person lists besides: ``sandbox.writable``."""
    network: bool = False
    registries: Registries | None = None
    """Package registries that it may reach, where it may not use the network."""
    commits: bool = False
    """Whether it may commit to the repository of a linked worktree, which lies outside."""
    unix_sockets: bool = False
    """Whether it may use sockets with a name on this machine: ``sandbox.unix_sockets``."""
    hidden: tuple[Path, ...] = ()
    """What it never sees besides credentials, such as the folder of Plimsoll's own data."""
    aside: Path | None = None
    """Where protected files go that a command made; none: ``moved-aside`` beside the caches."""

    @property
    def aside_folder(self) -> Path:
        """The folder to which protected files that a command made are moved."""
        return self.aside or self.caches.parent / "moved-aside"


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedAside:
    """A protected file or folder that a command made, and that is no longer in effect."""

    path: Path
    """Where it was, below the workspace folder."""
    place: Path
    """Where it is now; it is never deleted."""
    why: str
    """Why its name is protected."""

    @property
    def shown_path(self) -> str:
        """The path where the file was made, on one line for people."""
        return visible_line(str(self.path))

    @property
    def shown_place(self) -> str:
        """The path to which the file was moved, on one line for people."""
        return visible_line(str(self.place))

    def describe(self) -> str:
        """Describe in a line for people which file was moved, where to, and why."""
        return (
            f"{self.shown_path} was moved to {self.shown_place}, since it is protected: {self.why}"
        )


class Guard(Protocol):
    """Compares the protected files of a folder with those from before a command ran."""

    def settle(self) -> tuple[MovedAside, ...]:
        """Move aside the protected files that the command has made. Blocks.

        Call this when all of the command has ended, and before anything else acts on the folder.
        """
        ...

    def finish(self) -> tuple[MovedAside, ...]:
        """Move aside the protected files for the last time, when the command has ended. Blocks."""
        ...

    def describe_left_behind(self) -> tuple[str, ...]:
        """Describe changes by the ended command that may act outside of its sandbox. Blocks."""
        ...

    def accept(self, paths: Sequence[Path]) -> None:
        """Exempt everything at, above or below these paths from being moved aside. Blocks."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Confined:
    """A confined command: the program to start, and the rules that its supervisor applies."""

    arguments: tuple[str, ...]
    """The program and its arguments."""
    rules: str | None = None
    """Rules that the supervisor itself applies before it starts the program, as JSON."""
    guard: Guard | None = None
    """What to ask while it runs and at its end; none: nothing in the workspace is protected."""
    access: Access | None = None
    """What it may use; none: it runs unconfined."""
    registries: Registries | None = None
    """What a proxy on its own loopback leads to; none: there is no proxy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOnly:
    """A confined program of ours that only reads its standard input and writes its output."""

    arguments: tuple[str, ...]
    rules: Mapping[str, object] = field(default_factory=dict[str, object])
    """What it applies to itself before it reads; see ``kernel.enforcement``."""


def part_confinement(rung: Rung, lacking: str, *, network: bool, registries: bool) -> Confinement:
    """Return the confinement by a sandbox without name spaces; ``lacking`` ends its summary."""
    reach = "it can use the network" if network else "no network"
    # It has no loopback of its own, on which registries alone could be reached.
    reach += ", package registries neither" if registries and not network else ""
    return Confinement(
        rung=rung,
        coverage="partial",
        network=network,
        summary=(
            "partly sandboxed: writes only in this folder and in temporary folders, "
            f"{reach}; {lacking}"
        ),
    )


Confine = Callable[[Sequence[str]], Confined]
"""Returns how a program with its arguments is started; blocks, and raises ToolFailed."""


class Sandbox(Protocol):
    """A kind of sandbox that was seen to work on this machine."""

    @property
    def rung(self) -> Rung:
        """The kind of this sandbox."""
        ...

    def confinement(self, *, network: bool, registries: bool = False) -> Confinement:
        """Return the list of what a command is kept from, with or without the network.

        ``registries``: with package registries, where this sandbox can give them alone.
        """
        ...

    def find_uncovered(self, access: Access) -> str | None:
        """Find a protected file that the sandbox cannot keep unchanged in this folder; blocks.

        None also where the sandbox's confinement says already that it protects no file.
        """
        ...

    def confine(self, command: Sequence[str], access: Access) -> Confined:
        """Return how to start a program with its arguments inside; blocks to look at folders.

        Raises:
            ToolFailed: The program cannot be confined now, such as when a folder is gone.
        """
        ...

    def read_only(self, command: Sequence[str], readable: Sequence[Path]) -> ReadOnly:
        """Return how to start a program of ours that writes nothing and reaches no network.

        ``readable``: the only paths that it sees besides the libraries of the system.
        """
        ...


@dataclass(frozen=True, slots=True)
class Unavailable:
    """A kind of sandbox that does not work on this machine."""

    rung: Rung
    why: str
    """The reason in a sentence for people, such as ``bwrap is not installed.``"""
    broken: bool = False
    """Whether it could not be tried: it may work all the same."""


@dataclass(frozen=True, slots=True)
class Probed:
    """The result of trying each kind of sandbox, the strongest first."""

    sandbox: Sandbox | None
    """The first that works; none: commands are not confined here."""
    unavailable: tuple[Unavailable, ...] = ()
    """The stronger ones, in the order in which they were tried."""
    less: str | None = None
    """Why commands are confined less than they were here, in sentences; none: they are not."""
    accept: Callable[[], None] | None = field(default=None, compare=False)
    """Keeps that this is what works here; blocks. None: that is kept nowhere."""

    @property
    def confinement(self) -> Confinement:
        """The list of what a command without network access is kept from."""
        return self.sandbox.confinement(network=False) if self.sandbox else UNCONFINED


Probe = Callable[[], Probed]
"""Tries the rungs by really running a program in each; blocks, with time limits of its own."""
