"""Messages of JSON-RPC as values, and the requests under way with their progress."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TypeGuard, cast

from plimsoll.lsp.codes import INVALID_PARAMS, INVALID_REQUEST, NOT_INITIALIZED
from plimsoll.lsp.transport.bodies import member

RequestId = str | int


@dataclass(frozen=True, slots=True)
class RequestMessage:
    """A request, which is answered exactly once."""

    id: RequestId
    method: str
    params: object


@dataclass(frozen=True, slots=True)
class NotificationMessage:
    """A notification, which is never answered."""

    method: str
    params: object


@dataclass(frozen=True, slots=True)
class ResponseMessage:
    """The answer to a request of ours; exactly one of ``result`` and ``error`` means something."""

    id: RequestId | None
    result: object
    error: object


@dataclass(frozen=True, slots=True)
class Malformed:
    """A malformed message; it is answered with an error, under its id when it has one."""

    id: RequestId | None
    code: int
    message: str


Message = RequestMessage | NotificationMessage | ResponseMessage | Malformed


class Phase(Enum):
    """Where the conversation with the client stands."""

    CREATED = auto()
    INITIALIZING = auto()
    RUNNING = auto()
    STOPPING = auto()


def classify(raw: object) -> Message:
    """Classify a parsed message by its top-level members, whatever is nested in them."""
    if isinstance(raw, list):
        return Malformed(None, INVALID_REQUEST, "Batch messages are not supported.")
    if not isinstance(raw, dict):
        return Malformed(None, INVALID_REQUEST, "A message is an object.")
    message = cast("dict[str, object]", raw)
    given = message.get("id")
    known = given if is_request_id(given) else None
    if message.get("jsonrpc") != "2.0":
        return Malformed(known, INVALID_REQUEST, 'A message has `"jsonrpc": "2.0"`.')
    if "method" in message:
        return _call(message, known)
    if "result" in message or "error" in message:
        return ResponseMessage(known, message.get("result"), message.get("error"))
    return Malformed(known, INVALID_REQUEST, "A message has a method, a result or an error.")


def _call(message: Mapping[str, object], known: RequestId | None) -> Message:
    method, params = message["method"], message.get("params")
    if not isinstance(method, str):
        return Malformed(known, INVALID_REQUEST, "A method is a string.")
    if "id" not in message:
        return NotificationMessage(method, params)
    if known is None:
        return Malformed(None, INVALID_REQUEST, "The id of a request is a string or an integer.")
    if params is not None and not isinstance(params, dict | list):
        return Malformed(known, INVALID_PARAMS, "Params are an object or an array.")
    return RequestMessage(known, method, cast("object", params))


def is_request_id(value: object) -> TypeGuard[RequestId]:
    """Tell whether a value can name a request (`True` is an integer to Python, and no id)."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def refusal(phase: Phase, request: RequestMessage) -> Malformed | None:
    """Return the error by which a request is refused in this phase, if it is."""
    if phase is Phase.STOPPING:
        return Malformed(request.id, INVALID_REQUEST, "The server is shutting down.")
    if request.method == "initialize":
        if phase is Phase.CREATED:
            return None
        return Malformed(request.id, INVALID_REQUEST, "The server is already initialized.")
    if phase is not Phase.RUNNING:
        return Malformed(request.id, NOT_INITIALIZED, "The server is not initialized.")
    return None


def progress_tokens(request: RequestMessage) -> list[RequestId]:
    """Return the work-done tokens of a request, also in the argument object of a command."""
    arguments = member(request.params, "arguments")
    is_command = request.method == "workspace/executeCommand" and isinstance(arguments, list)
    inner = cast("list[object]", arguments)[:1] if is_command else []
    found = [member(holder, "workDoneToken") for holder in [request.params, *inner]]
    return [token for token in found if is_request_id(token)]


Task = asyncio.Task[object]
Notify = Callable[[str, object, str | None], None]
"""Takes the method, the params and the droppable key of a notification."""


@dataclass(slots=True)
class Run:
    """One request under way; its task may take its time to end after a cancel."""

    task: Task
    tokens: tuple[RequestId, ...]
    cancelled: bool = field(default=False)


class RunningRequests:
    """All requests under way."""

    def __init__(self) -> None:
        self._runs: dict[RequestId, Run] = {}
        self._by_token: dict[RequestId, RequestId] = {}

    def __contains__(self, request_id: RequestId) -> bool:
        return request_id in self._runs

    def __len__(self) -> int:
        return len(self._runs)

    def add(self, request_id: RequestId, task: Task, tokens: Iterable[RequestId]) -> None:
        """Remember a request, and the progress tokens that own its task."""
        run = Run(task, tuple(tokens))
        self._runs[request_id] = run
        self._by_token.update(dict.fromkeys(run.tokens, request_id))

    def remove(self, request_id: RequestId) -> None:
        """Forget a request that ended."""
        run = self._runs.pop(request_id)
        for token in run.tokens:
            if self._by_token.get(token) == request_id:
                del self._by_token[token]

    def cancel(self, request_id: object) -> None:
        """Cancel a request; a second cancel would tear the clean-up of the first."""
        run = self._runs.get(request_id) if is_request_id(request_id) else None
        if run is not None and not run.cancelled:
            run.cancelled = True
            run.task.cancel()

    def cancel_token(self, token: object) -> bool:
        """Cancel the request that was sent with this token; tell whether there is one."""
        owner = self._by_token.get(token) if is_request_id(token) else None
        if owner is None:
            return False
        self.cancel(owner)
        return True

    def cancel_all(self, *, except_current: bool = False) -> list[Task]:
        """Cancel every request, or every one but the caller's own; returns their tasks."""
        spared = asyncio.current_task() if except_current else None
        others = {key: run for key, run in self._runs.items() if run.task is not spared}
        for request_id in others:
            self.cancel(request_id)
        return [run.task for run in others.values()]


class Progress:
    """One progress that the client shows; silent until begun, and when there is no token."""

    def __init__(self, notify: Notify, token: RequestId | None) -> None:
        self._notify = notify
        self._token = token
        self._open = False
        self._ended = False

    def begin(self, title: str, *, cancellable: bool = False) -> None:
        """Show the progress, unless it has ended meanwhile."""
        if self._open or self._ended:
            return
        self._open = True
        self._send({"kind": "begin", "title": title, "cancellable": cancellable})

    def report(self, message: str, percentage: int | None = None) -> None:
        """Report how far the work is; a client that reads slowly gets only the newest report."""
        if not self._open or self._ended:
            return
        part = {} if percentage is None else {"percentage": percentage}
        self._send({"kind": "report", "message": message, **part}, f"progress:{self._token!r}")

    def end(self, message: str | None = None) -> None:
        """Remove the progress; calling this again does nothing."""
        if self._open and not self._ended:
            self._send({"kind": "end"} if message is None else {"kind": "end", "message": message})
        self._ended = True

    def _send(self, value: dict[str, object], droppable_key: str | None = None) -> None:
        if self._token is not None:
            params = {"token": self._token, "value": value}
            self._notify("$/progress", params, droppable_key)
