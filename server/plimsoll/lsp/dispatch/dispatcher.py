"""Requests: pygls' protocol object, and the dispatcher that runs each one as a task.

pygls keeps the tables (features, documents, capabilities) and serves LSP's own methods; only its
public methods are called and overridden. Gating, running and answering are ours: a request is one
task from its params to its result, so a cancel reaches all of it, and whatever it ends with becomes
the one answer.
"""

import asyncio
import inspect
import logging
import uuid
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterable, Mapping, Sequence
from concurrent.futures import Future
from enum import Enum
from functools import partial
from pathlib import PurePosixPath
from typing import Any, cast
from urllib.parse import unquote, urlsplit

import attrs
from cattrs import Converter
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams, JsonRpcMethodNotFound
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.uris import from_fs_path

from plimsoll.lsp.codes import INTERNAL_ERROR, INVALID_REQUEST
from plimsoll.lsp.dispatch.client_requests import QUESTION_SECONDS, ClientRequests
from plimsoll.lsp.dispatch.faults import (
    STRUCTURE_ERRORS,
    Fault,
    describe,
    fault_of,
    structure_detail,
)
from plimsoll.lsp.dispatch.requests import (
    Malformed,
    NotificationMessage,
    Phase,
    RequestId,
    RequestMessage,
    ResponseMessage,
    RunningRequests,
    Task,
    classify,
    progress_tokens,
    refusal,
)
from plimsoll.lsp.transport.framing import BodyRefused, Sender, member

OnInitialize = Callable[[types.InitializeParams], Awaitable[Mapping[str, object]]]
Step = tuple[Callable[..., object], Sequence[object] | None, Mapping[str, object] | None]


