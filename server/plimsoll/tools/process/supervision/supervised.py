"""A command under its supervisor, as the server sees it: one pipe to ask, two to hear."""

import asyncio
import json
import logging
import os
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypedDict

from plimsoll.errors import ToolFailed
from plimsoll.tools.process.supervision.command_request import CommandRequest
from plimsoll.tools.process.supervision.fork_server import ForkServer

log = logging.getLogger(__name__)

START_SECONDS = 30.0
"""How long a supervisor may take until its command can begin."""
TRIES = 3
"""How often one is forked while the fork server dies in between: nothing of a command has begun."""
_NO_ANSWER = f"the process that starts it did not answer within {START_SECONDS:g} s"
NOT_BEGUN = (
    "The command was not run: the process that starts it ended before it began, several times."
)

Limit = Literal["memory", "processes", "disk"]


class Told(TypedDict, total=False):
    """A message in which a supervisor reports on its command."""

    error: str
    """Why it could not be started."""
    process: int
    """The command's process, which leads its group: nothing of it began before this was told."""
    code: int | None
    left: int
    limit: Limit | None
    begun: bool


class SupervisorPipes(NamedTuple):
    """The server's ends of the pipes of a supervisor that waits for its request."""

    control: int
    output: int
    status: int
    handover: int

    def close(self) -> None:
        """Close the pipes, so that the command never begins, or is killed if it has begun."""
        _close(self)


def fork_supervisor(fork_server: ForkServer) -> SupervisorPipes:
    """Fork a supervisor that waits for its request; blocks for a moment.

    Raises:
        ToolFailed: The supervisor cannot be started.
    """
    ends: list[int] = []
    try:
        for _ in range(3):
            ends += os.pipe()
        ends += (end.detach() for end in socket.socketpair())
        asked, control, output, written, status, told, handover, theirs = ends
        fork_server.fork(asked, written, told, theirs)
    except OSError as error:
        _close(ends)
        raise ToolFailed(f"The command could not be started: {error.strerror}.") from error
    except ToolFailed:
        _close(ends)
        raise
    _close((asked, written, told, theirs))
    return SupervisorPipes(control, output, status, handover)


class Supervised:
    """A command under its supervisor."""

    def __init__(
        self,
        control: asyncio.WriteTransport,
        output: "Heard",
        status: "Heard",
        handover: socket.socket,
    ) -> None:
        self._control = control
        self._output = output
        self._status = status
        self.handover = handover
        """By which a socket that listens in the sandbox comes here."""
        self.process = 0
        """The command's process, once it could begin."""

    @property
    def output(self) -> asyncio.StreamReader:
        """The output of the command."""
        return self._output.reader

    async def begin(self, request: CommandRequest) -> bool:
        """Send the request for the command; return whether it began (if not, none of it was run).

        Raises:
            TimeoutError: There was no answer; the command never begins once this is closed.
            ToolFailed: The command cannot be run.
        """
        self._control.write(request.encode())
        line = await asyncio.wait_for(self._status.reader.readline(), START_SECONDS)
        self.process = read_told(line).get("process", 0) if line else 0
        return bool(line)

    def wish(self, wish: bytes) -> None:
        """Ask the supervisor to end the command: ``t`` gently, ``k`` at once."""
        if not self._control.is_closing():
            self._control.write(wish)

    async def wait_for_end(self) -> Told:
        """Wait for the end of the command, and return the supervisor's report.

        Without ``left`` the supervisor itself has ended before the command.

        Raises:
            ToolFailed: The supervisor failed.
        """
        told: Told = {}
        async for line in self._status.reader:
            told |= read_told(line)
            if "left" in told:
                # Its last word: its own end takes longer.
                break
        return told

    def close(self) -> None:
        """Close the pipes: a command that runs is killed."""
        for transport in (self._control, self._output.transport, self._status.transport):
            transport.close()
        self.handover.close()


@dataclass(frozen=True, slots=True)
class Heard:
    """A pipe that the server reads."""

    reader: asyncio.StreamReader
    transport: asyncio.ReadTransport


async def supervise(
    fork_server: ForkServer, pipes: SupervisorPipes, request: CommandRequest
) -> Supervised:
    """Ask the supervisor at these pipes to run a command, and return once it can begin.

    If the supervisor ends before the command began, another one is used.

    Raises:
        ToolFailed: The command cannot be started.
    """
    for left in reversed(range(TRIES)):
        supervised = await _connect(pipes)
        try:
            begins = await supervised.begin(request)
        except TimeoutError as error:
            supervised.close()
            # What does not answer would hold up the next command too.
            await asyncio.to_thread(fork_server.renew)
            raise ToolFailed(f"The command was not run: {_NO_ANSWER}.") from error
        except BaseException:
            supervised.close()
            raise
        if begins:
            return supervised
        supervised.close()
        log.warning("a supervisor ended before its command began, %d more are tried", left)
        if left:
            pipes = await asyncio.to_thread(fork_supervisor, fork_server)
    raise ToolFailed(NOT_BEGUN)


async def _connect(pipes: SupervisorPipes) -> Supervised:
    loop = asyncio.get_running_loop()
    control, _ = await loop.connect_write_pipe(
        asyncio.BaseProtocol, os.fdopen(pipes.control, "wb", 0)
    )
    output, status = await _connect_reader(pipes.output), await _connect_reader(pipes.status)
    return Supervised(control, output, status, socket.socket(fileno=pipes.handover))


async def _connect_reader(descriptor: int) -> Heard:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(loop=loop)
    transport, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader, loop=loop), os.fdopen(descriptor, "rb", 0)
    )
    return Heard(reader, transport)


def read_told(line: bytes) -> Told:
    """Read one line of a supervisor's report.

    Raises:
        ToolFailed: The supervisor failed, or could not start the command.
    """
    try:
        told: Told = json.loads(line)
    except ValueError as error:
        said = line.decode("utf-8", "replace").strip()
        raise ToolFailed(f"The command could not be run under its supervisor: {said}") from error
    if "error" in told:
        raise ToolFailed(f"The command could not be started: {told['error']}.")
    return told


def _close(descriptors: Iterable[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
