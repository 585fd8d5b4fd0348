"""A loopback server of models: answers by path, and keeps what it was asked."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

REFUSED = 400


def said(text: str, prompt_tokens: int | None = None) -> str:
    """The stream of a whole answer, with its usage where a number is given."""
    word = {"choices": [{"delta": {"content": text}, "finish_reason": "stop"}]}
    usage = {"choices": [], "usage": {"prompt_tokens": prompt_tokens, "completion_tokens": 1}}
    if prompt_tokens is None:
        return f"data: {json.dumps(word)}\n\ndata: [DONE]\n\n"
    return f"data: {json.dumps(word)}\n\ndata: {json.dumps(usage)}\n\ndata: [DONE]\n\n"


def overflow(**fields: object) -> tuple[int, object]:
    """llama.cpp's refusal of a prompt that is too long."""
    error = {"code": 400, "message": "the request exceeds the available context size", **fields}
    return REFUSED, {"error": {**error, "type": "exceed_context_size_error"}}


@dataclass
class Server:
    """Answers by path: a list is used up, its last one stays; a path that is not there gets 404.

    An answer is JSON, a text (a stream), a status, a status with JSON, or ``None`` for silence.
    """

    answers: Mapping[str, object]
    port: int = 0
    heads: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def paths(self) -> list[str]:
        return [head.split()[1] for head in self.heads]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.heads.append(head)
        answer = self.answers.get(head.split()[1], 404)
        if isinstance(answer, list):
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        if answer is None:
            await reader.read()
        status, content = answer if isinstance(answer, tuple) else (200, answer)
        if isinstance(answer, int):
            status, content = answer, {}
        kind = "text/event-stream" if isinstance(content, str) else "application/json"
        body = (content if isinstance(content, str) else json.dumps(content)).encode()
        lines = f"HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}"
        writer.write(f"{lines}\r\nconnection: close\r\n\r\n".encode() + body)
        await writer.drain()
        writer.close()


@asynccontextmanager
async def serving(answers: Mapping[str, object]) -> AsyncIterator[Server]:
    """Serve on a free port."""
    server = Server(answers)
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.port = listening.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listening.close()
