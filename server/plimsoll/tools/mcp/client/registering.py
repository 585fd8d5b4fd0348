"""Registrations at an authorization server: the person's own, or one that the program asks for."""

from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import httpx2
from mcp.client.auth import OAuthRegistrationError
from mcp.client.auth.utils import (
    create_client_registration_request,
    handle_registration_response,
    issuers_match,
)
from mcp.shared.auth import OAuthClientMetadata, OAuthMetadata
from pydantic import AnyUrl

from plimsoll.errors import ToolFailed
from plimsoll.tools.mcp.client.tokens import members_of
from plimsoll.tools.mcp.logins import Login

_NO_SECRET: dict[str, Any] = {"token_endpoint_auth_method": "none"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundAuthorization:
    """The authorization server of a server, with the resource and scope to ask it for."""

    metadata: OAuthMetadata
    resource: str
    scope: str | None


@dataclass(frozen=True, slots=True)
class OwnRegistration:
    """What an authorization server gave the person who registered the program there by hand."""

    client_id: str
    client_secret: str | None = field(default=None, repr=False)

    def login(self, found: FoundAuthorization, redirect: str) -> Login:
        """Return it as a login that has no tokens yet."""
        login = _make_login(found, self.client_id, redirect)
        if self.client_secret is None:
            return login
        secret, way = self.client_secret, _authentication(found)
        return replace(login, client_secret=secret, authentication=way)


def _authentication(found: FoundAuthorization) -> str:
    """Return how a secret is shown: by HTTP's own way where nothing is said (RFC 8414)."""
    known = found.metadata.token_endpoint_auth_methods_supported
    is_basic = known is None or "client_secret_basic" in known
    return "client_secret_basic" if is_basic else "client_secret_post"


async def register(
    client: httpx2.AsyncClient, found: FoundAuthorization, url: str, redirect: str
) -> Login:
    """Register at an authorization server, as the protocol allows; returns it without tokens.

    Raises:
        ToolFailed: It takes no registrations, not this one, or none now.
        pydantic.ValidationError, httpx2.HTTPError: Its answer cannot be used, or there is none.
    """
    if found.metadata.registration_endpoint is None and not is_usual(found.metadata, url):
        raise _refused("takes no registrations", redirect)
    asked = OAuthClientMetadata(
        redirect_uris=[AnyUrl(redirect)],
        client_name="Plimsoll",
        scope=found.scope,
        # Whoever has this program could read a secret in it.
        **_NO_SECRET,
    )
    request = create_client_registration_request(found.metadata, asked, origin_of(url))
    answer = await client.send(request)
    raise_if_passing(answer)
    try:
        made = await handle_registration_response(answer)
    except OAuthRegistrationError as error:
        raise _refused(f"refuses the registration ({str(error)[:200]})", redirect) from error
    secret, way = made.client_secret, made.token_endpoint_auth_method
    login = _make_login(found, made.client_id, redirect)
    return replace(login, client_secret=secret, authentication=way)


def _make_login(found: FoundAuthorization, client_id: str, redirect: str) -> Login:
    return Login(
        issuer=str(found.metadata.issuer),
        token_endpoint=str(found.metadata.token_endpoint),
        resource=found.resource,
        client_id=client_id,
        redirect=redirect,
        scope=found.scope,
    )


def raise_if_passing(answer: httpx2.Response) -> None:
    """Raise ToolFailed for an error that may pass: it does not say what a server has or takes."""
    is_busy = answer.status_code == HTTPStatus.TOO_MANY_REQUESTS
    if not is_busy and answer.status_code < HTTPStatus.INTERNAL_SERVER_ERROR:
        return
    told = members_of(answer).get("error_description")
    told = told or f"{answer.request.url} answers with {answer.status_code}"
    raise ToolFailed(f"The login does not work now: {told}. Try again.")


def _refused(why: str, redirect: str) -> ToolFailed:
    return ToolFailed(
        f"The login did not work: the server {why}. Register an app there by hand that comes back "
        f"to {redirect}, and set its client_id for the server (docs/mcp.md). Where the server "
        "gives out tokens, one can be set as a header instead."
    )


def is_usual(metadata: OAuthMetadata, url: str) -> bool:
    """Tell whether a server is its own authorization server."""
    return issuers_match(str(metadata.issuer), origin_of(url))


def origin_of(url: str) -> str:
    """Return scheme, host and port of an address."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
