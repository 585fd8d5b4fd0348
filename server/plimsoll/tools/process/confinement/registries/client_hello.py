"""Reads from a TLS client's first message which server it names. Pure.

A network of servers leads by that name, so one that differs from the host of the tunnel would lead
to whoever else is served there.
"""

from dataclasses import dataclass

from plimsoll.tools.process.confinement.registries.hosts import host_name

LONGEST_HELLO = 65_536
_RECORD_HEAD, _HANDSHAKE, _LONGEST_RECORD = 5, 22, 16_384
_CLIENT_HELLO = 1
_SERVER_NAME = 0
# Encrypted hellos, the draft and the standard: the name outside is not the one that counts.
_HIDDEN = frozenset({0xFFCE, 0xFE0D})


class NoHello(Exception):
    """The bytes are no ClientHello of TLS, or one that hides or lacks its server's name."""


@dataclass(slots=True)
class _Bytes:
    """Reads the fields of a TLS message one after the other."""

    left: bytes

    def take(self, length: int) -> bytes:
        if length > len(self.left):
            raise NoHello
        taken, self.left = self.left[:length], self.left[length:]
        return taken

    def number(self, length: int) -> int:
        return int.from_bytes(self.take(length), "big")

    def block(self, length: int) -> "_Bytes":
        """Read a field whose length stands in front of it, in a number of so many bytes."""
        return _Bytes(self.take(self.number(length)))


def server_name(data: bytes) -> str | None:
    """Return the server that a ClientHello names, in the form of ``host_name``.

    None: more bytes are needed.

    Raises:
        NoHello: The message names no server, or hides it, or is no TLS.
    """
    message = _message(data)
    if message is None:
        return None
    hello = _Bytes(message)
    hello.take(2 + 32)
    for length in (1, 2, 1):
        hello.block(length)
    extensions = hello.block(2)
    names: list[bytes] = []
    while extensions.left:
        kind, content = extensions.number(2), extensions.block(2)
        if kind in _HIDDEN:
            raise NoHello
        if kind == _SERVER_NAME:
            names.append(_name(content))
    name = host_name(names[0].decode("latin-1")) if len(names) == 1 else None
    if name is None or hello.left:
        raise NoHello
    return name


def _name(content: _Bytes) -> bytes:
    listed = content.block(2)
    kind, name = listed.number(1), listed.block(2)
    if kind or listed.left or content.left:
        raise NoHello
    return name.left


def _message(data: bytes) -> bytes | None:
    """Return the first TLS message, joined from its records; None if it is not complete."""
    held = b""
    while True:
        if len(held) >= 4:
            if held[0] != _CLIENT_HELLO or (length := int.from_bytes(held[1:4])) > LONGEST_HELLO:
                raise NoHello
            if len(held) >= 4 + length:
                return held[4 : 4 + length]
        if len(data) >= 2 and (data[0], data[1]) != (_HANDSHAKE, 3):
            raise NoHello
        if len(data) < _RECORD_HEAD:
            return None
        length = int.from_bytes(data[3:5])
        if not 0 < length <= _LONGEST_RECORD:
            raise NoHello
        if len(data) < _RECORD_HEAD + length:
            return None
        held += data[_RECORD_HEAD : _RECORD_HEAD + length]
        data = data[_RECORD_HEAD + length :]
