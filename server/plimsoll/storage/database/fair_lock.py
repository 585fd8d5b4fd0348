"""A lock between processes that serves them in the order in which they came.

SQLite's own waiting is a lottery: a process that has just written is as likely to be next as one
that has waited for seconds. Two locks make a queue: whoever waits for the second holds the first,
so the process that has just left must line up behind it. The kernel frees both when their process
dies, however it dies.
"""

import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock, Thread

from plimsoll.errors import StoreUnavailable
from plimsoll.storage.file_lock import lock, try_lock, unlock
from plimsoll.storage.files import open_private, unavailable


@dataclass(frozen=True, slots=True)
class FairLock:
    """Lets one holder through at a time, of all processes and threads that use ``folder``."""

    folder: Path

    @contextmanager
    def hold(self, seconds: float) -> Generator[None]:
        """Wait at most ``seconds`` for the turn, and give it back at the end of the block.

        Raises:
            StoreUnavailable: The turn did not come in time, or the lock files cannot be opened.
        """
        passage = self._enter(seconds)
        try:
            yield
        finally:
            passage.leave()

    def _enter(self, seconds: float) -> "_Passage":
        try:
            passage = _Passage(self.folder)
        except OSError as error:
            raise unavailable("open the locks in", self.folder, error) from error
        if passage.enter_now() or passage.wait(seconds):
            return passage
        raise StoreUnavailable(
            f"Another process has kept the store in {self.folder} locked for {seconds:g} s.",
            remedy="Close other editors on this folder, or end a Plimsoll process that hangs.",
        )


class _Passage:
    """One attempt to take the lock, with its own descriptors: a lock belongs to the open file."""

    def __init__(self, folder: Path) -> None:
        self._queue = open_private(folder / "plimsoll.queue")
        try:
            self._turn = open_private(folder / "plimsoll.lock")
        except OSError:
            os.close(self._queue)
            raise
        self._decision = Lock()
        self._abandoned = False
        self._entered = Event()

    def enter_now(self) -> bool:
        """Take the lock if it is free; on false the place in the queue, if won, is kept."""
        try:
            try_lock(self._queue)
            try_lock(self._turn)
        except BlockingIOError:
            return False
        unlock(self._queue)
        return True

    def wait(self, seconds: float) -> bool:
        # A blocking flock keeps the place in the kernel's queue but has no time-out, so it waits
        # on a thread of its own, which gives the turn back if it comes too late.
        Thread(target=self._line_up, daemon=True, name="plimsoll-lock").start()
        if self._entered.wait(seconds):
            return True
        with self._decision:
            self._abandoned = not self._entered.is_set()
            return not self._abandoned

    def leave(self) -> None:
        unlock(self._turn)
        os.close(self._turn)
        os.close(self._queue)

    def _line_up(self) -> None:
        lock(self._queue)
        lock(self._turn)
        unlock(self._queue)
        with self._decision:
            if not self._abandoned:
                self._entered.set()
                return
        self.leave()
