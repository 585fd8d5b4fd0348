"""A wire between a client and an engine that is slow, breaks at a commit, or says nothing."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from enum import Enum

Cut = Enum("Cut", ["BEFORE", "AFTER"])
"""Where a connection breaks: before the engine has the commit, or before its client knows it."""
CHUNK = 65_536


def never() -> None:
    """Cut nothing."""


class Proxy:
    """Passes on what clients and an engine say to each other, but for what it is told to do."""

    def __init__(self, port: int) -> None:
        self.port = 0
        self.one_way = 0.0
        """Seconds that each packet is under way."""
        self.is_silent = False
        """Whether nothing passes, though connections stay open."""
        self.cut_at_commit: Callable[[], Cut | None] = never
        """Asked at each commit."""
        self.cuts = 0
        self.sent = self.received = 0
        """Bytes from clients, and bytes to them."""
        self.exchanges = 0
        """How often a client has said something after the engine did: round trips."""
        self._engine = port
        self._wires = dict[_Wire, asyncio.Task[None]]()

    def before(self, url: str) -> str:
        """The address of a database of the engine by way of this."""
        return re.sub(r"port=\d+", f"port={self.port}", url)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        try:
            theirs = await asyncio.open_connection("127.0.0.1", self._engine)
        except OSError:
            writer.close()
            return
        wire = _Wire(self, (reader, writer), theirs)
        self._wires[wire] = task
        await wire.pass_on()
        del self._wires[wire]

    async def end(self) -> None:
        ending = [*self._wires.values()]
        for wire in self._wires:
            wire.end()
        await asyncio.gather(*ending)


class _Wire:
    """One connection."""

    def __init__(self, proxy: Proxy, client, engine) -> None:
        self._proxy = proxy
        self._from_client, self._to_client = client
        self._from_engine, self._to_engine = engine
        self._hides_answer = False
        self._client_spoke_last = False
        self._both: list[asyncio.Task[None]] = []

    async def pass_on(self) -> None:
        self._both = [asyncio.create_task(each) for each in (self._ask(), self._answer())]
        await asyncio.wait(self._both, return_when=asyncio.FIRST_COMPLETED)
        self.end()
        await asyncio.gather(*self._both, return_exceptions=True)
        for writer in (self._to_client, self._to_engine):
            writer.transport.abort()
            with suppress(OSError):
                await writer.wait_closed()

    def end(self) -> None:
        for each in self._both:
            each.cancel()

    async def _ask(self) -> None:
        """Pass on what the client says."""
        while data := await self._heard(self._from_client):
            self._proxy.sent += len(data)
            self._proxy.exchanges += not self._client_spoke_last
            self._client_spoke_last = True
            cut = self._proxy.cut_at_commit() if b"COMMIT\0" in data else None
            if cut is not None:
                self._proxy.cuts += 1
            if cut is Cut.BEFORE:
                return
            self._hides_answer = cut is Cut.AFTER
            self._to_engine.write(data)
            await self._to_engine.drain()

    async def _answer(self) -> None:
        """Pass on what the engine says."""
        while data := await self._heard(self._from_engine):
            if self._hides_answer:
                return
            self._proxy.received += len(data)
            self._client_spoke_last = False
            self._to_client.write(data)
            await self._to_client.drain()

    async def _heard(self, reader: asyncio.StreamReader) -> bytes:
        try:
            data = await reader.read(CHUNK)
        except OSError:
            return b""
        await asyncio.sleep(self._proxy.one_way)
        if self._proxy.is_silent:
            await asyncio.Event().wait()
        return data


@asynccontextmanager
async def between(port: int) -> AsyncIterator[Proxy]:
    """Have a wire to the engine at a port."""
    proxy = Proxy(port)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        await proxy.end()
        with suppress(TimeoutError):
            await asyncio.wait_for(server.wait_closed(), 5)
