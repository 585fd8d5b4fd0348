"""An endpoint of OTLP that lies, floods or leads elsewhere: it costs spans, and nothing else."""

import gzip

import pytest

from plimsoll.telemetry import otlp
from plimsoll.telemetry.otlp import OtlpExport
from providers.fault_server import Reply, head, running
from telemetry.test_otlp import SPAN

pytestmark = pytest.mark.slow
BOMB = gzip.compress(bytes(100_000_000))


def answer(status: int, body: bytes = b"", **headers: str) -> Reply:
    return Reply([head(status, **headers) + body], "close")


def raw(data: bytes) -> Reply:
    return Reply([data], "close")


TAKEN = {
    "a body without end": Reply([head(200)], drip=b"x" * 65_536, every=0),
    "a body that drips": Reply([head(200, content_length="9999")], drip=b"x", every=0.2),
    "a bomb": answer(200, BOMB, content_encoding="gzip", content_length=str(len(BOMB))),
    "a length below nothing": answer(200, content_length="-5"),
    "a body where none may be": answer(204, b"x" * 100, content_length="100"),
    "a chunk without end": raw(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffff\r\n"
    ),
    "a chunk that is none": raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
    "a page": answer(200, b"<html>sign in</html>", content_type="text/html"),
    "an error in words": answer(200, b'{"partialSuccess":{"rejectedSpans":"9"}}'),
}
"""What says that it took them is believed, and not read on."""
REFUSED = {
    "elsewhere": answer(302, location="http://127.0.0.1:1/", content_length="0"),
    "elsewhere for good": answer(301, location="file:///etc/passwd", content_length="0"),
    "itself": answer(307, location="/v1/traces", content_length="0"),
    "elsewhere with a flood": Reply([head(308, location="/x")], drip=b"x" * 65_536, every=0),
    "a choice": answer(300, content_length="0"),
    "a name": answer(401, www_authenticate="Basic realm=x", content_length="0"),
    "a name at a proxy": answer(407, proxy_authenticate="Basic", content_length="0"),
    "too much": answer(429, retry_after="99999999", content_length="0"),
    "later": answer(503, retry_after="Fri, 31 Dec 9999 23:59:59 GMT", content_length="0"),
    "later than ever": answer(503, retry_after="-1e999", content_length="0"),
    "another protocol": answer(101, upgrade="websocket"),
    "two lengths": raw(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
    "many headers": raw(b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 5_000 + b"\r\n"),
    "a long header": raw(b"HTTP/1.1 200 OK\r\nA: " + b"x" * 1_000_000 + b"\r\n\r\n"),
    "many promises": raw(b"HTTP/1.1 100 Continue\r\n\r\n" * 1_000),
    "no protocol": raw(b"hello"),
    "a protocol to come": raw(b"HTTP/3.9 999 \xff\r\n\r\n"),
    "noise": raw(b"\0\xff" * 500),
    "a cookie": raw(b"HTTP/1.1 200 OK\r\nSet-Cookie: a=" + b"b" * 100_000 + b"\r\n\r\n"),
    "silence": Reply([], "hold"),
    "a reset": Reply([], "reset"),
    "an end": Reply([], "close"),
}


@pytest.mark.parametrize("kind", [*TAKEN, *REFUSED])
def test_it_costs_spans_and_nothing_else(kind: str, monkeypatch: pytest.MonkeyPatch):
    # What answers may take its time; what never does is waited for.
    monkeypatch.setattr(otlp, "SEND_SECONDS", 0.2 if kind in REFUSED else 60)
    with running({**TAKEN, **REFUSED}[kind]) as server:
        export = OtlpExport(f"http://127.0.0.1:{server.port}")
        export.keep(SPAN)
        export.close()
        assert export._thread is not None
        export._thread.join(60)
        assert not export._thread.is_alive()
    assert export.lost == (kind in REFUSED)
