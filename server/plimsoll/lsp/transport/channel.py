"""The connection: standard streams or a loopback socket, and the threads that read and write it.

The reader hands whole messages to the event loop. A client that does not read blocks no one: a
waiting droppable message gives way to a newer one of its key, whoever sends much looks at `waiting`
first, and nothing else is ever dropped. A client that takes nothing for `STALL_SECONDS` while what
may not be dropped is over the bound is dead; one that ended is noticed by its streams and its id.
"""

import asyncio
import ipaddress
import itertools
import os
import socket
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from plimsoll.errors import InvalidInput
from plimsoll.lsp.transport.framing import (
    MESSAGE_LIMIT,
    BodyRefused,
    FrameDecoder,
    FramingLost,
    Oversized,
    member,
    read_body,
)

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
        """``read``: what came already; it comes first."""
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
    """Keep standard input and output for the wire alone.

    From here on whatever prints writes to standard error, and whoever reads standard input, a child
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
    """Read `HOST:PORT`, where the host must be this machine.

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


# Messages read and not yet taken by the loop may hold so many bytes; beyond that, reading waits.
BACKLOG_BYTES = 2 * MESSAGE_LIMIT
# What a parsed message weighs beside its bytes: 100,000 tiny ones are a load, too.
MESSAGE_WEIGHT = 1024


@dataclass(frozen=True, slots=True)
class Ends:
    """Callbacks of the reading thread: the client has introduced itself, or left."""

    on_client_named: Callable[[object], None]
    """Takes the process id that `initialize` brings, as it came."""
    on_exit_read: Callable[[], None]
    on_end: Callable[[], None]
    on_framing_lost: Callable[[FramingLost], None]


class ChannelReader:
    """Reads one channel for one loop."""

    def __init__(
        self,
        channel: Channel,
        loop: asyncio.AbstractEventLoop,
        receive: Callable[[object | BodyRefused], None],
        ends: Ends,
    ) -> None:
        self.receive = receive
        """Takes each message on the event loop; may be replaced there."""
        self._channel = channel
        self._loop = loop
        self._ends = ends
        self._waiting = 0
        self._taken = threading.Condition()

    def start(self) -> None:
        """Begin to read."""
        threading.Thread(target=self._run, name="plimsoll-reader", daemon=True).start()

    def _run(self) -> None:
        decoder = FrameDecoder()
        try:
            while data := self._read():
                for frame in decoder.feed(data):
                    self._hand_over(frame)
        except FramingLost as error:
            self._ends.on_framing_lost(error)
        else:
            self._ends.on_end()

    def _read(self) -> bytes:
        try:
            return self._channel.read()
        except OSError:
            # A reset connection is an end like any other: there is no one to tell.
            return b""

    def _hand_over(self, frame: bytes | Oversized) -> None:
        message = _message(frame)
        method = member(message, "method")
        if method == "initialize":
            # The server is loaded seconds later, and the client may be gone by then.
            self._ends.on_client_named(member(member(message, "params"), "processId"))
        elif method == "exit":
            # The loop may be stuck in a handler and never come to it.
            self._ends.on_exit_read()
        weight = MESSAGE_WEIGHT + (len(frame) if isinstance(frame, bytes) else 0)
        with self._taken:
            self._taken.wait_for(lambda: self._waiting + weight <= BACKLOG_BYTES)
            self._waiting += weight
        self._loop.call_soon_threadsafe(self._deliver, message, weight)

    def _deliver(self, message: object | BodyRefused, weight: int) -> None:
        with self._taken:
            self._waiting -= weight
            self._taken.notify()
        self.receive(message)


def _message(frame: bytes | Oversized) -> object | BodyRefused:
    try:
        return read_body(frame)
    except BodyRefused as refused:
        return refused


QUEUE_LIMIT = 16 * 1024 * 1024
STALL_SECONDS = 120.0
"""An editor that was suspended, or stands at a breakpoint, lives on."""
CHUNK = 64 * 1024


