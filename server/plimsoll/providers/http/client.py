"""Sends a POST and streams the events of its answer, with deadlines, retries and our own errors.

Always imported late: httpx costs 110 ms. httpx has no limit for a whole answer, so all deadlines
are our own.
"""

import asyncio
import contextlib
import math
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import httpx

from plimsoll.errors import ProviderError
from plimsoll.providers.base import ProviderOptions, WaitReason
from plimsoll.providers.http.asked_waits import limit_reset, retry_after
from plimsoll.providers.http.complaints import Complaint, complaint_in
from plimsoll.providers.http.connecting.connections import (
    encoded_body,
    no_stream,
    no_token,
    silent,
    too_large,
    too_long,
)
from plimsoll.providers.http.connecting.opening import http_client
from plimsoll.providers.http.connecting.proxy_faults import add_proxy
from plimsoll.providers.http.connecting.steps import ConnectionTrace
from plimsoll.providers.http.connecting.unreached import (
    Unreached,
    refused_by_proxy,
    translate_fault,
)
from plimsoll.providers.http.faults import cut_error, is_loading, translate
from plimsoll.providers.http.retries import RetryPolicy, Tries
from plimsoll.providers.http.site import Site
from plimsoll.providers.http.sse import ServerEvent, SseParser, document_event
from plimsoll.providers.http.waits import AnswerProgress

REST_SECONDS = 0.02
"""Seconds to wait for the end of a body after a complete answer."""
REFUSAL_BYTES = 64 * 1024
"""Most bytes that are read of a body that is no stream."""


@dataclass(frozen=True, slots=True)
class Post:
    """One request, ready to be sent repeatedly."""

    url: str
    headers: Mapping[str, str]
    body: bytes
    site: Site


@dataclass(frozen=True, slots=True)
class BodyEnd:
    """The end of a stream; ``framed``: HTTP itself proves that it is complete."""

    framed: bool


