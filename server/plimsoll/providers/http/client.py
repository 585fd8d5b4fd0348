"""One POST whose answer is a stream of events: deadlines, retries, and errors in our words.

The only file that knows httpx, and for that reason always imported late: httpx costs 110 ms.
No proxy of the environment and no redirect is followed, since both reach addresses that nobody
configured. httpx has no limit for a whole answer, so every deadline here is our own.
"""

import asyncio
import json
import secrets
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import cast

import httpx

from plimsoll.errors import ProviderError
from plimsoll.providers.base import ProviderOptions
from plimsoll.providers.http.faults import (
    Complaint,
    Site,
    complaint_of,
    cut,
    encoded_body,
    no_connection,
    no_stream,
    silent,
    too_large,
    too_long,
    translated,
    why_no_connection,
    worth_retrying,
)
from plimsoll.providers.http.sse import ServerEvent, SseParser, document_event


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and after what wait a request is tried again, before an answer's first byte."""

    tries: int = 5
    connect_tries: int = 2
    """Where nobody listens, or the name is unknown: a restart at most, seldom a hiccup."""
    first_wait: float = 0.5
    """Seconds; doubled each time."""
    longest_wait: float = 60.0
    """Seconds; a provider that asks for more gets an honest error instead."""


def retry_wait(policy: RetryPolicy, tried: int, asked: float | None, chance: float) -> float | None:
    """Return the seconds to wait after this many tries, or none to give up.

    ``asked`` is the provider's Retry-After, kept within +10 %; without one the wait is between
    half and all of the doubled step. ``chance`` is a number from 0 to 1.
    """
    if tried >= policy.tries or (asked is not None and asked > policy.longest_wait):
        return None
    if asked is not None:
        return asked * (1 + 0.1 * chance)
    step = min(policy.first_wait * 2 ** (tried - 1), policy.longest_wait)
    return step * (0.5 + 0.5 * chance)


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Read the seconds that a provider asks for, in milliseconds, seconds or as a date.

    ``headers`` have lower-case names.
    """
    if (milliseconds := _seconds(headers.get("retry-after-ms"))) is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    if (seconds := _seconds(value)) is not None:
        return seconds
    return _until(value, now)


def _seconds(value: str | None) -> float | None:
    if value is None or not value.strip().replace(".", "", 1).isdecimal():
        return None
    return float(value)


def _until(value: str | None, now: datetime) -> float | None:
    if value is None:
        return None
    try:
        then = parsedate_to_datetime(value)
    except ValueError:
        # A header that is neither form asks for nothing in particular.
        return None
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    return max(0.0, (then - now).total_seconds())


REFUSAL_BYTES = 64 * 1024
"""What is read of a body that is no stream."""


@dataclass(frozen=True, slots=True)
class Post:
    """One request, ready to be sent as often as needed."""

    url: str
    headers: Mapping[str, str]
    body: bytes
    site: Site


@dataclass(frozen=True, slots=True)
class BodyEnd:
    """The body is over; ``framed``: HTTP itself proves that it is whole."""

    framed: bool


@dataclass(frozen=True, slots=True)
class _Opened:
    response: httpx.Response
    pieces: AsyncIterator[bytes]
    first: bytes
    document: bool = False
    """Whether ``first`` is a whole body of JSON."""


@dataclass(frozen=True, slots=True)
class _Failed:
    error: ProviderError
    tries: int = 1
    asked: float | None = None
    cause: Exception | None = None


class EventClient:
    """Sends requests to one provider over kept connections."""

    def __init__(
        self,
        options: ProviderOptions,
        policy: RetryPolicy | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        chance: Callable[[], float] | None = None,
    ) -> None:
        self._options = options
        self._policy = policy or RetryPolicy()
        self._sleep = sleep
        self._chance = chance or secrets.SystemRandom().random
        self._client = httpx.AsyncClient(
            trust_env=False,
            follow_redirects=False,
            verify=_verification(options.base_url),
            timeout=httpx.Timeout(None, connect=options.connect_seconds),
        )

    async def close(self) -> None:
        """Give back the connections."""
        await self._client.aclose()

    async def events(self, post: Post) -> AsyncGenerator[ServerEvent | BodyEnd, None]:
        """Stream the events of the answer, and ``BodyEnd`` when it ended without a fault.

        Raises:
            ProviderError: Any of the kinds of the provider port.
        """
        limit = asyncio.get_running_loop().time() + self._options.total_seconds
        opened = await self._opened(post)
        try:
            async for event in self._read(opened, post.site, limit):
                yield event
        finally:
            await opened.response.aclose()

    async def _opened(self, post: Post) -> _Opened:
        tried = 0
        while True:
            tried += 1
            outcome = await self._attempt(post)
            if isinstance(outcome, _Opened):
                return outcome
            policy = replace(self._policy, tries=min(self._policy.tries, outcome.tries))
            wait = retry_wait(policy, tried, outcome.asked, self._chance())
            if wait is None:
                raise outcome.error from outcome.cause
            await self._sleep(wait)

    async def _attempt(self, post: Post) -> _Opened | _Failed:
        try:
            async with asyncio.timeout(self._options.first_byte_seconds):
                return await self._first_bytes(post)
        except TimeoutError as error:
            return _Failed(silent(post.site, self._options.first_byte_seconds), cause=error)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return self._unreachable(error, post.site)

    async def _first_bytes(self, post: Post) -> _Opened | _Failed:
        headers = {"accept": "text/event-stream", "accept-encoding": "identity", **post.headers}
        request = self._client.build_request("POST", post.url, content=post.body, headers=headers)
        response = await self._client.send(request, stream=True)
        kept = False
        try:
            pieces = response.aiter_raw()
            if _is_document(response):
                outcome = await self._document(response, pieces, post.site)
            elif (outcome := await self._refusal(response, pieces, post.site)) is None:
                outcome = _Opened(response, pieces, await anext(pieces, b""))
            kept = isinstance(outcome, _Opened)
            return outcome
        finally:
            if not kept:
                await response.aclose()

    async def _document(
        self, response: httpx.Response, pieces: AsyncIterator[bytes], site: Site
    ) -> _Opened | _Failed:
        """Read a whole answer: some gateways send one although a stream was asked for."""
        most = self._options.body_bytes
        body = await _beginning(pieces, most + 1)
        if len(body) > most:
            return _Failed(too_large(site, most))
        complaint = _complaint(body, None)
        if complaint.status is None:
            return _Opened(response, pieces, body, document=True)
        return self._refused(complaint, response.headers, site)

    async def _refusal(
        self, response: httpx.Response, pieces: AsyncIterator[bytes], site: Site
    ) -> _Failed | None:
        headers = response.headers
        encoded = _is_encoded(headers)
        if response.is_success and encoded:
            return _Failed(encoded_body(headers["content-encoding"], site))
        page = "html" in headers.get("content-type", "")
        if response.is_success and not page:
            return None
        body = b"" if encoded else await _beginning(pieces, REFUSAL_BYTES)
        complaint = _complaint(body, None if response.is_success else response.status_code)
        if complaint.status is None:
            return _Failed(no_stream(headers.get("content-type", ""), site))
        return self._refused(complaint, headers, site)

    def _refused(self, complaint: Complaint, headers: httpx.Headers, site: Site) -> _Failed:
        asked = retry_after(headers, datetime.now(UTC))
        complaint = replace(complaint, retry_after=asked)
        tries = self._policy.tries if worth_retrying(complaint) else 1
        return _Failed(translated(complaint, site), tries, asked)

    async def _read(
        self, opened: _Opened, site: Site, limit: float
    ) -> AsyncGenerator[ServerEvent | BodyEnd, None]:
        if opened.document:
            yield document_event(opened.first)
            yield BodyEnd(True)
            return
        parser, piece, size = SseParser(), opened.first, 0
        while piece:
            size += len(piece)
            if size > self._options.body_bytes:
                raise too_large(site, self._options.body_bytes)
            for event in parser.feed(piece):
                yield event
            piece = await self._next_piece(opened, site, limit)
        yield BodyEnd(_is_framed(opened.response.headers))

    async def _next_piece(self, opened: _Opened, site: Site, limit: float) -> bytes:
        """Read the next bytes that complete a line, or none at the end of the body.

        A line and not a byte is the sign of life: a server that drips bytes is as good as silent.
        """
        loop = asyncio.get_running_loop()
        idle = loop.time() + self._options.idle_seconds
        gathered = bytearray()
        try:
            async with asyncio.timeout_at(min(idle, limit)):
                while b"\n" not in gathered and b"\r" not in gathered:
                    piece = await anext(opened.pieces, b"")
                    gathered += piece
                    if not piece or len(gathered) > self._options.body_bytes:
                        break
        except TimeoutError as error:
            total = loop.time() >= limit
            waited = self._options.total_seconds if total else self._options.idle_seconds
            raise (too_long if total else silent)(site, waited) from error
        except httpx.HTTPError as error:
            raise cut(site) from error
        return bytes(gathered)

    def _unreachable(self, error: httpx.HTTPError | httpx.InvalidURL, site: Site) -> _Failed:
        if isinstance(error, httpx.ConnectTimeout):
            wait = self._options.connect_seconds
            tries = self._policy.connect_tries
            return _Failed(no_connection(f"no answer in {wait:g} s", site), tries, cause=error)
        if isinstance(error, httpx.ConnectError):
            why, final = why_no_connection(error)
            tries = 1 if final else self._policy.connect_tries
            return _Failed(no_connection(why, site), tries, cause=error)
        if isinstance(error, httpx.TransportError) and not isinstance(
            error, httpx.UnsupportedProtocol | httpx.LocalProtocolError
        ):
            broken = no_connection("the connection broke", site)
            return _Failed(broken, self._policy.tries, cause=error)
        # The library's text may quote a header, so only the name of the fault is shown.
        return _Failed(no_connection(type(error).__name__, site), cause=error)


def _verification(base_url: str | None) -> ssl.SSLContext | bool:
    # Loading the certificate store takes 50 ms, which plain HTTP on loopback does not need;
    # the empty context trusts nobody, should TLS be spoken after all.
    plain = base_url is not None and base_url.lower().startswith("http://")
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if plain else True


def _is_encoded(headers: httpx.Headers) -> bool:
    return headers.get("content-encoding", "identity").lower() not in {"", "identity"}


def _is_document(response: httpx.Response) -> bool:
    kind = response.headers.get("content-type", "")
    return response.is_success and "json" in kind and not _is_encoded(response.headers)


async def _beginning(pieces: AsyncIterator[bytes], most: int) -> bytes:
    body = bytearray()
    async for piece in pieces:
        body += piece
        if len(body) >= most:
            break
    return bytes(body[:most])


def _complaint(body: bytes, status: int | None) -> Complaint:
    try:
        payload: object = json.loads(body)
    except ValueError:
        # A proxy's page in HTML or plain text; its beginning says enough.
        return Complaint(message=body[:1000].decode("utf-8", "replace"), status=status)
    if status is None and not _has_error(payload):
        return Complaint(message="")
    complaint = complaint_of(payload, status)
    return replace(complaint, status=complaint.status or 400)


def _has_error(payload: object) -> bool:
    # The whole answers of some APIs name an error, which is null.
    return isinstance(payload, dict) and bool(cast("dict[str, object]", payload).get("error"))


def _is_framed(headers: httpx.Headers) -> bool:
    return "content-length" in headers or "chunked" in headers.get("transfer-encoding", "")
