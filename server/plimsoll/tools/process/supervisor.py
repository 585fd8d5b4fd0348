"""Runs one command and lets nothing of it outlive the command, or the server that wanted it.

Started as ``python -I -S supervisor.py RULES PROGRAM ARGUMENT…`` with a pipe of the server as
standard input; the rules are JSON for ``confinement/enforcement.py``, or empty.
It makes itself the parent of every orphan below it, so that even a process that left its session
and group is found. ``t`` on the pipe: end the command, gently at first; ``k``, or the end of the
pipe, which a killed server leaves behind too: kill at once. What the command left running is ended
with it. Standard output is the command's; standard error tells, as lines of JSON, which process it
is and how it ended.

This file imports the standard library alone: it runs without the package on its path.
"""

import contextlib
import ctypes
import json
import os
import select
import signal
import sys
import time
from collections.abc import Iterable, Mapping
from enum import IntEnum
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TextIO

GRACE_SECONDS = 2.0
# A process in an uninterruptible call cannot be killed; waiting for it would hang the turn.
KILL_SECONDS = 5.0
_BOMB_SECONDS = 60.0
_PAUSE_MILLISECONDS = 10
_LOOK_MILLISECONDS = 250
_PAGE = os.sysconf("SC_PAGE_SIZE")
# What the first process of a name space writes to, and what it waits for.
_COUNTER, _BEGIN = 3, 4

_SET_PARENT_DEATH_SIGNAL = 1
_SET_CHILD_SUBREAPER = 36
_CANNOT_RUN = 126
_PROCESSES = Path("/proc")


class Wish(IntEnum):
    """The server's wish for the command: to go on, to end or to be killed."""

    NONE = 0
    END = 1
    KILL = 2


class Pipes(NamedTuple):
    """The ends of pipes that a child holds."""

    waiting: int
    starter: int
    ends: tuple[int, ...]
    """Of a name space: where its first process says that it began and how many are left, and
    where it hears that it may run the command."""


class NameSpace:
    """The name space that a program made for the command, seen from outside of it."""

    def __init__(self, enforcement: Any, most: int, *, alone: bool) -> None:
        """``most``: how many processes it may hold. ``alone``: none may be made in it."""
        self._enforcement = enforcement
        self._most = most
        self._alone = alone
        self.told, self.counter = os.pipe()
        self.begin, self._starter = os.pipe()
        self.begun = False
        """Whether its first process began; what fails before that is not the command."""

    def first_began(self) -> None:
        """Bound it, and let its first process run the command."""
        self.begun = bool(os.read(self.told, 1))
        if not self.begun:
            return
        # To root, the usual limit of processes does not apply.
        if os.geteuid() == 0 or self._alone:
            self._enforcement.bound(_descendants(), self._most, alone=self._alone)
        # Something may have ended it meanwhile.
        with contextlib.suppress(BrokenPipeError):
            os.write(self._starter, b"g\n")

    def left(self) -> int:
        """Return how many processes its first one found left, if it came to that."""
        os.set_blocking(self.told, False)
        told = b""
        # Something that could not be ended may hold the other end.
        with contextlib.suppress(BlockingIOError):
            told = os.read(self.told, 20)
        return int(told) if told.strip().isdigit() else 0


