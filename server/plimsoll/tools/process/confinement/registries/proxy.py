"""The proxy of one confined command: it listens inside the command's sandbox, and nowhere else.

A host is looked up only after it was found in the list, and connected to at the address that was
looked at. What goes through a tunnel is TLS of the client's own, which checks the certificate.
"""

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from plimsoll.network.tunnels import authorization
from plimsoll.tools.process.confinement.registries.client_hello import (
    LONGEST_HELLO,
    NoHello,
    server_name,
)
from plimsoll.tools.process.confinement.registries.handover import take_listener
from plimsoll.tools.process.confinement.registries.hosts import (
    HTTP_PORT,
    HTTPS_PORT,
    Registries,
)
from plimsoll.tools.process.confinement.registries.record import ProxyRecord, RegistryRefusal
from plimsoll.tools.process.confinement.registries.relay import (
    ProxyBounds,
    TooMuch,
    Volume,
    finish,
    relay,
)
from plimsoll.tools.process.confinement.registries.requests import (
    END_OF_HEAD,
    LONGEST_HEAD,
    MalformedRequest,
    RegistryRequest,
    read_request,
)
from plimsoll.tools.process.confinement.registries.upstream import (
    Forbidden,
    Streams,
    Unreachable,
    WayOut,
)

log = logging.getLogger(__name__)

_ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"
_PAUSE_SECONDS = 0.1


class Refused(Exception):
    """A request that is not served: the status and the text of the answer."""

    def __init__(self, status: str, why: str) -> None:
        super().__init__(why)
        self.status = status


