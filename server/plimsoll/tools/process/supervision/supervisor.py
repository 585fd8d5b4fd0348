"""Runs one command and lets nothing of it outlive the command, or the server that wanted it.

Forked by the fork server, with a pipe of the server as standard input: what to run comes first. It
makes itself the parent of every orphan below it, so that even a process that left its session and
group is found. ``t`` on the pipe: end the command, gently at first; ``k``, or the end of the pipe,
which a killed server leaves behind too: kill at once. What the command left running is ended with
it. Standard output is the command's; standard error tells, as lines of JSON, which process it is
and how it ended, or why it could not be started.

Standard library only: it runs without the packages that Plimsoll needs.
"""

import contextlib
import ctypes
import json
import os
import select
import signal
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TextIO

from plimsoll.tools.process.confinement.kernel import enforcement, linux
from plimsoll.tools.process.confinement.kernel.listening import Listener
from plimsoll.tools.process.confinement.kernel.namespace import NameSpace
from plimsoll.tools.process.supervision.command_request import (
    CONVERSES,
    CommandRequest,
    read_request,
)
from plimsoll.tools.process.supervision.watch import Watch

HANDOVER = 3
"""The descriptor by which a socket that listens in a name space goes to the server.

Of a command that converses it is the other end of a connection to the server.
"""

_CANNOT_RUN = 126


class Pipes(NamedTuple):
    """The ends of pipes that a child process of the supervisor holds."""

    waiting: int
    starter: int
    ends: Mapping[int, int]
    """Those that a name space has inside, by their numbers there."""


def main() -> None:
    """Run the command, end all that it started, and report how it ended."""
    status = os.fdopen(os.dup(2), "w", encoding="ascii")
    request = read_request(0)
    if request is None:
        return
    try:
        os.chdir(request.folder)
    except OSError as error:
        _tell(status, {"error": error.strerror})
        return
    _control(linux.PR_SET_CHILD_SUBREAPER, 1)
    woken = _wake_on_signals()
    waiting, starter = os.pipe()
    given: dict[str, Any] = json.loads(request.rules or "{}")
    limits = given.get("limits", {})
    space: NameSpace | None = None
    if given.get("namespace"):
        space = NameSpace(
            limits["processes"],
            alone=given.get("alone", False),
            listener=Listener(given["listener"], HANDOVER) if "listener" in given else None,
            writable=given.get("restricted_to"),
        )
    ends = space.ends if space else {}
    process = _start(request, given, Pipes(waiting, starter, ends))
    for end in ends.values():
        os.close(end)
    _tell(status, {"process": process})
    # Only now may it run: a command that kills us must already be known to the server, which may
    # have given it up meanwhile.
    if not select.select([0], [], [], 0)[0]:
        os.write(starter, b"g")
    os.close(starter)
    watch = Watch(process, woken, limits, space)
    # Ours must be closed for the server to see the end of the output.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if given.get(CONVERSES):
        os.close(HANDOVER)
    watch.until_ended()
    ended_itself = watch.code is not None
    left = watch.end_rest()
    if space is not None and ended_itself:
        left = space.count_left()
    begun = space is None or space.begun
    _tell(status, {"code": watch.code, "left": left, "limit": watch.limit, "begun": begun})


def _tell(status: TextIO, told: Mapping[str, int | str | None]) -> None:
    # The server may be gone; the work here is done whether it hears of it or not.
    with contextlib.suppress(BrokenPipeError):
        status.write(json.dumps(told) + "\n")
        status.flush()


def _start(request: CommandRequest, rules: dict[str, Any], pipes: Pipes) -> int:
    supervisor = os.getpid()
    process = os.fork()
    if process:
        return process
    try:
        os.close(pipes.starter)
        _wait_until_watched(supervisor, pipes.waiting)
        _become(request, rules, pipes)
    except OSError as error:
        os.write(2, f"The command could not be started: {error}\n".encode())
    finally:
        # Reached only when the program could not be started; never back into the parent's code.
        os._exit(_CANNOT_RUN)


def _wait_until_watched(supervisor: int, waiting: int) -> None:
    """Tie the child's life to the supervisor's, and wait until the supervisor watches it."""
    os.setsid()
    _control(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    # Its death before that is told by nobody, and the word to begin may be in the pipe already.
    if not os.read(waiting, 1) or os.getppid() != supervisor:
        os._exit(_CANNOT_RUN)


def _become(request: CommandRequest, rules: dict[str, Any], pipes: Pipes) -> None:
    converses = rules.get(CONVERSES)
    os.dup2(HANDOVER if converses else os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(1, 2)
    if converses:
        os.dup2(HANDOVER, 1)
    # Python ignores these, and what is ignored stays so in the program that is started.
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    for number, end in pipes.ends.items():
        os.dup2(end, number)
    enforcement.apply(rules)
    command = _without_gone(request.arguments, rules.get("passing", ()))
    os.execve(command[0], command, {**request.environment, **rules.get("variables", {})})


def _without_gone(command: Sequence[str], passing: Iterable[Sequence[str]]) -> list[str]:
    """Leave out options whose last argument is a path that was removed meanwhile.

    A program that mounts over such a path would fail. This is checked last, since other programs
    make and remove files all the time.
    """
    left = list(command)
    for arguments in passing:
        if os.path.lexists(arguments[-1]):
            continue
        length = len(arguments)
        starts = range(len(left) - length + 1)
        at = next((at for at in starts if left[at : at + length] == list(arguments)), None)
        if at is not None:
            del left[at : at + length]
    return left


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
