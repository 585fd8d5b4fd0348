"""Sends one request to an address of the web, and receives the answer within bounds."""

import asyncio
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from plimsoll import __version__
from plimsoll.errors import ProviderUnavailable, SettingsInvalid, ToolFailed
from plimsoll.network.checked import Backend, CheckedBackend, NotReached, Reach
from plimsoll.network.trust import trust_for, why_not_trusted
from plimsoll.tools.web.address import WebAddress
from plimsoll.tools.web.unpacking import Unpacker

if TYPE_CHECKING:
    import httpcore

SECONDS = 30.0
"""How long a person's wish may take in all, redirects included."""
CONNECT_SECONDS = 10.0
MOST_BYTES = 10_000_000
"""Bytes of a body, unpacked and as it comes; of a longer one the beginning is read."""
Header = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class WebRequest:
    """A request without cookies and without credentials of the person."""

    address: WebAddress
    method: str = "GET"
    headers: tuple[Header, ...] = field(default=(), repr=False)
    body: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WebAnswer:
    """An answer of a server."""

    address: WebAddress
    status: int
    headers: dict[str, str]
    """By their names in small letters."""
    body: bytes
    cut: bool = False
    """Whether the body was longer."""

    @property
    def media_type(self) -> str:
        """The MIME type of the body, in small letters and without parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


async def request(wanted: WebRequest, reach: Reach, *, deadline: float) -> WebAnswer:
    """Send a request over a connection of its own, and return the answer; follows no redirect.

    ``deadline``: by the clock of the event loop.

    Raises:
        ToolFailed: The server was not reached, or what it said is no answer.
    """
    # Loaded late: nothing else needs it, and a start must not wait.
    import httpcore

    faults = (
        httpcore.NetworkError,
        httpcore.ProtocolError,
        httpcore.TimeoutException,
        httpcore.UnsupportedProtocol,
    )
    shown = wanted.address.site
    try:
        context = await asyncio.to_thread(trust_for, wanted.address.scheme, reach.network)
        backend = CheckedBackend(
            cast("Backend", httpcore.AnyIOBackend()),
            reach,
            scheme=wanted.address.scheme,
            failures=(httpcore.ConnectError, httpcore.ConnectTimeout),
        )
        async with (
            asyncio.timeout_at(deadline),
            backend.closing(),
            httpcore.AsyncConnectionPool(
                ssl_context=context,
                network_backend=cast("httpcore.AsyncNetworkBackend", backend),
            ) as pool,
        ):
            return await _exchange(pool, wanted)
    except NotReached as error:
        raise ToolFailed(f"Not fetched: {wanted.address.host} {error}.") from error
    except (ProviderUnavailable, SettingsInvalid) as error:
        raise ToolFailed(f"Not fetched: {error.message}") from error
    except TimeoutError as error:
        raise ToolFailed(f"{shown} took more than {SECONDS:.0f} seconds.") from error
    except faults as error:
        raise ToolFailed(f"{shown} was not reached: {_why(error)}.") from error


async def _exchange(pool: "httpcore.AsyncConnectionPool", wanted: WebRequest) -> WebAnswer:
    address = wanted.address
    headers = (
        ("Host", address.authority),
        ("User-Agent", f"plimsoll/{__version__}"),
        ("Accept-Encoding", "gzip"),
        *wanted.headers,
        *((("Content-Length", str(len(wanted.body))),) if wanted.body is not None else ()),
    )
    async with pool.stream(
        wanted.method,
        _url(address),
        headers=list(headers),
        content=wanted.body,
        extensions={"timeout": {"connect": CONNECT_SECONDS, "read": SECONDS, "pool": SECONDS}},
    ) as response:
        found = _headers(response.headers)
        body, cut = await _body(response, found.get("content-encoding", ""), address)
        return WebAnswer(address=address, status=response.status, headers=found, body=body, cut=cut)


def _url(address: WebAddress) -> "httpcore.URL":
    import httpcore

    return httpcore.URL(
        scheme=address.scheme.encode(),
        host=address.host.encode(),
        port=address.port,
        target=address.target.encode(),
    )


def _headers(raw: Sequence[tuple[bytes, bytes]]) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in raw}


async def _body(
    response: "httpcore.Response", encoding: str, address: WebAddress
) -> tuple[bytes, bool]:
    """Read a body up to the limit, and tell whether it is longer."""
    try:
        unpacker = Unpacker(encoding)
        found, came = bytearray(), 0
        async for data in response.aiter_stream():
            came += len(data)
            for piece in unpacker.feed(data):
                found += piece
                if max(len(found), came) > MOST_BYTES:
                    return bytes(found[:MOST_BYTES]), True
    except (ValueError, zlib.error) as error:
        raise ToolFailed(f"{address.site} answered in a packing that is not read.") from error
    return bytes(found), False


def _why(error: Exception) -> str:
    if told := why_not_trusted(error):
        return told
    if isinstance(error, TimeoutError) or "Timeout" in type(error).__name__:
        return "it gives no answer"
    return str(error).rstrip(".") or "the connection broke"
