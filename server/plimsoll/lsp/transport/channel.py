"""The connection of a client: standard streams, or a loopback socket that it is waited for at."""

import ipaddress
import os
import socket
import sys
from typing import Protocol

from plimsoll.errors import InvalidInput

READ_BYTES = 64 * 1024


class Channel(Protocol):
    """Two blocking byte streams, each used by one thread of its own."""

    def read(self) -> bytes:
        """Wait for bytes; empty at the end.

        Raises:
            OSError: when the other side is gone.
        """
        ...

    def write(self, data: bytes) -> None:
        """Write all of it.

        Raises:
            OSError: when the other side is gone.
        """
        ...


class DescriptorChannel:
    """Two file descriptors of this process."""

    def __init__(self, read_from: int, write_to: int) -> None:
        self._read_from = read_from
        self._write_to = write_to

    def read(self) -> bytes:
        """Wait for bytes; empty at the end."""
        return os.read(self._read_from, READ_BYTES)

    def write(self, data: bytes) -> None:
        """Write all of it."""
        view = memoryview(data)
        while view:
            view = view[os.write(self._write_to, view) :]


class SocketChannel:
    """One connected socket."""

    def __init__(self, connection: socket.socket, read: bytes = b"") -> None:
        """``read``: bytes already received, which are returned first."""
        self._connection = connection
        self._read = read

    def read(self) -> bytes:
        """Wait for bytes; empty at the end."""
        read, self._read = self._read, b""
        return read or self._connection.recv(READ_BYTES)

    def write(self, data: bytes) -> None:
        """Write all of it."""
        self._connection.sendall(data)


def take_stdio() -> DescriptorChannel:
    """Return duplicates of standard input and output, which only the wire uses from now on.

    From now on prints go to standard error, and whoever reads standard input, a child
    process too, finds it empty. The duplicates are not inherited.
    """
    sys.stdout.flush()
    read_from, write_to = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return DescriptorChannel(read_from, write_to)


def loopback_address(address: str) -> tuple[str, int]:
    """Parse `HOST:PORT`, where the host must be this machine.

    Raises:
        InvalidInput: when it is no such address.
    """
    host, _, port = address.rpartition(":")
    host = host.strip("[]").replace("localhost", "127.0.0.1")
    try:
        local = ipaddress.ip_address(host).is_loopback
        number = int(port)
    except ValueError:
        local, number = False, 0
    if not local or not 0 <= number <= 65535:
        raise InvalidInput(
            f"{address!r} is not an address of this machine.",
            remedy="The debugging server listens on loopback alone: try 127.0.0.1:0.",
        )
    return host, number


def listen(host: str, port: int) -> socket.socket:
    """Open a listener on a loopback address.

    Raises:
        InvalidInput: when the address cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.bind((host, port))
        listener.listen(16)
    except OSError as error:
        listener.close()
        raise InvalidInput(
            f"Cannot listen on {host}:{port}: {error.strerror}.",
            remedy="Choose another port; 0 takes a free one.",
        ) from error
    return listener
