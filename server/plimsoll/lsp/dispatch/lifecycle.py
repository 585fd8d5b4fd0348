"""Ends the process: in one order for every reason, before a deadline that always holds.

`close` may be called from any thread. It wakes the event loop for the orderly part (cancel what
runs, close the stores) and starts a clock on a thread of its own: when the loop is stuck in a
handler, the clock ends the process. A dead client and a signal are watched on threads, too.
"""

import asyncio
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

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
        """Register a last callback, run even when the loop is stuck: quick, on any thread."""
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
        """Run the registered coroutines, each within half of the time that is left."""
        ends_at = time.monotonic() + CLOSE_SECONDS
        for callback in reversed(self._on_close):
            await _close_within(callback, (ends_at - time.monotonic()) / 2)

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


async def _close_within(callback: OnClose, seconds: float) -> None:
    task = asyncio.ensure_future(callback())
    await asyncio.wait([task], timeout=seconds)
    name = str(getattr(callback, "__qualname__", callback))
    if not task.done():
        log.warning("closing: %s takes too long and is left behind", name)
    elif not task.cancelled() and (error := task.exception()) is not None:
        log.error("closing: %s failed with %s", name, type(error).__name__)


def say(text: str) -> None:
    """Write to standard error why the process ends, if standard error is still read."""
    try:
        os.write(2, f"plimsoll: {text}\n".encode())
    except OSError:
        log.debug("standard error is closed")


WATCH_SECONDS = 0.5
SIGNALS = ("SIGTERM", "SIGINT", "SIGHUP")


class ClientWatch:
    """Checks twice a second whether the client lives; ``on_tick`` is called each time."""

    def __init__(self, on_gone: Callable[[], None], on_tick: Callable[[], None]) -> None:
        self._on_gone = on_gone
        self._on_tick = on_tick
        self._parent = _look_at_process(os.getppid())
        self._client: SeenProcess | None = None

    def start(self) -> None:
        """Start to look whether the client lives."""
        threading.Thread(target=self._run, name="plimsoll-watch", daemon=True).start()

    def watch(self, pid: object) -> None:
        """Watch the client's process, once `initialize` has named it.

        A process that cannot be seen is on another machine or in another container; then the end of
        the input alone counts, unless it started this process: then it is gone.
        """
        if self._client is not None or not isinstance(pid, int):
            return
        started_by = self._parent is not None and self._parent.pid == pid
        self._client = self._parent if started_by else _look_at_process(pid)

    def _run(self) -> None:
        while not self._is_gone():
            time.sleep(WATCH_SECONDS)
            self._on_tick()
        self._on_gone()

    def _is_gone(self) -> bool:
        client = self._client
        return client is not None and process_identity(client.pid) != client.identity


@dataclass(frozen=True, slots=True)
class SeenProcess:
    """A process as the system showed it when it was looked at."""

    pid: int
    identity: str
    """What stays the same while it is there: its start, which keeps a reused id apart."""
    ended: bool
    """Whether it has ended, and only nobody has asked how: a zombie."""


def process_identity(pid: int) -> str | None:
    """Identify a process by its constant properties; None when there is no such process.

    Where /proc tells, a zombie is not there.
    """
    seen = _look_at_process(pid)
    return None if seen is None or seen.ended else seen.identity


def _look_at_process(pid: int) -> SeenProcess | None:
    if pid <= 0 or sys.platform == "win32":
        # On Windows signal 0 is Ctrl+C: the end of standard input has to be enough there.
        return None
    if not Path("/proc/self/stat").exists():
        return SeenProcess(pid, "alive", ended=False) if _is_signalled(pid) else None
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return None
    # The name in parentheses may hold spaces; then come the state and, 19 fields on, the start.
    fields = stat.rpartition(")")[2].split()
    return SeenProcess(pid, fields[19], ended=fields[0] in "ZX")


def _is_signalled(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return True


def watch_signals(on_signal: Callable[[str], None]) -> None:
    """Handle the signals that end a process on a thread, so that a stuck loop does not matter.

    Only the main thread may call this.
    """
    receiver, sender = socket.socketpair()
    sender.setblocking(False)
    for name in SIGNALS:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _leave_to_thread)
    signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)

    def watch() -> None:
        # The closure keeps the sender: a collected socket would close the wake-up descriptor.
        while sender.fileno() >= 0 and (numbers := receiver.recv(1)):
            on_signal(signal.Signals(numbers[0]).name)

    threading.Thread(target=watch, name="plimsoll-signals", daemon=True).start()


def _leave_to_thread(_number: int, _frame: FrameType | None) -> None:
    """Do nothing: the thread that reads the wake-up descriptor acts on the signal."""
