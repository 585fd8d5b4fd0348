"""Who may be the client of `serve --tcp`: the first that shows the token of the server.

Any user of the machine can connect to a port of the loopback. So the first message has to be an
`initialize` with the token; nothing else is answered or read before, and what does not show it is
told so and cut off. Several may knock at a time: one that says nothing keeps nobody out.
"""

import asyncio
import hmac
import json
import logging
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from plimsoll.lsp.codes import REQUEST_FAILED
from plimsoll.lsp.transport.bodies import BodyRefused, member, read_body
from plimsoll.lsp.transport.channel import SocketChannel
from plimsoll.lsp.transport.framing import FrameDecoder, FramingLost, Limits

MOST_TRIES = 5
"""So many may come without the right token; then the server ends."""
MOST_AT_ONCE = 16
SECONDS = 10.0
"""How long a first message may take."""
FIRST_BYTES = 4 * 1024 * 1024
_PIECE = 64 * 1024
_LAST_SECONDS = 1.0

REFUSED = (
    "This server takes no client without its token. Give it as initializationOptions.plimsoll.token"
    ": it stands in the file that the server named on its standard error when it began to listen."
)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Token:
    """The secret that a client has to show, and the file of mode 0600 that holds it."""

    text: str = field(repr=False)
    place: Path

    def is_shown_by(self, message: object) -> bool:
        """Tell whether a message is an `initialize` with this token; compares in constant time."""
        options = member(member(member(message, "params"), "initializationOptions"), "plimsoll")
        shown = member(options, "token")
        given = shown.encode("utf-8", "surrogatepass") if isinstance(shown, str) else b""
        is_right = hmac.compare_digest(given, self.text.encode())
        return is_right and member(message, "method") == "initialize"

    def remove(self) -> None:
        """Remove the file: nobody is let in any more."""
        self.place.unlink(missing_ok=True)


async def admit(
    listener: socket.socket, token: Token, on_enough: Callable[[], None]
) -> SocketChannel:
    """Wait for the one client that shows the token, and close the listener.

    ``on_enough`` is called when too many came without it; then nobody is let in any more.
    """
    gate = _Knocking(token, on_enough)
    listener.setblocking(False)
    with listener:
        try:
            return await gate.first(listener)
        finally:
            await gate.close()


class _Knocking:
    """The connections that have not shown the token yet, all read at once."""

    def __init__(self, token: Token, on_enough: Callable[[], None]) -> None:
        self._token = token
        self._on_enough = on_enough
        self._tries = 0
        self._heard: set[asyncio.Task[None]] = set()
        self._admitted: asyncio.Future[SocketChannel] = asyncio.Future()

    async def first(self, listener: socket.socket) -> SocketChannel:
        opening = asyncio.ensure_future(self._open(listener))
        try:
            return await self._admitted
        finally:
            opening.cancel()
            await asyncio.wait([opening])

    async def close(self) -> None:
        """Close the connections that have not shown the token."""
        for task in self._heard:
            task.cancel()
        if self._heard:
            await asyncio.wait(self._heard)

    async def _open(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while self._tries < MOST_TRIES:
            connection, _ = await loop.sock_accept(listener)
            if len(self._heard) >= MOST_AT_ONCE:
                connection.close()
                continue
            task = asyncio.ensure_future(self._hear(connection))
            self._heard.add(task)
            task.add_done_callback(self._heard.discard)

    async def _hear(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        admitted = False
        try:
            admitted = await self._has_shown(connection)
        except (OSError, TimeoutError, FramingLost, BodyRefused) as error:
            log.info("somebody who connected was cut off: %s", type(error).__name__)
        finally:
            if not admitted:
                connection.close()

    async def _has_shown(self, connection: socket.socket) -> bool:
        async with asyncio.timeout(SECONDS):
            message, read = await _first_message(connection)
        if self._admitted.done() or self._tries >= MOST_TRIES:
            return False
        if self._token.is_shown_by(message):
            connection.setblocking(True)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._admitted.set_result(SocketChannel(connection, read))
            return True
        self._tries += 1
        if self._tries == MOST_TRIES:
            self._on_enough()
        await _refuse(connection, message)
        return False


async def _first_message(connection: socket.socket) -> tuple[object, bytes]:
    """Return the first message, and the bytes that were read after it.

    Raises:
        EOFError, FramingLost, BodyRefused: There is none.
    """
    loop, decoder, read = asyncio.get_running_loop(), FrameDecoder(_LIMITS), b""
    while data := await loop.sock_recv(connection, _PIECE):
        read += data
        for frame in decoder.feed(data):
            return read_body(frame), read
    raise ConnectionResetError("it ended before its first message")


_LIMITS = Limits(message=FIRST_BYTES, skip=FIRST_BYTES)


async def _refuse(connection: socket.socket, message: object) -> None:
    """Answer a refused request with the error; read unread bytes, or the answer would be lost."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(_LAST_SECONDS):
        if member(message, "id") is not None:
            data = {"kind": "tokenRefused", "retry": False}
            error = {"code": REQUEST_FAILED, "message": REFUSED, "data": data}
            answer = {"jsonrpc": "2.0", "id": member(message, "id"), "error": error}
            body = json.dumps(answer).encode()
            await loop.sock_sendall(connection, b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        connection.shutdown(socket.SHUT_WR)
        while await loop.sock_recv(connection, _PIECE):
            continue
