"""Waits on this machine for the browser that an authorization server sends back."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from urllib.parse import parse_qsl, urlsplit

from plimsoll.errors import ToolFailed

HOST = "127.0.0.1"
PATH = "/callback"
_LONGEST_LINE = 16_000
_LINE_SECONDS = 5.0
_PAGE = (
    "<!doctype html><meta charset=utf-8><title>Plimsoll</title>"
    "<p>{words} You can close this page and go back to your editor."
)
Answer = Mapping[str, str]


def redirect_address(port: int) -> str:
    """Return the address at which a login comes back."""
    return f"http://{HOST}:{port}{PATH}"


class LoginCallback:
    """Listens for one login after another; opened by ``listen_for_logins``."""

    def __init__(self) -> None:
        self._answers: asyncio.Queue[Answer] = asyncio.Queue(8)

    async def answer(self, state: str) -> Answer:
        """Wait for the answer to the login with this state; others are passed over."""
        while True:
            answer = await self._answers.get()
            if answer.get("state") == state:
                return answer

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request of a browser."""
        try:
            async with asyncio.timeout(_LINE_SECONDS):
                line = await reader.readline()
        except (TimeoutError, ValueError, ConnectionError):
            writer.close()
            return
        method, _, rest = line.decode("latin-1").partition(" ")
        asked = urlsplit(rest.partition(" ")[0])
        found = dict(parse_qsl(asked.query))
        if method != "GET" or asked.path != PATH or not found.keys() & {"code", "error"}:
            await _reply(writer, "404 Not Found", "There is nothing here.")
            return
        if not self._answers.full():
            self._answers.put_nowait(found)
        refused = "error" in found
        await _reply(
            writer, "200 OK", "The login was refused." if refused else "You are logged in."
        )


@asynccontextmanager
async def listen_for_logins(port: int) -> AsyncGenerator[LoginCallback]:
    """Listen at the port of logins.

    Raises:
        ToolFailed: Another program has it.
    """
    callback = LoginCallback()
    try:
        server = await asyncio.start_server(callback.serve, HOST, port, limit=_LONGEST_LINE)
    except OSError as error:
        raise ToolFailed(
            f"No login is possible now: port {port} of this machine is used by another program, or "
            "by another login."
        ) from error
    async with server:
        yield callback


async def _reply(writer: asyncio.StreamWriter, status: str, words: str) -> None:
    body = _PAGE.format(words=words).encode()
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n"
        "Connection: close\r\nReferrer-Policy: no-referrer\r\n\r\n"
    )
    try:
        writer.write(head.encode() + body)
        await writer.drain()
    except ConnectionError:
        return
    finally:
        writer.close()