class ServerProtocol(LanguageServerProtocol):
    """Serves LSP's own methods, those of pygls where they suffice."""

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        super().__init__(server, converter)
        self.running = RunningRequests()
        self.sender = Sender(self._plain_form)
        self.requests = ClientRequests(self.sender.send)
        self.on_initialize: OnInitialize | None = None
        self.command_names: list[str] = []
        self.watch_client: Callable[[int | None], None] | None = None
        self._structure = cast("Callable[[object, type], Any]", converter.structure)
        self._unstructure = cast("Callable[[object], object]", converter.unstructure)

    # What the dispatcher asks.

    def handler(self, method: str) -> Callable[..., object] | None:
        """Find what serves a method: pygls' own or ours of that name, else what was registered."""
        builtin = cast("dict[str, Callable[..., object]]", self.fm.builtin_features)
        return builtin.get(method) or self.added_feature(method)

    def added_feature(self, method: str) -> Callable[..., object] | None:
        """Return what was registered with `feature` for this method."""
        return cast("dict[str, Callable[..., object]]", self.fm.features).get(method)

    def params_of(self, method: str, message: Mapping[str, object]) -> object:
        """Make the params of a message: LSP's in their types, those of ours as they are.

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
        """Answer with the capabilities; what `on_initialize` returns is `experimental`."""
        params.workspace_folders = folders_of(params)
        result = yield from super().lsp_initialize(params)
        if self.on_initialize is not None:
            result.capabilities.experimental = yield self.on_initialize, (params,), None
        names = [*self.command_names, *cast("dict[str, object]", self.fm.commands)]
        result.capabilities.execute_command_provider = types.ExecuteCommandOptions(
            commands=list(dict.fromkeys(names))
        )
        if self.watch_client is not None:
            self.watch_client(params.process_id)
        return result

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """Cancel what runs and answer; `exit` ends the process."""
        if (handler := self.added_feature(types.SHUTDOWN)) is not None:
            yield handler, args, None
        self.running.cancel_all(except_current=True)

    @lsp_method(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def lsp_workspace__did_change_workspace_folders(
        self, params: types.DidChangeWorkspaceFoldersParams
    ) -> Generator[Any, Any, None]:
        """Remove first: a folder renamed in place stands in both lists."""
        for removed in params.event.removed:
            self.workspace.remove_folder(removed.uri)
        for added in params.event.added:
            self.workspace.add_folder(added)
        method = types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS
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
    """Take the one optional argument object of a command.

    Raises:
        JsonRpcInvalidParams: when there are more.
    """
    given = arguments or ()
    if len(given) > 1:
        detail = [{"loc": ["arguments", 1], "msg": "One object at most", "type": "too_long"}]
        raise JsonRpcInvalidParams(f"{command} takes one argument object.", data=detail)
    return given[0] if given else None


async def run_handler(handler: Callable[..., object], *args: object, **kwargs: object) -> object:
    """Run a function, a coroutine function or one of pygls' generators inside the caller's task.

    pygls gives every step a future of its own, which a cancel does not reach and nothing ever
    forgets. Here the request's task is the handler.
    """
    outcome = handler(*args, **kwargs)
    if inspect.isgenerator(outcome):
        return await _steps(cast("Generator[Step, object, object]", outcome))
    if inspect.isawaitable(outcome):
        return cast("object", await outcome)
    return outcome


async def _steps(steps: Generator[Step, object, object]) -> object:
    answer: object = None
    while True:
        try:
            handler, args, kwargs = steps.send(answer)
        except StopIteration as stop:
            return cast("object", stop.value)
        answer = await run_handler(handler, *(args or ()), **(kwargs or {}))


def folders_of(params: types.InitializeParams) -> list[types.WorkspaceFolder]:
    """Read the workspace folders, for older clients from `rootUri` or `rootPath`."""
    given: Iterable[types.WorkspaceFolder] = params.workspace_folders or []
    root = params.root_uri or (from_fs_path(params.root_path) if params.root_path else None)
    if given or root is None:
        return list(given)
    name = PurePosixPath(unquote(urlsplit(root).path)).name
    return [types.WorkspaceFolder(uri=root, name=name or root)]


log = logging.getLogger(__name__)


class Dispatcher:
    """Takes parsed messages one by one, on the event loop."""

    def __init__(self, protocol: ServerProtocol) -> None:
        self.phase = Phase.CREATED
        self.requests: set[str] = set()
        """Methods of ours that are answered; a notification of such a name is dropped."""
        self.notifications: set[str] = set()
        """Methods of ours that are not; a request of such a name is refused."""
        self.on_exit: Callable[[], None] = _nothing
        self.on_initialized: Callable[[], None] = _nothing
        self._protocol = protocol
        self._running = protocol.running
        self._notices: set[Task] = set()

    def receive(self, message: object) -> None:
        """Take one parsed message, or why it was refused."""
        if isinstance(message, BodyRefused):
            self._refuse(Malformed(message.request_id, message.code, message.message))
            return
        match classify(message):
            case Malformed() as malformed:
                self._refuse(malformed)
            case RequestMessage() as request:
                self._accept(request)
            case NotificationMessage() as notification:
                self._notice(notification)
            case ResponseMessage() as response:
                self._protocol.requests.settle(response)

    def _accept(self, request: RequestMessage) -> None:
        refused = refusal(self.phase, request)
        if refused is None and request.id in self._running:
            refused = Malformed(request.id, INVALID_REQUEST, "This id is in use.")
        if refused is not None:
            self._refuse(refused)
            return
        self._enter(request.method)
        task = _spawn(self._serve(request))
        self._running.add(request.id, task, progress_tokens(request))
        task.add_done_callback(partial(self._answer, request))

    def _enter(self, method: str) -> None:
        if method == types.INITIALIZE:
            self.phase = Phase.INITIALIZING
        elif method == types.SHUTDOWN:
            self.phase = Phase.STOPPING

    def _notice(self, notification: NotificationMessage) -> None:
        method, params = notification.method, notification.params
        if method == types.CANCEL_REQUEST:
            self._running.cancel(member(params, "id"))
        elif method == types.WINDOW_WORK_DONE_PROGRESS_CANCEL:
            self._running.cancel_token(member(params, "token"))
        elif method == types.EXIT or self.phase is Phase.RUNNING:
            # A task, too: tasks take their first steps in the order in which messages came.
            task = _spawn(self._serve_notification(notification))
            self._notices.add(task)
            task.add_done_callback(partial(self._noticed, method))

    async def _serve(self, request: RequestMessage) -> object:
        if request.method in self.notifications:
            raise _unknown(request.method)
        message = {"jsonrpc": "2.0", "id": request.id, "method": request.method}
        return await self._run(request.method, {**message, "params": request.params})

    async def _serve_notification(self, notification: NotificationMessage) -> object:
        method = notification.method
        if method == types.EXIT:
            self.on_exit()
            return None
        if method in self.requests:
            raise _unknown(method)
        message = {"jsonrpc": "2.0", "method": method, "params": notification.params}
        return await self._run(method, message)

    async def _run(self, method: str, message: Mapping[str, object]) -> object:
        handler = self._protocol.handler(method)
        if handler is None:
            raise _unknown(method)
        return await run_handler(handler, self._protocol.params_of(method, message))

    def _answer(self, request: RequestMessage, task: Task) -> None:
        self._running.remove(request.id)
        error = asyncio.CancelledError() if task.cancelled() else task.exception()
        if error is None:
            self._send_result(request, task.result())
        else:
            self._send_fault(request.id, self._fault(request.method, error))
        if request.method == types.INITIALIZE:
            self._initialized(error is None)

    def _initialized(self, well: bool) -> None:
        self.phase = Phase.RUNNING if well else Phase.CREATED
        if well:
            self.on_initialized()

    def _send_result(self, request: RequestMessage, result: object) -> None:
        try:
            self._protocol.sender.send({"id": request.id, "result": result})
        except (TypeError, ValueError) as error:
            self._send_fault(request.id, self._fault(request.method, error))

    def _send_fault(self, request_id: RequestId | None, fault: Fault) -> None:
        self._protocol.sender.send({"id": request_id, "error": fault.to_wire()})

    def _refuse(self, refused: Malformed) -> None:
        self._send_fault(refused.id, Fault(refused.code, refused.message))

    def _fault(self, method: str, error: BaseException) -> Fault:
        reference = uuid.uuid4().hex[:8]
        fault = fault_of(error, reference)
        if fault.code == INTERNAL_ERROR:
            log.error("[%s] %s: %s", reference, method, describe(error))
        return fault

    def _noticed(self, method: str, task: Task) -> None:
        self._notices.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, JsonRpcMethodNotFound):
            log.debug("no handler for %s", method)
        elif isinstance(error, JsonRpcException):
            log.warning("dropped %s: %s %s", method, error.message, error.data)
        elif error is not None:
            self._fault(method, error)


def _spawn(work: Coroutine[Any, Any, object]) -> Task:
    return asyncio.get_running_loop().create_task(work)


def _unknown(method: str) -> JsonRpcMethodNotFound:
    return JsonRpcMethodNotFound(f"No method {method[:200]!r}.")


def _nothing() -> None:
    """Do nothing, until the server says otherwise."""
