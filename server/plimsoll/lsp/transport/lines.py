"""Messages as lines: one JSON text each, ended by a line feed."""

from collections.abc import Iterator

from plimsoll.lsp.transport.framing import MESSAGE_LIMIT, SNIFF_BYTES, Framing, Oversized

LINE_FEED = b"\n"


class LineDecoder:
    """Cuts a byte stream into lines; skips blank ones, and reports too long ones."""

    def __init__(self, limit: int = MESSAGE_LIMIT) -> None:
        """``limit``: bytes of a line; of a longer one only the beginning is held."""
        self._limit = limit
        self._pieces: list[bytes] = []
        self._length = 0

    def feed(self, data: bytes) -> Iterator[bytes | Oversized]:
        """Add received bytes and yield the lines that they complete."""
        *ended, rest = data.split(LINE_FEED)
        for piece in ended:
            self._add(piece)
            line = self._take()
            if isinstance(line, Oversized) or line.strip():
                yield line
        self._add(rest)

    def _add(self, piece: bytes) -> None:
        self._length += len(piece)
        if self._length <= self._limit:
            self._pieces.append(piece)
        else:
            # What is refused is not held, except for what names its request.
            self._pieces = [b"".join((*self._pieces, piece))[:SNIFF_BYTES]]

    def _take(self) -> bytes | Oversized:
        line, length = b"".join(self._pieces), self._length
        self._pieces, self._length = [], 0
        return line if length <= self._limit else Oversized(length, line[:SNIFF_BYTES])


def with_line_feed(body: bytes) -> bytes:
    """End a message body, in which JSON has escaped every line feed."""
    return body + LINE_FEED


BY_LINE = Framing(LineDecoder, with_line_feed)
"""As ACP and MCP frame messages over standard streams."""
