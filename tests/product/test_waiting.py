"""The server tells of a wait for the model, and a cancel ends it at once, in every phase."""

import socket
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from typing import Any, Self

import pytest

from product.harness import UPDATE, Product

pytestmark = pytest.mark.slow
BODY = b'{"error":{"message":"Loading model"}}'
HEAD = b"HTTP/1.1 %d X\r\ncontent-type: application/json\r\ncontent-length: %d\r\n%s\r\n"
LOADING = HEAD % (503, len(BODY), b"") + BODY
LIMITED = HEAD % (429, 2, b"retry-after: 50\r\n") + b"{}"
STREAM = b"HTTP/1.1 200 X\r\ncontent-type: text/event-stream\r\n\r\n: here\n\n"


class Slow:
    """A server that answers every request with these bytes and then holds the connection."""

    def __init__(self, answer: bytes) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._answer = answer
        self.left = Event()
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}/v1"
        Thread(target=self._serve, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                Thread(target=self._hold, args=(connection,), daemon=True).start()

    def _hold(self, connection: socket.socket) -> None:
        with connection, suppress(ConnectionError):
            said = False
            while connection.recv(65_536):
                if self._answer and not said:
                    connection.sendall(self._answer)
                    said = self._answer == STREAM
        self.left.set()


def told(product: Product, reason: str) -> dict[str, Any]:
    """Wait for the wait; a busy machine may have told of another one before it."""

    def matches(message: dict[str, Any]) -> bool:
        update = message.get("params", {}).get("update", {})
        return message.get("method") == UPDATE and update.get("reason") == reason

    return product.wait_for(matches)["params"]["update"]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [(b"", "firstToken"), (STREAM, "firstToken"), (LOADING, "loading"), (LIMITED, "rateLimited")],
    ids=["nothing", "a comment", "loading", "a limit"],
)
def test_a_wait_is_told_and_cancelled(
    start: Callable[..., Product], answer: bytes, reason: str
) -> None:
    with Slow(answer) as slow:
        settings = {"PROVIDER": "openai", "NAME": "some-model", "BASE_URL": slow.url}
        product = start(**{f"PLIMSOLL_MODEL__{name}": value for name, value in settings.items()})
        product.open()
        session = product.new_session()
        turn = product.prompt(session, "Hello")
        waiting = told(product, reason)
        assert waiting["turnId"] == turn
        assert waiting["since"].endswith("Z")
        if reason == "rateLimited":
            assert (waiting["attempt"], waiting["attempts"]) == (2, 5)
            assert waiting["retryAt"] > waiting["since"]
        product.call("plimsoll/session/cancel", {"sessionId": session})
        assert product.update("turnEnded", turn)["stopReason"] == "cancelled"
        if reason == "firstToken":
            assert slow.left.wait(60)