class Watch:
    """Watches the command and all its child processes, and ends them."""

    def __init__(
        self, process: int, woken: int, limits: Mapping[str, int], space: NameSpace | None
    ) -> None:
        self._process = process
        self._woken = woken
        self._limits = limits
        self._space = space
        self.limit: str | None = None
        """What the command took too much of; it was ended for that."""
        self._wish = Wish.NONE
        self._poll = select.poll()
        self._poll.register(0, select.POLLIN)
        self._poll.register(woken, select.POLLIN)
        if space is not None:
            self._poll.register(space.told, select.POLLIN)
        self.code: int | None = None
        """The exit code as in a shell: 128 plus its number for a signal; none while it runs."""

    def until_ended(self) -> None:
        """Wait for the end of the command, or for the wish to end it."""
        while self.code is None and self._wish is Wish.NONE:
            self._turn(_LOOK_MILLISECONDS if self._limits else None)
            self.limit = self.limit or self._exceeded()
            if self.limit is not None:
                self._wish = Wish.KILL

    def end_rest(self) -> int:
        """End all that still runs; return how many processes an ended command left behind."""
        left = self._running() if self._wish is Wish.NONE else {}
        # A program that makes a name space ends all in it as it ends: it comes last, or at once.
        keeper = self._process if self._space is not None else None
        end = time.monotonic() + GRACE_SECONDS
        if self._wish is not Wish.KILL:
            _signal([one for one in self._running() if one != keeper], signal.SIGTERM)
        elif keeper is not None:
            _signal([keeper], signal.SIGKILL)
        while (running := self._running()) and self._wish is not Wish.KILL:
            if time.monotonic() >= end or self._is_bomb(running):
                break
            self._turn(_PAUSE_MILLISECONDS)
        end = time.monotonic() + (KILL_SECONDS if self.limit is None else _BOMB_SECONDS)
        while (running := self._running()) and time.monotonic() < end:
            # A group is ended at a stroke: one by one, a bomb makes more than are ended.
            groups = set(running.values()) - {0, os.getpgrp()}
            _signal([*(-group for group in groups), *running], signal.SIGKILL)
            self._turn(0 if self.limit else _PAUSE_MILLISECONDS)
        self._reap()
        return len(left)

    def _exceeded(self) -> str | None:
        if not self._limits:
            return None
        running = self._running()
        if self._is_bomb(running):
            return "processes"
        if sum(map(_memory, running)) > self._limits["memory"]:
            return "memory"
        return None

    def _is_bomb(self, running: Mapping[int, int]) -> bool:
        if not self._limits or len(running) <= self._limits["processes"]:
            return False
        self.limit = "processes"
        # Whoever ends them must come before them; not everybody may.
        with contextlib.suppress(PermissionError):
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        return True

    def _turn(self, milliseconds: int | None) -> None:
        ready = {descriptor for descriptor, _ in self._poll.poll(milliseconds)}
        if self._woken in ready:
            told = os.read(self._woken, 64)
            if any(number != signal.SIGCHLD for number in told):
                self._wish = Wish.KILL
        if self._space is not None and self._space.told in ready:
            self._poll.unregister(self._space.told)
            self._space.first_began()
        if 0 in ready:
            self._wish = max(self._wish, Wish.END if os.read(0, 1) == b"t" else Wish.KILL)
        if self._wish is Wish.KILL and 0 in ready:
            # The end of a pipe is ready for ever: polled on, it would burn the processor.
            self._poll.unregister(0)
        self._reap()

    def _reap(self) -> None:
        # No child at all is the end of the list too.
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == self._process:
                    code = os.waitstatus_to_exitcode(ended[1])
                    self.code = 128 - code if code < 0 else code

    def _running(self) -> dict[int, int]:
        """Return what still runs of the command: the processes, each with its group."""
        if _PROCESSES.joinpath("self", "stat").exists():
            return _descendants()
        return _group(self._process)


def main() -> None:
    """Run the command, end all of it, and tell how it ended."""
    rules, *command = sys.argv[1:]
    status = os.fdopen(os.dup(2), "w", encoding="ascii")
    _control(_SET_CHILD_SUBREAPER, 1)
    woken = _wake_on_signals()
    waiting, starter = os.pipe()
    given: dict[str, Any] = json.loads(rules or "{}")
    limits = given.get("limits", {})
    # Loaded once, before the fork: it is what takes most of the time here.
    enforcement = _enforcement() if given else None
    space = None
    if given.get("namespace"):
        space = NameSpace(enforcement, limits["processes"], alone=given.get("alone", False))
    ends = (space.counter, space.begin) if space else ()
    process = _start(command, given, Pipes(waiting, starter, ends), enforcement)
    for end in ends:
        os.close(end)
    _tell(status, {"process": process})
    # Only now may it run: a command that kills us must already be known to the server.
    os.write(starter, b"g")
    watch = Watch(process, woken, limits, space)
    # Ours must be closed for the server to see the end of the output.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    watch.until_ended()
    ended_itself = watch.code is not None
    left = watch.end_rest()
    if space is not None and ended_itself:
        left = space.left()
    begun = space is None or space.begun
    _tell(status, {"code": watch.code, "left": left, "limit": watch.limit, "begun": begun})


