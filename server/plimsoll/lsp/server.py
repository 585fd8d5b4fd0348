"""The language server: pygls, hardened, with typed methods of our own.

What the rest of the edge needs is here: register methods, notify, ask the client, show progress,
run something at the end, and serve one client over standard streams or a loopback connection.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import cast

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from plimsoll.lsp.codes import PARSE_ERROR
from plimsoll.lsp.dispatch.builtin import OnInitialize, Standard
from plimsoll.lsp.dispatch.client_requests import CONFIGURATION_SECONDS
from plimsoll.lsp.dispatch.envelope import Phase, RequestId
from plimsoll.lsp.dispatch.faults import Fault, describe
from plimsoll.lsp.dispatch.lifecycle import (
    EXIT_CLEAN,
    EXIT_FRAMING_LOST,
    EXIT_WITHOUT_SHUTDOWN,
    BeforeExit,
    Lifecycle,
    OnClose,
    say,
)
from plimsoll.lsp.dispatch.progress import Progress
from plimsoll.lsp.dispatch.registry import Handler, Params
from plimsoll.lsp.dispatch.watch import ClientWatch, watch_signals
from plimsoll.lsp.transport.channel import Channel, accept_one, listen, loopback_address, take_stdio
from plimsoll.lsp.transport.frames import FramingLost
from plimsoll.lsp.transport.reader import Ends, Inbox
from plimsoll.lsp.transport.writer import WriteQueue

DRAIN_SECONDS = 0.2

log = logging.getLogger(__name__)


class PlimsollServer(LanguageServer):
    """One server process for one client."""

    def __init__(self, name: str, version: str) -> None:
        # pygls leaves part of this signature untyped.
        setup: Callable[..., None] = vars(LanguageServer)["__init__"]
        setup(self, name, version, protocol_cls=Standard)
        self.peer = cast("Standard", self.protocol)
        self.lifecycle = Lifecycle()
        self._queue: WriteQueue | None = None
        self.peer.on_exit = lambda: self._close("exit")

    # Registering.

    def method(self, name: str, params: type[Params], handler: Handler[Params]) -> None:
        """Serve a request of ours: validated params in, a wire model, JSON or None out."""
        self.peer.registry.add(self.peer.registry.methods, name, params, handler)

    def notification(self, name: str, params: type[Params], handler: Handler[Params]) -> None:
        """Take a notification of ours; one with bad params is logged and dropped."""
        self.peer.registry.add(self.peer.registry.notifications, name, params, handler)

    def add_command(self, name: str, params: type[Params], handler: Handler[Params]) -> None:
        """Serve a command of `workspace/executeCommand` with one optional argument object."""
        self.peer.registry.add(self.peer.registry.commands, name, params, handler)

    def on_initialize(self, handler: OnInitialize) -> None:
        """Call this inside `initialize`; what it returns is `capabilities.experimental`."""
        self.peer.on_initialize = handler

    def load_later(self, load: Callable[[], None], commands: Sequence[str] = ()) -> None:
        """Register the rest right after `initialize` was answered, before any other message.

        ``commands`` are the ids of the commands that ``load`` will add, to be offered already.
        """
        self.peer.command_names = list(commands)
        self.peer.on_initialized = lambda: self._load(load)

    def on_close(self, callback: OnClose) -> None:
        """Run a coroutine at the end, within 2 s; the last registered runs first."""
        self.lifecycle.on_close(callback)

    def before_exit(self, callback: BeforeExit) -> None:
        """Run this at the very end on any thread, also when the loop is stuck."""
        self.lifecycle.before_exit(callback)

    # Speaking to the client.

    def notify(self, method: str, params: object, droppable_key: str | None = None) -> None:
        """Send a notification, from any thread, without waiting.

        While the client lags, a waiting one with the same ``droppable_key`` gives way to this one.
        """
        self.peer.notify_client(method, _wire_form(params), droppable_key)

    async def request(
        self, method: str, params: object, seconds: float = CONFIGURATION_SECONDS
    ) -> object:
        """Ask the client and return its plain JSON result.

        Raises:
            ClientRefused: when it answers with an error.
            ClientSilent: when it does not answer within ``seconds``.
        """
        return await self.peer.requests.ask(method, _wire_form(params), seconds)

    def start_progress(self, title: str, on_cancel: Callable[[], None] | None = None) -> Progress:
        """Show a progress of the server's own, silently none on a client that shows none.

        ``on_cancel`` is called once when the person cancels it there.
        """
        if not self._shows_progress():
            return Progress(self.peer.notify_client, None)
        return self.peer.created.start(title, on_cancel)

    def client_progress(self, token: RequestId | None) -> Progress:
        """The progress of a `workDoneToken` that came with a request; to be begun and ended."""
        return Progress(self.peer.notify_client, token)

    @property
    def folders(self) -> tuple[types.WorkspaceFolder, ...]:
        """The open workspace folders."""
        return tuple(self.workspace.folders.values())

    @property
    def congested(self) -> bool:
        """Whether the client lags so far behind that updates should be merged and held back."""
        return self._queue is not None and self._queue.congested

    def report_server_error(self, error: Exception, source: object) -> None:
        """Log what stock pygls would show in a popup."""
        log.error("%s: %s", source, describe(error))

    # Serving.

    def run_stdio(self) -> None:
        """Serve one client over standard input and output, and end the process."""
        channel = take_stdio()
        self._run(lambda: _ready(channel))

    def run_tcp(self, address: str) -> None:
        """Serve the first client of a loopback `HOST:PORT`, for debugging, and end the process.

        Raises:
            InvalidInput: when the address is no loopback address or cannot be had.
        """
        listener = listen(*loopback_address(address))
        host, port = cast("tuple[str, int]", listener.getsockname()[:2])
        say(f"listening on {host}:{port}")
        self._run(lambda: accept_one(listener))

    def _run(self, connect: Callable[[], Awaitable[Channel]]) -> None:
        logging.getLogger("pygls").setLevel(logging.WARNING)
        watch_signals(self._close)
        try:
            asyncio.run(self._serve(connect))
        finally:
            self.lifecycle.close("the event loop ended", lambda: EXIT_WITHOUT_SHUTDOWN)
            self.lifecycle.leave()

    async def _serve(self, connect: Callable[[], Awaitable[Channel]]) -> None:
        asyncio.get_running_loop().set_exception_handler(_log_defect)
        connected = asyncio.ensure_future(connect())
        ended = asyncio.ensure_future(self.lifecycle.wait())
        await asyncio.wait({connected, ended}, return_when=asyncio.FIRST_COMPLETED)
        if connected.done():
            self._attach(connected.result())
        await ended
        self.on_close(self._cancel_running)
        await self.lifecycle.run_on_close()
        if self._queue is not None:
            self._queue.drain(DRAIN_SECONDS)
        self.lifecycle.leave()

    def _attach(self, channel: Channel) -> None:
        queue = WriteQueue(channel.write, self._close)
        watch = ClientWatch(lambda: self._close("the client is gone"), queue.check)
        self._queue = queue
        self.peer.connect(queue.put)
        self.peer.watch_client = watch.watch
        ends = Ends(
            on_exit_read=self.lifecycle.start_deadline,
            on_end=lambda: self._close("end of input"),
            on_framing_lost=self._framing_lost,
        )
        queue.start()
        watch.start()
        Inbox(channel, asyncio.get_running_loop(), self.peer.receive, ends).start()

    async def _cancel_running(self) -> None:
        tasks = self.peer.running.cancel_all()
        if tasks:
            await asyncio.wait(tasks)

    def _load(self, load: Callable[[], None]) -> None:
        loaded = False
        try:
            load()
            loaded = True
        finally:
            if not loaded:
                # A server without its methods would refuse everything and never say why.
                say("the server could not be loaded; its log tells why")
                self._close("not loaded")

    def _close(self, reason: str) -> None:
        self.lifecycle.close(reason, self._exit_code)

    def _exit_code(self) -> int:
        return EXIT_CLEAN if self.peer.phase is Phase.STOPPING else EXIT_WITHOUT_SHUTDOWN

    def _framing_lost(self, error: FramingLost) -> None:
        say(f"{error.message} The client has to start the server again.")
        self.peer.post({"id": None, "error": Fault(PARSE_ERROR, error.message).to_wire()})
        self.lifecycle.close(error.message, lambda: EXIT_FRAMING_LOST)

    def _shows_progress(self) -> bool:
        window = self.client_capabilities.window
        return window is not None and bool(window.work_done_progress)


async def _ready(channel: Channel) -> Channel:
    return channel


def _wire_form(params: object) -> object:
    if isinstance(params, Mapping | None):
        return cast("object", params)
    # Whoever has a wire model has loaded pydantic.
    from plimsoll.lsp.wire.base import dump

    return cast("object", dump(params))


def _log_defect(_loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    error = context.get("exception")
    told = describe(error) if isinstance(error, BaseException) else "no exception"
    # asyncio's own message quotes the arguments of the callback: a person's text.
    log.error("unforeseen on the event loop: %s", told)
