"""Parses server-sent events from bytes as they arrive.

Follows the event stream of the HTML standard (WHATWG, section 9.2.6), with two exceptions: bytes
that are not UTF-8 are an error, since a replaced character could end up in a file, and lines and
events have a largest size.
"""

import re
from dataclasses import dataclass

from plimsoll.errors import ProviderAnswer

LINE_END = re.compile(rb"\r\n|\r|\n")
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
EVENT_BYTES = 16 * 1024 * 1024
DOCUMENT = "document"
"""The name of the one event made of a JSON body that was sent instead of a stream."""


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event; ``name`` is ``message`` if the server gave none."""

    name: str
    data: str


class SseParser:
    """Parses bytes in pieces of any length into complete events."""

    def __init__(self, limit: int = EVENT_BYTES) -> None:
        self.lines = 0
        """The number of complete lines so far, comments included: a sign of life."""
        self._limit = limit
        self._held: list[bytes] = []
        self._size = 0
        self._skip_line_feed = False
        self._name = ""
        self._data: list[str] = []

    def feed(self, data: bytes) -> list[ServerEvent]:
        """Return the events that these bytes complete.

        Raises:
            ProviderAnswer: An event is too large, or a line is not UTF-8.
        """
        if self._skip_line_feed and data:
            data = data.removeprefix(b"\n")
            self._skip_line_feed = False
        if data.endswith(b"\r"):
            self._skip_line_feed = True
        *whole, rest = LINE_END.split(data)
        events = [event for line in whole if (event := self._end_line(line)) is not None]
        self._hold(rest)
        return events

    def _hold(self, piece: bytes) -> None:
        if not piece:
            return
        self._held.append(piece)
        self._size += len(piece)
        if self._size > self._limit:
            raise ProviderAnswer(
                f"An event of the model's answer is larger than {self._limit:,} bytes.",
                remedy="Check that the base URL points to a chat API.",
            )

    def _end_line(self, rest: bytes) -> ServerEvent | None:
        self._hold(rest)
        raw = b"".join(self._held)
        self._held.clear()
        self.lines += 1
        if self.lines == 1:
            raw = raw.removeprefix(BYTE_ORDER_MARK)
        if not raw:
            return self._end_event()
        self._field(_decode(raw))
        return None

    def _end_event(self) -> ServerEvent | None:
        event = ServerEvent(self._name or "message", "\n".join(self._data)) if self._data else None
        self._name = ""
        self._data = []
        self._size = 0
        return event

    def _field(self, line: str) -> None:
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._name = value


def document_event(body: bytes) -> ServerEvent:
    """Make one event of a JSON body that was sent instead of a stream.

    Raises:
        ProviderAnswer: The body is not UTF-8.
    """
    return ServerEvent(DOCUMENT, _decode(body.removeprefix(BYTE_ORDER_MARK)))


def _decode(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ProviderAnswer(
            "The model's answer holds bytes that are not UTF-8.",
            remedy="Send the message again; if it stays, the server or a proxy damages the stream.",
        ) from error
