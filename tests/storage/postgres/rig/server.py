"""A server process of the tests, which runs as nobody and can be ended hard."""

import os
import select
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

NOBODY = 65534
"""Whom servers run as where the tests run as root, which PostgreSQL and PgBouncer refuse."""
Command = Sequence[str | Path]


def run_as_nobody(command: Command, folder: Path, **environment: str) -> None:
    """Run a program to its end."""
    done = subprocess.run(command, capture_output=True, **_plain(folder, environment))
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")


@contextmanager
def reserved_port() -> Iterator[int]:
    """Have a port that no other program is given, also while the server that has it is down.

    On Linux, for servers that set SO_REUSEADDR: they may share it with a socket that never listens.
    """
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


class Server:
    """A program that says when it is ready."""

    def __init__(self, command: Command, folder: Path, **environment: str) -> None:
        self._command, self._folder, self._environment = command, folder, environment
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, ready: bytes) -> None:
        """Start it and wait for a line with ``ready`` in it."""
        process = subprocess.Popen(
            self._command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            **_plain(self._folder, self._environment),
        )
        said: list[bytes] = []
        heard = threading.Event()
        # Whoever read no further would let the server wait at a full pipe.
        listener = threading.Thread(target=_listen, args=(process, ready, said, heard), daemon=True)
        listener.start()
        heard.wait()
        if process.poll() is not None:
            raise AssertionError(b"".join(said).decode("utf-8", "replace"))
        self._process = process

    def stop(self, with_signal: signal.Signals = signal.SIGINT) -> None:
        if self._process is not None:
            self._process.send_signal(with_signal)
            self._process.wait()
            self._process = None

    def kill(self) -> None:
        """End the process and its children with SIGKILL, and wait until all are gone."""
        assert self._process is not None
        first = self._process.pid
        # A child that came after the list would outlive it.
        self._process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, first, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        listed = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        # By descriptor: the number of a process that has ended meanwhile may be another's.
        children = [found for pid in listed if (found := _opened(int(pid))) is not None]
        self._process.kill()
        self._process.wait()
        self._process = None
        for child in children:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(child, signal.SIGKILL)
            select.select([child], [], [])
            os.close(child)


def _opened(pid: int) -> int | None:
    try:
        return os.pidfd_open(pid)
    except ProcessLookupError:
        return None


def _plain(folder: Path, environment: dict[str, str]) -> dict[str, Any]:
    whose = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
    return {
        "env": {"PATH": "/usr/sbin:/usr/bin:/bin", "LC_ALL": "C", **environment},
        "cwd": folder,
        **whose,
    }


def _listen(
    process: subprocess.Popen[bytes], ready: bytes, said: list[bytes], heard: threading.Event
) -> None:
    assert process.stdout is not None
    with process.stdout:
        for line in process.stdout:
            # What it says later is of no use here, and may be much.
            if not heard.is_set():
                said.append(line)
            if ready in line:
                heard.set()
    process.wait()
    heard.set()
