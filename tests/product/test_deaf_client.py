"""A client that reads nothing for a while loses neither its turn nor its connection."""

import json
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from product.harness import UPDATE, Product

pytestmark = pytest.mark.slow

PIECES, PIECE_SIZE = 12_000, 1_000
"""Characters: 12 MB together."""
WORDS = [f"word{number:05} " for number in range(1_000)]
MEGABYTE = 1024 * 1024
LOOKS = 300
"""At the loop of the server, one every 10 ms or later, while nobody reads."""
MOST_GROWN = 80.0
"""Megabytes; 64 are promised and 55 were measured: how much is free at once differs under load."""


def piece(number: int) -> str:
    """Return words in an order of its own: a phrase without an end would be stopped."""
    return "".join(random.Random(number).choices(WORDS, k=PIECE_SIZE // len(WORDS[0])))


class Talkative(BaseHTTPRequestHandler):
    """A model that talks as fast as it is listened to, for as long as its server lets it."""

    protocol_version = "HTTP/1.0"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        try:
            for number in range(self.server.pieces):
                self._event({"delta": {"content": piece(number)}})
                if number == 1_000:
                    self.server.begun.set()
            self._event({"delta": {}, "finish_reason": "stop"})
            self.wfile.write(b"data: [DONE]\n\n")
        except (BrokenPipeError, ConnectionResetError):
            self.server.hung_up.set()
        if self.server.pieces > 1:
            self.server.done.set()

    def _event(self, choice: dict[str, object]) -> None:
        data = {"choices": [{"index": 0, "finish_reason": None, **choice}]}
        self.wfile.write(b"data: %s\n\n" % json.dumps(data).encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def model() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Talkative)
    server.pieces = 1
    server.begun, server.done, server.hung_up = (threading.Event() for _ in range(3))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def client(home: Path, server: ThreadingHTTPServer) -> Product:
    return Product(
        home,
        command=("-m", "faults.heartbeat", str(home / "late.json"), "serve"),
        PYTHONPATH=str(Path(__file__).parents[1]),
        PLIMSOLL_MODEL__PROVIDER="openai",
        PLIMSOLL_MODEL__NAME="talkative",
        PLIMSOLL_MODEL__BASE_URL=f"http://127.0.0.1:{server.server_port}/v1",
        PLIMSOLL_MODEL__CONTEXT_WINDOW="8000000",
    )


def resident(product: Product) -> int:
    pages = Path(f"/proc/{product.process.pid}/statm").read_text().split()[1]
    return int(pages) * 4096


def grown(product: Product, before: int) -> float:
    return (resident(product) - before) / MEGABYTE


def test_a_client_that_does_not_read_keeps_its_turn_and_sees_what_it_missed(tmp_path: Path):
    late_file = tmp_path / "late.json"
    with model() as server, client(tmp_path, server) as product:
        product.open()
        session = product.new_session()
        # What is loaded with the first request is no matter of the client.
        product.turn(session, "Say a word.")
        server.pieces = PIECES
        before, delays, most = resident(product), len(lateness(late_file)), 0.0
        product.pause_reading()
        asked = product.request("plimsoll/session/prompt", prompt_of(session))
        while not server.done.is_set() or len(lateness(late_file)) < delays + LOOKS:
            most = max(most, grown(product, before))
            assert product.process.poll() is None
            time.sleep(0.05)
        late = sorted(lateness(late_file)[delays:])
        product.resume_reading()

        product.update("turnEnded", product.reply(asked)["result"]["turnId"])
        numbers = [m["params"]["seq"] for m in product.notifications(UPDATE)]
        assert numbers == sorted(set(numbers))
        assert len(numbers) < numbers[-1], "nothing was dropped"
        where = {"sessionId": session, "workspaceFolder": product.uri}
        loaded = product.call("plimsoll/session/load", where)
        assert loaded["seq"] >= numbers[-1]
        assert len(loaded["messages"][-1]["parts"][-1]["text"]) == PIECES * PIECE_SIZE
        assert most < MOST_GROWN, f"{most} MB"
        # A loop that waits for its client is late by all of the time that nothing is read; a slow
        # machine has held up a hundredth of the looks for half a second.
        assert late[int(len(late) * 0.99)] < 1.0, late[-20:]


def test_a_cancel_of_a_client_that_does_not_read_takes_effect(tmp_path: Path):
    with model() as server, client(tmp_path, server) as product:
        product.open()
        session = product.new_session()
        server.pieces = 10 * PIECES
        product.pause_reading()
        product.request("plimsoll/session/prompt", prompt_of(session))
        assert server.begun.wait(60)
        cancelled = product.request("plimsoll/session/cancel", {"sessionId": session})
        assert server.hung_up.wait(60)
        product.resume_reading()

        assert "error" not in product.reply(cancelled)
        assert product.update("turnEnded")["stopReason"] == "cancelled"


def prompt_of(session: str) -> dict[str, object]:
    return {"sessionId": session, "content": [{"type": "text", "text": "Talk."}]}


def lateness(path: Path) -> list[float]:
    return json.loads(path.read_text()) if path.exists() else []