@dataclass(frozen=True, slots=True)
class _Opened:
    response: httpx.Response
    pieces: AsyncIterator[bytes]
    first: bytes
    document: bool = False
    """Whether ``first`` is a whole JSON body."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Failed:
    error: ProviderError
    tries: int = 1
    asked: float | None = None
    cause: Exception | None = None
    reason: WaitReason = "retrying"
    """The reason for waiting until the next attempt."""
    start_wait: float = 0.0
    """Seconds in all in which the server may start, not counted as attempts."""


@dataclass(frozen=True, slots=True)
class _Deadline:
    at: float
    """In time of the event loop."""
    seconds: float
    error: Callable[[Site, float], ProviderError]


class EventClient:
    """Sends requests to one provider over persistent connections."""

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
        timeout = httpx.Timeout(None, connect=options.connect_seconds)
        self._client = http_client(options.base_url or "", options.network, timeout)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    def tries(self) -> Tries:
        """Start counting the attempts of a request."""
        return Tries(self._policy, self._chance)

    async def again(self, error: ProviderError, progress: AnswerProgress, tries: Tries) -> bool:
        """Wait until a failed request may be sent again; return False to give up instead."""
        return await self._wait(self._plan_retry(error), progress, tries)

    def _plan_retry(self, error: ProviderError) -> _Failed:
        """Plan after an error how often the request is tried again, and after what wait."""
        passing = error.passing
        if passing is None:
            return _Failed(error=error)
        reason: WaitReason = "rateLimited" if passing.limited else "retrying"
        return _Failed(error=error, tries=self._policy.tries, asked=passing.seconds, reason=reason)

    async def events(
        self, post: Post, progress: AnswerProgress, tries: Tries
    ) -> AsyncGenerator[ServerEvent | BodyEnd, None]:
        """Stream the events of the answer, and ``BodyEnd`` if a stream ended without a fault.

        ``progress`` records the reason for each wait, and whether the first token has come.

        Raises:
            ProviderError: Any of the kinds of the provider port.
        """
        opened = await self._open_answer(post, progress, tries)
        try:
            async for event in self._read_events(opened, post.site, progress):
                yield event
        finally:
            if progress.is_whole:
                await _read_rest(opened.pieces)
            await opened.response.aclose()

    async def _open_answer(self, post: Post, progress: AnswerProgress, tries: Tries) -> _Opened:
        while True:
            outcome = await self._attempt(post, progress)
            if isinstance(outcome, _Opened):
                return outcome
            step = self._policy.start_step
            if tries.started + step <= outcome.start_wait:
                tries.started += step
                progress.enter(outcome.reason)
                await self._sleep(step)
                continue
            if not await self._wait(outcome, progress, tries):
                raise outcome.error from outcome.cause

    async def _wait(self, failed: _Failed, progress: AnswerProgress, tries: Tries) -> bool:
        seconds = tries.wait(failed.tries, failed.asked)
        if seconds is None:
            return False
        progress.enter(
            failed.reason, attempt=tries.made + 1, attempts=failed.tries, seconds=seconds
        )
        await self._sleep(seconds)
        return True

    async def _attempt(self, post: Post, progress: AnswerProgress) -> _Opened | _Failed:
        progress.begin_try()
        options = self._options
        seconds = options.first_token_seconds
        trace = ConnectionTrace(post.site, options.connect_seconds, progress.enter)
        try:
            async with asyncio.timeout(seconds or None):
                return await self._first_bytes(post, progress, trace)
        except TimeoutError as error:
            told = add_proxy(no_token(post.site, seconds), post.site)
            return _Failed(error=told, cause=error)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            found = translate_fault(error, post.site, trace.steps, options.connect_seconds)
            return self._plan_after_fault(found, error)

    async def _first_bytes(
        self, post: Post, progress: AnswerProgress, trace: ConnectionTrace
    ) -> _Opened | _Failed:
        headers = {"accept": "text/event-stream", "accept-encoding": "identity", **post.headers}
        request = self._client.build_request(
            "POST", post.url, content=post.body, headers=headers, extensions={"trace": trace}
        )
        async with trace.sending():
            response = await self._client.send(request, stream=True)
        progress.is_accepted = response.is_success
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
        """Read a whole answer: some gateways send one although a stream was requested."""
        most = self._options.body_bytes
        body = await _beginning(pieces, most + 1)
        if len(body) > most:
            return _Failed(error=too_large(site, most))
        complaint = complaint_in(body, None)
        if complaint.status is None:
            return _Opened(response, pieces, body, document=True)
        return self._plan_after_refusal(complaint, response.headers, site)

    async def _refusal(
        self, response: httpx.Response, pieces: AsyncIterator[bytes], site: Site
    ) -> _Failed | None:
        headers = response.headers
        told = refused_by_proxy(response.status_code, headers, site)
        if told is not None:
            return _Failed(error=told)
        encoded = _is_encoded(headers)
        if response.is_success and encoded:
            return _Failed(error=encoded_body(headers["content-encoding"], site))
        page = "html" in headers.get("content-type", "")
        if response.is_success and not page:
            return None
        body = b"" if encoded else await _beginning(pieces, REFUSAL_BYTES)
        complaint = complaint_in(body, None if response.is_success else response.status_code)
        if complaint.status is None:
            return _Failed(error=no_stream(headers.get("content-type", ""), site))
        return self._plan_after_refusal(complaint, headers, site)

    def _plan_after_refusal(
        self, complaint: Complaint, headers: httpx.Headers, site: Site
    ) -> _Failed:
        asked = _asked_wait(complaint, headers)
        error = add_proxy(translate(replace(complaint, retry_after=asked), site), site)
        if is_loading(complaint):
            return _Failed(error=error, reason="loading", start_wait=math.inf)
        return self._plan_retry(error)

    async def _read_events(
        self, opened: _Opened, site: Site, progress: AnswerProgress
    ) -> AsyncGenerator[ServerEvent | BodyEnd, None]:
        if opened.document:
            yield document_event(opened.first)
            return
        parser, piece, size = SseParser(), opened.first, 0
        while piece:
            size += len(piece)
            if size > self._options.body_bytes:
                raise too_large(site, self._options.body_bytes)
            for event in parser.feed(piece):
                yield event
            piece = await self._next_piece(opened, site, self._deadline(progress))
        yield BodyEnd(_is_framed(opened.response.headers))

    def _deadline(self, progress: AnswerProgress) -> _Deadline:
        """Return the deadline for the next line, and the error for missing it."""
        options, now = self._options, asyncio.get_running_loop().time()
        if progress.spoke_at is None:
            # Comments and events without a token keep the connection alive, not the hope.
            seconds = options.first_token_seconds or math.inf
            return _Deadline(progress.sent_at + seconds, seconds, no_token)
        idle, whole = options.idle_seconds or math.inf, options.answer_seconds or math.inf
        return min(
            _Deadline(now + idle, idle, silent),
            _Deadline(progress.spoke_at + whole, whole, too_long),
            key=lambda deadline: deadline.at,
        )

    async def _next_piece(self, opened: _Opened, site: Site, deadline: _Deadline) -> bytes:
        """Read the next bytes that complete a line; empty at the end of the body.

        Only a line is a sign of life: a server that sends single bytes is as good as silent.
        """
        gathered = bytearray()
        try:
            async with asyncio.timeout_at(None if math.isinf(deadline.at) else deadline.at):
                while b"\n" not in gathered and b"\r" not in gathered:
                    piece = await anext(opened.pieces, b"")
                    gathered += piece
                    if not piece or len(gathered) > self._options.body_bytes:
                        break
        except TimeoutError as error:
            raise deadline.error(site, deadline.seconds) from error
        except httpx.HTTPError as error:
            raise cut_error(site) from error
        return bytes(gathered)

    def _plan_after_fault(self, found: Unreached, cause: Exception) -> _Failed:
        policy = self._policy
        match found.again:
            case "never":
                return _Failed(error=found.error, cause=cause)
            case "connect":
                return _Failed(error=found.error, tries=policy.connect_tries, cause=cause)
            case "broken":
                return _Failed(error=found.error, tries=policy.tries, cause=cause)
            case "starting":
                return _Failed(
                    error=found.error,
                    cause=cause,
                    reason="connecting",
                    start_wait=policy.start_wait,
                )


def _asked_wait(complaint: Complaint, headers: httpx.Headers) -> float | None:
    """Return the wait in seconds that a refusal names in a header, its body or a limit's reset."""
    now = datetime.now(UTC)
    named = retry_after(headers, now) or complaint.retry_after
    if named is None and complaint.status == 429:
        named = limit_reset({**headers, **complaint.headers}, now)
    return named


async def _read_rest(pieces: AsyncIterator[bytes]) -> None:
    """Read the end of the body after a complete answer, so that the connection can be reused.

    It mostly came with the last bytes; a connection that is not reused costs a handshake.
    """
    # Where it does not come, or what comes has no end, the connection is closed.
    with contextlib.suppress(TimeoutError, httpx.HTTPError):
        async with asyncio.timeout(REST_SECONDS):
            await _beginning(pieces, REFUSAL_BYTES)


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


def refusal_error(body: bytes, status: int, site: Site) -> ProviderError:
    """Build the error for a plain request that was answered with this status."""
    return translate(complaint_in(body, status), site)


def _is_framed(headers: httpx.Headers) -> bool:
    return "content-length" in headers or "chunked" in headers.get("transfer-encoding", "")
