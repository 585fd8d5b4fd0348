"""Sends a server the access token of a login, and renews it when it has expired.

No person is asked here: where a login is needed, that is remembered, and the server's own refusal
is its answer. An error that may pass erases nothing.
"""

import asyncio
import time
from collections.abc import AsyncGenerator
from dataclasses import replace
from http import HTTPStatus

import httpx2
from mcp.client.auth.utils import extract_field_from_www_auth, extract_scope_from_www_auth

from plimsoll.tools.mcp.client.tokens import RefusedTokens, ask_for_tokens
from plimsoll.tools.mcp.logins import Login, Logins, read_login

_EARLY_SECONDS = 30.0
"""A token is renewed so long before its end: a call may take its time to arrive."""
_AGAIN_SECONDS = 0.5


class BearerAuth(httpx2.Auth):
    """The login at one server, shown with each request."""

    def __init__(self, url: str, logins: Logins, client: httpx2.AsyncClient) -> None:
        """``client``: by which the authorization server is asked."""
        self._url = url
        self._logins = logins
        self._client = client
        self._login: Login | None = None
        self._renewing = asyncio.Lock()
        self.wants_login = False
        """Whether the server refuses what there is, so that the person must log in."""
        self.problem: str | None = None
        """Why a token could not be renewed, where that may pass."""

    async def async_auth_flow(
        self, request: httpx2.Request
    ) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        """Send a request with the access token, once more with a renewed one if it is refused."""
        login, renewed = await self._first_login(), False
        if login and login.refresh and login.expires and login.expires < _soon():
            login, renewed = await self._renew(login), True
        _show(request, login)
        response = yield request
        refused = response.status_code == HTTPStatus.UNAUTHORIZED
        if refused and login and login.refresh and not renewed:
            before, login = login, await self._renew(login)
            if login.access != before.access:
                _show(request, login)
                response = yield request
        if response.status_code == HTTPStatus.UNAUTHORIZED and self.problem is None:
            self.wants_login = True
        if login is not None and _wants_more(response):
            self.wants_login = True
            await self._keep_wanted(login, extract_scope_from_www_auth(response))

    async def _first_login(self) -> Login | None:
        """Return the stored login, read once: a keyring is not asked before every request."""
        if self._login is None:
            self._login = read_login(await self._logins.read(self._url))
        return self._login

    async def _keep_wanted(self, login: Login, scope: str | None) -> None:
        async with self._renewing:
            # Another call, or another window, may have renewed it since.
            kept = read_login(await self._logins.read(self._url)) or login
            await self._logins.keep(self._url, replace(kept, wants=scope).encode())

    async def _renew(self, login: Login) -> Login:
        """Renew a token; the same login where that did not work."""
        async with self._renewing:
            kept = read_login(await self._logins.read(self._url))
            if kept is not None and kept.access != login.access:
                # Another call, or another window, was quicker: a refresh token may hold once.
                self._login = kept
                return kept
            grant = {"grant_type": "refresh_token", "refresh_token": login.refresh or ""}
            found = await ask_for_tokens(self._client, login, grant)
            if isinstance(found, RefusedTokens) and found.refusal == "later":
                await asyncio.sleep(_AGAIN_SECONDS)
                found = await ask_for_tokens(self._client, login, grant)
            self.problem = None
            if isinstance(found, Login):
                self._login = found
                await self._logins.keep(self._url, found.encode())
                return found
            if found.refusal == "later":
                self.problem = f"its login could not be renewed now ({found.why})"
            elif found.refusal == "client":
                refused = replace(login, refusals=login.refusals + 1)
                await self._logins.keep(self._url, refused.encode())
            return login


def _show(request: httpx2.Request, login: Login | None) -> None:
    if login is not None and login.access:
        request.headers["Authorization"] = f"Bearer {login.access}"


def _soon() -> float:
    return time.time() + _EARLY_SECONDS


def _wants_more(response: httpx2.Response) -> bool:
    if response.status_code != HTTPStatus.FORBIDDEN:
        return False
    return extract_field_from_www_auth(response, "error") == "insufficient_scope"