class RegistryProxy:
    """Serves one command from its start to its end; whoever makes the proxy calls ``close``."""

    def __init__(
        self, registries: Registries, way_out: WayOut, bounds: ProxyBounds | None = None
    ) -> None:
        self.record = ProxyRecord()
        """What the command did not get."""
        self._registries = registries
        self._way_out = way_out
        self._bounds = bounds or ProxyBounds()
        self._volume = Volume(self._bounds)
        self._connections: set[asyncio.Task[None]] = set()
        self._serving: asyncio.Task[None] | None = None

    def start(self, handover: socket.socket) -> None:
        """Begin to serve when a listening socket arrives over this one, which the caller closes."""
        self._serving = asyncio.ensure_future(self._serve(handover))

    async def close(self) -> None:
        """End every connection."""
        if self._serving is not None:
            self._serving.cancel()
            await asyncio.gather(self._serving, return_exceptions=True)
        # Who was accepted just now has begun after that, and closes its socket.
        await asyncio.sleep(0)
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _serve(self, handover: socket.socket) -> None:
        listener = await take_listener(handover)
        if listener is None:
            self.record.note(RegistryRefusal("unheard"))
            return
        with listener:
            await self._accept(listener)

    async def _accept(self, listener: socket.socket) -> None:
        own = asyncio.Semaphore(self._bounds.connections)
        while True:
            # Before, so that whoever makes a thousand waits in the kernel, and no editor for it.
            await own.acquire()
            await self._way_out.places.acquire()
            try:
                client = await _accept_client(listener)
            except asyncio.CancelledError:
                self._way_out.places.release()
                raise
            task = asyncio.ensure_future(self._attend(client))
            self._connections.add(task)
            for done in (self._connections.discard, _releasing(own, self._way_out.places)):
                task.add_done_callback(done)

    async def _attend(self, client: socket.socket) -> None:
        # Of a command that goes away nothing is to be said.
        with contextlib.suppress(OSError, EOFError):
            streams = await _streams(client)
            async with _ending(streams[1], self._bounds.idle_seconds):
                await self._answer(streams)

    async def _answer(self, client: Streams) -> None:
        try:
            wanted = await self._read_request(client[0])
            registry = await self._connect(wanted)
        except Refused as refused:
            await _refuse(client, refused)
            return
        async with _ending(registry[1], self._bounds.idle_seconds):
            try:
                if wanted.method is None:
                    await self._tunnel(client, registry, wanted.host)
                else:
                    await relay(client, registry, self._volume, sends=False)
            except TooMuch:
                self.record.note(RegistryRefusal("volume", wanted.host))

    async def _read_request(self, reader: asyncio.StreamReader) -> RegistryRequest:
        """Read a client's request, and refuse it where its host is no registry."""
        try:
            async with asyncio.timeout(self._bounds.first_seconds):
                head = await reader.readuntil(END_OF_HEAD)
            self._volume.send(len(head))
            wanted = read_request(head)
        except asyncio.LimitOverrunError:
            raise self._refuse_malformed("its head is too long") from None
        except MalformedRequest as error:
            raise self._refuse_malformed(str(error)) from None
        except TooMuch:
            self.record.note(RegistryRefusal("volume"))
            raise Refused("403 Forbidden", "this command has sent too much") from None
        ports = self._registries.ports(wanted.host)
        port = HTTPS_PORT if wanted.method is None else HTTP_PORT
        if wanted.port != port or port not in ports:
            kind = "port" if ports else "unlisted"
            self.record.note(RegistryRefusal(kind, wanted.host))
            raise Refused("403 Forbidden", f"{wanted.host}:{wanted.port} is not a package registry")
        return wanted

    def _refuse_malformed(self, why: str) -> Refused:
        self.record.note(RegistryRefusal("malformed", why))
        return Refused("400 Bad Request", why)

    async def _connect(self, wanted: RegistryRequest) -> Streams:
        """Connect to the registry of a request, and send the request on if it is plain http."""
        host, port = wanted.host, wanted.port
        try:
            proxy = self._way_out.company_proxy(host, port)
            if proxy is None:
                listed = host in self._registries.listed
                registry = await self._way_out.connect(host, port, listed=listed)
            elif wanted.method is None:
                registry = await self._way_out.tunnel(proxy, host, port)
            else:
                registry = await self._way_out.to_proxy(proxy)
        except Forbidden as error:
            log.warning("a registry was not reached: %s leads to %s", host, error)
            self.record.note(RegistryRefusal("address", host))
            why = f"{host} leads to {error}, which is no address of a registry"
            raise Refused("403 Forbidden", why) from None
        except Unreachable as error:
            raise Refused("502 Bad Gateway", f"{host}: {error}") from None
        if wanted.method is not None:
            told = authorization(proxy) if proxy else None
            registry[1].write(wanted.head(through=told, absolute=proxy is not None))
        return registry

    async def _tunnel(self, client: Streams, registry: Streams, host: str) -> None:
        """Relay a TLS connection, if its first message names the same server as the request."""
        client[1].write(_ESTABLISHED)
        async with asyncio.timeout(self._bounds.first_seconds):
            hello = await self._hello(client[0], host)
        if hello is None:
            self.record.note(RegistryRefusal("server", host))
            return
        registry[1].write(hello)
        await relay(client, registry, self._volume, sends=True)

    async def _hello(self, reader: asyncio.StreamReader, host: str) -> bytes | None:
        """Return the first TLS message and the bytes behind it; None if it names another server."""
        data = b""
        while len(data) <= LONGEST_HELLO and (piece := await reader.read(LONGEST_HELLO)):
            data += piece
            self._volume.send(len(piece))
            try:
                named = server_name(data)
            except NoHello:
                return None
            if named is not None:
                return data if named == host else None
        if len(data) > LONGEST_HELLO:
            return None
        raise EOFError


async def _accept_client(listener: socket.socket) -> socket.socket:
    while True:
        try:
            return (await asyncio.get_running_loop().sock_accept(listener))[0]
        except OSError:
            # No descriptor is left just now, or the client has gone.
            await asyncio.sleep(_PAUSE_SECONDS)


async def _streams(client: socket.socket) -> Streams:
    try:
        return await asyncio.open_connection(sock=client, limit=LONGEST_HEAD)
    except BaseException:
        client.close()
        raise


def _releasing(*places: asyncio.Semaphore) -> Callable[[object], None]:
    def release(_: object) -> None:
        for place in places:
            place.release()

    return release


async def _refuse(client: Streams, refused: Refused) -> None:
    body = f"Plimsoll's sandbox: {refused}.\n".encode("ascii", "replace")
    head = (
        f"HTTP/1.1 {refused.status}\r\nContent-Type: text/plain\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    client[1].write(head.encode("ascii") + body)
    await finish(client)


@asynccontextmanager
async def _ending(writer: asyncio.StreamWriter, seconds: float) -> AsyncGenerator[None]:
    """Close a connection after the block once all bytes are sent; if the block fails, at once."""
    try:
        yield
        writer.close()
        async with asyncio.timeout(seconds):
            await writer.wait_closed()
    finally:
        writer.transport.abort()
