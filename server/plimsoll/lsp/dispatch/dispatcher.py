"""The dispatcher, which runs each request as a task.

pygls keeps the tables (features, documents, capabilities) and serves LSP's own methods. Gating,
running and answering are ours: a request is one task from its params to its result, so a cancel
reaches all of it, and whatever it ends with becomes the one answer.
"""

import asyncio
import inspect
import logging
import uuid
from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from functools import partial
from typing import Any, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcMethodNotFound

from plimsoll.lsp.codes import INTERNAL_ERROR, INVALID_REQUEST
from plimsoll.lsp.dispatch.faults import Fault, describe, fault_of
from plimsoll.lsp.dispatch.lifecycle import EXIT_CLEAN, EXIT_WITHOUT_SHUTDOWN
from plimsoll.lsp.dispatch.protocol import ServerProtocol
from plimsoll.lsp.dispatch.requests import (
    Malformed,
    NotificationMessage,
    Phase,
    RequestId,
    RequestMessage,
    ResponseMessage,
    Task,
    classify,
    progress_tokens,
    refusal,
)
from plimsoll.lsp.transport.bodies import BodyRefused, member

Step = tuple[Callable[..., object], Sequence[object] | None, Mapping[str, object] | None]

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

    async def introduce(self, request: RequestMessage) -> None:
        """Process an `initialize` that has been answered already: all but its answer.

        Raises:
            JsonRpcException: when its params are refused; then nothing is initialized.
        """
        self._enter(request.method)
        well = False
        try:
            await self._serve(request)
            well = True
        finally:
            self._finish_initialize(well)

    async def cancel_running(self) -> None:
        """Cancel every request and wait until each has ended."""
        tasks = self._running.cancel_all()
        if tasks:
            await asyncio.wait(tasks)

    def exit_code(self) -> int:
        """Return the exit code of a process that ends now."""
        return EXIT_CLEAN if self.phase is Phase.STOPPING else EXIT_WITHOUT_SHUTDOWN

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
            task.add_done_callback(partial(self._finish_notification, method))

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
            self._finish_initialize(error is None)

    def _finish_initialize(self, well: bool) -> None:
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

    def _finish_notification(self, method: str, task: Task) -> None:
        self._notices.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, JsonRpcMethodNotFound):
            log.debug("no handler for %s", method)
        elif isinstance(error, JsonRpcException):
            log.warning("dropped %s: %s %s", method, error.message, error.data)
        elif error is not None:
            self._fault(method, error)


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


def _spawn(work: Coroutine[Any, Any, object]) -> Task:
    return asyncio.get_running_loop().create_task(work)


def _unknown(method: str) -> JsonRpcMethodNotFound:
    return JsonRpcMethodNotFound(f"No method {method[:200]!r}.")


def _nothing() -> None:
    """Do nothing: the default of `on_initialized`."""
