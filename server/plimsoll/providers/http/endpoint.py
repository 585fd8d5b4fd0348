"""An address that answers model requests with a stream of events: what every vendor shares."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from plimsoll.errors import Fix, ProviderAuth, ProviderError, SettingsInvalid
from plimsoll.providers.base import (
    BegunAnew,
    Chunk,
    Finished,
    ProviderOptions,
    ReasoningDelta,
    Request,
    Usage,
)
from plimsoll.providers.http.faults import unusual_end_error
from plimsoll.providers.http.json_body import Body, encode_body
from plimsoll.providers.http.site import Site
from plimsoll.providers.http.sse import ServerEvent
from plimsoll.providers.http.waits import AnswerProgress, telling_waits
from plimsoll.providers.mends.known import KnownMends
from plimsoll.providers.mends.mending import Mending, Server

if TYPE_CHECKING:
    from plimsoll.providers.http.client import EventClient, Post
    from plimsoll.providers.http.retries import Tries


@dataclass(frozen=True, slots=True)
class Vendor:
    """The differences of a vendor's API, apart from its bodies."""

    url: str
    """The vendor's own base URL, which requires a key."""
    path: str
    key_env: str
    headers: Callable[[str], dict[str, str]]
    """Builds the headers for a key."""


class StreamReader(Protocol):
    """Reads one answer as it arrives; pure."""

    done: bool
    """Whether the stream has announced its end; nothing after that counts."""

    def take(self, event: ServerEvent) -> Iterator[Chunk]:
        """Yield the chunks of an event; raises ProviderError if it reports an error."""
        ...

    def end(self, framed: bool) -> Iterator[Chunk]:
        """Yield the chunks of the proper end; raises ProviderAnswer if there was none."""
        ...


