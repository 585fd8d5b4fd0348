"""Logs a person in at a server by OAuth: finds its authorization server, registers, gets tokens.

A registration is kept with the address that it sends back to, and is made anew only when the
authorization server has said twice in succession that it does not know it.
"""

import asyncio
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TypeVar
from urllib.parse import urlencode, urlsplit

import httpx2
from mcp.client.auth import OAuthFlowError
from mcp.client.auth.oauth2 import PKCEParameters
from mcp.client.auth.utils import (
    build_oauth_authorization_server_metadata_discovery_urls,
    build_protected_resource_metadata_discovery_urls,
    create_oauth_metadata_request,
    extract_resource_metadata_from_www_auth,
    extract_scope_from_www_auth,
    get_client_metadata_scopes,
    issuers_match,
    union_scopes,
    validate_authorization_response_iss,
)
from mcp.shared.auth import OAuthMetadata, ProtectedResourceMetadata
from mcp.shared.auth_utils import check_resource_allowed, resource_url_from_server_url
from pydantic import BaseModel, ValidationError

from plimsoll.errors import ToolFailed
from plimsoll.tools.mcp.client.callback import Answer, LoginCallback, redirect_address
from plimsoll.tools.mcp.client.registering import (
    FoundAuthorization,
    OwnRegistration,
    origin_of,
    raise_if_passing,
    register,
)
from plimsoll.tools.mcp.client.tokens import ask_for_tokens
from plimsoll.tools.mcp.logins import Login, Logins, read_login

