"""Connects the proxy to registries: directly, or by the proxy that the machine is set to."""

import asyncio
import base64
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from plimsoll.errors import SettingsInvalid
from plimsoll.network.proxies import Network, ProxyAddress
from plimsoll.tools.process.confinement.registries.addresses import is_machine, is_public
from plimsoll.tools.process.confinement.registries.hosts import HTTPS_PORT
from plimsoll.tools.process.confinement.registries.requests import END_OF_HEAD, LONGEST_HEAD

Address = tuple[str, int]
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Resolve = Callable[[str, int], Awaitable[Sequence[Address]]]
"""Finds the addresses of a host; raises OSError where it has none."""

MOST = 128
"""Connections of all commands together."""
_CONNECT_SECONDS = 20.0
_MOST_ADDRESSES = 4


class Unreachable(Exception):
    """A permitted host could not be reached; the message says why, for the command."""


class Forbidden(Exception):
    """A host's name leads to an address that no registry may have; the message is the address."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class WayOut:
    """Connects to package registries on behalf of commands, directly or by a company's proxy."""

    network: Callable[[], Network] = Network
    """Returns the network as the person has set it, where a company's proxy may stand."""
    resolve: Resolve = field(default_factory=lambda: Resolver().resolve, repr=False)
    places: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MOST), repr=False)
    """For the connections of all commands: each takes two descriptors of the server."""

    def company_proxy(self, host: str, port: int) -> ProxyAddress | None:
        """Return the company's proxy through which a host is reached; None if it needs none.

        Raises:
            Unreachable: The proxy's setting is not understood.
        """
        try:
            found = self.network().proxy_to("https" if port == HTTPS_PORT else "http", host, port)
        except SettingsInvalid:
            raise Unreachable("the address of this machine's proxy is not understood") from None
        if found is not None and found.scheme != "http":
            raise Unreachable("only a proxy with an address that begins with http:// is understood")
        return found

    async def connect(self, host: str, port: int, *, listed: bool) -> Streams:
        """Connect directly to a registry. ``listed``: a person named it, perhaps in their network.

        Raises:
            Unreachable: The registry has no address, or does not answer there.
            Forbidden: None of its addresses is one that a registry may have.
        """
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                found = await self.resolve(host, port)
        except (OSError, TimeoutError) as error:
            raise Unreachable("its name leads to no address") from error
        allowed = [one for one in found if (is_machine if listed else is_public)(one[0])]
        if not allowed:
            raise Forbidden(found[0][0] if found else "none")
        return await _first_that_answers(allowed)

    async def tunnel(self, proxy: ProxyAddress, host: str, port: int) -> Streams:
        """Connect to a registry through a company's proxy, which resolves the registry's name.

        Raises:
            Unreachable: The proxy does not answer, or refuses.
        """
        reader, writer = await self.to_proxy(proxy)
        lines = [f"CONNECT {host}:{port} HTTP/1.1", f"Host: {host}:{port}"]
        if told := authorization(proxy):
            lines.append(f"Proxy-Authorization: {told}")
        try:
            writer.write("\r\n".join([*lines, "", ""]).encode("ascii"))
            async with asyncio.timeout(_CONNECT_SECONDS):
                head = await reader.readuntil(END_OF_HEAD)
        except (OSError, TimeoutError, EOFError, asyncio.LimitOverrunError) as error:
            writer.close()
            raise Unreachable("the proxy of this machine gave no answer") from error
        except asyncio.CancelledError:
            writer.close()
            raise
        status = head.split(b" ", 2)[1:2]
        if status != [b"200"]:
            writer.close()
            told = status[0][:3].decode("ascii", "replace") if status else "nothing"
            raise Unreachable(f"the proxy of this machine refused it ({told})")
        return reader, writer

    async def to_proxy(self, proxy: ProxyAddress) -> Streams:
        """Connect to a company's proxy, whose address may be in any network.

        Raises:
            Unreachable: The proxy does not answer.
        """
        return await _first_that_answers([(proxy.host, proxy.port)])


async def _first_that_answers(addresses: Sequence[Address]) -> Streams:
    for host, port in addresses[:_MOST_ADDRESSES]:
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                return await asyncio.open_connection(host, port, limit=LONGEST_HEAD)
        except (OSError, TimeoutError):
            continue
    raise Unreachable("it does not answer")


def authorization(proxy: ProxyAddress) -> str | None:
    """Return the header with the person's password for a company's proxy, or None without one."""
    if not proxy.user and not proxy.password:
        return None
    pair = f"{proxy.user}:{proxy.password}"
    return f"Basic {base64.b64encode(pair.encode()).decode('ascii')}"
