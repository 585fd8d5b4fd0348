"""Asks an authorization server for tokens, and says what its answer means for a login."""

import time
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any, Literal, cast
from urllib.parse import quote

import httpx2

from plimsoll.tools.mcp.logins import Login

Refusal = Literal["later", "client", "grant"]
"""It may work in a moment; the registration is not known; the code or token is not."""
_CLIENT_ERRORS = frozenset({"invalid_client", "unauthorized_client"})


@dataclass(frozen=True, slots=True)
class RefusedTokens:
    """An answer without tokens."""

    refusal: Refusal
    why: str


async def ask_for_tokens(
    client: httpx2.AsyncClient, login: Login, grant: dict[str, str]
) -> Login | RefusedTokens:
    """Ask for tokens by a code or a refresh token, and return the login with them.

    What the answer does not name stays: the scope, and a refresh token that is not replaced.
    """
    form = {**grant, "client_id": login.client_id}
    if login.resource:
        form["resource"] = login.resource
    headers = {"Accept": "application/json"}
    if login.client_secret and login.authentication == "client_secret_basic":
        pair = (quote(login.client_id, safe=""), quote(login.client_secret, safe=""))
        answer = await client.post(login.token_endpoint, data=form, headers=headers, auth=pair)
    else:
        if login.client_secret:
            form["client_secret"] = login.client_secret
        answer = await client.post(login.token_endpoint, data=form, headers=headers)
    told = members_of(answer)
    access = told.get("access_token")
    if answer.status_code not in {HTTPStatus.OK, HTTPStatus.CREATED} or not access:
        return _make_refusal(answer.status_code, told)
    seconds = told.get("expires_in")
    return replace(
        login,
        access=str(access),
        refresh=told.get("refresh_token") or login.refresh,
        scope=told.get("scope") or login.scope,
        expires=time.time() + float(seconds) if isinstance(seconds, int | float) else None,
        refusals=0,
        wants=None,
    )


def _make_refusal(status: int, told: dict[str, Any]) -> RefusedTokens:
    error = str(told.get("error") or "")
    words = str(told.get("error_description") or error or f"HTTP {status}")[:200]
    if error in _CLIENT_ERRORS or (status == HTTPStatus.UNAUTHORIZED and not error):
        return RefusedTokens("client", words)
    is_answer = HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR
    passes = status in {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS}
    if not error or not is_answer or passes or error == "temporarily_unavailable":
        return RefusedTokens("later", words)
    return RefusedTokens("grant", words)


def members_of(answer: httpx2.Response) -> dict[str, Any]:
    """Return the members of an answer; of an error of our transport, its words."""
    try:
        told: object = answer.json()
    except ValueError:
        return {}
    members = cast("dict[str, Any]", told) if isinstance(told, dict) else {}
    error = members.get("error")
    if isinstance(error, dict):
        return {"error_description": cast("dict[str, Any]", error).get("message")}
    return members
