"""The thread that reads a client's bytes, and hands whole messages to the event loop."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass

from plimsoll.lsp.transport.bodies import BodyRefused, member, read_body
from plimsoll.lsp.transport.channel import Channel
from plimsoll.lsp.transport.framing import (
    BY_LENGTH,
    MESSAGE_LIMIT,
    Framing,
    FramingLost,
    Oversized,
)

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
        *,
        framing: Framing = BY_LENGTH,
    ) -> None:
        self.receive = receive
        """Takes each message on the event loop; may be replaced there."""
        self._channel = channel
        self._loop = loop
        self._ends = ends
        self._framing = framing
        self._waiting = 0
        self._taken = threading.Condition()

    def start(self) -> None:
        """Begin to read."""
        threading.Thread(target=self._run, name="plimsoll-reader", daemon=True).start()

    def _run(self) -> None:
        decoder = self._framing.decoder()
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
