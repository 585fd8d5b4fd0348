"""Locks between processes: on open files, as a fair queue, as leases, and to show who is there.

The kernel frees all of them when their process dies, however it dies. The lock on a lease's file is
the lease; the name written into it only tells people who holds it, so neither a reused process id
nor a file left over by a crash can fool anyone.
"""

import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock, Thread

from plimsoll.errors import Busy, StoreUnavailable
from plimsoll.storage.base import Lease
from plimsoll.storage.locate import ProjectPaths, open_private, private_folder, root_of, unavailable


def lock(descriptor: int) -> None:
    """Wait for the lock of an open file, in the kernel's queue."""
    # Loaded late here and below: where the module is missing, this file must still load.
    import fcntl

    fcntl.flock(descriptor, fcntl.LOCK_EX)


def try_lock(descriptor: int, *, shared: bool = False) -> None:
    """Take the lock of an open file now; raises BlockingIOError while it is taken.

    ``shared``: beside others who share it.
    """
    import fcntl

    fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


def unlock(descriptor: int) -> None:
    """Give the lock of an open file back."""
    import fcntl

    fcntl.flock(descriptor, fcntl.LOCK_UN)


def _locked(path: Path, *, shared: bool = False) -> int:
    """Open a file and lock it now; one that has lost its name meanwhile is opened anew.

    Raises:
        BlockingIOError: Its lock is taken.
        StoreUnavailable: It cannot be opened or locked.
    """
    while True:
        try:
            descriptor = open_private(path)
        except OSError as error:
            raise unavailable("open the lock", path, error) from error
        try:
            try_lock(descriptor, shared=shared)
            if _is_current(descriptor, path):
                return descriptor
        except BlockingIOError:
            os.close(descriptor)
            raise
        except OSError as error:
            os.close(descriptor)
            raise _without_locks(path, error) from error
        os.close(descriptor)


def _is_current(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _free(descriptor: int) -> None:
    unlock(descriptor)
    os.close(descriptor)


def _without_locks(path: Path, error: OSError) -> StoreUnavailable:
    return StoreUnavailable(
        f"The file system of {path} does not lock files: {error.strerror}.",
        remedy="Set PLIMSOLL_DATA_DIR to a folder on a local disk.",
    )


LEASE_FILE = "lease"


class ProcessLeases:
    """Leases of sessions that no other process can know of."""

    def __init__(self) -> None:
        self._held: set[str] = set()

    def acquire(self, session_id: str) -> Lease:
        """Take the lease of a session; raises Busy while it is taken."""
        if session_id in self._held:
            raise _busy(session_id, _this_process())
        self._held.add(session_id)
        return Lease(session_id, _this_process())

    def holds(self, session_id: str) -> bool:
        """Tell whether the lease is taken."""
        return session_id in self._held

    def release(self, lease: Lease) -> None:
        """Give a lease back; do nothing when it is not held."""
        self._held.discard(lease.session_id)

    def release_all(self) -> None:
        """Give back whatever is held."""
        self._held.clear()


class FileLeases:
    """The leases that this process takes on sessions, each in its session's folder."""

    def __init__(self, paths: ProjectPaths) -> None:
        self._paths = paths
        self._guard = Lock()
        self._held: dict[str, int] = {}

    def acquire(self, session_id: str) -> Lease:
        """Take the lease of a session.

        Raises:
            Busy: Somebody holds it; ``data.heldBy`` names the process.
            StoreUnavailable: The lease file cannot be used.
        """
        folder = self._paths.session(session_id)
        with self._guard:
            path = private_folder(folder) / LEASE_FILE
            try:
                descriptor = _locked(path)
            except BlockingIOError as error:
                raise _busy(session_id, _signed(path)) from error
            _sign(descriptor, path)
            self._held[session_id] = descriptor
        return Lease(session_id, _this_process())

    def holds(self, session_id: str) -> bool:
        """Tell whether this process holds the lease through this object."""
        return session_id in self._held

    def release(self, lease: Lease) -> None:
        """Give a lease back; do nothing when it is not held."""
        with self._guard:
            descriptor = self._held.pop(lease.session_id, None)
        if descriptor is not None:
            _free(descriptor)

    def release_all(self) -> None:
        """Give back whatever is held."""
        with self._guard:
            descriptors = list(self._held.values())
            self._held.clear()
        for descriptor in descriptors:
            _free(descriptor)


def _sign(descriptor: int, path: Path) -> None:
    """Write who holds the lease; a lease that cannot be signed is given back at once."""
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, _this_process().encode(), 0)
    except OSError as error:
        _free(descriptor)
        raise unavailable("write the lease", path, error) from error


def _signed(path: Path) -> str:
    """Read who holds the lease; whoever has just taken it has not signed yet."""
    try:
        return path.read_text("ascii", "replace")[:64] or "another process"
    except OSError:
        return "another process"


def _this_process() -> str:
    return f"pid {os.getpid()}"


def _busy(session_id: str, holder: str) -> Busy:
    return Busy(
        f"The session {session_id!r} is in use by {holder}.",
        remedy="fork",
        data={"heldBy": holder},
    )


@dataclass(frozen=True, slots=True)
class FairLock:
    """Lets one holder through at a time, of all processes and threads that use ``folder``.

    They are served in the order in which they came. SQLite's own waiting is a lottery: a process
    that has just written is as likely to be next as one that has waited for seconds. Two locks make
    a queue: whoever waits for the second holds the first, so the process that has just left must
    line up behind it.
    """

    folder: Path

    @contextmanager
    def hold(self, seconds: float) -> Generator[None]:
        """Wait at most ``seconds`` for the turn, and give it back at the end of the block.

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
            raise _without_locks(self.folder, error) from error
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
    """A lock that all processes share that have a store open.

    It stands beside the turns: a store with a rollback journal shows no sign of its readers.
    """

    def __init__(self, folder: Path) -> None:
        """Be one of those who have the store of a folder open.

        Raises:
            StoreUnavailable: Somebody keeps the others out, or there are no locks.
        """
        try:
            self._descriptor = _locked(folder / _PRESENCE_FILE, shared=True)
        except BlockingIOError as error:
            raise StoreUnavailable(
                f"The store in {folder} is being removed or salvaged by another process.",
                remedy="Try again in a moment.",
            ) from error

    def leave(self) -> None:
        """Let it go, once."""
        os.close(self._descriptor)


_PRESENCE_FILE = "open.lock"


@contextmanager
def alone(folder: Path) -> Generator[None]:
    """Keep everybody from opening the store in a folder until the end of the block.

    Raises:
        Busy: A process has it open.
        StoreUnavailable: There are no locks.
    """
    try:
        descriptor = _locked(folder / _PRESENCE_FILE)
    except BlockingIOError as error:
        raise Busy(
            f"A Plimsoll process has the store of {root_of(folder) or folder} open.",
            remedy="Close the editors and terminals that use this folder, then try again.",
        ) from error
    try:
        yield
    finally:
        os.close(descriptor)
