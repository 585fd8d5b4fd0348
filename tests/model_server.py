"""A server of chat completions with three models on loopback, which wants a key if it has one."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

KEY = "sk-right-key-1234567890"
MODELS = [{"id": "small", "max_model_len": 8_192}, {"id": "gpt-4o"}, {"id": "unheard-of"}]
CALL = {"index": 0, "id": "c1", "function": {"name": "ready", "arguments": "{}"}}
CHUNKS = (
    {"choices": [{"index": 0, "delta": {"reasoning_content": "So "}}]},
    {"choices": [{"index": 0, "delta": {"content": "ready"}}]},
    {"choices": [{"index": 0, "delta": {"tool_calls": [CALL]}, "finish_reason": "tool_calls"}]},
    {"choices": [], "usage": {"prompt_tokens": 60, "completion_tokens": 5}},
)
ANSWER = {"choices": [{"index": 0, "delta": {"content": "Hi."}, "finish_reason": "stop"}]}


class Serving(BaseHTTPRequestHandler):
    """A server of chat completions with three models, which wants a key if it has one."""

    def do_GET(self) -> None:
        self.answered("application/json", json.dumps({"data": MODELS}))

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        names = [tool["function"]["name"] for tool in asked.get("tools", ())]
        chunks = CHUNKS if names == ["ready"] else (ANSWER,)
        body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)
        self.answered("text/event-stream", f"{body}data: [DONE]\n\n")

    def answered(self, kind: str, body: str) -> None:
        self.server.sent.append(self.headers.get("authorization", ""))
        known = self.server.key in {None, self.headers.get("authorization", "")[7:]}
        status = 200 if known else 401
        data = body.encode() if known else b'{"error": {"message": "Wrong key."}}'
        self.send_response(status)
        self.send_header("content-type", kind if known else "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Stay silent."""


class Listening(ThreadingHTTPServer):
    """The server, its key, and the keys that it was sent."""

    key: str | None = None

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Serving)
        self.sent: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


@contextmanager
def listening() -> Iterator[Listening]:
    server = Listening()
    Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()
