"""Chat completions: OpenAI and every host that speaks its dialect."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from plimsoll.errors import ProviderAuth, SettingsInvalid
from plimsoll.providers.base import Chunk, Request
from plimsoll.providers.faults import Site
from plimsoll.providers.openai_stream import ChatStream
from plimsoll.providers.openai_wire import request_body
from plimsoll.providers.options import ProviderOptions

if TYPE_CHECKING:
    from plimsoll.providers.http_stream import EventClient

OWN_URL = "https://api.openai.com/v1"
KEY_ENV = "OPENAI_API_KEY"
NEW_LIMIT_HOSTS = ("api.openai.com", ".openai.azure.com")
"""Hosts whose newer models refuse ``max_tokens``; most others know no other name."""


class OpenAI:
    """A provider for one base URL, one key and any of its models."""

    def __init__(self, options: ProviderOptions, client: "EventClient | None" = None) -> None:
        """Check the address; ``client`` is opened with the first request where none is given.

        Raises:
            SettingsInvalid: ``base_url`` is no http or https address.
        """
        self._options = options
        self._base_url = (options.base_url or OWN_URL).rstrip("/")
        self._key = (options.api_key or "").strip()
        self._host = _host(self._base_url)
        self._client = client

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """The answer in chunks; see ``Provider``."""
        from plimsoll.providers.http_stream import BodyEnd, Post

        site = self._site(request)
        self._check_key(site)
        headers = {"content-type": "application/json"}
        if self._key:
            headers["authorization"] = f"Bearer {self._key}"
        post = Post(site.url, headers, request_body(request, self._limit_field()), site)
        answer, end = ChatStream(request, site), BodyEnd(framed=False)
        async with aclosing(self._opened().events(post)) as events:
            async for event in events:
                if isinstance(event, BodyEnd):
                    end = event
                    break
                for chunk in answer.take(event):
                    yield chunk
                if answer.done:
                    break
        for chunk in answer.end(end.framed):
            yield chunk

    async def close(self) -> None:
        """Give back the connections."""
        if self._client is not None:
            await self._client.close()

    def _opened(self) -> "EventClient":
        # httpx costs 110 ms to import and its client 50 ms, too much for the start of a server.
        from plimsoll.providers.http_stream import EventClient

        if self._client is None:
            self._client = EventClient(replace(self._options, base_url=self._base_url))
        return self._client

    def _site(self, request: Request) -> Site:
        return Site(
            url=f"{self._base_url}/chat/completions",
            model=request.model,
            key_env=self._options.api_key_env or KEY_ENV,
            secret=self._key or None,
        )

    def _check_key(self, site: Site) -> None:
        remedy = f"Set {site.key_env}, or give a key with plimsoll/model/setKey."
        if not self._key and self._base_url == OWN_URL:
            raise ProviderAuth(f"There is no key for {site.shown}.", remedy=remedy)
        # An unprintable key would be quoted by the HTTP library's own error.
        if not (self._key.isascii() and self._key.isprintable()):
            raise ProviderAuth(
                f"The key for {site.shown} holds characters that no key has.", remedy=remedy
            )

    def _limit_field(self) -> str:
        new = self._host.endswith(NEW_LIMIT_HOSTS)
        return "max_completion_tokens" if new else "max_tokens"


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
        f"model.base_url {base_url!r} is no http or https address.",
        remedy="Give an address such as http://127.0.0.1:11434/v1.",
    )
