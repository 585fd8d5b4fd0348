"""Messages as bytes: frames and JSON bodies, read within limits, and written.

A header may be in any case, with or without a space after the colon, and end in CRLF or LF alone.
What cannot be framed any more raises `FramingLost`, because guessing where the next message begins
would answer the wrong request. A body is read within limits of depth and of digits.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NoReturn, cast

from plimsoll.errors import PlimsollError
from plimsoll.lsp.codes import INVALID_REQUEST, PARSE_ERROR

HEADER_LIMIT = 8 * 1024
MESSAGE_LIMIT = 32 * 1024 * 1024
# A message somewhat over the limit is read past and refused; beyond this, no client means it.
SKIP_LIMIT = 256 * 1024 * 1024
# As much of a refused message as is kept to find its id.
SNIFF_BYTES = 1024

_TOKEN = rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_HEADER_LINE = re.compile(rb"(" + _TOKEN + rb")[ \t]*:[ \t]*([^\r\n]*?)[ \t]*")
_HEADER_START = re.compile(_TOKEN + rb"[ \t]*(:|\Z)|\Z")
_DIGITS = re.compile(rb"[0-9]{1,19}")


class FramingLost(PlimsollError):
    """The stream can no longer be cut into messages."""

    kind = "framingLost"


@dataclass(frozen=True, slots=True)
class Oversized:
    """A message over the limit, read past; ``head`` is its first bytes, ``length`` its size."""

    length: int
    head: bytes


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes in bytes."""

    header: int = HEADER_LIMIT
    message: int = MESSAGE_LIMIT
    skip: int = SKIP_LIMIT


class FrameDecoder:
    """Cuts a byte stream into message bodies."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._buffer = bytearray()
        self._announced: int | None = None
        self._to_skip = 0

    def feed(self, data: bytes) -> Iterator[bytes | Oversized]:
        """Take bytes as they come and yield what they complete.

        Raises:
            FramingLost: when no further message can be found; what came before was yielded.
        """
        self._buffer += data
        while (frame := self._next()) is not None:
            yield frame

    def _next(self) -> bytes | Oversized | None:
        self._skip()
        if self._announced is None:
            self._announced = self._take_header()
        if self._announced is None:
            return None
        if self._announced > self._limits.message:
            return self._take_oversized(self._announced)
        return self._take_body(self._announced)

    def _skip(self) -> None:
        dropped = min(self._to_skip, len(self._buffer))
        del self._buffer[:dropped]
        self._to_skip -= dropped

    def _take_header(self) -> int | None:
        if self._to_skip:
            return None
        self._drop_blank_lines()
        end = _HEADER_END.search(self._buffer, 0, self._limits.header + 4)
        if end is None:
            self._check_unfinished_header()
            return None
        header = bytes(self._buffer[: end.start()])
        del self._buffer[: end.end()]
        return content_length(header, self._limits.skip)

    def _drop_blank_lines(self) -> None:
        blank = len(self._buffer) - len(self._buffer.lstrip(b"\r\n"))
        del self._buffer[:blank]

    def _check_unfinished_header(self) -> None:
        if len(self._buffer) > self._limits.header:
            raise FramingLost(f"A message header is longer than {self._limits.header} bytes.")
        first = bytes(self._buffer).split(b"\n", 1)[0].rstrip(b"\r")
        if _HEADER_START.match(first) is None:
            raise FramingLost("Bytes between two messages are no header: a length was wrong.")

    def _take_body(self, length: int) -> bytes | None:
        if len(self._buffer) < length:
            return None
        body = bytes(memoryview(self._buffer)[:length])
        del self._buffer[:length]
        self._announced = None
        return body

    def _take_oversized(self, length: int) -> Oversized | None:
        if len(self._buffer) < SNIFF_BYTES:
            return None
        head = bytes(self._buffer[:SNIFF_BYTES])
        self._announced = None
        self._to_skip = length
        return Oversized(length, head)


def content_length(header: bytes, limit: int = SKIP_LIMIT) -> int:
    """Read the length that a header block announces.

    Raises:
        FramingLost: when it announces none, two different ones, or one beyond ``limit``.
    """
    lengths = {value for name, value in _header_fields(header) if name == b"content-length"}
    if len(lengths) != 1:
        raise FramingLost("A message header has no single Content-Length.")
    digits = lengths.pop()
    if _DIGITS.fullmatch(digits) is None:
        raise FramingLost("The Content-Length of a message is no number.")
    length = int(digits)
    if length > limit:
        raise FramingLost(f"A message of {length} bytes was announced; {limit} is the most.")
    return length


def _header_fields(header: bytes) -> Iterator[tuple[bytes, bytes]]:
    for line in header.replace(b"\r\n", b"\n").split(b"\n"):
        field = _HEADER_LINE.fullmatch(line)
        if field is None:
            raise FramingLost("A message header has a line that is not `Name: value`.")
        yield field[1].lower(), field[2]


DEPTH_LIMIT = 200

_PLAIN = rb'"[^"\\]*"'
_LEADING_ID = re.compile(
    rb'\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*' + _PLAIN + rb"\s*,)*"
    rb'\s*"id"\s*:\s*(-?[0-9]{1,15}|' + _PLAIN + rb")\s*[,}]"
)
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


class BodyRefused(PlimsollError):
    """A body that is not taken; ``code`` and ``id`` are those of the JSON-RPC error."""

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


Write = Callable[[bytes, str | None], None]
"""Takes a framed message, and the key under which a newer one may replace it while it waits."""
PlainForm = Callable[[object], object]
"""Makes plain JSON of what `json` does not know.

Raises:
    TypeError: when it can't.
"""


class Sender:
    """Sends one message after the other, from any thread."""

    def __init__(self, plain_form: PlainForm) -> None:
        self._plain_form = plain_form
        self._write: Write | None = None

    def connect(self, write: Write) -> None:
        """Say where framed messages go from now on."""
        self._write = write

    def send(self, message: Mapping[str, object], droppable_key: str | None = None) -> None:
        """Send one message, without its `jsonrpc` member; without a client, nowhere.

        Raises:
            TypeError, ValueError: when it is no JSON.
        """
        if self._write is not None:
            body = encode({"jsonrpc": "2.0", **message}, self._plain_form)
            self._write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body), droppable_key)

    def notify(self, method: str, params: object, droppable_key: str | None = None) -> None:
        """Send a notification; of those with one key, a client that lags sees the newest."""
        self.send({"method": method, "params": params}, droppable_key)


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
