"""The receiving half of the conversation: every request is answered exactly once.

pygls keeps its tables (features, documents, capabilities); gating, running and answering are ours.
A request is one task from its params to its result, so a cancel reaches all of it, and whatever it
ends with becomes the one answer.
"""

import asyncio
import logging
import uuid
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, cast

from cattrs import Converter
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams, JsonRpcMethodNotFound
from pygls.lsp.server import LanguageServer

from plimsoll.lsp.codes import INTERNAL_ERROR, INVALID_REQUEST
from plimsoll.lsp.dispatch.drive import drive
from plimsoll.lsp.dispatch.envelope import (
    Malformed,
    Notification,
    Phase,
    Request,
    RequestId,
    Response,
    classify,
    member,
    progress_tokens,
    refusal,
)
from plimsoll.lsp.dispatch.faults import (
    STRUCTURE_ERRORS,
    Fault,
    describe,
    fault_of,
    structure_detail,
)
from plimsoll.lsp.dispatch.outward import Outward
from plimsoll.lsp.dispatch.progress import ServerProgress
from plimsoll.lsp.dispatch.registry import Registry
from plimsoll.lsp.dispatch.running import Running, Task
from plimsoll.lsp.transport.bodies import BodyRefused

log = logging.getLogger(__name__)


class Peer(Outward):
    """Takes parsed messages one by one, on the event loop."""

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        self.phase = Phase.CREATED
        self.registry = Registry()
        self.running = Running()
        self.on_exit: Callable[[], None] = _nothing
        self.on_initialized: Callable[[], None] = _nothing
        self._notices: set[Task] = set()
        super().__init__(server, converter)
        self.created = ServerProgress(self.notify_client, self.requests)

    def receive(self, message: object) -> None:
        """Take one parsed message, or why it was refused."""
        if isinstance(message, BodyRefused):
            self._refuse(Malformed(message.request_id, message.code, message.message))
            return
        match classify(message):
            case Malformed() as malformed:
                self._refuse(malformed)
            case Request() as request:
                self._accept(request)
            case Notification() as notification:
                self._notice(notification)
            case Response() as response:
                self.settle(response)

    def _accept(self, request: Request) -> None:
        refused = refusal(self.phase, request)
        if refused is None and request.id in self.running:
            refused = Malformed(request.id, INVALID_REQUEST, "This id is in use.")
        if refused is not None:
            self._refuse(refused)
            return
        self._enter(request.method)
        task = _spawn(self._serve(request))
        self.running.add(request.id, task, progress_tokens(request))
        task.add_done_callback(partial(self._answer, request))

    def _enter(self, method: str) -> None:
        if method == types.INITIALIZE:
            self.phase = Phase.INITIALIZING
        elif method == types.SHUTDOWN:
            self.phase = Phase.STOPPING

    def _notice(self, notification: Notification) -> None:
        method, params = notification.method, notification.params
        if method == types.CANCEL_REQUEST:
            self.running.cancel(member(params, "id"))
        elif method == types.WINDOW_WORK_DONE_PROGRESS_CANCEL:
            self._cancel_token(member(params, "token"))
        elif method == types.EXIT or self.phase is Phase.RUNNING:
            # A task, too: tasks take their first steps in the order in which messages came.
            task = _spawn(self._serve_notification(notification))
            self._notices.add(task)
            task.add_done_callback(partial(self._noticed, method))

    def _cancel_token(self, token: object) -> None:
        if not self.running.cancel_token(token):
            self.created.cancel(token)

    async def _serve(self, request: Request) -> object:
        endpoint = self.registry.methods.get(request.method)
        if endpoint is not None:
            return await endpoint.call(request.params)
        message = {"jsonrpc": "2.0", "id": request.id, "method": request.method}
        return await self._serve_feature(request.method, {**message, "params": request.params})

    async def _serve_notification(self, notification: Notification) -> object:
        if notification.method == types.EXIT:
            self.on_exit()
            return None
        endpoint = self.registry.notifications.get(notification.method)
        if endpoint is not None:
            return await endpoint.call(notification.params)
        message = {"jsonrpc": "2.0", "method": notification.method, "params": notification.params}
        return await self._serve_feature(notification.method, message)

    async def _serve_feature(self, method: str, message: dict[str, object]) -> object:
        builtin = cast("dict[str, Callable[..., object]]", self.fm.builtin_features)
        handler = builtin.get(method) or self.added_feature(method)
        if handler is None:
            raise JsonRpcMethodNotFound(f"No method {method[:200]!r}.")
        return await drive(handler, self._structured(method, message))

    def added_feature(self, method: str) -> Callable[..., object] | None:
        """What was registered with `feature` for this method."""
        return cast("dict[str, Callable[..., object]]", self.fm.features).get(method)

    def _structured(self, method: str, message: dict[str, object]) -> object:
        message_type = self.get_message_type(method)
        if message_type is None:
            return message["params"]
        given = {key: value for key, value in message.items() if value is not None}
        try:
            return cast("object", self._converter.structure(given, message_type).params)
        except STRUCTURE_ERRORS as error:
            text = f"Invalid params for {method}."
            raise JsonRpcInvalidParams(text, data=structure_detail(error)) from None

    def _answer(self, request: Request, task: Task) -> None:
        self.running.remove(request.id)
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

    def _send_result(self, request: Request, result: object) -> None:
        try:
            self.post({"id": request.id, "result": result})
        except (TypeError, ValueError, AttributeError) as error:
            self._send_fault(request.id, self._fault(request.method, error))

    def _send_fault(self, request_id: RequestId | None, fault: Fault) -> None:
        self.post({"id": request_id, "error": fault.to_wire()})

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


def _nothing() -> None:
    """What happens until the server says otherwise."""
