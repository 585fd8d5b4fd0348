"""What the real server tells of itself: counters and log in the status, spans to an endpoint."""

import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

pytestmark = pytest.mark.slow

CANARY = "canary-words-of-somebody"
KEY = "sk-canary-4f9b1c7d2e8a6b3c5d0e"
SCRIPT = {
    "steps": [
        {
            "text": f"I look {CANARY}.",
            "calls": [{"name": "glob", "arguments": {"pattern": f"{CANARY}*"}}],
            "usage": {"input": 50, "output": 3},
        },
        {"text": f"Done {CANARY}.", "usage": {"input": 60, "output": 4}},
    ]
}


@contextmanager
def collector() -> Iterator[tuple[str, queue.Queue[bytes]]]:
    """An endpoint for spans: its address, and what it was sent."""
    bodies = queue.Queue[bytes]()

    class Taking(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            bodies.put(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Taking) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", bodies
        finally:
            server.shutdown()
            thread.join()


def test_the_status_counts_and_the_endpoint_gets_spans_without_a_canary(start, tmp_path):
    with collector() as (endpoint, bodies):
        server = start(SCRIPT, OPENAI_API_KEY=KEY, PLIMSOLL_TELEMETRY__OTLP_ENDPOINT=endpoint)
        server.open()
        session = server.new_session()
        server.turn(session, f"Look: {CANARY} {KEY}")
        status = server.call("plimsoll/status")
        sent = b""
        while b"invoke_agent plimsoll" not in sent:
            sent += bodies.get(timeout=60)
        server.call("shutdown")
        server.notify("exit")
        server.wait_closed()
    assert b"execute_tool glob" in sent
    assert session.encode() in sent
    assert CANARY.encode() not in sent
    assert KEY.encode() not in sent
    counters = status["counters"]
    (requests,) = counters["requests"]
    assert requests["purpose"] == "turn"
    assert (requests["requests"], requests["input"], requests["output"]) == (2, 110, 7)
    assert counters["turns"] == 1
    assert status["log"]["path"] == str(tmp_path / "data" / "log" / "plimsoll.log")
    assert status["warnings"] == []


def test_an_endpoint_that_is_gone_fails_no_turn(start):
    server = start(SCRIPT, PLIMSOLL_TELEMETRY__OTLP_ENDPOINT="http://127.0.0.1:1")
    server.open()
    assert server.turn(server.new_session(), "Look.")[-1]["stopReason"] == "endTurn"
    server.call("shutdown")
    server.notify("exit")
    server.wait_closed()
