"""Asks a server for its models and their windows; imported late, as httpx is.

Only the configured address is asked, with its own key and without redirects, within two seconds in
all, or six by a proxy.
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlsplit, urlunsplit

import httpx

from plimsoll.errors import ProviderError
from plimsoll.providers.base import ProviderOptions, ServedWindow
from plimsoll.providers.http.client import refusal_error
from plimsoll.providers.http.connecting.connections import (
    encoded_body,
    no_stream,
    silent,
    too_large,
)
from plimsoll.providers.http.connecting.opening import http_client
from plimsoll.providers.http.connecting.proxy_faults import add_proxy
from plimsoll.providers.http.connecting.steps import ConnectionTrace
from plimsoll.providers.http.connecting.unreached import refused_by_proxy, translate_fault
from plimsoll.providers.http.endpoint import Vendor
from plimsoll.providers.http.site import Site
from plimsoll.providers.served import (
    ModelList,
    is_of_ollama,
    models_in,
    window_in_props,
    window_in_show,
    windows_in_ps,
)

SECONDS = 2.0
PROXY_SECONDS = 6.0
"""Seconds by a proxy, which has to resolve and connect too."""
LIST_BYTES = 8 * 1024 * 1024
"""Most bytes of an answer: the list of a large gateway has one or two million."""


class ModelServer:
    """A client for the model list of an address."""

    def __init__(self, vendor: Vendor, options: ProviderOptions, seconds: float = SECONDS) -> None:
        self._base = (options.base_url or vendor.url).rstrip("/")
        self._options = options
        self._vendor = vendor
        self._via = options.network.proxy_for(self._base)
        self._seconds = seconds if self._via is None else PROXY_SECONDS

    async def models(self) -> ModelList:
        """List the models, with their windows if the server reports them.

        Raises:
            ProviderError: The server cannot be reached, refuses the key, or has no such list.
        """
        async with self._client() as client:
            try:
                async with asyncio.timeout(self._seconds):
                    return (await self._list_models(client))[0]
            except TimeoutError as error:
                raise silent(self._site("/models"), self._seconds) from error

    async def window(self, name: str) -> ServedWindow | None:
        """Return the server's report of a model's window; None if it could not be asked."""
        try:
            async with self._client() as client, asyncio.timeout(self._seconds):
                found, ollama = await self._list_models(client)
                model = found.find(name)
                window = model.window if model else None
                if ollama and window is None:
                    asked = await self._ask_root(client, "/api/show", {"model": name})
                    window = window_in_show(asked)
                return ServedWindow(window, ollama, found.instead_of(name))
        except (ProviderError, TimeoutError):
            return None

    async def _list_models(self, client: httpx.AsyncClient) -> tuple[ModelList, bool]:
        listed = models_in(await self._ask(client, f"{self._base}/models"))
        if listed.models and all(one.window for one in listed.models) and not listed.llama_cpp:
            return listed, False
        props, loaded = await asyncio.gather(
            self._ask_root(client, "/props"), self._ask_root(client, "/api/ps")
        )
        of_slot = window_in_props(props)
        windows = windows_in_ps(loaded)
        if of_slot is not None and len(listed.models) == 1:
            windows[listed.models[0].name.lower()] = of_slot
        return listed.with_windows(windows), is_of_ollama(loaded)

    async def _ask_root(
        self, client: httpx.AsyncClient, path: str, body: Mapping[str, object] | None = None
    ) -> object:
        """Request a path at the server's root, which the server may not have."""
        parts = urlsplit(self._base)
        root = parts.path.removesuffix("/v1")
        try:
            return await self._ask(client, urlunsplit(parts._replace(path=root + path)), body)
        except ProviderError:
            return None

    async def _ask(
        self, client: httpx.AsyncClient, url: str, body: Mapping[str, object] | None = None
    ) -> object:
        """Send a plain request and return the decoded answer; raises ProviderError."""
        site, method = self._site(url.removeprefix(self._base)), "POST" if body else "GET"
        site = replace(site, url=url)
        trace = ConnectionTrace(site, self._seconds / 2, lambda _: None)
        try:
            async with (
                trace.sending(),
                client.stream(method, url, json=body, extensions={"trace": trace}) as response,
            ):
                if response.headers.get("content-encoding", "identity") != "identity":
                    raise encoded_body(response.headers["content-encoding"], site)
                raw = bytearray()
                async for piece in response.aiter_raw():
                    raw += piece
                    if len(raw) > LIST_BYTES:
                        raise too_large(site, LIST_BYTES)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise translate_fault(error, site, trace.steps, self._seconds / 2).error from error
        if (told := refused_by_proxy(response.status_code, response.headers, site)) is not None:
            raise told
        if not response.is_success:
            raise add_proxy(refusal_error(bytes(raw), response.status_code, site), site)
        try:
            return json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise no_stream(response.headers.get("content-type", "no JSON"), site) from error

    def _site(self, path: str) -> Site:
        return Site(
            url=f"{self._base}{path}",
            path=path,
            model=self._options.name,
            key_env=self._options.api_key_env or self._vendor.key_env,
            secret=self._options.api_key,
            via=self._via,
        )

    def _client(self) -> httpx.AsyncClient:
        key = (self._options.api_key or "").strip()
        usable = key.isascii() and key.isprintable()
        headers = self._vendor.headers(key) if usable else {}
        return http_client(
            self._base,
            self._options.network,
            httpx.Timeout(self._seconds),
            {
                "accept-encoding": "identity",
                **headers,
            },
        )
