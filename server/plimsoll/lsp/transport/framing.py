"""Frames: a stream of bytes is cut into the bodies of messages, within limits.

A header may be in any case, with or without a space after the colon, and end in CRLF or LF alone.
What cannot be framed any more raises `FramingLost`, because guessing where the next message begins
would answer the wrong request.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from plimsoll.errors import PlimsollError

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
        """Add received bytes and yield the message bodies that they complete.

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


class Decoder(Protocol):
    """Cuts the bytes of one client into message bodies."""

    def feed(self, data: bytes) -> Iterator[bytes | Oversized]:
        """Add received bytes and yield the message bodies that they complete."""
        ...


def with_length(body: bytes) -> bytes:
    """Put the header of LSP before a message body."""
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


@dataclass(frozen=True, slots=True)
class Framing:
    """The framing of messages in a stream of bytes: a decoder and an encoder."""

    decoder: Callable[[], Decoder]
    frame: Callable[[bytes], bytes]


BY_LENGTH = Framing(FrameDecoder, with_length)
"""As LSP frames them: each behind a header with its length."""
