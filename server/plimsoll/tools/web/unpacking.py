"""Unpacks the body of an answer as it comes, up to a limit that no packing gets around. Pure."""

import zlib
from collections.abc import Iterator

_GZIP = 16 + zlib.MAX_WBITS
_PIECE = 65_536
UNPACKED = ("gzip", "x-gzip")


class Unpacker:
    """Unpacks pieces of a body; ``identity`` and gzip are known."""

    def __init__(self, encoding: str) -> None:
        """``encoding``: the header ``Content-Encoding``.

        Raises:
            ValueError: It is another one.
        """
        name = encoding.strip().lower()
        if name not in ("", "identity", *UNPACKED):
            raise ValueError(name)
        self._packed = zlib.decompressobj(_GZIP) if name in UNPACKED else None

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the unpacked pieces of more data, each of 64 kB at most; raises zlib.error."""
        if self._packed is None:
            yield data
            return
        while data:
            piece = self._packed.decompress(data, _PIECE)
            if piece:
                yield piece
            data = self._packed.unconsumed_tail
            if self._packed.eof:
                # Another one may follow in the same body.
                data = self._packed.unused_data
                self._packed = zlib.decompressobj(_GZIP)
