"""What the TLS of this machine says first."""

import ssl

import pytest


def hello(name: str | None) -> bytes:
    """Return the first message of a client to a server of this name; none: it names none."""
    context = ssl.create_default_context()
    context.check_hostname = False
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    with pytest.raises(ssl.SSLWantReadError):
        context.wrap_bio(incoming, outgoing, server_hostname=name).do_handshake()
    return outgoing.read()
