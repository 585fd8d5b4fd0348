"""Finds the addresses of hosts by this machine's resolver."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

Address = tuple[str, int]
"""An address of a host, as numbers, and a port."""
Resolve = Callable[[str, int], Awaitable[Sequence[Address]]]
"""Finds the addresses of a host; raises OSError where it has none."""


class Resolver:
    """Resolves hosts by this machine's resolver, two at a time.

    A resolver that does not answer holds a thread of the server until it gives up.
    """

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(2)

    async def resolve(self, host: str, port: int) -> Sequence[Address]:
        """Find the addresses of a host."""
        await self._free.acquire()
        loop = asyncio.get_running_loop()
        looking = asyncio.ensure_future(loop.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        looking.add_done_callback(self._finish_lookup)
        found = await asyncio.shield(looking)
        return [(str(address[0]), int(address[1])) for *_, address in found]

    def _finish_lookup(self, looking: "asyncio.Future[Any]") -> None:
        self._free.release()
        # Whoever wanted it may have gone.
        if not looking.cancelled():
            looking.exception()
