"""A small server for the wire tests: echo, sleep, fail and friends on the hardened edge."""

import asyncio
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

from pydantic import Field

from plimsoll.errors import Busy, NotFound
from plimsoll.lsp.outbound import QUESTION_SECONDS
from plimsoll.lsp.protocol.wire import Wire
from plimsoll.lsp.server import PlimsollServer


class Text(Wire):
    text: str


class Sleep(Wire):
    seconds: float = Field(ge=0)
    marker: str | None = None
    clean_up_seconds: float = 0.0
    partial: str | None = None
    work_done_token: str | int | None = None


class Any_(Wire):
    value: object = None


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


def build() -> PlimsollServer:
    server = PlimsollServer("demo", "1")
    children: list[subprocess.Popen[bytes]] = []
    notices: list[str] = []
    cancelled_turns: list[str] = []

    async def echo(params: Any_) -> object:
        return {"value": params.value}

    async def typed(_params: Any_) -> Answer:
        return Answer(used_tokens=1)

    async def nothing(_params: Any_) -> None:
        return None

    async def strange(_params: Any_) -> object:
        return {"value": object()}

    async def sleep(params: Sleep) -> object:
        progress = server.client_progress(params.work_done_token)
        progress.begin("Sleeping", cancellable=True)
        try:
            await asyncio.sleep(params.seconds)
        except asyncio.CancelledError:
            await asyncio.sleep(params.clean_up_seconds)
            if params.partial is None:
                raise
            return {"partial": params.partial}
        finally:
            progress.end()
            if params.marker is not None:
                Path(params.marker).write_text("cleaned up")
        return {"slept": params.seconds}

    async def block(params: Sleep) -> object:
        time.sleep(params.seconds)
        return {}

    async def fail(params: Text) -> object:
        if params.text == "busy":
            raise Busy("A turn is running.", remedy="Fork it.", data={"heldBy": "pid 1"})
        if params.text == "missing":
            raise NotFound("session", "s1")
        try:
            raise RuntimeError("inner canary-4711")
        except RuntimeError as error:
            raise ValueError("outer canary-4711") from error

    async def burst(params: Burst) -> object:
        for number in range(params.count):
            key = "burst" if params.droppable else None
            server.notify("demo/burst", {"n": number, "pad": "x" * params.size}, key)
        return {}

    async def ask(params: Ask) -> object:
        return {"answer": await server.request(params.method, {}, params.seconds)}

    async def prints(_params: Any_) -> object:
        print("stray output")
        os.system("echo stray child output; cat")
        return {}

    async def start_child(_params: Any_) -> object:
        child = subprocess.Popen(["sleep", "60"], start_new_session=True)
        children.append(child)
        return {"pid": child.pid}

    async def turn(params: Text) -> object:
        progress = server.start_progress(
            params.text, on_cancel=lambda: cancelled_turns.append(params.text)
        )
        server.notify("demo/progressToken", {"token": progress.token})
        return {"token": progress.token}

    async def state(_params: Any_) -> object:
        return {
            "folders": [folder.name for folder in server.folders],
            "notices": notices,
            "running": len(server.peer.running),
            "waiting": len(server.peer.requests),
            "futures": len(server.peer._request_futures),
            "cancelledTurns": cancelled_turns,
            "threads": threading.active_count(),
        }

    async def notice(params: Text) -> None:
        if params.text == "explode":
            raise RuntimeError("canary-4711")
        notices.append(params.text)

    async def command(params: Sleep) -> object:
        return await sleep(params)

    for name, model, handler in [
        ("demo/echo", Any_, echo),
        ("demo/typed", Any_, typed),
        ("demo/nothing", Any_, nothing),
        ("demo/strange", Any_, strange),
        ("demo/sleep", Sleep, sleep),
        ("demo/block", Sleep, block),
        ("demo/fail", Text, fail),
        ("demo/burst", Burst, burst),
        ("demo/ask", Ask, ask),
        ("demo/prints", Any_, prints),
        ("demo/startChild", Any_, start_child),
        ("demo/turn", Text, turn),
        ("demo/state", Any_, state),
        ("demo/require", Text, echo),
    ]:
        server.method(name, model, handler)
    server.notification("demo/notice", Text, notice)
    server.add_command("demo.sleep", Sleep, command)

    async def close_store() -> None:
        if directory := os.environ.get("DEMO_CLOSE_MARKER"):
            Path(directory).write_text("closed")

    async def hang() -> None:
        if os.environ.get("DEMO_CLOSE_HANGS"):
            await asyncio.sleep(60)

    def kill_children() -> None:
        for child in children:
            os.killpg(child.pid, 9)

    server.on_close(close_store)
    server.on_close(hang)
    server.before_exit(kill_children)
    return server


if __name__ == "__main__":
    if sys.argv[1:2] == ["--tcp"]:
        build().run_tcp(sys.argv[2])
    build().run_stdio()