LOGIN_SECONDS = 300.0
"""How long a person has in their browser."""
_UNKNOWN = ("invalid_client", "unauthorized_client", "unknown client", "client not found")
_Metadata = TypeVar("_Metadata", bound=BaseModel)
_BEGIN = {"jsonrpc": "2.0", "id": 0, "method": "ping"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Authorizing:
    """One login of a person at a server."""

    url: str
    """The server."""
    client: httpx2.AsyncClient
    logins: Logins
    port: int
    open_url: Callable[[str], None]
    """Shows the person the address of the login."""
    own: OwnRegistration | None = None
    """The registration that the person made; none: the program registers itself."""

    async def log_in(self, callback: LoginCallback) -> None:
        """Log the person in, and keep the tokens.

        Raises:
            ToolFailed: It did not work; what was kept before stays.
        """
        try:
            found = await self._find()
            if self.own is not None:
                await self._try(found, self.own.login(found, self._redirect), callback)
            else:
                await self._log_in_registered(found, callback)
        except (OAuthFlowError, ValidationError, httpx2.HTTPError) as error:
            raise ToolFailed(f"The login did not work: {str(error)[:300]}.") from error

    @property
    def _redirect(self) -> str:
        return redirect_address(self.port)

    async def _log_in_registered(self, found: FoundAuthorization, callback: LoginCallback) -> None:
        """Log in by the registration that is kept, or by a new one where that is gone."""
        kept = await self._find_registration(found)
        login = await self._check_registration(found, kept) if kept is not None else None
        for _ in range(2):
            if login is None or login.is_gone:
                login = await register(self.client, found, self.url, self._redirect)
                await self.logins.keep(self.url, login.encode())
            login = await self._try(found, login, callback)
            if not login.is_gone:
                return
        raise ToolFailed("The login did not work: a new registration is refused too.")

    async def _try(self, found: FoundAuthorization, login: Login, callback: LoginCallback) -> Login:
        """Ask the person, and return the login with tokens, or one whose registration is gone."""
        proof = PKCEParameters.generate()
        answer = await self._ask_person(found, login, proof, callback)
        grant = {
            "grant_type": "authorization_code",
            "code": answer["code"],
            "redirect_uri": login.redirect,
            "code_verifier": proof.code_verifier,
        }
        while True:
            done = await ask_for_tokens(self.client, login, grant)
            if isinstance(done, Login):
                await self.logins.keep(self.url, done.encode())
                return done
            if done.refusal == "client" and self.own is not None:
                raise ToolFailed(
                    f"The login did not work: the server does not know the client_id "
                    f"{login.client_id[:100]!r}, or not this secret ({done.why}). Look at what is "
                    "registered there, and at what is set for the server (docs/mcp.md)."
                )
            if done.refusal != "client":
                raise ToolFailed(f"The login did not work: {done.why}.")
            login = await self._count_refusal(login)
            if login.is_gone:
                return login

    async def _check_registration(self, found: FoundAuthorization, login: Login) -> Login:
        """Request the login page ourselves, to renew a registration that is unknown there."""
        address = _login_address(found, login, "check", "0" * 43)
        while not login.is_gone:
            answer = await self.client.get(address)
            is_error = HTTPStatus.BAD_REQUEST <= answer.status_code <= HTTPStatus.FORBIDDEN
            if not is_error or not any(word in answer.text.lower() for word in _UNKNOWN):
                return login
            login = await self._count_refusal(login)
        return login

    async def _count_refusal(self, login: Login) -> Login:
        login = replace(login, refusals=login.refusals + 1)
        await self.logins.keep(self.url, login.encode())
        return login

    async def _ask_person(
        self,
        found: FoundAuthorization,
        login: Login,
        proof: PKCEParameters,
        callback: LoginCallback,
    ) -> Answer:
        state = secrets.token_urlsafe(32)
        self.open_url(_login_address(found, login, state, proof.code_challenge))
        try:
            async with asyncio.timeout(LOGIN_SECONDS):
                answer = await callback.answer(state)
        except TimeoutError as error:
            raise ToolFailed("The login did not come back from the browser in time.") from error
        validate_authorization_response_iss(answer.get("iss"), found.metadata)
        if "code" not in answer:
            why = answer.get("error_description") or answer.get("error") or "no reason given"
            raise ToolFailed(f"The login was refused: {why[:200]}.")
        return answer

    async def _find(self) -> FoundAuthorization:
        """Find the authorization server as the server, or its well-known addresses, name it."""
        accept = "application/json, text/event-stream"
        refused = await self.client.post(self.url, json=_BEGIN, headers={"Accept": accept})
        told = extract_resource_metadata_from_www_auth(refused)
        places = build_protected_resource_metadata_discovery_urls(told, self.url)
        resource = await self._first(places, ProtectedResourceMetadata)
        named = str(resource.authorization_servers[0]) if resource else None
        places = build_oauth_authorization_server_metadata_discovery_urls(named, self.url)
        metadata = await self._first(places, OAuthMetadata) or _usual(self.url)
        if named is not None and not issuers_match(str(metadata.issuer), named):
            raise ToolFailed(f"The login did not work: {named} says that it is another.")
        scope = get_client_metadata_scopes(
            extract_scope_from_www_auth(refused), resource, metadata, ["refresh_token"]
        )
        kept = read_login(await self.logins.read(self.url))
        if kept is not None and kept.wants:
            # What was granted before is asked for again: it would else be lost.
            scope = union_scopes(union_scopes(kept.scope, scope), kept.wants)
        own = resource_url_from_server_url(self.url)
        if resource is not None:
            if not check_resource_allowed(own, str(resource.resource)):
                raise ToolFailed("The login did not work: the server names another as itself.")
            own = str(resource.resource)
        return FoundAuthorization(metadata=metadata, resource=own, scope=scope)

    async def _first(self, places: list[str], kind: type[_Metadata]) -> _Metadata | None:
        """Return the metadata at the first of some addresses that has them.

        Raises:
            ToolFailed: An address is broken now, which does not say that there are none.
        """
        for place in places:
            answer = await self.client.send(create_oauth_metadata_request(place))
            raise_if_passing(answer)
            if answer.status_code == HTTPStatus.OK:
                try:
                    return kind.model_validate_json(answer.content)
                except ValidationError:
                    continue
        return None

    async def _find_registration(self, found: FoundAuthorization) -> Login | None:
        """Return the registration that was made there before, if it holds for this port."""
        kept = read_login(await self.logins.read(self.url))
        if kept is None or kept.issuer != str(found.metadata.issuer):
            return None
        if kept.redirect != self._redirect:
            return None
        return replace(kept, token_endpoint=str(found.metadata.token_endpoint))


def _login_address(found: FoundAuthorization, login: Login, state: str, challenge: str) -> str:
    asked = {
        "response_type": "code",
        "client_id": login.client_id,
        "redirect_uri": login.redirect,
        "state": state,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
        "resource": found.resource,
    }
    if found.scope:
        asked["scope"] = found.scope
        if "offline_access" in found.scope.split():
            asked["prompt"] = "consent"
    endpoint = str(found.metadata.authorization_endpoint)
    return f"{endpoint}{'&' if urlsplit(endpoint).query else '?'}{urlencode(asked)}"


def _usual(url: str) -> OAuthMetadata:
    """Return the default login addresses of the protocol's first version."""
    base = origin_of(url)
    places: Mapping[str, str] = {
        "issuer": base,
        "authorization_endpoint": f"{base}/authorize",
        "token_endpoint": f"{base}/token",
        "registration_endpoint": f"{base}/register",
    }
    return OAuthMetadata.model_validate(places)
