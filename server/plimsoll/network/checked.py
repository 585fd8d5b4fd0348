"""Connects to the public Internet alone: names are resolved here, and each address is checked.

What is connected to is the address that was checked, so a name that leads elsewhere a moment later
(DNS rebinding) leads nowhere. TLS and the header ``Host`` are above this and keep the name.
"""

import re
from collections import deque
from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from plimsoll.network.addresses import is_machine, is_public
from plimsoll.network.exemptions import is_this_machine
from plimsoll.network.proxies import Network, ProxyAddress
from plimsoll.network.resolving import Resolve, Resolver
from plimsoll.network.tunnels import tunnel_refusal, tunnel_request

MOST_KEPT = 32
"""Connections that are closed at the end, the newest ones."""
MOST_ADDRESSES = 4
"""Addresses of a host that are tried, one after another."""
LONGEST_HEAD = 65_536
END_OF_HEAD = b"\r\n\r\n"
_NUMBER = re.compile(r"[0-9]+|0[xX][0-9a-fA-F]*")
_INNER = (".internal", ".local", ".localdomain", ".lan", ".intranet", ".home.arpa")


class NotReached(Exception):
    """A host was not connected to; the message says why, as the end of a sentence about it."""


class Backend(Protocol):
    """Opens the connections of httpcore; that of httpcore2 has the same methods."""

    async def connect_tcp(self, host: str, port: int, **options: Any) -> Any:
        """Connect to a host."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """The hosts that may be connected to, and the proxies on the way."""

    network: Network = field(default_factory=Network)
    """The person's proxies."""
    allowed: Collection[str] = ()
    """Hosts, in small letters, that may be machines of a private network or this one."""
    proxy_resolves: bool = False
    """Whether a proxy is given names, whose addresses nobody here can check."""
    resolve: Resolve = field(default_factory=lambda: Resolver().resolve, repr=False)


class CheckedBackend:
    """A network backend of httpcore that connects to checked addresses, or through a proxy.

    A proxy is asked for a tunnel to the checked address, for http addresses too.
    """

    def __init__(
        self, inner: Backend, reach: Reach, *, scheme: str, failures: tuple[type[Exception], ...]
    ) -> None:
        """``scheme``: that of the address, by which a proxy is chosen.

        ``failures``: what ``inner`` raises where an address does not answer.
        """
        self._inner = inner
        self._reach = reach
        self._scheme = scheme
        self._failures = failures
        # Those that a pool uses it closes itself; without a bound, one that lives long keeps all.
        self._opened: deque[Any] = deque(maxlen=MOST_KEPT)

    @asynccontextmanager
    async def closing(self) -> AsyncGenerator[None]:
        """Close every connection at the end; httpcore leaves some open whose TLS failed."""
        try:
            yield
        finally:
            for stream in self._opened:
                await stream.aclose()

    async def connect_tcp(self, host: str, port: int, **options: Any) -> Any:
        """Connect to the first address of a host that answers; ``options`` as httpcore's.

        Raises:
            NotReached: One of its addresses must not be reached, or a proxy refuses.
        """
        proxy = self._proxy(host, port)
        by_name = proxy is not None and self._reach.proxy_resolves and not _is_number(host)
        targets = [host] if by_name else await self.checked_addresses(host, port)
        failed: Exception = NotReached("does not answer")
        for target in targets[:MOST_ADDRESSES]:
            place = (target, port) if proxy is None else (proxy.host, proxy.port)
            try:
                stream = await self._inner.connect_tcp(*place, **options)
            except self._failures as error:
                failed = error
                continue
            self._opened.append(stream)
            if proxy is not None:
                await _open_tunnel(stream, proxy, (target, port), options.get("timeout"))
            return stream
        raise failed

    async def connect_unix_socket(self, path: str, **options: Any) -> Any:
        """Raise NotReached: no Unix socket is an address of the Internet."""
        del path, options
        raise NotReached("is a Unix socket")

    async def sleep(self, seconds: float) -> None:
        """Wait, as the inner backend does."""
        await self._inner.sleep(seconds)

    async def checked_addresses(self, host: str, port: int) -> Sequence[str]:
        """Resolve a host, and return its addresses if each of them may be reached.

        Raises:
            NotReached: One of them may not, or there is none.
        """
        try:
            found = [address for address, _ in await self._reach.resolve(host, port)]
        except (OSError, ValueError) as error:
            raise NotReached("has no address that is known here") from error
        test = is_machine if host.lower() in self._reach.allowed else is_public
        refused = [address for address in found if not test(address)]
        if refused:
            raise NotReached(f"is {refused[0]}, which is not an address of the public Internet")
        if not found:
            raise NotReached("has no address that is known here")
        return list(dict.fromkeys(found))

    def _proxy(self, host: str, port: int) -> ProxyAddress | None:
        found = self._reach.network.proxy_to(self._scheme, host, port)
        if found is None:
            return None
        if found.scheme != "http":
            raise NotReached(
                f"would be reached through {found.url}, and pages are fetched only through proxies "
                "whose address begins with http://"
            )
        if self._reach.proxy_resolves and not _is_number(host) and _is_inner_name(host):
            # To the proxy such a name is the proxy's own machine, or one of its network.
            raise NotReached("is a name of a private network")
        return found


async def _open_tunnel(
    stream: Any, proxy: ProxyAddress, target: tuple[str, int], seconds: float | None
) -> None:
    """Ask a proxy for a tunnel; raises NotReached if it refuses."""
    await stream.write(tunnel_request(proxy, *target), seconds)
    head = b""
    while END_OF_HEAD not in head:
        more: bytes = await stream.read(LONGEST_HEAD, seconds)
        head += more
        if not more or len(head) > LONGEST_HEAD:
            raise NotReached(f"is behind the proxy {proxy.url}, which gave no answer")
    if told := tunnel_refusal(head):
        raise NotReached(f"is behind the proxy {proxy.url}, which refused it ({told})")


def _is_number(host: str) -> bool:
    """Tell whether a host is an address in numbers, of whatever form; no resolver is asked."""
    return ":" in host or _NUMBER.fullmatch(host.rstrip(".").rpartition(".")[2]) is not None


def _is_inner_name(host: str) -> bool:
    """Tell whether a name is one that private networks have among themselves."""
    name = host.lower().rstrip(".")
    return "." not in name or is_this_machine(name) or name.endswith(_INNER)
