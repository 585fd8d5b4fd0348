"""The body of a message: JSON, read within limits of depth and of digits, and written."""

import json
import re
from collections.abc import Callable
from typing import NoReturn, cast

from plimsoll.errors import PlimsollError
from plimsoll.lsp.codes import INVALID_REQUEST, PARSE_ERROR
from plimsoll.lsp.transport.framing import Oversized

DEPTH_LIMIT = 200
_PLAIN = rb'"[^"\\]*"'
_LEADING_ID = re.compile(
    rb'\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*' + _PLAIN + rb"\s*,)*"
    rb'\s*"id"\s*:\s*(-?[0-9]{1,15}|' + _PLAIN + rb")\s*[,}]"
)
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


class BodyRefused(PlimsollError):
    """A message body was refused; ``code`` and ``id`` are those of the JSON-RPC error."""

    kind = "bodyRefused"

    def __init__(self, code: int, message: str, request_id: str | int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.request_id = request_id


def read_body(body: bytes | Oversized) -> object:
    """Parse one message.

    Raises:
        BodyRefused: with the code to answer, and the request's id when it could be read.
    """
    if isinstance(body, Oversized):
        raise BodyRefused(
            INVALID_REQUEST,
            f"A message of {body.length} bytes is too large.",
            leading_id(body.head),
        )
    text = _text(body)
    value = _parse(text, body)
    if _nested_beyond(value, text):
        raise BodyRefused(
            INVALID_REQUEST, f"A message is nested deeper than {DEPTH_LIMIT}.", leading_id(body)
        )
    return whole_characters(value) if _SURROGATE_ESCAPE.search(text) else value


def leading_id(body: bytes) -> str | int | None:
    """Find the id of a request that is not parsed, when it stands before the params."""
    found = _LEADING_ID.match(body)
    if found is None:
        return None
    return cast("str | int", json.loads(found[1].decode("utf-8", "replace")))


def whole_characters(value: object) -> object:
    """Replace lone surrogates, which a cut UTF-16 string leaves and no store can keep."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [whole_characters(item) for item in cast("list[object]", value)]
    if isinstance(value, dict):
        fields = cast("dict[str, object]", value).items()
        return {str(whole_characters(key)): whole_characters(item) for key, item in fields}
    return value


def member(params: object, name: str) -> object:
    """Look up one member of an object; None when there is no object or no such member."""
    return cast("dict[str, object]", params).get(name) if isinstance(params, dict) else None


def _text(body: bytes) -> str:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BodyRefused(PARSE_ERROR, f"Byte {error.start} is not UTF-8.") from None


def _parse(text: str, body: bytes) -> object:
    try:
        return cast("object", json.loads(text, parse_constant=_refuse_constant))
    except json.JSONDecodeError as error:
        raise BodyRefused(PARSE_ERROR, f"Not JSON: {error.msg} at {error.pos}.") from None
    except RecursionError:
        message = f"A message is nested deeper than {DEPTH_LIMIT}."
        raise BodyRefused(INVALID_REQUEST, message, leading_id(body)) from None
    except ValueError:
        # Python refuses to convert integers of more than 4,300 digits: the cost is quadratic.
        message = "A number has too many digits."
        raise BodyRefused(INVALID_REQUEST, message, leading_id(body)) from None


def _refuse_constant(name: str) -> NoReturn:
    raise BodyRefused(PARSE_ERROR, f"Not JSON: {name} is no JSON value.")


def _nested_beyond(value: object, text: str) -> bool:
    if text.count("{") + text.count("[") <= DEPTH_LIMIT:
        return False
    level = [value]
    for _ in range(DEPTH_LIMIT + 1):
        level = [child for node in level for child in _children(node)]
        if not level:
            return False
    return True


def _children(node: object) -> list[object]:
    if isinstance(node, dict):
        return list(cast("dict[str, object]", node).values())
    return cast("list[object]", node) if isinstance(node, list) else []


PlainForm = Callable[[object], object]
"""Makes plain JSON of what `json` does not know.

Raises:
    TypeError: when it can't.
"""


def encode(message: object, plain_form: PlainForm) -> bytes:
    """Write one message as JSON in UTF-8."""
    write = json.JSONEncoder(
        default=plain_form, separators=(",", ":"), allow_nan=False, ensure_ascii=False
    )
    text = write.encode(message)
    try:
        return text.encode()
    except UnicodeEncodeError:
        # A lone surrogate has no UTF-8; escaped, it reaches the client as it is.
        write = json.JSONEncoder(default=plain_form, separators=(",", ":"), allow_nan=False)
        return write.encode(message).encode()
