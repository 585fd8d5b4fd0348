"""What one parsed message is: a request, a notification, a response, or malformed. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeGuard, cast

from plimsoll.lsp.codes import INVALID_PARAMS, INVALID_REQUEST, NOT_INITIALIZED
from plimsoll.lsp.transport.bodies import member

RequestId = str | int


@dataclass(frozen=True, slots=True)
class RequestMessage:
    """Is answered exactly once."""

    id: RequestId
    method: str
    params: object


@dataclass(frozen=True, slots=True)
class NotificationMessage:
    """Is never answered."""

    method: str
    params: object


@dataclass(frozen=True, slots=True)
class ResponseMessage:
    """Settles a request of ours; exactly one of ``result`` and ``error`` means something."""

    id: RequestId | None
    result: object
    error: object


@dataclass(frozen=True, slots=True)
class Malformed:
    """Is answered with an error, under its id when it has one."""

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
    """Say what a parsed message is; only its own level is looked at, never what it carries."""
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
    """Whether a value can name a request (`True` is an integer to Python, and no id)."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def refusal(phase: Phase, request: RequestMessage) -> Malformed | None:
    """Why a request is refused in this phase, if it is."""
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
    """The work-done tokens of a request, also in the argument object of a command."""
    arguments = member(request.params, "arguments")
    is_command = request.method == "workspace/executeCommand" and isinstance(arguments, list)
    inner = cast("list[object]", arguments)[:1] if is_command else []
    found = [member(holder, "workDoneToken") for holder in [request.params, *inner]]
    return [token for token in found if is_request_id(token)]
