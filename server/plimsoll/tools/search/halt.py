"""The limits of a search: it ends by time, by work, or when nobody waits for it any more."""

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import Event, Lock

MOST_WORK = 10_000_000
"""The most units of work of a search; a unit is about one wildcard tried on a name."""
ENTRY_WORK = 4
"""The units of a name in a folder."""
LINE_WORK = 10
"""The units of reading a line of an ignore file."""
DEPTH_WORK = 5
"""The units of each folder on the way to a folder that is listed."""
WILDCARD_WORK = 300
"""The units of compiling a line with wildcards."""


class Halt:
    """Ends a search by time, by work or by a cancel, whichever comes first.

    Work is counted in units, so that a repository is searched as far on a slow machine as on a fast
    one.
    """

    def __init__(self, seconds: float, work: int = MOST_WORK) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds
        self._work = work
        self._cancelled = Event()
        self._lock = Lock()
        self._enders: list[Callable[[], None]] = []

    def begin(self) -> None:
        """Start the time limit now, as the search may have waited for its turn."""
        self._end = time.monotonic() + self._seconds

    def cancel(self) -> None:
        """Stop the search, as no caller waits for it any more."""
        with self._lock:
            self._cancelled.set()
            enders = list(self._enders)
        for end in enders:
            end()

    @property
    def cancelled(self) -> bool:
        """True if no caller waits for the search any more."""
        return self._cancelled.is_set()

    def spend(self, units: int) -> None:
        """Subtract units from the work that the search may still do."""
        self._work -= units

    @property
    def left(self) -> float:
        """The seconds that the search has left; zero when it must end."""
        if self._work <= 0 or self._cancelled.is_set():
            return 0.0
        return max(0.0, self._end - time.monotonic())

    @property
    def why(self) -> str:
        """The limit that ended the search, for people: ``after 20 s``."""
        if self._work <= 0:
            return "at the most work that one search may do"
        return f"after {self._seconds:.0f} s"

    def __bool__(self) -> bool:
        return self.left == 0.0

    @contextmanager
    def ending(self, end: Callable[[], None], share: float = 1.0) -> Generator[None]:
        """Call ``end`` from another thread once the search is cancelled or its time is up.

        ``share``: the part of the remaining time that the block may take.
        """
        timer = threading.Timer(self.left * share, end)
        timer.daemon = True
        with self._lock:
            self._enders.append(end)
        if self._cancelled.is_set():
            end()
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            with self._lock:
                self._enders.remove(end)
