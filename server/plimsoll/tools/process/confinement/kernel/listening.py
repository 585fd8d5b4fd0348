"""A socket that listens inside the network of a command, made there from outside of it."""

import fcntl
import os
import socket
from pathlib import Path
from typing import NamedTuple

from plimsoll.tools.process.confinement.kernel import linux
from plimsoll.tools.process.confinement.kernel.calls import C, check

_WAITING = 128


class Listener(NamedTuple):
    """A socket to be opened on the loopback of a name space, for a server outside of it."""

    port: int
    handover: int
    """The descriptor by which it is handed over."""


def listen_inside(member: int, listener: Listener) -> None:
    """Make a socket listen on the loopback of a process's network, and send it to the server.

    The connection to the server is closed if that fails. Never on the machine's own loopback.
    """
    process = os.fork()
    if process:
        os.close(listener.handover)
        os.waitpid(process, 0)
        return
    try:
        space = os.open(f"/proc/{member}/ns/net", os.O_RDONLY | os.O_CLOEXEC)
        if os.fstat(space).st_ino != Path("/proc/self/ns/net").stat().st_ino:
            check(
                C.setns(fcntl.ioctl(space, linux.NS_GET_USERNS), linux.CLONE_NEWUSER),
                "name space of users",
            )
            check(C.setns(space, linux.CLONE_NEWNET), "name space of networks")
            made = socket.create_server(("127.0.0.1", listener.port), backlog=_WAITING)
            socket.send_fds(socket.socket(fileno=listener.handover), [b"l"], [made.fileno()])
    finally:
        os._exit(0)
