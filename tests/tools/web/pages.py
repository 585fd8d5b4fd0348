"""A server of pages on loopback, plain or with TLS, that notes what it was asked."""

import asyncio
import gzip
import ssl
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field

from plimsoll.network.proxies import Network
from plimsoll.tools import Web, WebRules

NAME = "docs.example.invalid"
"""A name of the certificate that the authority of the tests makes."""


@dataclass
class Pages:
    """What it serves, and what it was asked."""

    answers: dict[str, bytes] = field(default_factory=dict)
    """The whole answer by its target; of any other it is a page of one line."""
    heads: list[str] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    names: list[str | None] = field(default_factory=list)
    """The names for which TLS was begun (SNI)."""
    came: asyncio.Event = field(default_factory=asyncio.Event)
    """Set with the first byte of a client."""
    left: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a client has ended its connection before it had asked for anything."""
    port: int = 0

    async def attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, EOFError), closing(writer):
            head = await self._head(reader)
            self.heads.append(head)
            if "Content-Length: " in head:
                length = int(head.partition("Content-Length: ")[2].split("\r\n")[0])
                self.bodies.append(await reader.readexactly(length))
            answer = self.answers.get(head.split(" ")[1], page(b"Ships.", "text/plain"))
            writer.write(answer)
            await writer.drain()
            if answer.endswith(b"hang"):
                await reader.read()

    async def _head(self, reader: asyncio.StreamReader) -> str:
        try:
            first = await reader.readexactly(1)
            self.came.set()
            return (first + await reader.readuntil(b"\r\n\r\n")).decode()
        except EOFError:
            self.left.set()
            raise


def page(body: bytes, kind: str = "text/html; charset=utf-8", *more: str, status: str = "200 OK"):
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *more]
    lines += [f"Content-Type: {kind}"] if kind else []
    return "\r\n".join([*lines, "", ""]).encode() + body


def redirect(place: str) -> bytes:
    return page(b"", "", f"Location: {place}", status="302 Found")


def packed(body: bytes, kind: str = "text/plain") -> bytes:
    return page(gzip.compress(body), kind, "Content-Encoding: gzip")


@asynccontextmanager
async def serving(context: ssl.SSLContext | None = None) -> AsyncGenerator[Pages]:
    pages = Pages()
    if context is not None:
        context.sni_callback = lambda _socket, name, _context: pages.names.append(name)
    server = await asyncio.start_server(pages.attend, "127.0.0.1", 0, ssl=context)
    pages.port = server.sockets[0].getsockname()[1]
    async with server:
        yield pages


def resolving(addresses: dict[str, Sequence[str]]) -> Callable:
    """A resolver that knows these names; each further question gets the next answer."""
    left = {name: list(answers) for name, answers in addresses.items()}

    async def resolve(host: str, port: int) -> list[tuple[str, int]]:
        if host not in left:
            raise OSError(host)
        answers = left[host]
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        return [(address, port) for address in answer.split(",")]

    return resolve


def web(resolve: Callable | None = None, network: Network | None = None, **rules: object) -> Web:
    """The web under the rules of a person; the loopback is allowed by name alone."""
    allowed = {"fetch": True, "allow_hosts": (NAME, "127.0.0.1"), **rules}
    found = resolve or resolving({NAME: ["127.0.0.1"], "127.0.0.1": ["127.0.0.1"]})
    return Web(lambda: WebRules(**allowed), lambda: network or Network(), found)
