"""Connects the proxy to registries: directly, or by the proxy that the machine is set to."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from plimsoll.errors import SettingsInvalid
from plimsoll.network.addresses import is_machine, is_public
from plimsoll.network.proxies import Network, ProxyAddress
from plimsoll.network.resolving import Address, Resolve, Resolver
from plimsoll.network.tunnels import tunnel_refusal, tunnel_request
from plimsoll.tools.process.confinement.registries.hosts import HTTPS_PORT
from plimsoll.tools.process.confinement.registries.requests import END_OF_HEAD, LONGEST_HEAD

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]

MOST = 128
"""Connections of all commands together."""
_CONNECT_SECONDS = 20.0
_MOST_ADDRESSES = 4


class Unreachable(Exception):
    """A permitted host could not be reached; the message says why, for the command."""


class Forbidden(Exception):
    """A host's name leads to an address that no registry may have; the message is the address."""


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
        try:
            writer.write(tunnel_request(proxy, host, port))
            async with asyncio.timeout(_CONNECT_SECONDS):
                head = await reader.readuntil(END_OF_HEAD)
        except (OSError, TimeoutError, EOFError, asyncio.LimitOverrunError) as error:
            writer.close()
            raise Unreachable("the proxy of this machine gave no answer") from error
        except asyncio.CancelledError:
            writer.close()
            raise
        if told := tunnel_refusal(head):
            writer.close()
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
