"""The language server: that of pygls, with transport, dispatch and typed methods of our own.

What the rest of the edge needs is here: register methods, notify, ask the client, show progress,
run something at the end, and serve one client over standard streams or a loopback connection.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.workspace import Workspace

from plimsoll.lsp.codes import PARSE_ERROR
from plimsoll.lsp.dispatch.client_requests import CONFIGURATION_SECONDS
from plimsoll.lsp.dispatch.dispatcher import Dispatcher, OnInitialize, ServerProtocol
from plimsoll.lsp.dispatch.faults import Fault, describe
from plimsoll.lsp.dispatch.lifecycle import (
    EXIT_CLEAN,
    EXIT_FRAMING_LOST,
    EXIT_WITHOUT_SHUTDOWN,
    BeforeExit,
    ClientWatch,
    Lifecycle,
    OnClose,
    say,
    watch_signals,
)
from plimsoll.lsp.dispatch.requests import Phase, Progress, RequestId
from plimsoll.lsp.transport.channel import (
    Channel,
    ChannelReader,
    Ends,
    WriteQueue,
    accept_one,
    listen,
    loopback_address,
    take_stdio,
)
from plimsoll.lsp.transport.framing import FramingLost

if TYPE_CHECKING:
    # pydantic takes a fifth of the start-up; what is imported here runs before `initialize`.
    from pydantic import BaseModel

DRAIN_SECONDS = 0.2

Feature = TypeVar("Feature", bound=Callable[..., Any])
Params = TypeVar("Params", bound="BaseModel")
Handler = Callable[[Params], Awaitable[object]]
Endpoint = Callable[[Any], Awaitable[object]]

log = logging.getLogger(__name__)


class PlimsollServer:
    """One server process for one client."""

    def __init__(self, name: str, version: str) -> None:
        self.language_server = LanguageServer(name, version, protocol_cls=ServerProtocol)
        self.protocol = cast("ServerProtocol", self.language_server.protocol)
        self.dispatcher = Dispatcher(self.protocol)
        self.lifecycle = Lifecycle()
        self._queue: WriteQueue | None = None
        self.dispatcher.on_exit = lambda: self._close("exit")

    # Registering.

    def feature(self, method: str) -> Callable[[Feature], Feature]:
        """Serve a method of LSP with the decorated function, as pygls does."""
        return cast("Callable[[Feature], Feature]", self.language_server.feature(method))

    def method(self, name: str, params: type[Params], handler: Handler[Params]) -> None:
        """Serve a request of ours: validated params in, a wire model, JSON or None out."""
        self.feature(name)(endpoint(name, params, handler))
        self.dispatcher.requests.add(name)

    def notification(self, name: str, params: type[Params], handler: Handler[Params]) -> None:
        """Take a notification of ours; one with bad params is logged and dropped."""
        self.feature(name)(endpoint(name, params, handler))
        self.dispatcher.notifications.add(name)

    def add_command(self, name: str, params: type[Params], handler: Handler[Params]) -> None:
        """Serve a command of `workspace/executeCommand` with one optional argument object."""
        register = cast("Callable[[object], object]", self.language_server.command(name))
        register(endpoint(name, params, handler))

    def on_initialize(self, handler: OnInitialize) -> None:
        """Call this inside `initialize`; what it returns is `capabilities.experimental`."""
        self.protocol.on_initialize = handler

    def load_later(self, load: Callable[[], None], commands: Sequence[str] = ()) -> None:
        """Register the rest right after `initialize` was answered, before any other message.

        ``commands`` are the ids of the commands that ``load`` will add, to be offered already.
        """
        self.protocol.command_names = list(commands)
        self.dispatcher.on_initialized = lambda: self._load(load)

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
        self.protocol.sender.notify(method, _wire_form(params), droppable_key)

    async def request(
        self, method: str, params: object, seconds: float = CONFIGURATION_SECONDS
    ) -> object:
        """Ask the client and return its plain JSON result.

        Raises:
            ClientRefused: when it answers with an error.
            ClientSilent: when it does not answer within ``seconds``.
        """
        return await self.protocol.requests.ask(method, _wire_form(params), seconds)

    def client_progress(self, token: RequestId | None) -> Progress:
        """Show progress under the `workDoneToken` of a request; to be begun and ended."""
        return Progress(self.protocol.sender.notify, token)

    @property
    def workspace(self) -> Workspace:
        """The open documents and folders, as pygls keeps them."""
        return self.language_server.workspace

    @property
    def client_capabilities(self) -> types.ClientCapabilities:
        """What the client said in `initialize` that it can do."""
        return self.language_server.client_capabilities

    @property
    def folders(self) -> tuple[types.WorkspaceFolder, ...]:
        """The open workspace folders."""
        return tuple(self.workspace.folders.values())

    @property
    def waiting(self) -> int:
        """How many bytes wait for the client to read them."""
        return self._queue.waiting if self._queue is not None else 0

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
        self.protocol.sender.connect(queue.put)
        self.protocol.watch_client = watch.watch
        ends = Ends(
            on_exit_read=self.lifecycle.start_deadline,
            on_end=lambda: self._close("end of input"),
            on_framing_lost=self._framing_lost,
        )
        queue.start()
        watch.start()
        ChannelReader(channel, asyncio.get_running_loop(), self.dispatcher.receive, ends).start()

    async def _cancel_running(self) -> None:
        tasks = self.protocol.running.cancel_all()
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
        return EXIT_CLEAN if self.dispatcher.phase is Phase.STOPPING else EXIT_WITHOUT_SHUTDOWN

    def _framing_lost(self, error: FramingLost) -> None:
        say(f"{error.message} The client has to start the server again.")
        self.protocol.sender.send(
            {"id": None, "error": Fault(PARSE_ERROR, error.message).to_wire()}
        )
        self.lifecycle.close(error.message, lambda: EXIT_FRAMING_LOST)


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


def endpoint(name: str, model: type[Params], handler: Handler[Params]) -> Endpoint:
    """Wrap a handler so that it takes what was sent and returns JSON."""

    # Annotated as anything: pygls hands its server to whatever could take one.
    async def call(raw: Any) -> object:
        # Whoever registered a model has loaded pydantic.
        from plimsoll.lsp.wire.base import dump

        return cast("object", dump(await handler(validate(name, model, raw))))

    return call


def validate(name: str, model: type[Params], raw: object) -> Params:
    """Make the params of a call from what was sent; none at all means an empty object.

    Raises:
        JsonRpcInvalidParams: with `[{loc, msg, type}]`, never the input.
    """
    from pydantic import ValidationError

    from plimsoll.lsp.wire.base import error_details

    try:
        return model.model_validate({} if raw is None else raw)
    except ValidationError as error:
        detail = error_details(error)
        raise JsonRpcInvalidParams(f"Invalid params for {name}.", data=detail) from None
