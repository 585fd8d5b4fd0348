"""The check of a large database, in the background and without keeping anybody waiting."""

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path
from threading import Thread

from plimsoll.errors import StoreError
from plimsoll.storage.failures import damaged, translated
from plimsoll.storage.opening import connect_read_only, whole

_AGAIN_SECONDS = 0.02


class BackgroundCheck:
    """Reads a database through on a thread and a snapshot of its own."""

    def __init__(self, path: Path, report: Callable[[StoreError], None]) -> None:
        """``report`` is called on the thread, only when something is wrong."""
        self._path = path
        self._report = report
        self._stopped = False
        self._connection = connect_read_only(path)
        self._thread = Thread(target=self._check, daemon=True, name="plimsoll-check")
        self._thread.start()

    def wait(self) -> None:
        """Return when the whole file has been read."""
        self._thread.join()

    def stop(self) -> None:
        """End the check, finished or not."""
        self._stopped = True
        while self._thread.is_alive():
            # An interrupt reaches only a statement that runs already, so one may not be enough.
            with contextlib.suppress(sqlite3.ProgrammingError):  # The check has just closed it.
                self._connection.interrupt()
            self._thread.join(_AGAIN_SECONDS)

    def _check(self) -> None:
        with contextlib.closing(self._connection) as connection:
            try:
                fault = whole(connection)
            except sqlite3.Error as error:
                if not self._stopped:
                    self._report(translated(error, self._path))
                return
        if fault is not None:
            self._report(damaged(self._path, f"it is not whole ({fault})"))
