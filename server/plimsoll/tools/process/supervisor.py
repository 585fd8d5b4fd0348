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
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

if TYPE_CHECKING:
    from plimsoll.tools.process.confinement.enforcement import NameSpace

GRACE_SECONDS = 2.0
# A process in an uninterruptible call cannot be killed; waiting for it would hang the turn.
KILL_SECONDS = 5.0
_BOMB_SECONDS = 60.0
_PAUSE_MILLISECONDS = 10
_LOOK_MILLISECONDS = 250
_APART_SECONDS = 0.05
_PAGE = os.sysconf("SC_PAGE_SIZE")
# What the first process of a name space writes to, what it waits for, and where the program that
# makes the name space says which process that is.
_COUNTER, _BEGIN, _MADE = 3, 4, 5

_SET_PARENT_DEATH_SIGNAL = 1
_SET_CHILD_SUBREAPER = 36
_CANNOT_RUN = 126
_PROCESSES = "/proc"


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
    """Those that a name space has inside."""


class Watch:
    """Watches the command and all its child processes, and ends them."""

    def __init__(
        self, process: int, woken: int, limits: Mapping[str, int], space: "NameSpace | None"
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
            self._poll.register(space.made, select.POLLIN)
            self._poll.register(space.told, select.POLLIN)
        self.code: int | None = None
        """The exit code as in a shell: 128 plus its number for a signal; none while it runs."""

    def until_ended(self) -> None:
        """Wait for the end of the command, or for the wish to end it."""
        looked = time.monotonic()
        while self.code is None and self._wish is Wish.NONE:
            self._turn(_LOOK_MILLISECONDS if self._limits else None)
            # Looking takes longer than most of what wakes this; a bomb wakes it all the time.
            if self.code is not None or time.monotonic() < looked + _APART_SECONDS:
                continue
            self.limit = self.limit or self._exceeded()
            looked = time.monotonic()
            if self.limit is not None:
                self._wish = Wish.KILL

    def end_rest(self) -> int:
        """End all that still runs; return how many processes an ended command left behind."""
        if self._space is not None and self.code is not None:
            self._until_childless()
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

    def _until_childless(self) -> None:
        """Wait for the kernel to end what is in a name space whose maker has ended."""
        end = time.monotonic() + GRACE_SECONDS
        while not _is_childless() and time.monotonic() < end:
            self._turn(_PAUSE_MILLISECONDS)

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
        if self._space is not None and self._space.made in ready:
            self._poll.unregister(self._space.made)
            self._space.was_made()
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
        if not Path(f"{_PROCESSES}/self/stat").exists():
            return _group(self._process)
        return {} if _is_childless() else _descendants()


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
    enforcement: Any = _enforcement() if given else None
    space: NameSpace | None = None
    if given.get("namespace"):
        space = enforcement.NameSpace(limits["processes"], alone=given.get("alone", False))
    ends = space.ends if space else ()
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
    for end, number in zip(pipes.ends, (_COUNTER, _BEGIN, _MADE), strict=False):
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


def _is_childless() -> bool:
    """Tell whether nothing is below this process; orphans become children of it."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return False


def _descendants() -> dict[int, int]:
    """List all processes below this one that still run; one that waits to be reaped does not."""
    children: dict[int, list[int]] = {}
    groups: dict[int, int] = {}
    with os.scandir(_PROCESSES) as entries:
        for process in [int(entry.name) for entry in entries if entry.name.isdigit()]:
            state, parent, group = _state(process)
            children.setdefault(parent, []).append(process)
            if state not in b"ZX":
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
    told = _told(process, "statm")
    if not told:
        return 0
    _, resident, shared = told.split()[:3]
    return (int(resident) - int(shared)) * _PAGE


def _state(process: int) -> tuple[bytes, int, int]:
    """Return the state of a process, its parent and its group."""
    # The name before it may hold spaces and brackets.
    told = _told(process, "stat").rpartition(b")")[2].split(None, 3)
    return (told[0], int(told[1]), int(told[2])) if told else (b"X", 0, 0)


def _told(process: int, name: str) -> bytes:
    """Return what the system tells of a process; nothing when it has ended.

    A machine has hundreds of them, so each is read by as few calls as it takes.
    """
    try:
        descriptor = os.open(f"{_PROCESSES}/{process}/{name}", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(descriptor, 4096)
    except OSError:
        # It ended while we looked.
        return b""
    finally:
        os.close(descriptor)


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
