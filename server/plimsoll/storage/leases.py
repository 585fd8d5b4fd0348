"""Leases of sessions: held by a process, and freed by the kernel when it dies, however it dies.

The lock on the lease's file is the lease; the name written into it only tells people who holds it.
So neither a reused process id nor a file left over by a crash can fool anyone.
"""

import fcntl
import os
from pathlib import Path
from threading import Lock

from plimsoll.errors import Busy
from plimsoll.storage.base import Lease
from plimsoll.storage.files import open_private, private_folder, unavailable

LEASE_FILE = "lease"


class Leases:
    """The leases that this process takes on sessions, each in its session's folder."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._held: dict[str, int] = {}

    def acquire(self, session_id: str, folder: Path) -> Lease:
        """Take the lease of a session.

        Raises:
            Busy: Somebody holds it; ``data.heldBy`` names the process.
            StoreUnavailable: The lease file cannot be used.
        """
        with self._guard:
            descriptor = _locked(private_folder(folder) / LEASE_FILE, session_id)
            self._held[session_id] = descriptor
        holder = f"pid {os.getpid()}"
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, holder.encode(), 0)
        return Lease(session_id, holder)

    def holds(self, session_id: str) -> bool:
        """Whether this process holds the lease through this object."""
        return session_id in self._held

    def release(self, lease: Lease) -> None:
        """Give a lease back; one that is not held stays so."""
        with self._guard:
            descriptor = self._held.pop(lease.session_id, None)
        if descriptor is not None:
            _unlock(descriptor)

    def release_all(self) -> None:
        """Give back whatever is held."""
        with self._guard:
            descriptors = list(self._held.values())
            self._held.clear()
        for descriptor in descriptors:
            _unlock(descriptor)


def _locked(path: Path, session_id: str) -> int:
    while True:
        try:
            descriptor = open_private(path)
        except OSError as error:
            raise unavailable("open the lease", path, error) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.pread(descriptor, 64, 0).decode("ascii", "replace") or "another process"
            os.close(descriptor)
            raise _busy(session_id, holder) from error
        if _is_current(descriptor, path):
            return descriptor
        # The session was deleted in between: this file has lost its name.
        os.close(descriptor)


def _is_current(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _unlock(descriptor: int) -> None:
    fcntl.flock(descriptor, fcntl.LOCK_UN)
    os.close(descriptor)


def _busy(session_id: str, holder: str) -> Busy:
    return Busy(
        f"The session {session_id!r} is in use by {holder}.",
        remedy="fork",
        data={"heldBy": holder},
    )