class Backlog:
    """Framed messages in the order in which they are to be written; sizes in bytes. Pure."""

    def __init__(self) -> None:
        # An integer keys what must be written, a string what a newer one may replace.
        self._messages: OrderedDict[int | str, bytes] = OrderedDict()
        self._numbers = itertools.count()
        self.size = 0
        self.undroppable = 0

    def __bool__(self) -> bool:
        return bool(self._messages)

    def add(self, data: bytes, key: str | None) -> None:
        """Append one message; a waiting one of the same key goes."""
        if key is None:
            self.undroppable += len(data)
        else:
            self.size -= len(self._messages.pop(key, b""))
        self._messages[next(self._numbers) if key is None else key] = data
        self.size += len(data)

    def take(self, at_least: int) -> bytes:
        """Remove whole messages from the front until so many bytes are together, or all."""
        batch: list[bytes] = []
        taken = 0
        while self._messages and taken < at_least:
            key, data = self._messages.popitem(last=False)
            batch.append(data)
            taken += len(data)
            self.undroppable -= len(data) if isinstance(key, int) else 0
        self.size -= taken
        return b"".join(batch)

    def clear(self) -> None:
        """Forget all."""
        self._messages.clear()
        self.size = self.undroppable = 0


class WriteQueue:
    """Takes framed messages from any thread and writes them in order on its own."""

    def __init__(
        self,
        write: Callable[[bytes], None],
        on_dead: Callable[[str], None],
        *,
        limit: int = QUEUE_LIMIT,
        stall_seconds: float = STALL_SECONDS,
    ) -> None:
        self._write = write
        self._on_dead = on_dead
        self._limit = limit
        self._stall_seconds = stall_seconds
        self._backlog = Backlog()
        self._writing = False
        self._dead = False
        self._moved_at = time.monotonic()
        self._changed = threading.Condition()

    def start(self) -> None:
        """Begin to write."""
        threading.Thread(target=self._run, name="plimsoll-writer", daemon=True).start()

    def put(self, data: bytes, key: str | None = None) -> None:
        """Queue one message; never blocks, and drops it when the client is gone."""
        with self._changed:
            if self._dead:
                return
            if self._idle():
                self._moved_at = time.monotonic()
            self._backlog.add(data, key)
            self._changed.notify_all()
        self.check()

    @property
    def waiting(self) -> int:
        """How many bytes wait to be written."""
        return self._backlog.size

    def check(self) -> None:
        """Declare the client dead when it has stalled; called on each put and by the watch."""
        stalled_for = time.monotonic() - self._moved_at
        if self._backlog.undroppable > self._limit and stalled_for > self._stall_seconds:
            self._die(f"the client has read nothing for {stalled_for:.0f} s")

    def drain(self, seconds: float) -> bool:
        """Wait until all is written, at most so long; whether it is."""
        with self._changed:
            return self._changed.wait_for(self._idle, timeout=seconds)

    def _idle(self) -> bool:
        return self._dead or not (self._backlog or self._writing)

    def _run(self) -> None:
        try:
            while True:
                self._write_slices(self._take())
        except OSError as error:
            self._die(f"the client no longer reads ({error.strerror})")

    def _take(self) -> bytes:
        with self._changed:
            self._writing = False
            self._changed.notify_all()
            self._changed.wait_for(lambda: bool(self._backlog))
            self._writing = True
            return self._backlog.take(CHUNK)

    def _write_slices(self, data: bytes) -> None:
        for start in range(0, len(data), CHUNK):
            self._write(data[start : start + CHUNK])
            self._moved_at = time.monotonic()

    def _die(self, reason: str) -> None:
        with self._changed:
            if self._dead:
                return
            self._dead = True
            self._backlog.clear()
            self._changed.notify_all()
        self._on_dead(reason)
