"""Who may end this process from outside: a dead client and a signal, each watched on a thread."""

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

WATCH_SECONDS = 0.5
SIGNALS = ("SIGTERM", "SIGINT", "SIGHUP")


class ClientWatch:
    """Looks twice a second whether the client lives; ``on_tick`` is called each time."""

    def __init__(self, on_gone: Callable[[], None], on_tick: Callable[[], None]) -> None:
        self._on_gone = on_gone
        self._on_tick = on_tick
        self._client: tuple[int, str] | None = None

    def start(self) -> None:
        """Begin to tick."""
        threading.Thread(target=self._run, name="plimsoll-watch", daemon=True).start()

    def watch(self, pid: int | None) -> None:
        """Watch this process, unless it is not visible: then it lives in another namespace."""
        identity = None if pid is None else process_identity(pid)
        self._client = None if pid is None or identity is None else (pid, identity)

    def _run(self) -> None:
        while not self._is_gone():
            time.sleep(WATCH_SECONDS)
            self._on_tick()
        self._on_gone()

    def _is_gone(self) -> bool:
        return self._client is not None and process_identity(self._client[0]) != self._client[1]


def process_identity(pid: int) -> str | None:
    """Something that stays the same while a process lives, or None when it is not there.

    Where /proc tells, a zombie is not there, and the start time keeps a reused id apart.
    """
    if pid <= 0 or sys.platform == "win32":
        # On Windows signal 0 is Ctrl+C: the end of standard input has to be enough there.
        return None
    if not Path("/proc/self/stat").exists():
        return _signalled(pid)
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return None
    # The name in parentheses may hold spaces; then come the state and, 19 fields on, the start.
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else fields[19]


def _signalled(pid: int) -> str | None:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return "alive"
    except OSError:
        return None
    return "alive"


def watch_signals(on_signal: Callable[[str], None]) -> None:
    """Notice the signals that end a process on a thread, so that a stuck loop does not matter.

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
    """Handle nothing here: the wake-up descriptor has told the thread."""
