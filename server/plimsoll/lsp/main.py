"""Serving: `initialize` is answered at once, and the server behind it is loaded afterwards.

Start-up is a promise: until `initialize` is answered nothing is imported that it does not need.
"""

from __future__ import annotations

import asyncio
import linecache
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from plimsoll.lsp.capabilities import bare, initialize_result, is_plain
from plimsoll.lsp.connection import Connection, ended_unless_loaded, plain_json
from plimsoll.lsp.dispatch.lifecycle import EXIT_WITHOUT_SHUTDOWN
from plimsoll.lsp.dispatch.requests import RequestMessage, classify
from plimsoll.lsp.transport.sender import Sender

if TYPE_CHECKING:
    from pathlib import Path

    from plimsoll.app.front import BrowserViews
    from plimsoll.lsp.dispatch.dispatcher import Dispatcher
    from plimsoll.lsp.server_app import ServerApp
    from plimsoll.lsp.transport.admission import Token
    from plimsoll.redaction.secrets import Secrets
    from plimsoll.telemetry.base import SpanSink

log = logging.getLogger(__name__)


class Introduction:
    """Receives the first message: a plain `initialize` is answered before the rest is loaded.

    Messages that arrive while the server is loaded and introduced wait, in their order.
    """

    def __init__(self, connection: Connection, load: Callable[[], Dispatcher]) -> None:
        """``load`` imports and builds the server, and returns its dispatcher."""
        self._connection = connection
        self._load = load
        self._sender = Sender(plain_json)
        connection.connect(self._sender)
        self._dispatcher: Dispatcher | None = None
        self._waiting: list[object] = []
        self._introducing: asyncio.Task[None] | None = None

    def receive(self, message: object) -> None:
        """Take one parsed message, or why it was refused."""
        if self._introducing is not None:
            self._waiting.append(message)
            return
        request = classify(message)
        if isinstance(request, RequestMessage) and is_plain(request):
            self._sender.send({"id": request.id, "result": initialize_result(request.params)})
            self._introducing = asyncio.ensure_future(self._introduce(request))
            # What it raises goes to the event loop's handler, which logs it.
            self._introducing.add_done_callback(lambda task: task.result())
            return
        with ended_unless_loaded(self._connection):
            dispatcher = self._dispatcher = self._load()
        self._connection.hand_over(dispatcher)
        dispatcher.receive(message)

    async def cancel_running(self) -> None:
        """Cancel the running requests and wait until they have ended."""
        if self._dispatcher is not None:
            await self._dispatcher.cancel_running()

    def exit_code(self) -> int:
        """Return the exit code of a process that ends now."""
        return EXIT_WITHOUT_SHUTDOWN if self._dispatcher is None else self._dispatcher.exit_code()

    async def _introduce(self, request: RequestMessage) -> None:
        # A client that has its answer would wait for ever on a server that does not go on.
        with ended_unless_loaded(self._connection):
            dispatcher = self._dispatcher = self._load()
            # Loaded by now; what it refuses is an odd capability.
            from pygls.exceptions import JsonRpcException

            try:
                await dispatcher.introduce(request)
            except JsonRpcException as error:
                log.warning("the client's capabilities are left out: %s", error.message)
                await dispatcher.introduce(bare(request))
            for message in self._waiting:
                dispatcher.receive(message)
            self._connection.hand_over(dispatcher)


def server_app() -> type[ServerApp]:
    """Import the server, and free the memory that only its import needed."""
    from plimsoll.lsp.server_app import ServerApp

    # attrs keeps the source of each method that it wrote for lsprotocol's types: 2 MB that only a
    # traceback would show.
    linecache.clearcache()
    return ServerApp


def serve(
    secrets: Secrets,
    config: Path | None = None,
    tcp: tuple[str, Token] | None = None,
    sinks: tuple[SpanSink, ...] = (),
    profile: str | None = None,
    make_views: Callable[[], BrowserViews] | None = None,
) -> None:
    """Serve one client over standard streams, or over a loopback ``HOST:PORT`` with its token.

    ``sinks`` receive the spans; ``make_views`` makes the server for browsers.
    """
    connection = Connection()

    def load() -> Dispatcher:
        made = server_app()(
            connection, secrets, config, sinks, profile=profile, make_views=make_views
        )
        return made.server.dispatcher

    introduction = Introduction(connection, load)
    if tcp is None:
        connection.run_stdio(introduction)
    else:
        connection.run_tcp(introduction, *tcp)
