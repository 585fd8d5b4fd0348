"""A server of tools at an address, with an authorization server beside it; both in this process.

The server is the official library's; the authorization server forgets, fails and refuses as told.
"""

import asyncio
import base64
import hashlib
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from typing import Any
from urllib.parse import unquote, urlencode

import httpx2
import uvicorn
from mcp.server import MCPServer
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route


class _Quiet(uvicorn.Server):
    def capture_signals(self):
        return nullcontext()


@asynccontextmanager
async def serving(app: Any, port: int = 0) -> AsyncIterator[str]:
    """Serve an application on a port of this machine; yield its address."""
    config = uvicorn.Config(app, port=port, log_config=None, ws="none", timeout_graceful_shutdown=1)
    server = _Quiet(config)
    running = asyncio.ensure_future(server.serve())
    while not server.started:
        assert not running.done()
        await asyncio.sleep(0.005)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        await running


class Authorization:
    """An authorization server: who is registered, which tokens hold, and what is to fail next."""

    def __init__(self) -> None:
        self.base = ""
        self.issuer: str | None = None
        """Another address than its own, as which the server names it."""
        self.refuses = False
        self.takes_registrations = True
        self.ways: list[str] | None = None
        """How a client may show its secret, as the metadata say it."""
        self.registered: dict[str, dict[str, Any]] = {}
        self.codes: dict[str, dict[str, str]] = {}
        self.access: set[str] = set()
        self.refresh: dict[str, str] = {}
        """The client of each refresh token that holds."""
        self.fail_next: list[int] = []
        """The statuses with which registrations and tokens are answered next."""
        self.asked: list[str] = []

    def metadata(self, request: Request) -> Response:
        told: dict[str, Any] = {
            "issuer": self.base,
            "authorization_endpoint": f"{self.base}/as/login",
            "token_endpoint": f"{self.base}/as/token",
            "code_challenge_methods_supported": ["S256"],
            "scopes_supported": ["tools", "offline_access"],
        }
        if self.takes_registrations:
            told["registration_endpoint"] = f"{self.base}/as/clients"
        if self.ways is not None:
            told["token_endpoint_auth_methods_supported"] = self.ways
        return JSONResponse(told)

    def resource(self, request: Request) -> Response:
        return JSONResponse(
            {
                "resource": f"{self.base}/mcp",
                "authorization_servers": [self.issuer or self.base],
                "scopes_supported": ["tools"],
            }
        )

    async def register(self, request: Request) -> Response:
        client = f"client-{len(self.registered) + 1}-{secrets.token_hex(2)}"
        self.asked.append("register")
        if self.fail_next:
            return PlainTextResponse("busy", self.fail_next.pop(0))
        self.registered[client] = await request.json()
        return JSONResponse({**self.registered[client], "client_id": client}, 201)

    def login(self, request: Request) -> Response:
        asked = dict(request.query_params)
        client = self.registered.get(asked["client_id"])
        if client is None:
            return PlainTextResponse("invalid_client: no such client", 400)
        assert asked["redirect_uri"] in client["redirect_uris"], "another redirect"
        if self.refuses:
            told = {"error": "access_denied", "error_description": "not today"}
            back = {**told, "state": asked["state"]}
            return RedirectResponse(f"{asked['redirect_uri']}?{urlencode(back)}", 302)
        code = secrets.token_hex(8)
        self.codes[code] = asked
        back = {"code": code, "state": asked["state"]}
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode(back)}", 302)

    async def token(self, request: Request) -> Response:
        form = {name: str(value) for name, value in (await request.form()).items()}
        self.asked.append(form["grant_type"])
        if self.fail_next:
            return PlainTextResponse("busy", self.fail_next.pop(0))
        client = self.registered.get(form["client_id"])
        if client is None or client.get("secret") != self._shown(request, form):
            return JSONResponse({"error": "invalid_client"}, 401)
        if form["grant_type"] == "refresh_token":
            if self.refresh.pop(form["refresh_token"], None) != form["client_id"]:
                return JSONResponse({"error": "invalid_grant"}, 400)
            return self.grant(form["client_id"])
        asked = self.codes.pop(form["code"])
        proof = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(proof).decode().rstrip("=")
        assert asked["code_challenge"] == challenge
        assert asked["client_id"] == form["client_id"]
        return self.grant(form["client_id"])

    def _shown(self, request: Request, form: dict[str, str]) -> str | None:
        """The secret that a client shows, in one of the ways that are told."""
        basic = request.headers.get("authorization", "").removeprefix("Basic ")
        if basic and (self.ways is None or "client_secret_basic" in self.ways):
            return unquote(base64.b64decode(basic).decode().partition(":")[2])
        return None if basic else form.get("client_secret")

    def grant(self, client: str, seconds: int = 3_600) -> Response:
        access, refresh = secrets.token_hex(8), secrets.token_hex(8)
        self.access.add(access)
        self.refresh[refresh] = client
        told = {"access_token": access, "refresh_token": refresh, "expires_in": seconds}
        return JSONResponse({**told, "token_type": "bearer"})

    def guard(self, app: Any) -> Any:
        async def guarded(scope: Any, receive: Any, send: Any) -> None:
            headers = dict(scope.get("headers", ()))
            token = headers.get(b"authorization", b"").decode().removeprefix("Bearer ")
            if scope["type"] == "http" and token not in self.access:
                where = f"{self.base}/.well-known/oauth-protected-resource/mcp"
                told = f'Bearer resource_metadata="{where}"'
                refusal = JSONResponse({}, 401, headers={"WWW-Authenticate": told})
                await refusal(scope, receive, send)
            else:
                await app(scope, receive, send)

        return guarded


