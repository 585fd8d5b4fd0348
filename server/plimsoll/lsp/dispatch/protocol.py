"""pygls' protocol object: its tables, and LSP's own methods where pygls falls short.

Only public methods of pygls are called and overridden.
"""

import asyncio
from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import Future
from enum import Enum
from pathlib import PurePosixPath
from typing import Any, cast
from urllib.parse import unquote

import attrs
from cattrs import Converter
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.uris import from_fs_path

from plimsoll.lsp.dispatch.client_requests import QUESTION_SECONDS, ClientRequests
from plimsoll.lsp.dispatch.faults import STRUCTURE_ERRORS, structure_detail
from plimsoll.lsp.dispatch.open_documents import OpenDocuments
from plimsoll.lsp.dispatch.requests import RequestId, RunningRequests
from plimsoll.lsp.transport.sender import Sender
from plimsoll.text.lines import PositionEncoding

OnInitialize = Callable[[types.InitializeParams], Awaitable[Mapping[str, object]]]


class ServerProtocol(LanguageServerProtocol):
    """Serves LSP's own methods, those of pygls where they suffice."""

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        super().__init__(server, converter)
        self.running = RunningRequests()
        self.sender = Sender(self._plain_form)
        self.requests = ClientRequests(self.sender.send)
        self.documents = OpenDocuments()
        self.on_initialize: OnInitialize | None = None
        self.command_names: list[str] = []
        self._structure = cast("Callable[[object, type], Any]", converter.structure)
        self._unstructure = cast("Callable[[object], object]", converter.unstructure)

    # What the dispatcher asks.

    def handler(self, method: str) -> Callable[..., object] | None:
        """Find the handler of a method: one of pygls or ours by its name, else a registered one."""
        builtin = cast("dict[str, Callable[..., object]]", self.fm.builtin_features)
        return builtin.get(method) or self.added_feature(method)

    def added_feature(self, method: str) -> Callable[..., object] | None:
        """Return the handler registered with `feature` for this method."""
        return cast("dict[str, Callable[..., object]]", self.fm.features).get(method)

    def params_of(self, method: str, message: Mapping[str, object]) -> object:
        """Build the params of a message: of LSP's methods typed, of our methods as they are.

        Raises:
            JsonRpcInvalidParams: with `[{loc, msg, type}]`, never the input.
        """
        message_type = self.get_message_type(method)
        if message_type is None:
            return message["params"]
        given = {key: value for key, value in message.items() if value is not None}
        try:
            return cast("object", self._structure(given, message_type).params)
        except STRUCTURE_ERRORS as error:
            text = f"Invalid params for {method}."
            raise JsonRpcInvalidParams(text, data=structure_detail(error)) from None

    def position_encoding(self) -> PositionEncoding:
        """The units of characters that client and server have agreed on."""
        return types.PositionEncodingKind(self.workspace.position_encoding).value

    # What pygls sends.

    def notify(self, method: str, params: Any | None = None) -> None:
        """Send a notification, from any thread."""
        self.sender.notify(method, params)

    def send_request(
        self,
        method: str,
        params: Any | None = None,
        callback: Callable[[Any], None] | None = None,
        msg_id: RequestId | None = None,
    ) -> Future[Any]:
        """Ask the client; the event loop, where this is called, must not wait for the future."""
        asking = self._ask(method, params, msg_id)
        future = asyncio.run_coroutine_threadsafe(asking, asyncio.get_running_loop())
        if callback is not None:
            future.add_done_callback(lambda done: callback(done.result()))
        return future

    def send_request_async(
        self, method: str, params: Any | None = None, msg_id: RequestId | None = None
    ) -> asyncio.Future[Any]:
        """Ask the client, and wait no longer than a person may take to answer."""
        return asyncio.ensure_future(self._ask(method, params, msg_id))

    async def _ask(self, method: str, params: object, request_id: RequestId | None) -> object:
        found = await self.requests.ask(method, params, QUESTION_SECONDS, request_id)
        result_type = self.get_result_type(method)
        if result_type is None:
            return found
        try:
            answer = {"jsonrpc": "2.0", "id": "", "result": found}
            return cast("object", self._structure(answer, result_type).result)
        except STRUCTURE_ERRORS:
            raise JsonRpcException("The editor's answer has the wrong shape.") from None

    def _plain_form(self, value: object) -> object:
        if attrs.has(type(value)):
            return self._unstructure(value)
        if isinstance(value, Enum):
            return value.value
        raise TypeError(f"A {type(value).__name__} is no JSON.")

    # LSP's own methods where pygls falls short.

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(
        self, params: types.InitializeParams
    ) -> Generator[Any, Any, types.InitializeResult]:
        """Answer with the capabilities, whose `experimental` is the result of `on_initialize`."""
        params.workspace_folders = folders_of(params)
        result = yield from super().lsp_initialize(params)
        if self.on_initialize is not None:
            result.capabilities.experimental = yield self.on_initialize, (params,), None
        names = [*self.command_names, *cast("dict[str, object]", self.fm.commands)]
        result.capabilities.execute_command_provider = types.ExecuteCommandOptions(
            commands=list(dict.fromkeys(names))
        )
        return result

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """Cancel the running requests and answer; `exit` ends the process."""
        if (handler := self.added_feature(types.SHUTDOWN)) is not None:
            yield handler, args, None
        self.running.cancel_all(except_current=True)

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(
        self, params: types.DidOpenTextDocumentParams
    ) -> Generator[Any, Any, None]:
        """Add the opened document."""
        self.documents.open(params.text_document)
        yield from self._run_registered(types.TEXT_DOCUMENT_DID_OPEN, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(
        self, params: types.DidChangeTextDocumentParams
    ) -> Generator[Any, Any, None]:
        """Change the document as the editor has changed it."""
        self.documents.change(params, self.position_encoding())
        yield from self._run_registered(types.TEXT_DOCUMENT_DID_CHANGE, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(
        self, params: types.DidCloseTextDocumentParams
    ) -> Generator[Any, Any, None]:
        """Remove the closed document."""
        self.documents.close(params.text_document.uri)
        yield from self._run_registered(types.TEXT_DOCUMENT_DID_CLOSE, params)

    @lsp_method(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def lsp_workspace__did_change_workspace_folders(
        self, params: types.DidChangeWorkspaceFoldersParams
    ) -> Generator[Any, Any, None]:
        """Remove folders, then add: one that is renamed in place stands in both lists."""
        for removed in params.event.removed:
            self.workspace.remove_folder(removed.uri)
        for added in params.event.added:
            self.workspace.add_folder(added)
        yield from self._run_registered(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, params)

    def _run_registered(self, method: str, params: object) -> Generator[Any, Any, None]:
        """Run the handler registered for a method in addition to its built-in one."""
        if (handler := self.added_feature(method)) is not None:
            yield handler, (params,), None

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    def lsp_workspace__execute_command(
        self, params: types.ExecuteCommandParams
    ) -> Generator[Any, Any, Any]:
        """Run a registered command; it is the request's own task, so a cancel reaches it."""
        commands = cast("dict[str, Callable[..., object]]", self.fm.commands)
        command = commands.get(params.command)
        if command is None:
            detail = [{"loc": ["command"], "msg": "Unknown command", "type": "unknown_command"}]
            raise JsonRpcInvalidParams("No such command; initialize names them.", data=detail)
        argument = only_argument(params.command, params.arguments)
        return (yield command, (argument,), None)


def only_argument(command: str, arguments: Sequence[object] | None) -> object:
    """Return the one optional argument object of a command.

    Raises:
        JsonRpcInvalidParams: when there are more.
    """
    given = arguments or ()
    if len(given) > 1:
        detail = [{"loc": ["arguments", 1], "msg": "One object at most", "type": "too_long"}]
        raise JsonRpcInvalidParams(f"{command} takes one argument object.", data=detail)
    return given[0] if given else None


def folders_of(params: types.InitializeParams) -> list[types.WorkspaceFolder]:
    """Read the workspace folders, for older clients from `rootUri` or `rootPath`."""
    given: Iterable[types.WorkspaceFolder] = params.workspace_folders or []
    root = params.root_uri or (from_fs_path(params.root_path) if params.root_path else None)
    if given or root is None:
        return list(given)
    name = PurePosixPath(unquote(root.partition("://")[2])).name
    return [types.WorkspaceFolder(uri=root, name=name or root)]