def _tell(status: TextIO, told: Mapping[str, int | str | None]) -> None:
    # The server may be gone; the work here is done whether it hears of it or not.
    with contextlib.suppress(BrokenPipeError):
        status.write(json.dumps(told) + "\n")
        status.flush()


def _start(command: list[str], rules: dict[str, Any], pipes: Pipes, enforcement: Any) -> int:
    supervisor = os.getpid()
    process = os.fork()
    if process:
        return process
    try:
        os.close(pipes.starter)
        _watched(supervisor, pipes.waiting)
        _become(command, rules, pipes, enforcement)
    except OSError as error:
        os.write(2, f"The command could not be started: {error}\n".encode())
    finally:
        # Reached only when the program could not be started; never back into the parent's code.
        os._exit(_CANNOT_RUN)


def _watched(supervisor: int, waiting: int) -> None:
    """Die with the supervisor from here on, and wait until it watches."""
    os.setsid()
    _control(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    # Its death before that is told by nobody, and the word to begin may be in the pipe already.
    if not os.read(waiting, 1) or os.getppid() != supervisor:
        os._exit(_CANNOT_RUN)


def _become(command: list[str], rules: dict[str, Any], pipes: Pipes, enforcement: Any) -> None:
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(1, 2)
    # Python ignores these, and what is ignored stays so in the program that is started.
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    for end, number in zip(pipes.ends, (_COUNTER, _BEGIN), strict=False):
        os.dup2(end, number)
    if enforcement is not None:
        enforcement.apply(rules)
    command = _without_gone(command, rules.get("passing", ()))
    os.execve(command[0], command, {**os.environ, **rules.get("variables", {})})


def _without_gone(command: list[str], passing: Iterable[list[str]]) -> list[str]:
    """Leave out arguments whose last one, a path, is gone since they were made.

    A program that mounts over it would create it, or fail where it cannot. That is looked at here,
    last, since other programs make and remove sockets all the time.
    """
    for arguments in passing:
        length = len(arguments)
        found = (at for at in range(len(command)) if command[at : at + length] == arguments)
        at = next(found, None)
        if at is not None and not os.path.lexists(arguments[-1]):
            command = command[:at] + command[at + length :]
    return command


def _enforcement() -> Any:
    """Load the file that applies rules; the package is not on the path here."""
    path = Path(__file__).with_name("confinement") / "enforcement.py"
    module = ModuleType("enforcement")
    SourceFileLoader(module.__name__, str(path)).exec_module(module)
    return module


def _wake_on_signals() -> int:
    woken, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda _number, _frame: None)
    return woken


def _control(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _descendants() -> dict[int, int]:
    """List all processes below this one that still run; one that waits to be reaped does not."""
    children: dict[int, list[int]] = {}
    groups: dict[int, int] = {}
    for entry in _PROCESSES.iterdir():
        if entry.name.isdigit():
            process = int(entry.name)
            state, parent, group = _state(entry)
            children.setdefault(parent, []).append(process)
            if state not in "ZX":
                groups[process] = group
    found: list[int] = []
    pending = [os.getpid()]
    while pending:
        below = children.get(pending.pop(), [])
        pending += below
        found += below
    return {process: groups[process] for process in found if process in groups}


def _memory(process: int) -> int:
    """Return the bytes that a process holds in memory; none when it has ended."""
    try:
        told = _PROCESSES.joinpath(str(process), "statm").read_text(encoding="ascii")
    except OSError:
        return 0
    _, resident, shared = told.split()[:3]
    return (int(resident) - int(shared)) * _PAGE


def _state(entry: Path) -> tuple[str, int, int]:
    """Return the state of a process, its parent and its group."""
    try:
        told = entry.joinpath("stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        # It ended while we looked.
        return "X", 0, 0
    # The name before it may hold spaces and brackets.
    state, parent, group = told.rpartition(")")[2].split()[:3]
    return state, int(parent), int(group)


def _group(process: int) -> dict[int, int]:
    """Return a live process group as a negative number, for kill, where none can be listed."""
    try:
        os.killpg(process, 0)
    except OSError:
        return {}
    return {-process: process}


def _signal(processes: Iterable[int], number: int) -> None:
    for process in processes:
        # It may have ended, or belong to another user by now.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process, number)


if __name__ == "__main__":
    main()
