"""JSON-RPC with the one client: its requests run as tasks, and ours wait for its answers."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from plimsoll.acp.abilities import initialize_result, is_introduction
from plimsoll.lsp.codes import INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND
from plimsoll.lsp.connection import Connection, ended_unless_loaded, plain_json
from plimsoll.lsp.dispatch.client_requests import ClientRequests
from plimsoll.lsp.dispatch.lifecycle import EXIT_CLEAN
from plimsoll.lsp.dispatch.requests import (
    Malformed,
    NotificationMessage,
    RequestId,
    RequestMessage,
    ResponseMessage,
    RunningRequests,
    classify,
)
from plimsoll.lsp.transport.bodies import BodyRefused, member
from plimsoll.lsp.transport.sender import Sender

log = logging.getLogger(__name__)

CANCEL_REQUEST: Final = "$/cancel_request"


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a request, and a callback that runs once it was sent."""

    result: Mapping[str, object]
    then: Callable[[], None]


Handler = Callable[[object], Awaitable[object]]
"""Takes the params of a request or notification; returns the result, or an ``Answer``."""


@dataclass(frozen=True, slots=True)
class Handlers:
    """The handlers of the client's requests and notifications, which are loaded late."""

    requests: Mapping[str, Handler]
    notifications: Mapping[str, Handler]
    introduce: Callable[[object], None]
    """Takes the params of an `initialize` that was answered."""
    fault_of: Callable[[BaseException], dict[str, object]]


class Peer:
    """The connection to the client: runs its requests, and sends it ours."""

    def __init__(self, connection: Connection, load: Callable[["Peer"], Handlers]) -> None:
        """``load`` imports and builds what answers, after `initialize` is answered."""
        self._connection = connection
        self._sender = Sender(plain_json, connection.framing)
        connection.connect(self._sender)
        self._load = load
        self._handlers: Handlers | None = None
        self._running = RunningRequests()
        self._asked = ClientRequests(self._sender.send, _withdrawal)
        self._notices: set[asyncio.Future[object]] = set()

    async def ask(self, method: str, params: object, seconds: float) -> object:
        """Send a request and wait for its result; raises as ``ClientRequests.ask``."""
        return await self._asked.ask(method, params, seconds)

    def notify(self, method: str, params: object) -> None:
        """Send a notification."""
        self._sender.notify(method, params)

    def receive(self, message: object) -> None:
        """Take one parsed message, or why it was refused."""
        if isinstance(message, BodyRefused):
            self._refuse(message.request_id, message.code, message.message)
            return
        match classify(message):
            case Malformed() as malformed:
                self._refuse(malformed.id, malformed.code, malformed.message)
            case RequestMessage() as request:
                self._accept(request)
            case NotificationMessage() as notification:
                self._notice(notification)
            case ResponseMessage() as response:
                self._asked.settle(response)

    async def cancel_running(self) -> None:
        """Cancel every request and wait until each has ended."""
        tasks = [*self._running.cancel_all(), *self._notices]
        if tasks:
            await asyncio.wait(tasks)

    def exit_code(self) -> int:
        """Return the exit code: a client ends the agent by closing its input."""
        return EXIT_CLEAN

    def _accept(self, request: RequestMessage) -> None:
        if request.id in self._running:
            self._refuse(request.id, INVALID_REQUEST, "This id is in use.")
        elif request.method == "initialize":
            self._initialize(request)
        elif self._handlers is None:
            self._refuse(request.id, INVALID_REQUEST, "Send initialize first.")
        elif (handler := self._handlers.requests.get(request.method)) is None:
            self._refuse(request.id, METHOD_NOT_FOUND, f"No method {request.method[:100]}.")
        else:
            task = asyncio.ensure_future(handler(request.params))
            self._running.add(request.id, task, ())
            task.add_done_callback(partial(self._answer, request.id, self._handlers))

    def _initialize(self, request: RequestMessage) -> None:
        if not is_introduction(request.params):
            self._refuse(request.id, INVALID_PARAMS, "protocolVersion: a number is required")
            return
        self._sender.send({"id": request.id, "result": initialize_result(request.params)})
        if self._handlers is None:
            with ended_unless_loaded(self._connection):
                self._handlers = self._load(self)
        self._handlers.introduce(request.params)

    def _notice(self, notification: NotificationMessage) -> None:
        if notification.method == CANCEL_REQUEST:
            self._running.cancel(member(notification.params, "requestId"))
            return
        handlers = self._handlers
        handler = handlers.notifications.get(notification.method) if handlers else None
        if handler is not None:
            task = asyncio.ensure_future(handler(notification.params))
            self._notices.add(task)
            task.add_done_callback(self._noticed)

    def _noticed(self, task: asyncio.Future[object]) -> None:
        self._notices.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("a notification had no effect: %s", type(error).__name__)

    def _answer(
        self, request_id: RequestId, handlers: Handlers, task: asyncio.Future[object]
    ) -> None:
        self._running.remove(request_id)
        error = asyncio.CancelledError() if task.cancelled() else task.exception()
        if error is not None:
            self._sender.send({"id": request_id, "error": handlers.fault_of(error)})
            return
        done = task.result()
        result = done.result if isinstance(done, Answer) else done
        self._sender.send({"id": request_id, "result": {} if result is None else result})
        if isinstance(done, Answer):
            done.then()

    def _refuse(self, request_id: RequestId | None, code: int, message: str) -> None:
        self._sender.send({"id": request_id, "error": {"code": code, "message": message}})


def _withdrawal(request_id: RequestId) -> Mapping[str, object]:
    return {"method": CANCEL_REQUEST, "params": {"requestId": request_id}}
