"""The request for a command, as it stands on the pipe between server and supervisor.

Standard library only: a supervisor runs without the packages that Plimsoll needs.
"""

import json
import os
import struct
from collections.abc import Mapping, Sequence
from typing import NamedTuple

CONVERSES = "converses"
"""The rule by which a command has a connection to the server as standard input and output.

It comes by the descriptor of the handover; only the standard error is then the command's output.
"""
_LENGTH = struct.Struct("=I")
_MOST_AT_ONCE = 1 << 16


class CommandRequest(NamedTuple):
    """A command to run, with its environment, folder and rules."""

    arguments: Sequence[str]
    """The program, as an absolute path, and its arguments."""
    environment: Mapping[str, str]
    """All of its environment: nothing of the supervisor's own is added."""
    folder: str
    rules: str
    """JSON for ``confinement/kernel/enforcement.py``; empty: none."""

    def encode(self) -> bytes:
        """Return the request as bytes, with their number in front."""
        body = json.dumps([*self[:1], dict(self.environment), *self[2:]]).encode("ascii")
        return _LENGTH.pack(len(body)) + body


def read_request(descriptor: int) -> CommandRequest | None:
    """Read a request; return None if the server closed the pipe before the end of it."""
    length = _read(descriptor, _LENGTH.size)
    body = _read(descriptor, *_LENGTH.unpack(length)) if length else None
    return CommandRequest(*json.loads(body)) if body else None


def _read(descriptor: int, count: int) -> bytes | None:
    pieces: list[bytes] = []
    while count:
        piece = os.read(descriptor, min(count, _MOST_AT_ONCE))
        if not piece:
            return None
        pieces.append(piece)
        count -= len(piece)
    return b"".join(pieces)
