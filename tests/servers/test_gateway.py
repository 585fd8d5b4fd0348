"""LiteLLM's proxy before llama.cpp, and before a server that refuses: what it makes of errors."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from product.harness import said
from providers.support import WHOLE
from servers.running import MODEL, WINDOW, Running, litellm

# Its libraries take long to load, and minutes beside other suites.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(1_200)]
KEY = "sk-gateway-0123456789"
OVERFLOW = {
    "code": 400,
    "message": "request (5120 tokens) exceeds the available context size (4096 tokens)",
    "type": "exceed_context_size_error",
    "n_prompt_tokens": 5120,
    "n_ctx": 4096,
}
REFUSALS = {
    "no-429": (429, {"message": "Rate limit exceeded.", "type": "rate_limit_error"}),
    "no-500": (500, {"message": "The backend is on fire.", "type": "server_error"}),
    "long": (400, OVERFLOW),
}
LONG = 20_000
"""Bytes of a request, from which the model ``long`` refuses it."""


class Refuser(BaseHTTPRequestHandler):
    """Refuses as the model's name says; what is not too long is answered."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        name = json.loads(body)["model"]
        if name == "long" and len(body) < LONG:
            self.answer(200, "text/event-stream", WHOLE)
        else:
            code, error = REFUSALS[name]
            self.answer(code, "application/json", json.dumps({"error": error}).encode())

    def answer(self, code: int, kind: str, body: bytes) -> None:
        self.send_response(code)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        return


@contextmanager
def refusing() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Refuser) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def gateway(small, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with refusing() as url:
        local = {"model": f"openai/{MODEL}", "api_base": small.url, "api_key": small.key}
        models = {
            name: {"model": f"openai/{name}", "api_base": url, "api_key": "none", "max_retries": 0}
            for name in REFUSALS
        }
        folder = tmp_path_factory.mktemp("gateway")
        with litellm(folder, KEY, **{MODEL: local}, **models) as server:
            yield server


def error_of(product, text: str) -> dict:
    return product.turn(product.new_session(), text)[-1]["error"]


def test_an_answer_through_it(gateway, start):
    product = start(gateway)
    updates = product.turn(product.new_session(), "Say hello.")
    assert updates[-1]["stopReason"] in {"endTurn", "maxTokens"}, updates[-1]
    (usage,) = [update for update in updates if update["kind"] == "usage"]
    assert 0 < usage["input"] < WINDOW


def test_a_wrong_key(gateway, start):
    error = error_of(start(gateway, OPENAI_API_KEY="sk-wrong-0123456789"), "Say hello.")
    assert error["kind"] == "providerAuth", error
    assert "sk-wrong" not in str(error)


@pytest.mark.parametrize(
    ("name", "kind"), [("no-429", "providerRateLimited"), ("no-500", "providerUnavailable")]
)
def test_refusals_are_what_they_were(gateway, start, name, kind):
    error = error_of(start(gateway, PLIMSOLL_MODEL__NAME=name), "Say hello.")
    assert error["kind"] == kind, error
    assert REFUSALS[name][1]["message"] in error["message"]


def test_an_overflow_is_recovered(gateway, start):
    product = start(gateway, PLIMSOLL_MODEL__NAME="long", PLIMSOLL_MODEL__CONTEXT_WINDOW="100000")
    session = product.new_session()
    turns = [product.turn(session, f"{word} {'cargo ' * 2_000}") for word in ("One", "Two")]
    assert said(turns[-1]) == "hi", turns[-1][-1]
    # Which of the two is too long hangs on how long the schemas are.
    notices = [str(update) for turn in turns for update in turn if update["kind"] == "notice"]
    assert any("too long" in notice for notice in notices), notices
