"""The login that a server is shown stays the newest one, whatever the server answers."""

from dataclasses import replace

import httpx2
import pytest

from plimsoll.tools.mcp.client.bearer import BearerAuth
from plimsoll.tools.mcp.logins import Login, MemoryLogins, read_login

URL = "https://far.example/mcp"
LOGIN = Login(
    issuer="https://a.example",
    token_endpoint="https://a.example/token",
    client_id="me",
    redirect="http://127.0.0.1:1/",
    access="old",
    refresh="once",
)


async def test_a_wanted_scope_does_not_bring_back_a_login_that_was_renewed_meanwhile():
    logins = MemoryLogins()
    await logins.keep(URL, LOGIN.encode())
    async with httpx2.AsyncClient() as client:
        flow = BearerAuth(URL, logins, client).async_auth_flow(httpx2.Request("POST", URL))
        request = await anext(flow)
        renewed = replace(LOGIN, access="new", refresh="another")
        await logins.keep(URL, renewed.encode())
        told = {"WWW-Authenticate": 'Bearer error="insufficient_scope", scope="write"'}
        refusal = httpx2.Response(403, headers=told, request=request)
        with pytest.raises(StopAsyncIteration):
            await flow.asend(refusal)
    assert read_login(await logins.read(URL)) == replace(renewed, wants="write")
