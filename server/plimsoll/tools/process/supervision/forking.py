"""The loop of the fork server: for every message it forks a supervisor, and waits for nothing.

A message brings four descriptors: the pipe that says what to run and then what is wished of it, the
command's output, the pipe that tells how it went, and the socket by which one that listens in the
sandbox is handed over. The end of the connection, which a killed
server leaves behind too, ends this process; the supervisors that run are ended by their own pipes.

Standard library only: it runs without the packages that Plimsoll needs.
"""

import contextlib
import gc
import json
import os
import signal
import socket

from plimsoll.tools.process.supervision import supervisor

_DESCRIPTORS, _STATUS = 4, 2
# None is there on macOS; a program is started only after all of them were closed.
_CLOSED_BY_EXEC: int = getattr(socket, "MSG_CMSG_CLOEXEC", 0)


def serve() -> None:
    """Fork a supervisor for every message on standard input, until that ends."""
    connection = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    # The system reaps those that nobody waits for.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    # What is loaded stays shared with those that are forked.
    gc.freeze()
    while True:
        message, descriptors, _, _ = socket.recv_fds(connection, 1, _DESCRIPTORS, _CLOSED_BY_EXEC)
        if not message:
            return
        # Without room for descriptors some are missing: the closed pipes say that nothing began.
        if len(descriptors) == _DESCRIPTORS:
            _fork(connection, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)


def _fork(connection: socket.socket, descriptors: list[int]) -> None:
    try:
        process = os.fork()
    except OSError as error:
        # The machine has no room for one more process now.
        _tell(descriptors[_STATUS], error)
        return
    if process:
        return
    try:
        connection.close()
        _supervise(descriptors)
    except BaseException as error:
        _tell(_STATUS, error)
        raise
    finally:
        # Never back into the loop.
        os._exit(0)


def _tell(status: int, error: BaseException) -> None:
    said = error.strerror if isinstance(error, OSError) else f"{type(error).__name__}: {error}"
    # The server may be gone.
    with contextlib.suppress(BrokenPipeError):
        os.write(status, json.dumps({"error": said}).encode() + b"\n")


def _supervise(descriptors: list[int]) -> None:
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for target, descriptor in enumerate(descriptors):
        os.dup2(descriptor, target, inheritable=target != supervisor.HANDOVER)
        os.close(descriptor)
    supervisor.main()
