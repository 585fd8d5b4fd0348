"""The language server: that of pygls, with dispatch and typed methods of our own.

What the rest of the edge needs is here: register methods, notify, ask the client, show progress,
and run something at the end.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from plimsoll.lsp.connection import Connection, ended_unless_loaded
from plimsoll.lsp.dispatch.client_requests import CONFIGURATION_SECONDS
from plimsoll.lsp.dispatch.dispatcher import Dispatcher
from plimsoll.lsp.dispatch.lifecycle import BeforeExit, OnClose
from plimsoll.lsp.dispatch.open_documents import OpenDocuments
from plimsoll.lsp.dispatch.protocol import OnInitialize, ServerProtocol
from plimsoll.lsp.dispatch.requests import Progress, RequestId
from plimsoll.text.lines import PositionEncoding

if TYPE_CHECKING:
    # With `resume` and with odd params `initialize` waits for this module: it is kept light.
    from pydantic import BaseModel

    from plimsoll.lsp.transport.admission import Token

Feature = TypeVar("Feature", bound=Callable[..., Any])
Params = TypeVar("Params", bound="BaseModel")
Handler = Callable[[Params], Awaitable[object]]
Endpoint = Callable[[Any], Awaitable[object]]


class PlimsollServer:
    """One server process for one client."""

    def __init__(self, name: str, version: str, connection: Connection) -> None:
        self.connection = connection
        self.language_server = LanguageServer(name, version, protocol_cls=ServerProtocol)
        self.protocol = cast("ServerProtocol", self.language_server.protocol)
        connection.connect(self.protocol.sender)
        self.dispatcher = Dispatcher(self.protocol)
        self.dispatcher.on_exit = lambda: connection.close("exit")

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
        """Register a function to run in `initialize`; it returns `capabilities.experimental`."""
        self.protocol.on_initialize = handler

    def load_later(self, load: Callable[[], None], commands: Sequence[str] = ()) -> None:
        """Run ``load`` right after `initialize` was answered, before any other message.

        ``commands`` are the ids of the commands that ``load`` will add, to be offered already.
        """
        self.protocol.command_names = list(commands)
        self.dispatcher.on_initialized = lambda: self._load(load)

    def on_close(self, callback: OnClose) -> None:
        """Run a coroutine at the end, within 2 s; the last registered runs first."""
        self.connection.lifecycle.on_close(callback)

    def before_exit(self, callback: BeforeExit) -> None:
        """Run a function at the very end, on any thread, also when the loop is stuck."""
        self.connection.lifecycle.before_exit(callback)

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
    def documents(self) -> OpenDocuments:
        """The documents that are open in the editor."""
        return self.protocol.documents

    @property
    def position_encoding(self) -> PositionEncoding:
        """The units in which the client counts the characters of a line."""
        return self.protocol.position_encoding()

    @property
    def client_capabilities(self) -> types.ClientCapabilities:
        """What the client said in `initialize` that it can do."""
        return self.language_server.client_capabilities

    @property
    def folders(self) -> tuple[types.WorkspaceFolder, ...]:
        """The open workspace folders."""
        return tuple(self.language_server.workspace.folders.values())

    @property
    def waiting(self) -> int:
        """How many bytes wait for the client to read them."""
        queue = self.connection.queue
        return 0 if queue is None else queue.waiting

    # Serving.

    def run_stdio(self) -> None:
        """Serve one client over standard input and output, and end the process."""
        self.connection.run_stdio(self.dispatcher)

    def run_tcp(self, address: str, token: Token) -> None:
        """Serve the client of a loopback `HOST:PORT` that shows the token, and end the process.

        Raises:
            InvalidInput: when the address is no loopback address or cannot be had.
        """
        self.connection.run_tcp(self.dispatcher, address, token)

    def _load(self, load: Callable[[], None]) -> None:
        with ended_unless_loaded(self.connection):
            load()


def _wire_form(params: object) -> object:
    if isinstance(params, Mapping | None):
        return cast("object", params)
    # Whoever has a wire model has loaded pydantic.
    from plimsoll.lsp.wire.base import dump

    return cast("object", dump(params))


def endpoint(name: str, model: type[Params], handler: Handler[Params]) -> Endpoint:
    """Wrap a handler so that it takes raw params and returns JSON."""

    # Annotated as anything: pygls hands its server to whatever could take one.
    async def call(raw: Any) -> object:
        # Whoever registered a model has loaded pydantic.
        from plimsoll.lsp.wire.base import dump

        return cast("object", dump(await handler(validate(name, model, raw))))

    return call


def validate(name: str, model: type[Params], raw: object) -> Params:
    """Validate the raw params of a call; missing params mean an empty object.

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
