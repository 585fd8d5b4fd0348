"""The server that a TLS client names, however its first message is cut into pieces."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.tools.process.confinement.registries.client_hello import NoHello, server_name
from tools.process.confinement.registries.hellos import hello


def extension(kind: int, content: bytes) -> bytes:
    return kind.to_bytes(2) + len(content).to_bytes(2) + content


def named(name: bytes, kind: int = 0) -> bytes:
    entry = bytes([kind]) + len(name).to_bytes(2) + name
    return extension(0, len(entry).to_bytes(2) + entry)


def message(*extensions: bytes, more: bytes = b"") -> bytes:
    """A first message with these extensions, in one record."""
    block = b"".join(extensions)
    body = b"\3\3" + bytes(32) + b"\0" + b"\0\2\x13\1" + b"\1\0" + len(block).to_bytes(2) + block
    whole = b"\1" + len(body + more).to_bytes(3) + body + more
    return b"\x16\3\1" + len(whole).to_bytes(2) + whole


def test_the_name_that_a_real_client_says():
    assert server_name(hello("pypi.org")) == "pypi.org"
    with pytest.raises(NoHello):
        server_name(hello(None))


@given(st.integers(1, 50), st.data())
def test_it_may_come_in_any_pieces(size, data):
    whole = message(extension(5, b"abc"), named(b"PyPI.org"), extension(16, b"h2"))
    content = whole[5:]
    pieces = [content[at : at + size] for at in range(0, len(content), size)]
    split = b"".join(b"\x16\3\1" + len(piece).to_bytes(2) + piece for piece in pieces)
    assert server_name(split + b"\x14\3\3\0\1\1") == "pypi.org"
    assert server_name(split[: data.draw(st.integers(0, len(split) - 1))]) is None


HOSTILE = {
    "plain http": b"GET / HTTP/1.1\r\n\r\n",
    "ssh": b"SSH-2.0-OpenSSH_9.0\r\n",
    "TLS of another kind": b"\x80\x2e\1\3\1\0\x15",
    "data at once": b"\x17\3\3\0\5hello",
    "an empty record": b"\x16\3\1\0\0" + message(named(b"pypi.org")),
    "a record that is too long": b"\x16\3\1\xff\xff",
    "another message first": b"\x16\3\1\0\4\2\0\0\0",
    "a message that is too long": b"\x16\3\1\0\4\1\xff\xff\xff",
    "no name": message(extension(16, b"h2")),
    "two names": message(named(b"pypi.org"), named(b"example.org")),
    "two names in one": message(extension(0, b"\0\x19\0\0\x08pypi.org\0\0\x0bexample.org")),
    "a name of another kind": message(named(b"pypi.org", kind=1)),
    "an empty name": message(named(b"")),
    "a name with a NUL": message(named(b"pypi.org\0")),
    "an address": message(named(b"127.0.0.1")),
    "a hidden name": message(named(b"pypi.org"), extension(0xFE0D, b"x")),
    "a hidden name of the draft": message(named(b"pypi.org"), extension(0xFFCE, b"x")),
    "an extension that is longer than all": message(named(b"pypi.org"), b"\0\5\xff\xff"),
    "something behind the extensions": message(named(b"pypi.org"), more=b"x"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_names_no_one_server_is_refused(name):
    with pytest.raises(NoHello):
        server_name(HOSTILE[name])


@given(st.binary(max_size=300), st.booleans())
def test_junk_never_breaks_it(junk, framed):
    head = b"\x16\3\1" + len(junk).to_bytes(2) if framed else b""
    with contextlib.suppress(NoHello):
        server_name(head + junk)