class ProviderEndpoint:
    """One base URL with one key."""

    def __init__(
        self, vendor: Vendor, options: ProviderOptions, client: "EventClient | None" = None
    ) -> None:
        """Check the address; without a ``client`` one is opened with the first request.

        Raises:
            SettingsInvalid: ``base_url`` is not an http or https address, or the proxy set for it
                is not a proxy's address.
        """
        self._vendor = vendor
        self._known = options.mends or KnownMends()
        self._base_url = (options.base_url or vendor.url).rstrip("/")
        self.host = _host(self._base_url)
        own = Site(url=f"{self._base_url}{vendor.path}", path=vendor.path, model="", key_env="")
        self.address = own.address
        """The address without secrets."""
        self._options = replace(options, base_url=self._base_url)
        self._key = (options.api_key or "").strip()
        self._via = options.network.proxy_for(self._base_url)
        self._client = client

    def site(self, request: Request) -> Site:
        """Return the address and model of a request, for errors."""
        return Site(
            url=f"{self._base_url}{self._vendor.path}",
            path=self._vendor.path,
            model=request.model,
            key_env=self._options.api_key_env or self._vendor.key_env,
            secret=self._key or None,
            via=self._via,
        )

    async def answer(
        self,
        request: Request,
        body: Callable[[Request], Body],
        read: Callable[[Request, Site], StreamReader],
    ) -> AsyncGenerator[Chunk, None]:
        """Stream the answer in chunks; a refused request is sent again in another form.

        Raises:
            ProviderError: Any of the kinds of the provider port.
        """
        site = self.site(request)
        mending = Mending(self._known, Server(site.address, site.model), request)
        while True:
            progress = AnswerProgress(self._options.told_after_seconds)
            once = self._once(mending, body, read, progress)
            try:
                async with aclosing(telling_waits(once, progress)) as chunks:
                    async for chunk in chunks:
                        for each in mending.with_report(chunk):
                            yield each
            except ProviderError as error:
                if not mending.try_mends(error):
                    raise
            except (GeneratorExit, asyncio.CancelledError):
                if progress.is_accepted:
                    mending.keep()
                raise
            else:
                return

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.close()

    async def _once(
        self,
        mending: Mending,
        body: Callable[[Request], Body],
        read: Callable[[Request, Site], StreamReader],
        progress: AnswerProgress,
    ) -> AsyncGenerator[Chunk, None]:
        """Send a request, and again while a passing fault comes before the first text."""
        request, client = mending.request, self._open_client()
        site, sent = self.site(request), encode_body(mending.body(body(request)))
        post, tries = self._post(site, sent), client.tries()
        while True:
            reasoned, spoken = False, False
            asked = _read_answer(client, post, read(request, site), progress=progress, tries=tries)
            try:
                async with aclosing(_hold_back_usage(asked)) as chunks:
                    async for chunk in chunks:
                        if isinstance(chunk, Finished) and chunk.said and not spoken:
                            raise unusual_end_error(chunk.said, site)
                        reasoned = reasoned or isinstance(chunk, ReasoningDelta)
                        spoken = spoken or not isinstance(chunk, ReasoningDelta | Usage)
                        yield chunk
            except ProviderError as error:
                if spoken:
                    raise
                if reasoned and error.passing is not None:
                    progress.begin_anew()
                    yield BegunAnew()
                if not await client.again(error, progress, tries):
                    raise
            else:
                return

    def _open_client(self) -> "EventClient":
        # httpx costs 110 ms to import and its client 50 ms, too much for the start of a server.
        from plimsoll.providers.http.client import EventClient

        if self._client is None:
            self._client = EventClient(self._options)
        return self._client

    def _post(self, site: Site, body: bytes) -> "Post":
        # Late for the same reason.
        from plimsoll.providers.http.client import Post

        self._check_key(site)
        headers = {"content-type": "application/json", **self._vendor.headers(self._key)}
        return Post(site.url, headers, body, site)

    def _check_key(self, site: Site) -> None:
        remedy = f"Set {site.key_env} to a valid key."
        fix = Fix(kind="key", variable=site.key_env)
        if not self._key and self._base_url == self._vendor.url:
            raise ProviderAuth(f"There is no key for {site.shown}.", remedy=remedy, fix=fix)
        # An unprintable key would be quoted by the HTTP library's own error.
        if not (self._key.isascii() and self._key.isprintable()):
            raise ProviderAuth(
                f"The key for {site.shown} holds characters that no key has.",
                remedy=remedy,
                fix=fix,
            )


async def _hold_back_usage(chunks: AsyncGenerator[Chunk, None]) -> AsyncGenerator[Chunk, None]:
    """Hold back the usage before the first other chunk: an attempt that fails there is repeated."""
    used: Usage | None = None
    begun = False
    async with aclosing(chunks):
        async for chunk in chunks:
            if isinstance(chunk, Usage) and not begun:
                used = chunk
                continue
            if used is not None:
                yield used
            begun, used = True, None
            yield chunk


async def _read_answer(
    client: "EventClient",
    post: "Post",
    answer: StreamReader,
    *,
    progress: AnswerProgress,
    tries: "Tries",
) -> AsyncGenerator[Chunk, None]:
    """Send a request and read its answer to the end."""
    framed = False
    async with aclosing(client.events(post, progress, tries)) as events:
        async for event in events:
            if not isinstance(event, ServerEvent):
                framed = event.framed
                break
            for chunk in answer.take(event):
                yield chunk
            if answer.done:
                progress.is_whole = True
                break
    for chunk in answer.end(framed):
        yield chunk


def _host(base_url: str) -> str:
    try:
        parts = urlsplit(base_url)
        host = parts.hostname or ""
    except ValueError as error:
        raise _no_address(base_url) from error
    if parts.scheme not in {"http", "https"} or not host:
        raise _no_address(base_url)
    return host


def _no_address(base_url: str) -> SettingsInvalid:
    return SettingsInvalid(
        f"model.base_url {base_url!r} is not an http or https address.",
        remedy="Give an address such as http://127.0.0.1:11434/v1.",
    )
