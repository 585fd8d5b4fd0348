"""Leases of sessions: held by a process, and freed by the kernel when it dies, however it dies.

The lock on the lease's file is the lease; the name written into it only tells people who holds it.
So neither a reused process id nor a file left over by a crash can fool anyone.
"""

import os
from pathlib import Path
from threading import Lock

from plimsoll.errors import Busy
from plimsoll.storage.base import Lease
from plimsoll.storage.file_lock import try_lock, unlock
from plimsoll.storage.files import open_private, private_folder, unavailable
from plimsoll.storage.locate import ProjectPlace

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

    def __init__(self, place: ProjectPlace) -> None:
        self._place = place
        self._guard = Lock()
        self._held: dict[str, int] = {}

    def acquire(self, session_id: str) -> Lease:
        """Take the lease of a session.

        Raises:
            Busy: Somebody holds it; ``data.heldBy`` names the process.
            StoreUnavailable: The lease file cannot be used.
        """
        folder = self._place.session(session_id)
        with self._guard:
            path = private_folder(folder) / LEASE_FILE
            descriptor = _locked(path, session_id)
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


def _locked(path: Path, session_id: str) -> int:
    while True:
        try:
            descriptor = open_private(path)
        except OSError as error:
            raise unavailable("open the lease", path, error) from error
        try:
            try_lock(descriptor)
        except BlockingIOError as error:
            holder = os.pread(descriptor, 64, 0).decode("ascii", "replace") or "another process"
            os.close(descriptor)
            raise _busy(session_id, holder) from error
        if _is_current(descriptor, path):
            return descriptor
        # The session was deleted in between: this file has lost its name.
        os.close(descriptor)


def _sign(descriptor: int, path: Path) -> None:
    """Write who holds the lease; a lease that cannot be signed is given back at once."""
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, _this_process().encode(), 0)
    except OSError as error:
        _free(descriptor)
        raise unavailable("write the lease", path, error) from error


def _is_current(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _this_process() -> str:
    return f"pid {os.getpid()}"


def _free(descriptor: int) -> None:
    unlock(descriptor)
    os.close(descriptor)


def _busy(session_id: str, holder: str) -> Busy:
    return Busy(
        f"The session {session_id!r} is in use by {holder}.",
        remedy="fork",
        data={"heldBy": holder},
    )
