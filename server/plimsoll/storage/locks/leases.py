"""Leases: the right to run a turn of a session, which one process has at a time."""

import os
from threading import Lock

from plimsoll.errors import Busy
from plimsoll.private_files import private_folder
from plimsoll.storage.base import Lease
from plimsoll.storage.locate import ProjectPaths
from plimsoll.storage.locks.open_files import (
    open_locked,
    read_holder,
    unlock_and_close,
    write_holder,
)

LEASE_FILE = "lease"


class ProcessLeases:
    """Leases of sessions in a store that no other process can open."""

    def __init__(self) -> None:
        self._held: set[str] = set()

    def acquire(self, session_id: str) -> Lease:
        """Take the lease of a session; raises Busy while it is taken."""
        if session_id in self._held:
            raise busy(session_id, _this_process())
        self._held.add(session_id)
        return Lease(session_id, _this_process())

    def holds(self, session_id: str) -> bool:
        """Tell whether the lease is taken."""
        return session_id in self._held

    def release(self, lease: Lease) -> None:
        """Release a lease; do nothing if it is not held."""
        self._held.discard(lease.session_id)

    def release_all(self) -> None:
        """Release all leases."""
        self._held.clear()


class FileLeases:
    """The leases of this process, each a lock in its session's folder."""

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
                descriptor = open_locked(path)
            except BlockingIOError as error:
                raise busy(session_id, read_holder(path)) from error
            write_holder(descriptor, path, _this_process())
            self._held[session_id] = descriptor
        return Lease(session_id, _this_process())

    def holds(self, session_id: str) -> bool:
        """Tell whether this process holds the lease through this object."""
        return session_id in self._held

    def release(self, lease: Lease) -> None:
        """Release a lease; do nothing if it is not held."""
        with self._guard:
            descriptor = self._held.pop(lease.session_id, None)
        if descriptor is not None:
            unlock_and_close(descriptor)

    def release_all(self) -> None:
        """Release all leases."""
        with self._guard:
            descriptors = list(self._held.values())
            self._held.clear()
        for descriptor in descriptors:
            unlock_and_close(descriptor)


def _this_process() -> str:
    return f"pid {os.getpid()}"


def busy(session_id: str, holder: str) -> Busy:
    """Build the error for a session whose lease another process holds."""
    return Busy(
        f"The session {session_id!r} is in use by {holder}.",
        remedy="Wait until the other process is done with it, or go on in another session.",
        data={"heldBy": holder},
    )
