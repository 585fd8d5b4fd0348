"""The connection to the one client: what comes in, what waits to be written, how the process ends.

Nothing here needs pygls or lsprotocol, so that `initialize` can be answered before they are loaded.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, cast

from plimsoll.lsp.codes import PARSE_ERROR
from plimsoll.lsp.dispatch.lifecycle import (
    EXIT_FRAMING_LOST,
    EXIT_WITHOUT_SHUTDOWN,
    ClientWatch,
    Lifecycle,
    say,
    watch_signals,
)
from plimsoll.lsp.transport.channel import Channel, listen, loopback_address, take_stdio
from plimsoll.lsp.transport.framing import BY_LENGTH, Framing, FramingLost
from plimsoll.lsp.transport.reader import ChannelReader, Ends
from plimsoll.lsp.transport.sender import Sender
from plimsoll.lsp.transport.writer import WriteQueue

if TYPE_CHECKING:
    from plimsoll.lsp.transport.admission import Token

DRAIN_SECONDS = 0.2

log = logging.getLogger(__name__)


class Receiver(Protocol):
    """Receives the client's messages; called on the event loop, except `exit_code`."""

    def receive(self, message: object) -> None:
        """Take one parsed message, or why it was refused."""
        ...

    async def cancel_running(self) -> None:
        """Cancel the running requests and wait until they have ended."""
        ...

    def exit_code(self) -> int:
        """Return the exit code of a process that ends now; from any thread."""
        ...


class Connection:
    """The connection to the one client of this process, which ends when it is closed."""

    def __init__(self, framing: Framing = BY_LENGTH) -> None:
        self.lifecycle = Lifecycle()
        self.framing = framing
        self.queue: WriteQueue | None = None
        """What waits for the client to read it; none before there is a client."""
        self._receiver: Receiver | None = None
        self._reader: ChannelReader | None = None
        self._senders: list[Sender] = []
        self._watch = ClientWatch(lambda: self.close("the client is gone"), self._check_queue)

    def connect(self, sender: Sender) -> None:
        """Let a sender write to the client, as soon as there is one."""
        self._senders.append(sender)
        if self.queue is not None:
            sender.connect(self.queue.put)

    def hand_over(self, receiver: Receiver) -> None:
        """Pass all further messages to another receiver; to be called on the event loop."""
        self._receiver = receiver
        if self._reader is not None:
            self._reader.receive = receiver.receive

    def close(self, reason: str) -> None:
        """Begin the end of the process, from any thread."""
        self.lifecycle.close(reason, self._exit_code)

    def run_stdio(self, receiver: Receiver) -> None:
        """Serve one client over standard input and output, and end the process."""
        channel = take_stdio()
        self._run(receiver, lambda: _ready(channel))

    def run_tcp(self, receiver: Receiver, address: str, token: Token) -> None:
        """Serve the client of a loopback `HOST:PORT` that shows the token, and end the process.

        Raises:
            InvalidInput: when the address is no loopback address or cannot be had.
        """
        # Loaded late: standard streams need none of it, and start-up time is a promise.
        from plimsoll.lsp.transport.admission import admit

        listener = listen(*loopback_address(address))
        host, port = cast("tuple[str, int]", listener.getsockname()[:2])

        async def accept() -> Channel:
            # Signals are watched by now: whoever reads this may already send one.
            say(f"a client shows the token that stands in {token.place}")
            say(f"listening on {host}:{port}")
            channel = await admit(listener, token, end_server)
            token.remove()
            return channel

        def end_server() -> None:
            say("too many came without the token: the server ends, start it again")
            self.close("too many came without the token")

        self.lifecycle.before_exit(token.remove)
        self._run(receiver, accept)

    def _run(self, receiver: Receiver, connect: Callable[[], Awaitable[Channel]]) -> None:
        self._receiver = receiver
        logging.getLogger("pygls").setLevel(logging.WARNING)
        watch_signals(self.close)
        try:
            asyncio.run(self._serve(receiver, connect))
        finally:
            self.lifecycle.close("the event loop ended", lambda: EXIT_WITHOUT_SHUTDOWN)
            self.lifecycle.leave()

    async def _serve(self, receiver: Receiver, connect: Callable[[], Awaitable[Channel]]) -> None:
        asyncio.get_running_loop().set_exception_handler(_log_defect)
        connected = asyncio.ensure_future(connect())
        ended = asyncio.ensure_future(self.lifecycle.wait())
        await asyncio.wait({connected, ended}, return_when=asyncio.FIRST_COMPLETED)
        if connected.done():
            self._attach(receiver, connected.result())
        await ended
        self.lifecycle.on_close(receiver.cancel_running)
        await self.lifecycle.run_on_close()
        if self.queue is not None:
            self.queue.drain(DRAIN_SECONDS)
        self.lifecycle.leave()

    def _attach(self, receiver: Receiver, channel: Channel) -> None:
        queue = self.queue = WriteQueue(channel.write, self.close)
        for sender in self._senders:
            sender.connect(queue.put)
        ends = Ends(
            on_client_named=self._watch.watch,
            on_exit_read=self.lifecycle.start_deadline,
            on_end=lambda: self.close("end of input"),
            on_framing_lost=self._framing_lost,
        )
        queue.start()
        self._watch.start()
        loop = asyncio.get_running_loop()
        self._reader = ChannelReader(channel, loop, receiver.receive, ends, framing=self.framing)
        self._reader.start()

    def _check_queue(self) -> None:
        if self.queue is not None:
            self.queue.check()

    def _exit_code(self) -> int:
        return EXIT_WITHOUT_SHUTDOWN if self._receiver is None else self._receiver.exit_code()

    def _framing_lost(self, error: FramingLost) -> None:
        say(f"{error.message} The client has to start the server again.")
        sender = Sender(plain_json, self.framing)
        self.connect(sender)
        sender.send({"id": None, "error": {"code": PARSE_ERROR, "message": error.message}})
        self.lifecycle.close(error.message, lambda: EXIT_FRAMING_LOST)


@contextmanager
def ended_unless_loaded(connection: Connection) -> Generator[None]:
    """End the process and say why if the block, which loads the server, raises; re-raises."""
    loaded = False
    try:
        yield
        loaded = True
    finally:
        if not loaded:
            # A server without its methods would refuse everything and never say why.
            say("the server could not be loaded; its log tells why")
            connection.close("not loaded")


def plain_json(value: object) -> object:
    """Refuse a value that `json` cannot write: messages written here are plain JSON.

    Raises:
        TypeError: always.
    """
    raise TypeError(f"A {type(value).__name__} is no JSON.")


async def _ready(channel: Channel) -> Channel:
    return channel


def _log_defect(_loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    # Loaded late: what describes an error knows those of pygls.
    from plimsoll.lsp.dispatch.faults import describe

    error = context.get("exception")
    told = describe(error) if isinstance(error, BaseException) else "no exception"
    # asyncio's own message quotes the arguments of the callback: a person's text.
    log.error("unforeseen on the event loop: %s", told)
