"""The ways to a server: how it is opened and ended, and what is known of why it does not work."""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol
from urllib.parse import urlsplit

import httpx2
from mcp.client.streamable_http import streamable_http_client

from plimsoll.network.checked import Reach
from plimsoll.tools.mcp.client.authorizing import Authorizing
from plimsoll.tools.mcp.client.bearer import BearerAuth
from plimsoll.tools.mcp.client.callback import listen_for_logins
from plimsoll.tools.mcp.client.http import LONGEST_BODY, open_client, open_transport
from plimsoll.tools.mcp.client.mending import mend_transport
from plimsoll.tools.mcp.client.registering import OwnRegistration
from plimsoll.tools.mcp.client.session import ServerSession, open_session
from plimsoll.tools.mcp.client.stdio import carry_lines
from plimsoll.tools.mcp.environment import command_of
from plimsoll.tools.mcp.needs import HostNeeds
from plimsoll.tools.mcp.process import LastWords, ServerProcess, start_process
from plimsoll.tools.ports.mcp import McpServer
from plimsoll.tools.process.supervision.command_request import CONVERSES

log = logging.getLogger(__name__)

_SAID_SECONDS = 0.5
_END_SECONDS = 2.0
"""How long a server at an address may take to hear that a conversation ends."""
_CONVERSATION = "mcp-session-id"
_SHOWN_AT_END = (_CONVERSATION, "mcp-protocol-version", "authorization")


class Way(Protocol):
    """The way to one server, for one start of it."""

    def open(self) -> AbstractAsyncContextManager[ServerSession]:
        """Open a conversation; the context ends the server, and is left by who entered it."""
        ...

    async def wait_for_end(self) -> None:
        """Wait until the server has ended by itself."""
        ...

    def last_words(self) -> LastWords:
        """Return what is known of its end."""
        ...

    @property
    def wants_login(self) -> bool:
        """Whether the person must log in first."""
        ...


class StdioWay:
    """The way to a server that is a process here."""

    def __init__(self, server: McpServer, needs: HostNeeds) -> None:
        self._server = server
        self._needs = needs
        self._process: ServerProcess | None = None

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[ServerSession]:
        """Start the process and open a conversation; at the end all that it started is ended.

        Raises:
            ToolFailed: It cannot be started.
        """
        rules = json.dumps({CONVERSES: True})
        request = command_of(self._server, self._needs.root, rules)
        process = self._process = await start_process(self._needs.fork_server, request)
        opened = False
        try:
            async with open_session(self._server.name, carry_lines(process)) as session:
                opened = True
                yield session
        finally:
            # What ended by itself is waited for: its exit code tells why.
            await process.close(at_once=not opened and not process.hung_up.is_set())

    async def wait_for_end(self) -> None:
        """Wait until the process has ended by itself, or closed its standard output."""
        if self._process is not None:
            await self._process.hung_up.wait()

    def last_words(self) -> LastWords:
        """Return how the process ended, and the end of what it wrote to standard error."""
        return self._process.last_words() if self._process else LastWords()

    @property
    def wants_login(self) -> bool:
        """Never: it is a program of the person's."""
        return False


class HttpWay:
    """The way to a server that is reached at an address."""

    def __init__(self, server: McpServer, needs: HostNeeds) -> None:
        self._server = server
        self._needs = needs
        self._lost = asyncio.Event()
        self._auth: BearerAuth | None = None
        self._last: httpx2.Request | None = None

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[ServerSession]:
        """Open a conversation over checked connections; the server is told of its end."""
        server = self._server
        async with (
            open_transport(reach_of(server, self._needs), self._lost) as transport,
            open_client(transport) as plain,
            open_client(transport, server.headers) as client,
        ):
            if not any(name.lower() == "authorization" for name in server.headers):
                client.auth = self._auth = BearerAuth(_url(server), self._needs.logins, plain)
            client.event_hooks = {"request": [self._remember]}
            streams = streamable_http_client(
                _url(server),
                http_client=client,
                # The library would wait for the answer as long as for that of a call.
                terminate_on_close=False,
                max_sse_event_size=LONGEST_BODY,
            )
            try:
                async with open_session(server.name, mend_transport(streams)) as session:
                    yield session
            finally:
                await self._tell_end(client)

    async def _remember(self, request: httpx2.Request) -> None:
        if _CONVERSATION in request.headers:
            self._last = request

    async def _tell_end(self, client: httpx2.AsyncClient) -> None:
        """Tell the server that the conversation ends; whether it hears that does not matter."""
        last = self._last
        if last is None or self._lost.is_set():
            return
        shown = {name: last.headers[name] for name in _SHOWN_AT_END if name in last.headers}
        try:
            async with asyncio.timeout(_END_SECONDS):
                # A login is not renewed for this: broken off, that could lose it.
                await client.delete(last.url, headers=shown, auth=httpx2.Auth())
        except (TimeoutError, httpx2.HTTPError) as error:
            log.info("a server does not hear of the end: %s", type(error).__name__)

    async def wait_for_end(self) -> None:
        """Wait until the server no longer knows the conversation, and has said so."""
        await self._lost.wait()
        await asyncio.sleep(_SAID_SECONDS)

    def last_words(self) -> LastWords:
        """Return why the login does not hold now, if that is so."""
        return LastWords(self._auth.problem if self._auth else None)

    @property
    def wants_login(self) -> bool:
        """Whether the person must log in first."""
        return self._auth is not None and self._auth.wants_login


async def log_in(server: McpServer, needs: HostNeeds, open_url: Callable[[str], None]) -> None:
    """Log a person in at a server that is reached at an address.

    Raises:
        ToolFailed: It did not work.
    """
    async with (
        listen_for_logins(needs.login_port) as callback,
        open_transport(reach_of(server, needs), asyncio.Event()) as transport,
        open_client(transport) as client,
    ):
        authorizing = Authorizing(
            url=_url(server),
            client=client,
            logins=needs.logins,
            port=needs.login_port,
            open_url=open_url,
            own=_own_registration(server),
        )
        await authorizing.log_in(callback)


def _own_registration(server: McpServer) -> OwnRegistration | None:
    if server.client_id is None:
        return None
    return OwnRegistration(server.client_id, server.client_secret)


def reach_of(server: McpServer, needs: HostNeeds) -> Reach:
    """Return what may be connected to for a server: of private hosts, those that were named."""
    named = (urlsplit(_url(server)).hostname or "").lower()
    allowed = frozenset({named, *needs.allow_hosts()})
    return Reach(network=needs.network(), allowed=allowed, resolve=needs.resolve)


def _url(server: McpServer) -> str:
    return server.url or ""


def way_to(server: McpServer, needs: HostNeeds) -> Way:
    """Return the way to a server as it is configured."""
    return StdioWay(server, needs) if server.command else HttpWay(server, needs)
