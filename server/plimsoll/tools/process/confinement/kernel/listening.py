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
    """A socket that is to listen on the loopback of a name space, for somebody outside of it."""

    port: int
    handover: int
    """The descriptor by which it is handed over."""


def listen_inside(member: int, listener: Listener) -> None:
    """Let a socket listen on the loopback of the network that a process is in, and hand it over.

    Whoever waits at the other end sees it end if that fails. Never on the machine's own loopback.
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
