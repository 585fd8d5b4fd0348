"""Carries bytes between a command and a registry, within bounds."""

import asyncio
import contextlib
from dataclasses import dataclass

from plimsoll.tools.process.confinement.registries.upstream import Streams

_PIECE = 65_536
_LINGER_SECONDS = 1.0


class TooMuch(Exception):
    """The limit of bytes that a command may send or fetch is exceeded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxyBounds:
    """The limits of the proxy for one command; no build comes near them."""

    connections: int = 32
    """At once; more wait until one has ended."""
    first_seconds: float = 20.0
    """For a request, and for the first message of TLS after it."""
    idle_seconds: float = 300.0
    sent_bytes: int = 16 * 2**20
    """From the command to all registries together: what it asks for is short."""
    fetched_bytes: int = 16 * 2**30


@dataclass(slots=True)
class Volume:
    """Counts the bytes that all connections of a command send and fetch."""

    bounds: ProxyBounds
    sent: int = 0
    fetched: int = 0

    def send(self, length: int) -> None:
        """Count bytes that the command sends.

        Raises:
            TooMuch: The command may send no more.
        """
        self.sent += length
        if self.sent > self.bounds.sent_bytes:
            raise TooMuch

    def fetch(self, length: int) -> None:
        """Count bytes that the command fetches.

        Raises:
            TooMuch: The command may fetch no more.
        """
        self.fetched += length
        if self.fetched > self.bounds.fetched_bytes:
            raise TooMuch


async def relay(client: Streams, registry: Streams, volume: Volume, *, sends: bool) -> None:
    """Carry bytes between both sides until the registry closes, or both are silent for too long.

    ``sends``: whether further bytes of the client are passed on; else they are dropped.

    Raises:
        TooMuch: A bound is passed.
        OSError: A side broke off, or the time is up.
    """
    seconds = volume.bounds.idle_seconds
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(seconds) as idle:

        async def send() -> None:
            while data := await client[0].read(_PIECE):
                idle.reschedule(loop.time() + seconds)
                volume.send(len(data))
                if sends:
                    registry[1].write(data)
                    await registry[1].drain()
            if sends:
                registry[1].write_eof()

        async def fetch() -> None:
            while data := await registry[0].read(_PIECE):
                idle.reschedule(loop.time() + seconds)
                volume.fetch(len(data))
                client[1].write(data)
                await client[1].drain()

        sending = asyncio.ensure_future(send())
        fetching = asyncio.ensure_future(fetch())
        try:
            await _first_of(fetching, sending)
        finally:
            sending.cancel()
            fetching.cancel()
            await asyncio.gather(sending, fetching, return_exceptions=True)
    await finish(client)


async def finish(client: Streams) -> None:
    """End the answer to the client, and read and drop the bytes that it still sends.

    Closing a connection with unread bytes could destroy the answer on its way.
    """
    reader, writer = client
    await writer.drain()
    writer.write_eof()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_LINGER_SECONDS):
            while await reader.read(_PIECE):
                pass


async def _first_of(fetching: "asyncio.Future[None]", sending: "asyncio.Future[None]") -> None:
    """Wait until ``fetching`` has ended; raise any error of either task."""
    while not fetching.done():
        waiting = [fetching] if sending.done() else [fetching, sending]
        done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for one in done:
            one.result()
