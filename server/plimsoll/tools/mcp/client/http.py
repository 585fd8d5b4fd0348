"""A transport of httpx2 that connects to checked addresses alone, and answers where it cannot.

The library ends a whole conversation when one request does not reach the server, so what went wrong
is an answer here too, as an error of the protocol.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from http import HTTPStatus
from typing import cast

import httpcore2
import httpx2

from plimsoll import __version__
from plimsoll.errors import ProviderUnavailable, SettingsInvalid
from plimsoll.network.checked import Backend, CheckedBackend, NotReached, Reach
from plimsoll.network.trust import trust_for, why_not_trusted

CONNECT_SECONDS = 10.0
SECONDS = 30.0
READ_SECONDS = 900.0
"""A server may think for long, and be silent for longer on the stream of its news."""
LONGEST_BODY = 32_000_000
"""Bytes of an answer; of a stream of events it is the bound for one event."""
NOT_REACHED = -32_090
FORGOTTEN = -32_091
"""Codes of errors of ours, among those that the protocol leaves to whoever answers."""
_UNPACKED = {"Accept-Encoding": "identity"}
_EVENTS = "text/event-stream"
_FAILURES = (
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.TimeoutException,
    httpcore2.UnsupportedProtocol,
)


class CheckedTransport(httpx2.AsyncBaseTransport):
    """Sends requests over connections to checked addresses; opened by ``open_transport``."""

    def __init__(self, reach: Reach, ends: AsyncExitStack, lost: asyncio.Event) -> None:
        self._reach = reach
        self._ends = ends
        self._lost = lost
        self._pools: dict[str, httpcore2.AsyncConnectionPool] = {}
        self._opening = asyncio.Lock()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request; what went wrong is an answer with an error of the protocol."""
        try:
            pool = await self._pool(request.url.scheme)
            answer = await pool.handle_async_request(_request(request))
        except NotReached as error:
            return _make_failure(request, f"{request.url.host} {error}")
        except (ProviderUnavailable, SettingsInvalid) as error:
            return _make_failure(request, error.message)
        except _FAILURES as error:
            return _make_failure(request, f"{request.url.host} was not reached: {_why(error)}")
        headers = httpx2.Headers(answer.headers)
        stream = cast("AsyncIterable[bytes]", answer.stream)
        if headers.get("content-encoding", "identity") != "identity":
            # What was not asked for could unpack to any size.
            await answer.aclose()
            return _make_failure(
                request, f"{request.url.host} answered in a packing that is not read"
            )
        if answer.status == HTTPStatus.NOT_FOUND and "mcp-session-id" in request.headers:
            await answer.aclose()
            self._lost.set()
            return _make_failure(request, "it no longer knows the conversation", FORGOTTEN)
        is_events = headers.get("content-type", "").startswith(_EVENTS)
        limited = Bounded(stream, None if is_events else LONGEST_BODY)
        return httpx2.Response(
            status_code=answer.status,
            headers=headers,
            stream=limited,
            request=request,
        )

    async def _pool(self, scheme: str) -> httpcore2.AsyncConnectionPool:
        async with self._opening:
            if scheme not in self._pools:
                context = await asyncio.to_thread(trust_for, scheme, self._reach.network)
                backend = CheckedBackend(
                    cast("Backend", httpcore2.AnyIOBackend()),
                    self._reach,
                    scheme=scheme,
                    failures=(httpcore2.ConnectError, httpcore2.ConnectTimeout),
                )
                await self._ends.enter_async_context(backend.closing())
                pool = httpcore2.AsyncConnectionPool(
                    ssl_context=context,
                    network_backend=cast("httpcore2.AsyncNetworkBackend", backend),
                )
                self._pools[scheme] = await self._ends.enter_async_context(pool)
            return self._pools[scheme]


class Bounded(httpx2.AsyncByteStream):
    """A body that ends early where the connection breaks or it is too long."""

    def __init__(self, stream: AsyncIterable[bytes], most: int | None) -> None:
        self._stream = stream
        self._left = most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the body."""
        try:
            async for part in self._stream:
                if self._left is not None:
                    self._left -= len(part)
                    if self._left < 0:
                        return
                yield part
        except _FAILURES:
            # What came is not whole, which whoever reads it finds.
            return

    async def aclose(self) -> None:
        """Give the connection back."""
        await cast("httpx2.AsyncByteStream", self._stream).aclose()


@asynccontextmanager
async def open_transport(reach: Reach, lost: asyncio.Event) -> AsyncGenerator[CheckedTransport]:
    """Open a transport; its connections are closed at the end.

    ``lost`` is set when the server no longer knows the conversation.
    """
    async with AsyncExitStack() as ends:
        yield CheckedTransport(reach, ends, lost)


def open_client(
    transport: CheckedTransport, headers: Mapping[str, str] | None = None
) -> httpx2.AsyncClient:
    """Return a client that sends these headers, and reads no proxy from the environment."""
    return httpx2.AsyncClient(
        transport=transport,
        headers={"User-Agent": f"plimsoll/{__version__}", **_UNPACKED, **(headers or {})},
        timeout=httpx2.Timeout(SECONDS, connect=CONNECT_SECONDS, read=READ_SECONDS),
        trust_env=False,
    )


def _request(request: httpx2.Request) -> httpcore2.Request:
    return httpcore2.Request(
        method=request.method,
        url=httpcore2.URL(
            scheme=request.url.raw_scheme,
            host=request.url.raw_host,
            port=request.url.port,
            target=request.url.raw_path,
        ),
        headers=request.headers.raw,
        content=cast("AsyncIterable[bytes]", request.stream),
        extensions=request.extensions,
    )


def _make_failure(request: httpx2.Request, why: str, code: int = NOT_REACHED) -> httpx2.Response:
    error = {"code": code, "message": why}
    told = {"jsonrpc": "2.0", "id": None, "error": error}
    return httpx2.Response(HTTPStatus.BAD_GATEWAY, json=told, request=request)


def _why(error: Exception) -> str:
    if told := why_not_trusted(error):
        return told
    if isinstance(error, httpcore2.TimeoutException):
        return "it gives no answer"
    return str(error).rstrip(".") or "the connection broke"
