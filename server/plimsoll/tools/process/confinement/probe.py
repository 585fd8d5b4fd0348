"""Finds the strongest sandbox that works on this machine, by running a program in each."""

import os
import secrets
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.tools.display import visible_line
from plimsoll.tools.process.confinement.base import (
    Access,
    Confined,
    Probed,
    Rung,
    Sandbox,
    Unavailable,
)
from plimsoll.tools.process.confinement.bubblewrap import Bubblewrap, find_bubblewrap
from plimsoll.tools.process.confinement.landlock import Landlock
from plimsoll.tools.process.confinement.places import TEMPORARY, within
from plimsoll.tools.process.confinement.seatbelt import PROGRAM, Seatbelt
from plimsoll.tools.process.supervision.blocking import run_command
from plimsoll.tools.process.supervision.command_request import CommandRequest
from plimsoll.tools.process.supervision.fork_server import ForkServer

SECONDS = 5.0
_LONGEST_REASON = 200
_LONGEST_OUTPUT = 100_000
_KNOWN_OPTIONS = ("--disable-userns", "--size")


class _Missing(Exception):
    """A rung that this machine does not have; the message is a sentence for people."""


def _bubblewrap(environment: Mapping[str, str], workspaces: Iterable[Path]) -> Sandbox:
    if sys.platform != "linux":
        raise _Missing("bubblewrap runs on Linux alone.")
    program = find_bubblewrap(environment.get("PATH", ""), workspaces)
    if program is None:
        raise _Missing(
            "bwrap is not installed: install the package bubblewrap of your system, or "
            "plimsoll-lsp[confined] beside Plimsoll."
        )
    told = _run(Confined(arguments=(str(program), "--help")), Path("/"), environment, SECONDS)
    known = frozenset(option for option in _KNOWN_OPTIONS if option in told)
    return Bubblewrap(program=program, environment=environment, options=known)


def _landlock(environment: Mapping[str, str], workspaces: Iterable[Path]) -> Sandbox:
    del workspaces  # It needs no program.
    if sys.platform != "linux":
        raise _Missing("Landlock is a part of Linux alone.")
    return Landlock(environment)


def _seatbelt(environment: Mapping[str, str], workspaces: Iterable[Path]) -> Sandbox:
    del workspaces  # The program is one of the system.
    if sys.platform != "darwin" or not PROGRAM.exists():
        raise _Missing("sandbox-exec is a part of macOS alone.")
    return Seatbelt(environment)


_Opener = Callable[[Mapping[str, str], Iterable[Path]], Sandbox]
RUNGS: Mapping[Rung, _Opener] = {
    "bubblewrap": _bubblewrap,
    "landlock": _landlock,
    "seatbelt": _seatbelt,
}
"""How each rung is opened, the strongest first."""


def probe(
    environment: Mapping[str, str],
    workspaces: Iterable[Path] = (),
    rungs: Iterable[Rung] = tuple(RUNGS),
    seconds: float = SECONDS,
) -> Probed:
    """Try the rungs in this order, each for so many seconds at most; return the first that works.

    ``environment`` is that of commands. No program is taken out of one of the workspaces. Blocks.
    """
    avoided = tuple(workspaces)
    unavailable: list[Unavailable] = []
    for rung in rungs:
        try:
            sandbox = RUNGS[rung](environment, avoided)
            _try(sandbox, environment, seconds)
        except (_Missing, ToolFailed) as error:
            unavailable.append(Unavailable(rung, str(error)))
        except subprocess.TimeoutExpired:
            why = f"It did not answer within {seconds:g} s."
            unavailable.append(Unavailable(rung, why))
        except OSError as error:
            unavailable.append(Unavailable(rung, f"It could not be tried: {error.strerror}."))
        else:
            return Probed(sandbox, tuple(unavailable))
    return Probed(None, tuple(unavailable))


def _try(sandbox: Sandbox, environment: Mapping[str, str], seconds: float) -> None:
    """Write inside and outside of a folder; a sandbox must allow the one and refuse the other."""
    home = Path(os.path.realpath(environment.get("HOME") or Path.home()))
    # Some sandboxes leave the folders for temporary files open, and say so.
    outside = Path("/") if within(home, TEMPORARY) else home
    forbidden = outside / f".plimsoll-{secrets.token_hex(8)}"
    with tempfile.TemporaryDirectory(prefix="plimsoll-") as made:
        root = Path(os.path.realpath(made)) / "inside"
        root.mkdir()
        access = Access(root=root, home=home, caches=root.parent / "caches" / "own")
        command = ("/bin/sh", "-c", f": > allowed; : > {shlex.quote(str(forbidden))}")
        confined = sandbox.confine(command, access)
        told = _run(confined, root, environment, seconds)
        if not (root / "allowed").exists():
            said = told.strip().splitlines() or ["it ran nothing and said nothing"]
            reason = visible_line(said[-1], limit=_LONGEST_REASON).rstrip(".")
            raise ToolFailed(f"It does not work here: {reason}.")
    if forbidden.exists():
        forbidden.unlink()
        raise ToolFailed("It does not work here: it let a command write outside of its folder.")


def _run(confined: Confined, folder: Path, environment: Mapping[str, str], seconds: float) -> str:
    """Run a program under a supervisor, which ends all of it; return the start of its output.

    Raises:
        TimeoutExpired: The time is up; all of it is ended.
        ToolFailed: It cannot be started.
    """
    request = CommandRequest(confined.arguments, environment, str(folder), confined.rules or "")
    with closing(ForkServer()) as fork_server:
        output = run_command(fork_server, request, seconds)
    return output[:_LONGEST_OUTPUT].decode("utf-8", "replace")
