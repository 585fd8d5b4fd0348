"""How far a connection has come: to the proxy, through it, and to TLS with the server."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Literal, cast

import httpx

from plimsoll.network.proxies import ProxyAddress
from plimsoll.providers.base import WaitReason
from plimsoll.providers.http.site import Site

if TYPE_CHECKING:
    import httpcore

Steps = dict[str, Mapping[str, object]]
"""The steps of a connection so far, and httpx's data about each."""

Stage = Literal["proxy", "proxyTls", "tunnel", "server"]
"""The peer of the connection attempt; ``tunnel``: the proxy was asked for a tunnel."""

PHASES: Mapping[str, WaitReason] = {
    "connection.connect_tcp.started": "connecting",
    "socks.connect_tcp.started": "connecting",
    "http11.send_request_headers.started": "firstToken",
}
"""What is waited for after each step."""

_MADE_BY = ("connection", "socks")
"""httpx's names of what connects."""
_SECURED_BY = ("connection", "proxy", "socks")
"""httpx's names of what begins TLS; ``proxy``: with the server behind one."""


def stage_of(steps: Steps, via: ProxyAddress | None, *, https: bool) -> Stage:
    """Tell how far a connection had come; a reused one had reached the server."""
    if via is None or not _has_reached(steps, "connect_tcp", _MADE_BY, "started"):
        return "server"
    if not _has_reached(steps, "connect_tcp", _MADE_BY, "complete"):
        return "proxy"
    secured = _has_reached(steps, "start_tls", ("connection",), "complete")
    if via.scheme == "https" and not secured:
        return "proxyTls"
    behind = _has_reached(steps, "start_tls", ("proxy", "socks"), "started")
    return "tunnel" if https and not behind else "server"


def _has_reached(steps: Steps, step: str, who: tuple[str, ...], how: str) -> bool:
    return any(f"{one}.{step}.{how}" in steps for one in who)


def stuck_in_tls(steps: Steps) -> bool:
    """Tell whether there was a connection without a completed TLS handshake."""
    return any(
        f"{one}.start_tls.started" in steps and f"{one}.start_tls.complete" not in steps
        for one in _SECURED_BY
    )


async def hang_up(steps: Steps) -> None:
    """Close a connection whose TLS handshake failed.

    If it was cancelled or timed out, httpcore leaves the connection open.
    """
    made = next((steps[n] for n in _CONNECTED if n in steps), None)
    if made is not None and stuck_in_tls(steps):
        await cast("httpcore.AsyncNetworkStream", made["return_value"]).aclose()


_CONNECTED = tuple(f"{one}.connect_tcp.complete" for one in _MADE_BY)


class ConnectionTrace:
    """Records the steps of one request, and limits the time for a proxy's tunnel."""

    def __init__(self, site: Site, seconds: float, enter: Callable[[WaitReason], object]) -> None:
        """``enter`` is called at each step with the reason for which the request then waits."""
        self.steps: Steps = {}
        self._tunnels = site.via is not None and site.url.startswith("https:")
        self._seconds = seconds
        self._enter = enter
        self._limit: asyncio.Timeout | None = None
        self._on_the_way = False

    @asynccontextmanager
    async def sending(self) -> AsyncGenerator[None]:
        """Limit the time in which a proxy must open the tunnel for the request sent in this block.

        Raises:
            httpx.ReadTimeout: The tunnel was not opened in time.
        """
        try:
            async with asyncio.timeout(None) as self._limit:
                yield
        except TimeoutError as error:
            raise httpx.ReadTimeout("the proxy shows no way on") from error
        finally:
            await hang_up(self.steps)

    async def __call__(self, event: str, about: Mapping[str, object]) -> None:
        """Record a step."""
        self.steps[event] = about
        if self._tunnels and event in _CONNECTED:
            self._wait_for_way(asyncio.get_running_loop().time() + self._seconds)
        elif self._on_the_way and event in ("proxy.start_tls.started", "socks.start_tls.started"):
            self._wait_for_way(None)
        # What is sent to the proxy is not the request.
        if event in PHASES and not self._on_the_way:
            self._enter(PHASES[event])

    def _wait_for_way(self, until: float | None) -> None:
        assert self._limit is not None, "a request is sent within its limit"
        self._on_the_way = until is not None
        self._limit.reschedule(until)
