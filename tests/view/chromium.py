"""A real Chromium without a window, driven over its own protocol."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from websockets.sync.client import connect

FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-dev-shm-usage", "--remote-debugging-port=0", "about:blank"),
)
SECONDS = 120


def chromium_path() -> str | None:
    """Return where a Chromium is; None where there is none."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


class Chromium:
    """One browser with one page; what happens there is kept in ``events``."""

    def __init__(self, path: str, profile: Path) -> None:
        self.events: list[dict[str, Any]] = []
        self._asked = 0
        self._process = subprocess.Popen(
            [path, f"--user-data-dir={profile}", *FLAGS],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._socket = connect(self._endpoint(), max_size=None, proxy=None, open_timeout=SECONDS)
        self._page: str | None = None
        target = self.asks("Target.createTarget", url="about:blank")["targetId"]
        attached = self.asks("Target.attachToTarget", targetId=target, flatten=True)
        self._page = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.asks(f"{domain}.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(SECONDS)
        assert self._process.stderr is not None
        self._process.stderr.close()

    def asks(self, method: str, **params: Any) -> dict[str, Any]:
        self._asked += 1
        number = self._asked
        message = {"id": number, "method": method, "params": params}
        message |= {"sessionId": self._page} if self._page else {}
        self._socket.send(json.dumps(message))
        while True:
            told = json.loads(self._socket.recv(SECONDS))
            if told.get("id") == number:
                assert "error" not in told, told
                return told["result"]
            self.events.append(told)

    def opens(self, address: str, before: str) -> None:
        """Load a page; ``before`` runs in it before its own script."""
        self.asks("Page.addScriptToEvaluateOnNewDocument", source=before)
        self.asks("Page.navigate", url=address)

    def value(self, expression: str) -> Any:
        """Return the value of an expression in the page; a promise is waited for."""
        done = self.asks(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def waits(self, expression: str) -> None:
        """Wait until an expression holds in the page: it is looked at before each frame."""
        self.value(
            f"new Promise(done => {{ const look = () => ({expression}) ? done(true) : "
            "setTimeout(look, 20); look(); })"
        )

    def begin_trace(self) -> None:
        """Take down from now on what the page's thread does."""
        config = {"includedCategories": ["toplevel"], "recordMode": "recordUntilFull"}
        self.asks("Tracing.start", traceConfig=config, transferMode="ReportEvents")

    def longest_task(self) -> float:
        """End the trace; return the most milliseconds that a task of the page took a processor."""
        self.asks("Tracing.end")
        while not self.told("Tracing.tracingComplete"):
            self.events.append(json.loads(self._socket.recv(SECONDS)))
        found = [each for piece in self.told("Tracing.dataCollected") for each in piece["value"]]
        named = [each for each in found if each["name"] == "thread_name"]
        pages = {
            (each["pid"], each["tid"]) for each in named if each["args"]["name"] == "CrRendererMain"
        }
        taken = [
            each.get("tdur", 0)
            for each in found
            if each["name"].endswith("RunTask") and (each["pid"], each["tid"]) in pages
        ]
        assert taken
        return max(taken) / 1000

    def told(self, method: str, of: Callable[[dict[str, Any]], Any] = lambda params: params):
        return [of(each["params"]) for each in self.events if each.get("method") == method]

    def _endpoint(self) -> str:
        assert self._process.stderr is not None
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            line = self._process.stderr.readline().decode("utf-8", "replace")
            if found := re.search(r"DevTools listening on (ws://\S+)", line):
                return found[1]
        raise AssertionError("Chromium did not start")
