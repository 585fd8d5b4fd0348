"""A proxy on loopback, plain or with a password, well-behaved or not; and a server of a model."""

import asyncio
import base64
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from typing import Literal

from providers.support import WHOLE

Manner = Literal["serves", "hangs", "cuts", "refuses", "fails", "ntlm"]
ANSWER = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: %d\r\n\r\n%b" % (
    len(WHOLE),
    WHOLE,
)
_REFUSALS = {
    "refuses": b"403 Forbidden\r\n",
    "fails": b"502 Bad Gateway\r\n",
    "ntlm": b"407 Login\r\nProxy-Authenticate: Negotiate\r\nProxy-Authenticate: NTLM\r\n",
}
LOGIN = b"407 Login\r\nProxy-Authenticate: Basic realm=x\r\n"


@dataclass
class FakeProxy:
    """What it was asked, and how it behaves."""

    leads_to: int
    """The port on loopback to which every tunnel leads."""
    manner: Manner = "serves"
    login: str | None = None
    """``user:password`` that it wants."""
    asked: list[str] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    came: asyncio.Event = field(default_factory=asyncio.Event)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, EOFError), closing(writer):
            await self._answer(reader, writer)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.asked.append(head.split("\r\n")[0])
        self.heads.append(head)
        self.came.set()
        if self.manner == "hangs":
            await reader.read()
        elif self.manner == "serves":
            await self._serve(head, reader, writer)
        elif self.manner != "cuts":
            await _send(writer, _REFUSALS[self.manner])

    async def _serve(
        self, head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        coded = base64.b64encode((self.login or "").encode()).decode()
        if self.login is not None and f"Basic {coded}" not in head:
            await _send(writer, LOGIN)
        elif not head.startswith("CONNECT"):
            writer.write(ANSWER)
            await writer.drain()
        else:
            there = await asyncio.open_connection("127.0.0.1", self.leads_to)
            writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
            await asyncio.gather(_copy(reader, there[1]), _copy(there[0], writer))


async def _send(writer: asyncio.StreamWriter, refusal: bytes) -> None:
    writer.write(b"HTTP/1.1 " + refusal + b"Content-Length: 0\r\n\r\n")
    await writer.drain()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    finally:
        writer.close()


@asynccontextmanager
async def fake_proxy(leads_to: int = 0, **how: object) -> AsyncGenerator[FakeProxy]:
    proxy = FakeProxy(leads_to, **how)
    async with await asyncio.start_server(proxy.attend, "127.0.0.1", 0) as server:
        proxy.port = server.sockets[0].getsockname()[1]
        yield proxy


@asynccontextmanager
async def model_over(context: ssl.SSLContext | None) -> AsyncGenerator[int]:
    """Serve one whole answer to each request; yields the port."""

    async def attend(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, EOFError), closing(writer):
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = next(
                    int(line.split(b":")[1])
                    for line in head.split(b"\r\n")
                    if line.lower().startswith(b"content-length:")
                )
                await reader.readexactly(length)
                writer.write(ANSWER)
                await writer.drain()

    async with await asyncio.start_server(attend, "127.0.0.1", 0, ssl=context) as server:
        yield server.sockets[0].getsockname()[1]
