"""Runs a command under a supervisor for a caller that waits, such as the probe of sandboxes."""

import os
import select
import subprocess
import time

from plimsoll.errors import ToolFailed
from plimsoll.tools.process.supervision.command_request import CommandRequest
from plimsoll.tools.process.supervision.fork_server import ForkServer
from plimsoll.tools.process.supervision.patience import KILL_SECONDS
from plimsoll.tools.process.supervision.supervised import (
    NOT_BEGUN,
    TRIES,
    SupervisorPipes,
    fork_supervisor,
    read_told,
)

_PIECE = 65_536


def run_command(fork_server: ForkServer, request: CommandRequest, seconds: float) -> bytes:
    """Run a command under a supervisor, up to a time limit, and return its output. Blocks.

    Raises:
        TimeoutExpired: The time is up.
        ToolFailed: The command cannot be started.
    """
    for _ in range(TRIES):
        output, status = _run(fork_server, request, seconds)
        if status:
            for line in status.strip(b"\n").split(b"\n"):
                read_told(line)
            return output
    raise ToolFailed(NOT_BEGUN)


def _run(fork_server: ForkServer, request: CommandRequest, seconds: float) -> tuple[bytes, bytes]:
    pipes = fork_supervisor(fork_server)
    try:
        talk = _Talk(pipes, request.encode())
        if not talk.until_ended(seconds):
            if not talk.unsaid:
                os.write(pipes.control, b"k")
                _ = talk.until_ended(KILL_SECONDS + 1.0)
            raise subprocess.TimeoutExpired(request.arguments, seconds)
        return talk.output, talk.status
    finally:
        pipes.close()


class _Talk:
    """The exchange with a supervisor: the request to it, and the output of it and its command."""

    def __init__(self, pipes: SupervisorPipes, said: bytes) -> None:
        self._pipes = pipes
        self.unsaid = said
        self.output = b""
        self.status = b""
        self._poll = select.poll()
        events = (select.POLLOUT, select.POLLIN, select.POLLIN)
        for end, event in zip(pipes[: len(events)], events, strict=True):
            os.set_blocking(end, False)
            self._poll.register(end, event)

    def until_ended(self, seconds: float) -> bool:
        """Exchange data until the supervisor has ended; return false if the time is up first."""
        end = time.monotonic() + seconds
        ended = False
        while not ended and (left := end - time.monotonic()) > 0:
            for descriptor, _ in self._poll.poll(left * 1000):
                ended = self._serve(descriptor) or ended
        # Whatever was left behind may hold the output open: it is not waited for.
        while ended and self._pipes.output in dict(self._poll.poll(0)):
            self._serve(self._pipes.output)
        return ended

    def _serve(self, descriptor: int) -> bool:
        """Read or write one pipe that is ready, and tell whether the supervisor has ended."""
        if descriptor == self._pipes.control:
            try:
                self.unsaid = self.unsaid[os.write(descriptor, self.unsaid[:_PIECE]) :]
            except BrokenPipeError:
                # It is gone, and the end of what it tells says so.
                self.unsaid = b""
            if not self.unsaid:
                self._poll.unregister(descriptor)
            return False
        piece = os.read(descriptor, _PIECE)
        if not piece:
            self._poll.unregister(descriptor)
        if descriptor == self._pipes.output:
            self.output += piece
            return False
        self.status += piece
        return not piece
