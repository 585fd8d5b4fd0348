"""The end of the process: one way down for every reason, and a deadline that nothing holds up.

`close` may be called from any thread. It wakes the event loop for the orderly part (cancel what
runs, close the stores) and starts a clock on a thread of its own: when the loop is stuck in a
handler, the clock ends the process.
"""

import asyncio
import logging
import os
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack

CLOSE_SECONDS = 2.0
DEADLINE_SECONDS = 2.3
LAST_WORDS_SECONDS = 0.3

EXIT_CLEAN = 0
EXIT_WITHOUT_SHUTDOWN = 1
EXIT_FRAMING_LOST = 76
"""EX_PROTOCOL of sysexits.h: an editor may bury standard error, the code remains."""

log = logging.getLogger(__name__)

OnClose = Callable[[], Awaitable[None]]
BeforeExit = Callable[[], None]
ExitCode = Callable[[], int]


class Lifecycle:
    """Ends the process, once."""

    def __init__(self, leave: Callable[[int], object] = os._exit) -> None:
        self._leave = leave
        self._on_close: list[OnClose] = []
        self._before_exit: list[BeforeExit] = []
        self._lock = threading.Lock()
        self._last_words = threading.Lock()
        self._closing = threading.Event()
        self._has_deadline = False
        self._wake: Callable[[], object] | None = None
        self._exit_code: ExitCode = lambda: EXIT_WITHOUT_SHUTDOWN

    def on_close(self, callback: OnClose) -> None:
        """Register a coroutine for the orderly end; the last registered runs first."""
        self._on_close.append(callback)

    def before_exit(self, callback: BeforeExit) -> None:
        """Register what must happen even when the loop is stuck: quick, synchronous, any thread."""
        self._before_exit.append(callback)

    @property
    def closing(self) -> bool:
        """Whether the end has begun."""
        return self._closing.is_set()

    def close(self, reason: str, exit_code: ExitCode) -> None:
        """Begin the end; the first reason stands, and its exit code, asked for at the very end."""
        with self._lock:
            if self._closing.is_set():
                return
            self._exit_code = exit_code
            self._closing.set()
        log.info("closing: %s", reason)
        self.start_deadline()
        if self._wake is not None:
            self._wake()

    def start_deadline(self) -> None:
        """Let the process end soon, whatever the loop does; `close` calls this, too."""
        with self._lock:
            if not self._has_deadline:
                self._has_deadline = True
                threading.Thread(target=self._deadline, name="plimsoll-end", daemon=True).start()

    async def wait(self) -> None:
        """Wait until the end begins."""
        woken, loop = asyncio.Event(), asyncio.get_running_loop()
        self._wake = lambda: loop.call_soon_threadsafe(woken.set)
        if not self.closing:
            await woken.wait()

    async def run_on_close(self) -> None:
        """Run what was registered, each within half of the time that is left."""
        ends_at = time.monotonic() + CLOSE_SECONDS
        for callback in reversed(self._on_close):
            await _bounded(callback, (ends_at - time.monotonic()) / 2)

    def leave(self) -> None:
        """Run the last callbacks and end the process."""
        with ExitStack() as stack:
            stack.callback(lambda: self._leave(self._exit_code()))
            self._run_before_exit()

    def _run_before_exit(self) -> None:
        with self._last_words, ExitStack() as stack:
            while self._before_exit:
                stack.callback(self._before_exit.pop(0))

    def _deadline(self) -> None:
        time.sleep(DEADLINE_SECONDS)
        words = threading.Thread(target=self._run_before_exit, daemon=True)
        words.start()
        words.join(LAST_WORDS_SECONDS)
        self._leave(self._exit_code())


async def _bounded(callback: OnClose, seconds: float) -> None:
    task = asyncio.ensure_future(callback())
    await asyncio.wait([task], timeout=seconds)
    name = str(getattr(callback, "__qualname__", callback))
    if not task.done():
        log.warning("closing: %s takes too long and is left behind", name)
    elif not task.cancelled() and (error := task.exception()) is not None:
        log.error("closing: %s failed with %s", name, type(error).__name__)


def say(text: str) -> None:
    """Tell standard error why the process ends; an editor that is gone cannot be told."""
    try:
        os.write(2, f"plimsoll: {text}\n".encode())
    except OSError:
        log.debug("standard error is closed")
