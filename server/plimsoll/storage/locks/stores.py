"""Locks around a whole store: the queue of its writers, and the processes that have it open."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock, Thread

from plimsoll.errors import Busy, StoreUnavailable
from plimsoll.private_files import open_private, unavailable
from plimsoll.storage.locate import root_of
from plimsoll.storage.locks.open_files import lock, open_locked, try_lock, unlock, without_locks


@dataclass(frozen=True, slots=True)
class FairLock:
    """A fair lock for all processes and threads that use ``folder``: first come, first served.

    SQLite's own waiting is a lottery: a process that has just written is as likely to be next as
    one that has waited for seconds. Two locks make a queue: whoever waits for the second holds the
    first, so that the process that has just left must queue behind it.
    """

    folder: Path

    @contextmanager
    def hold(self, seconds: float) -> Generator[None]:
        """Wait at most ``seconds`` for the lock, and release it at the end of the block.

        Raises:
            StoreUnavailable: The turn did not come in time, the lock files cannot be opened, or no
                thread can wait.
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
        try:
            entered = passage.enter_now()
        except OSError as error:
            passage.close()
            raise without_locks(self.folder, error) from error
        if entered or passage.wait(seconds):
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
        """Take the lock if it is free; if not, keep the place in the queue if there is one."""
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
        try:
            Thread(target=self._line_up, daemon=True, name="plimsoll-lock").start()
        except RuntimeError as error:
            # Whoever cannot wait must not keep the place that others wait behind.
            self.close()
            raise StoreUnavailable(
                f"The system starts no more threads, so nobody can wait for the store: {error}.",
                remedy="End programs that hold many threads, or raise the limit of processes.",
            ) from error
        if self._entered.wait(seconds):
            return True
        with self._decision:
            self._abandoned = not self._entered.is_set()
            return not self._abandoned

    def leave(self) -> None:
        unlock(self._turn)
        self.close()

    def close(self) -> None:
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


class Presence:
    """A lock that all processes with an open store share.

    It is needed beside `FairLock`: a store with a rollback journal shows no sign of its readers.
    """

    def __init__(self, folder: Path) -> None:
        """Take the shared lock of the store in a folder.

        Raises:
            StoreUnavailable: A process keeps all others out, or the file system has no locks.
        """
        try:
            self._descriptor = open_locked(folder / _PRESENCE_FILE, shared=True)
        except BlockingIOError as error:
            raise StoreUnavailable(
                f"The store in {folder} is being removed or salvaged by another process.",
                remedy="Try again in a moment.",
            ) from error

    def leave(self) -> None:
        """Release the lock, once."""
        os.close(self._descriptor)


_PRESENCE_FILE = "open.lock"


@contextmanager
def keep_others_out(folder: Path) -> Generator[None]:
    """Keep all other processes from opening the store in a folder during the block.

    Raises:
        Busy: A process has it open.
        StoreUnavailable: The file system has no locks.
    """
    try:
        descriptor = open_locked(folder / _PRESENCE_FILE)
    except BlockingIOError as error:
        raise Busy(
            f"A Plimsoll process has the store of {root_of(folder) or folder} open.",
            remedy="Close the editors and terminals that use this folder, then try again.",
        ) from error
    try:
        yield
    finally:
        os.close(descriptor)
