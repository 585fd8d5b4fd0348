"""Keeps the process that forks supervisors, and starts a new one when it is gone."""

import contextlib
import logging
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from plimsoll.errors import ToolFailed
from plimsoll.tools.process.supervision import program

log = logging.getLogger(__name__)

# Isolated, without site packages: nothing of a workspace or of the environment is loaded.
PROGRAM = (sys.executable, "-I", "-S", str(Path(program.__file__)))
# How names are spelled on the disk; all else would stand in its memory for all to read who may.
_LOCALE = ("LANG", "LC_ALL", "LC_CTYPE")
_END_SECONDS = 1.0
_TRIES = 3
_LONGEST_REASON = 2_000


@dataclass(frozen=True, slots=True)
class _Running:
    process: "subprocess.Popen[bytes]"
    connection: socket.socket


class ForkServer:
    """Forks supervisors from any thread; whoever makes it calls ``close`` at the end."""

    def __init__(self, command: Sequence[str] = PROGRAM) -> None:
        """``command``: the command that starts the server's process."""
        self._command = tuple(command)
        self._running: _Running | None = None
        self._closed = False
        self._using = Lock()

    def fork(self, control: int, output: int, status: int, handover: int) -> None:
        """Fork a supervisor that gets these descriptors; blocks if the server must be started.

        ``control``: from which it reads the request. ``output``: to which the command writes.
        ``status``: to which it reports; if that is closed before any report, no command began.
        ``handover``: by which it sends the socket that listens in the sandbox.

        Raises:
            ToolFailed: The process cannot be started, or this is closed.
        """
        with self._using:
            if self._closed:
                raise ToolFailed("The command was not run: this process is ending.")
            for _ in range(_TRIES):
                try:
                    connection = self._ensure_running().connection
                    socket.send_fds(connection, [b"f"], (control, output, status, handover))
                except OSError:
                    log.warning("the fork server ended and is started again; %s", self._end())
                else:
                    return
            raise ToolFailed("The command could not be started: the fork server ends at once.")

    def renew(self) -> None:
        """End the server's process, so that the next supervisor is forked by a new one. Blocks."""
        with self._using:
            log.warning("the fork server was ended, to be started again; %s", self._end())

    def close(self) -> None:
        """End the server's process for good; its supervisors live on. Blocks for a moment."""
        with self._using:
            self._closed = True
            self._end()

    def _ensure_running(self) -> _Running:
        if self._running is None:
            ours, theirs = socket.socketpair()
            try:
                with theirs:
                    process = subprocess.Popen(
                        self._command,
                        stdin=theirs.fileno(),
                        stdout=subprocess.DEVNULL,
                        stderr=subprocess.PIPE,
                        cwd="/",
                        env={name: os.environ[name] for name in _LOCALE if name in os.environ},
                        start_new_session=True,
                    )
            except OSError as error:
                ours.close()
                raise ToolFailed(f"The command could not be started: {error.strerror}.") from error
            self._running = _Running(process, ours)
        return self._running

    def _end(self) -> str:
        """End the server's process; return its exit code and its last output, often the reason."""
        if self._running is None:
            return "it did not run"
        running, self._running = self._running, None
        running.connection.close()
        try:
            code = running.process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            running.process.kill()
            code = running.process.wait()
        assert running.process.stderr is not None
        said = b""
        with running.process.stderr as errors, contextlib.suppress(BlockingIOError):
            # A supervisor that was just forked may still hold the other end.
            os.set_blocking(errors.fileno(), False)
            said = os.read(errors.fileno(), _LONGEST_REASON)
        return f"exit code {code}, {said.decode('utf-8', 'replace').strip()!r}"
