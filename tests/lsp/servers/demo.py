"""A small server for the wire tests: echo, sleep, fail and friends on the hardened edge."""

import asyncio
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

from lsprotocol import types
from pydantic import Field

from plimsoll.errors import Busy, NotFound
from plimsoll.lsp.connection import Connection
from plimsoll.lsp.dispatch.client_requests import QUESTION_SECONDS
from plimsoll.lsp.server import PlimsollServer
from plimsoll.lsp.transport.admission import Token
from plimsoll.lsp.wire.base import Wire

SLEEPER = "import os, sys, time; os.write(int(sys.argv[1]), b'.'); time.sleep(600)"


class Text(Wire):
    text: str


class Value(Wire):
    value: object = None


class Sleep(Wire):
    seconds: float = Field(ge=0)
    marker: str | None = None
    clean_up_seconds: float = 0.0
    partial: str | None = None
    work_done_token: str | int | None = None


class Burst(Wire):
    count: int
    size: int
    droppable: bool = False


class Ask(Wire):
    method: str = "demo/question"
    seconds: float = QUESTION_SECONDS


class Answer(Wire):
    used_tokens: int
    absent: str | None = None


class Plain:
    """Handlers that answer at once."""

    def __init__(self, server: PlimsollServer) -> None:
        self.server = server
        self.notices: list[str] = []

    async def echo(self, params: Value) -> object:
        return {"value": params.value}

    async def typed(self, _params: Value) -> Answer:
        return Answer(used_tokens=1)

    async def nothing(self, _params: Value) -> None:
        return None

    async def strange(self, _params: Value) -> object:
        return {"value": object()}

    async def half(self, _params: Value) -> object:
        return {"value": "a\ud800"}

    async def require(self, params: Text) -> object:
        return {"value": params.text}

    async def forget(self, _params: Value) -> object:
        self.notices.clear()
        return {}

    async def state(self, _params: Value) -> object:
        protocol = self.server.protocol
        return {
            "folders": [folder.name for folder in self.server.folders],
            "notices": list(self.notices),
            "running": len(protocol.running),
            "waiting": len(protocol.requests),
        }

    async def documents(self, _params: Value) -> object:
        found = self.server.documents.all()
        return {each.uri: {"text": each.text, "version": each.version} for each in found}

    async def notice(self, params: Text) -> None:
        if params.text == "explode":
            raise RuntimeError("canary-4711")
        self.notices.append(params.text)

    async def fail(self, params: Text) -> object:
        if params.text == "busy":
            raise Busy("A turn is running.", remedy="Fork it.", data={"heldBy": "pid 1"})
        if params.text == "missing":
            raise NotFound("session", "s1")
        raise ValueError(f"outer {params.text}") from RuntimeError(f"inner {params.text}")

    async def burst(self, params: Burst) -> object:
        key = "burst" if params.droppable else None
        for number in range(params.count):
            self.server.notify("demo/burst", {"n": number, "pad": "x" * params.size}, key)
        return {}


class Slow:
    """Handlers that take their time, or start what does."""

    def __init__(self, server: PlimsollServer) -> None:
        self.server = server
        self.children: list[subprocess.Popen[bytes]] = []

    async def sleep(self, params: Sleep) -> object:
        progress = self.server.client_progress(params.work_done_token)
        progress.begin("Sleeping", cancellable=True)
        try:
            await asyncio.sleep(params.seconds)
        except asyncio.CancelledError:
            await asyncio.sleep(params.clean_up_seconds)
            mark(params.marker)
            if params.partial is None:
                raise
            return {"partial": params.partial}
        finally:
            progress.end()
        mark(params.marker)
        return {"slept": params.seconds}

    async def block(self, params: Sleep) -> object:
        if not params.marker:
            time.sleep(params.seconds)
        while params.marker and not Path(params.marker).exists():
            time.sleep(0.01)
        return {}

    async def ask(self, params: Ask) -> object:
        return {"answer": await self.server.request(params.method, {}, params.seconds)}

    async def choose(self, _params: Value) -> object:
        # A request of pygls' own, typed: it takes our way out and in.
        chosen = await self.server.language_server.window_show_message_request_async(
            types.ShowMessageRequestParams(types.MessageType.Info, "Which?")
        )
        return {"title": chosen and chosen.title}

    async def prints(self, _params: Value) -> object:
        # T20 keeps print out of the product; a stray one comes from elsewhere.
        sys.stdout.write("stray output\n")
        sys.stdout.flush()
        os.system("echo stray child output; cat")
        return {}

    async def start_child(self, _params: Value) -> object:
        # As a store's worker does: a thread that an ordinary exit would wait for.
        threading.Thread(target=threading.Event().wait, daemon=False).start()
        # It tells when it is loaded: until then it opens and closes files of its own.
        reading, writing = os.pipe()
        child = subprocess.Popen(
            [sys.executable, "-ISc", SLEEPER, str(writing)],
            pass_fds=[writing],
            start_new_session=True,
        )
        os.close(writing)
        os.read(reading, 1)
        os.close(reading)
        self.children.append(child)
        return {"pid": child.pid}

    def kill_children(self) -> None:
        for child in self.children:
            os.killpg(child.pid, 9)


def mark(path: str | None) -> None:
    """Tell the test how far a handler came; a torn clean-up does not come here."""
    if path is not None:
        Path(path).write_text("cleaned up")


def load_later(server: PlimsollServer, plain: Plain) -> None:
    """Registers one more of everything, or fails, once `initialize` is answered."""
    if os.environ.get("DEMO_LOAD_FAILS"):
        raise ValueError("canary-4711")
    server.method("demo/later", Value, plain.echo)
    server.add_command("demo.later", Value, plain.echo)


async def close_store() -> None:
    if marker := os.environ.get("DEMO_CLOSE_MARKER"):
        Path(marker).write_text("closed")


async def hang() -> None:
    if os.environ.get("DEMO_CLOSE_HANGS"):
        await asyncio.sleep(60)


def build() -> PlimsollServer:
    """The demo server, with nothing running."""
    server = PlimsollServer("demo", "1", Connection())
    plain, slow = Plain(server), Slow(server)
    for handler in (
        plain.echo,
        plain.typed,
        plain.nothing,
        plain.strange,
        plain.half,
        plain.forget,
        plain.documents,
    ):
        server.method(f"demo/{handler.__name__}", Value, handler)
    for handler in (plain.fail, plain.require):
        server.method(f"demo/{handler.__name__}", Text, handler)
    server.method("demo/state", Value, plain.state)
    server.method("demo/burst", Burst, plain.burst)
    server.method("demo/sleep", Sleep, slow.sleep)
    server.method("demo/block", Sleep, slow.block)
    server.method("demo/ask", Ask, slow.ask)
    server.method("demo/choose", Value, slow.choose)
    server.method("demo/prints", Value, slow.prints)
    server.method("demo/startChild", Value, slow.start_child)
    server.notification("demo/notice", Text, plain.notice)
    server.add_command("demo.sleep", Sleep, slow.sleep)
    server.load_later(lambda: load_later(server, plain), ["demo.later"])
    server.on_close(close_store)
    server.on_close(hang)
    server.before_exit(slow.kill_children)
    return server


if __name__ == "__main__":
    if sys.argv[1:2] == ["--tcp"]:
        build().run_tcp(sys.argv[2], Token("demo-token", Path("no-such-token")))
    build().run_stdio()
