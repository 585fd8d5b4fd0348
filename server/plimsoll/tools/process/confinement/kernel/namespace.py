"""The name space of processes that a program makes for a command, seen and bounded from outside."""

import contextlib
import fcntl
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from plimsoll.tools.process.confinement.kernel import linux
from plimsoll.tools.process.confinement.kernel.calls import C, check
from plimsoll.tools.process.confinement.kernel.listening import Listener, listen_inside
from plimsoll.tools.process.confinement.kernel.rights import (
    allow_moving,
    allow_writing,
    rules_on_writing,
)

_FIRST_PROCESS = re.compile(rb'"child-pid": *([0-9]+)')
_MOST_PROCESSES = Path("/proc/sys/kernel/pid_max")
_MOST_USERS = Path("/proc/sys/user/max_user_namespaces")
# What a user may have of these an editor needs too: a command gets half.
_SHARED = tuple(Path(f"/proc/sys/user/max_inotify_{what}") for what in ("instances", "watches"))
# Before, the number is one of the whole machine. Some are kept back from a name space that is full.
_BOUNDED_SINCE, _KEPT_BACK = (6, 14), 301


COUNTER, BEGIN, MADE, RULES = 3, 4, 5, 6
"""The descriptors inside: what its first process writes to, what it waits for, where the program
that makes the name space says which process that is, and the rules that the command takes on."""


class NameSpace:
    """The process name space that a program made for a command, bounded from outside."""

    def __init__(
        self,
        most: int,
        *,
        alone: bool,
        listener: Listener | None = None,
        writable: Sequence[str] | None = None,
    ) -> None:
        """``most``: the processes that it may hold. ``alone``: forbid further name spaces inside.

        ``listener``: the socket that is to listen in it. ``writable``: the files and folders that
        its command may write, as named inside; None: no rules on writing apply.

        Raises:
            OSError: The kernel has no such rules.
        """
        self._most = most
        self._listener = listener
        self._writable = writable
        self._alone = alone
        self.told, counter = os.pipe()
        begin, self._starter = os.pipe()
        self.made, making = os.pipe()
        self._rules: int | None = None
        self.ends: dict[int, int] = {COUNTER: counter, BEGIN: begin, MADE: making}
        """What is handed to the program that makes it, by the number that it has there."""
        if writable is not None:
            self._rules = rules_on_writing()
            self.ends[RULES] = os.dup(self._rules)
        self.begun = False
        """Whether its first process began; what fails before that is not the command."""
        self.first: int | None = None
        """The process that is the first in it, once it was made."""

    def was_made(self) -> None:
        """Find the first process of the name space, and set the limits before it begins."""
        told = _FIRST_PROCESS.search(os.read(self.made, 4096))
        self.first = int(told[1]) if told else None
        # The program that makes it needs one more for a moment.
        if not self._alone:
            _limit_name_space(self.first, self._most, alone=self._alone)

    def first_began(self) -> None:
        """Let the first process of the name space run the command, bounded."""
        self.begun = bool(os.read(self.told, 1))
        if not self.begun:
            return
        if self._alone:
            _limit_name_space(self.first, self._most, alone=self._alone)
        if self.first is not None:
            if self._listener:
                listen_inside(self.first, self._listener)
            if self._rules is not None:
                # Folders in memory are there only now.
                allow_moving(self._rules, f"/proc/{self.first}/root/")
                inside = (f"/proc/{self.first}/root{path}" for path in self._writable or ())
                allow_writing(self._rules, inside)
        # Something may have ended it meanwhile.
        with contextlib.suppress(BrokenPipeError):
            os.write(self._starter, b"g\n")

    def count_left(self) -> int:
        """Return how many processes the name space's first one reported as left behind."""
        os.set_blocking(self.told, False)
        told = b""
        # Something that could not be ended may hold the other end.
        with contextlib.suppress(BlockingIOError):
            told = os.read(self.told, 20)
        return int(told) if told.strip().isdigit() else 0


def _limit_name_space(member: int | None, most: int, *, alone: bool) -> None:
    """Limit the processes in the name space of a process, unless it is our own.

    Only where the kernel can. Watchers of files are limited too. ``most``: of processes, where root
    runs it: to others the usual limit applies. ``alone``: no name space of users can be made in it.
    """
    if member is None:
        return
    release = tuple(int(part) for part in os.uname().release.split(".")[:2] if part.isdigit())
    written: dict[Path, str] = {}
    if os.geteuid() == 0 and release >= _BOUNDED_SINCE:
        written[_MOST_PROCESSES] = str(most + _KEPT_BACK)
    if alone:
        written[_MOST_USERS] = "0"
    for setting in _SHARED:
        with contextlib.suppress(OSError):
            written[setting] = str(int(setting.read_text("ascii")) // 2)
    own, space = (Path(f"/proc/{process}/ns/pid") for process in ("self", member))
    with contextlib.suppress(OSError):
        if written and space.stat().st_ino != own.stat().st_ino:
            _inside(os.open(space, os.O_RDONLY | os.O_CLOEXEC), written)


def _inside(space: int, written: Mapping[Path, str]) -> None:
    """Write kernel settings inside a name space, with the rights of the user who made it."""
    owner = fcntl.ioctl(space, linux.NS_GET_USERNS)
    process = os.fork()
    if process:
        os.close(owner)
        os.close(space)
        os.waitpid(process, 0)
        return
    try:
        check(C.setns(owner, linux.CLONE_NEWUSER), "name space of users")
        check(C.setns(space, linux.CLONE_NEWPID), "name space of processes")
        # Only what is started from here on is in it.
        inner = os.fork()
        if inner:
            os.waitpid(inner, 0)
        else:
            for setting, value in written.items():
                with contextlib.suppress(OSError):
                    setting.write_text(value, "ascii")
    finally:
        os._exit(0)


def read_beside(member: int, path: Path) -> bytes:
    """Read a file on the message queues and shared memory of a process's name space.

    Empty if the file cannot be read, or the name space is our own.
    """
    own, space = (Path(f"/proc/{process}/ns/ipc") for process in ("self", member))
    try:
        if space.stat().st_ino == own.stat().st_ino:
            return b""
        opened = os.open(space, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        # It ended.
        return b""
    reading, writing = os.pipe()
    process = os.fork()
    if not process:
        try:
            owner = fcntl.ioctl(opened, linux.NS_GET_USERNS)
            check(C.setns(owner, linux.CLONE_NEWUSER), "name space of users")
            check(C.setns(opened, linux.CLONE_NEWIPC), "name space of queues")
            os.write(writing, path.read_bytes())
        finally:
            os._exit(0)
    os.close(opened)
    os.close(writing)
    with os.fdopen(reading, "rb") as told:
        text = told.read()
    os.waitpid(process, 0)
    return text
