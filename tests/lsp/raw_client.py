"""A raw client of the tests' own: framing by hand, so that nothing is repaired or swallowed."""

import json
import os
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

TIMEOUT = 120.0
"""Seconds; a safety net, which no sound server comes near on a busy machine."""


class RawClient:
    """One server process over real pipes; ends only its own process.

    `reply(id)` waits for the one answer of a request and returns the whole message; the server's
    own requests and notifications are kept apart. `responses` maps its requests to results that
    are sent at once, or to functions that make them of the params.
    """

    def __init__(
        self,
        argv: Sequence[str],
        cwd: Path | str | None = None,
        env: Mapping[str, str] | None = None,
        *,
        timeout: float = TIMEOUT,
    ) -> None:
        self.timeout = timeout
        self.messages: list[dict[str, Any]] = []
        self.responses: dict[str, Any] = {}
        self._stderr = bytearray()
        self._changed = threading.Condition()
        self._next_id = 0
        self._reading = threading.Event()
        self._reading.set()
        self.process = self.begin(argv, cwd, {**os.environ, **(env or {})})
        self._threads = [
            threading.Thread(target=work, daemon=True) for work in (self._read, self._drain)
        ]
        for thread in self._threads:
            thread.start()

    def begin(self, argv: Sequence[str], cwd: Path | str | None, env: Mapping[str, str]) -> Any:
        """Start the process, with pipes to its standard streams."""
        pipe = subprocess.PIPE
        return subprocess.Popen(argv, stdin=pipe, stdout=pipe, stderr=pipe, cwd=cwd, env=env)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._reading.set()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(self.timeout)
        for thread in self._threads:
            thread.join(self.timeout)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                continue

    # Sending.

    def send_bytes(self, data: bytes) -> None:
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: Any) -> None:
        self.send_bytes(frame(json.dumps(message).encode()))

    def request(self, method: str, params: Any = None, *, request_id: Any = None) -> Any:
        if request_id is None:
            self._next_id += 1
            request_id = self._next_id
        message = {"jsonrpc": "2.0", "id": request_id, "method": method}
        self.send(message if params is None else {**message, "params": params})
        return request_id

    def notify(self, method: str, params: Any = None) -> None:
        message = {"jsonrpc": "2.0", "method": method}
        self.send(message if params is None else {**message, "params": params})

    def call(self, method: str, params: Any = None) -> Any:
        """Request and return the result; an error answer fails the test."""
        answer = self.reply(self.request(method, params))
        assert "error" not in answer, answer
        return answer["result"]

    def initialize(self, **params: Any) -> dict[str, Any]:
        defaults = {"processId": os.getpid(), "rootUri": None, "capabilities": {}}
        result = self.call("initialize", {**defaults, **params})
        self.notify("initialized", {})
        return result

    # Receiving.

    def reply(self, request_id: Any) -> dict[str, Any]:
        return self.wait_for(
            lambda m: "method" not in m and m.get("id") == request_id and "id" in m
        )

    def replies(self, request_id: Any) -> list[dict[str, Any]]:
        with self._changed:
            return [m for m in self.messages if "method" not in m and m.get("id") == request_id]

    def error(self, request_id: Any) -> dict[str, Any]:
        return self.reply(request_id)["error"]

    def notification(self, method: str) -> dict[str, Any]:
        return self.wait_for(lambda m: m.get("method") == method and "id" not in m)

    def notifications(self, method: str) -> list[dict[str, Any]]:
        with self._changed:
            return [m for m in self.messages if m.get("method") == method and "id" not in m]

    def requests_of(self, method: str) -> list[dict[str, Any]]:
        """What the server has asked so far."""
        with self._changed:
            return [m for m in self.messages if m.get("method") == method and "id" in m]

    def server_request(self, method: str) -> dict[str, Any]:
        return self.wait_for(lambda m: m.get("method") == method and "id" in m)

    def answer(self, request: Mapping[str, Any], result: Any = None) -> None:
        self.send({"jsonrpc": "2.0", "id": request["id"], "result": result})

    def wait_for(self, matches: Any) -> dict[str, Any]:
        deadline = time.monotonic() + self.timeout
        with self._changed:
            while True:
                for message in self.messages:
                    if matches(message):
                        return message
                left = deadline - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    seen = [str(message)[:200] for message in self.messages[-10:]]
                    raise TimeoutError(f"no such message; last {seen}; stderr {self.stderr}")

    def forget(self) -> None:
        """Forget what was received, for a client that several tests share."""
        with self._changed:
            self.messages.clear()

    def pause_reading(self) -> None:
        """Read nothing more, but for the message that is being waited for."""
        self._reading.clear()

    def resume_reading(self) -> None:
        self._reading.set()

    def close_input(self) -> None:
        self.process.stdin.close()

    def wait_closed(self, seconds: float | None = None) -> int:
        """The exit code; fails when the process lives longer than this."""
        if seconds is None:
            return self.process.wait(self.timeout)
        return wait_own_time(self.process, seconds)

    @property
    def stderr(self) -> str:
        return bytes(self._stderr).decode("utf-8", "replace")

    def stderr_at_end(self) -> str:
        self._threads[1].join(self.timeout)
        return self.stderr

    def _read(self) -> None:
        stream = self.process.stdout
        while (header := stream.readline()).endswith(b"\n"):
            self._reading.wait()
            name, _, value = header.partition(b":")
            assert name == b"Content-Length", header
            end, length = stream.readline(), int(value)
            body = stream.read(length)
            if len(body) < length:
                # A process that is killed amid a message ends there.
                return
            assert end == b"\r\n"
            self._take(json.loads(body))

    def _take(self, message: dict[str, Any]) -> None:
        if message.get("method") in self.responses and "id" in message:
            result = self.responses[message["method"]]
            made = result(message["params"]) if callable(result) else result
            # A process that a test has killed meanwhile hears no answer.
            with suppress(BrokenPipeError):
                self.answer(message, made)
        with self._changed:
            self.messages.append(message)
            self._changed.notify_all()

    def _drain(self) -> None:
        while data := os.read(self.process.stderr.fileno(), 65536):
            self._stderr += data


def wait_own_time(process: subprocess.Popen[bytes], seconds: float) -> int:
    """The exit code; what the process spends in the queue for a processor is not counted."""
    begun, before, queued = time.monotonic(), queued_seconds(process.pid), 0.0
    while True:
        try:
            return process.wait(0.1)
        except subprocess.TimeoutExpired:
            queued = max(queued, queued_seconds(process.pid) - before)
            if time.monotonic() - begun - queued > seconds:
                raise


def queued_seconds(pid: int) -> float:
    """How long the threads of a process have waited for a processor (Linux; elsewhere 0)."""
    waited = 0
    for thread in Path("/proc").glob(f"{pid}/task/*/schedstat"):
        try:
            waited += int(thread.read_text().split()[1])
        except (OSError, IndexError):
            # The thread has just ended.
            continue
    return waited / 1e9


def frame(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