def tools() -> MCPServer:
    """A server with two tools, by the official library."""
    server = MCPServer("remote", instructions="Adds.")

    @server.tool()
    def add(a: int, b: int) -> int:
        """Adds two numbers."""
        return a + b

    @server.tool()
    def long(size: int) -> str:
        """Says much."""
        return "x" * size

    return server


@asynccontextmanager
async def remote(authorization: Authorization | None = None, port: int = 0) -> AsyncIterator[str]:
    """Serve the tools at an address, behind a login where there is an authorization server."""
    server = tools()
    app = server.streamable_http_app()
    if authorization is None:
        async with serving(app, port) as base:
            yield f"{base}/mcp"
        return
    routes = [
        Route("/.well-known/oauth-protected-resource/mcp", authorization.resource),
        Route("/.well-known/oauth-authorization-server", authorization.metadata),
        Route("/as/clients", authorization.register, methods=["POST"]),
        Route("/as/login", authorization.login),
        Route("/as/token", authorization.token, methods=["POST"]),
        Mount("/", authorization.guard(app)),
    ]

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with server.session_manager.run():
            yield

    async with serving(Starlette(routes=routes, lifespan=lifespan)) as base:
        authorization.base = base
        yield f"{base}/mcp"


@asynccontextmanager
async def mute(*methods: str) -> AsyncIterator[tuple[str, list[str]]]:
    """Serve no tools, and answer neither these methods nor the end of a conversation.

    Yields the address, and the conversations that were ended.
    """
    ended: list[str] = []
    answers = {
        "initialize": {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "mute", "version": "1"},
        },
        "tools/list": {"tools": []},
    }

    async def answer(request: Request) -> Response:
        if request.method == "GET":
            return Response(status_code=405)
        message = {} if request.method == "DELETE" else await request.json()
        if request.method == "DELETE":
            ended.append(request.headers["mcp-session-id"])
        if request.method == "DELETE" or message["method"] in methods:
            while (await request.receive())["type"] != "http.disconnect":
                pass
            return Response()
        if "id" not in message:
            return Response(status_code=202)
        told = {"jsonrpc": "2.0", "id": message["id"], "result": answers[message["method"]]}
        return JSONResponse(told, headers={"mcp-session-id": "the one"})

    routes = [Route("/", answer, methods=["GET", "POST", "DELETE"])]
    async with serving(Starlette(routes=routes)) as base:
        yield base, ended


class Browser:
    """Opens the address of a login as a browser does, and goes where it is sent."""

    def __init__(self) -> None:
        self.pages: list[str] = []
        self.opened: list[asyncio.Future[None]] = []

    def open(self, url: str) -> None:
        self.opened.append(asyncio.ensure_future(self._open(url)))

    async def _open(self, url: str) -> None:
        async with httpx2.AsyncClient(follow_redirects=True, trust_env=False) as client:
            self.pages.append((await client.get(url)).text)
