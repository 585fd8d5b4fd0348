"""Confines the commands of one folder, by the sandbox that was found to work on this machine."""

import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock, Thread

from plimsoll.errors import ToolFailed
from plimsoll.tools.display import visible_line
from plimsoll.tools.process.confinement.base import (
    UNCONFINED,
    Access,
    Confined,
    Confinement,
    Probe,
    Probed,
    ReadOnly,
    Rung,
    Unavailable,
)
from plimsoll.tools.process.confinement.protection.moving import lying_aside
from plimsoll.tools.process.confinement.weakening import compare_with_known, rung_of, stronger
from plimsoll.tools.process.confinement.worktree import worktree_of

LONGEST_LOOK = 60.0
"""Seconds that a look for a sandbox may take; each rung has limits of its own."""
log = logging.getLogger(__name__)

_COMMITS = "; it can also write the history of the repository that this worktree belongs to"
_UNIX_SOCKETS = (
    "; by your settings it can use Unix sockets, those of other programs too where it sees them"
)
OUTSIDE = replace(UNCONFINED, summary="outside the sandbox: it can do all that you can")
"""What is said of a command that is to run without the sandbox that there is."""


class Probing:
    """Looks for a working sandbox once, on a thread of its own; callers wait for the result."""

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._found: Future[Probed] | None = None
        self._starting = Lock()
        self._until = 0.0
        self._before: Rung | None = None
        """The strongest that was found before, where it is looked for anew."""

    def start(self) -> "Future[Probed]":
        """Start the thread unless it was started; it delays neither the caller nor the exit."""
        with self._starting:
            if self._found is None:
                self._found = Future()
                self._until = time.monotonic() + LONGEST_LOOK
                Thread(target=self._look, args=(self._found,), name="sandbox", daemon=True).start()
            return self._found

    def result(self) -> Probed:
        """Return the result of the probe; blocks until it has ended or its time is up."""
        looking = self.start()
        try:
            return looking.result(max(0.0, self._until - time.monotonic()))
        except TimeoutError:
            why = f"Looking for a sandbox did not end within {LONGEST_LOOK:g} s."
            return Probed(None, (Unavailable("none", why, broken=True),), less=why)

    def accept(self) -> Probed:
        """Save the sandbox found now, though weaker, as the one that works here; blocks.

        Raises:
            StoreUnavailable: The name of the sandbox cannot be saved.
        """
        found = self.result()
        if found.less is not None:
            if found.accept is not None:
                found.accept()
            with self._starting:
                self._before = self._found = None
        return self.result()

    def look_again(self) -> None:
        """Probe again, since a command could not be started in the sandbox that was found."""
        with self._starting:
            if self._found is not None and self._found.done():
                self._before = stronger(rung_of(self._found.result()), self._before)
                self._found = None

    def _look(self, found: "Future[Probed]") -> None:
        try:
            found.set_result(compare_with_known(self._probe(), self._before))
        except Exception as error:
            # Nobody may wait for ever: what cannot be found confines nothing, and that is said.
            why = f"Looking for a sandbox failed: {error or type(error).__name__}."
            log.exception("no sandbox: the probe broke")
            broken = Unavailable("none", why, broken=True)
            found.set_result(compare_with_known(Probed(None, (broken,)), self._before))


@dataclass(frozen=True, slots=True)
class Confining:
    """The sandbox of this machine, with the access of the commands of one folder."""

    probing: Probing
    access: Callable[[bool], Access]
    """What a command may use as the settings are now, with or without the network."""

    def less(self) -> str | None:
        """Return why commands are confined less than before on this machine, or None; blocks."""
        return self.probing.result().less

    def accept_less(self) -> None:
        """Accept the weaker sandbox that works now; blocks, and raises StoreUnavailable."""
        self.probing.accept()

    def lying_aside(self) -> tuple[tuple[str, str], ...]:
        """List the protected files that commands made and that still lie moved aside; blocks.

        The newest come first; each with its old and its present path, for people.
        """
        access = self.access(False)
        found = lying_aside(access.root, access.aside_folder)
        return tuple((visible_line(str(was)), visible_line(str(now))) for was, now in found)

    def plan_access(self, *, network: bool) -> Access | None:
        """Return the access that a command will have; None if no sandbox works. Blocks."""
        return self.access(network) if self.probing.result().sandbox else None

    def confinement(self, access: Access | None) -> Confinement:
        """Return the list of what a command with this access is kept from; blocks."""
        sandbox = self.probing.result().sandbox
        if sandbox is None:
            return UNCONFINED
        if access is None:
            return OUTSIDE
        registries = access.registries is not None
        given = sandbox.confinement(network=access.network, registries=registries)
        if access.commits and worktree_of(access.root):
            # The history of another folder is not the folder: a person is asked.
            given = replace(given, coverage="partial", summary=f"{given.summary}{_COMMITS}")
        if access.unix_sockets:
            given = replace(given, coverage="partial", summary=f"{given.summary}{_UNIX_SOCKETS}")
        if (path := sandbox.find_uncovered(access)) is not None:
            # By the other name of the file, what is protected can be changed.
            said = f"partly sandboxed{given.summary.removeprefix('sandboxed')}"
            open_to = f"; {visible_line(path)} can be changed by another name of its file"
            given = replace(given, coverage="partial", summary=said + open_to)
        if not access.writable:
            return given
        more = ", ".join(visible_line(str(folder)) for folder in access.writable)
        return replace(given, summary=f"{given.summary}; by your settings it also writes in {more}")

    def read_only(self, command: Sequence[str], readable: Sequence[Path]) -> ReadOnly | None:
        """Return how to start a program of ours that only reads; None without a sandbox. Blocks."""
        sandbox = self.probing.result().sandbox
        return sandbox.read_only(command, readable) if sandbox else None

    def confine(
        self, command: Sequence[str], access: Access | None, shown: Rung | None = None
    ) -> Confined:
        """Return how to start a program with its arguments; without access, unconfined. Blocks.

        ``shown``: the kind of sandbox that a person was shown; None: any kind will do.

        Raises:
            ToolFailed: The program cannot be confined now, or not in the sandbox that was shown.
        """
        if access is None:
            return Confined(arguments=tuple(command))
        found = self.probing.result()
        sandbox = found.sandbox
        if sandbox is None or shown not in (None, sandbox.rung):
            raise ToolFailed(
                "Nothing was run: the sandbox in which this command was to run does not work any "
                f"more. {found.less or ''}".rstrip()
            )
        return replace(sandbox.confine(command, access), access=access)
