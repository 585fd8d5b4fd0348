"""Which process writes a session, so that others only follow it."""

import os
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

from plimsoll.errors import Busy
from plimsoll.private_files import open_private, unavailable
from plimsoll.storage.locate import ProjectPaths
from plimsoll.storage.locks.open_files import (
    is_current,
    open_locked,
    read_holder,
    unlock_and_close,
    write_holder,
)

WRITER_FILE, _NEXT_WRITER_FILE = "writer", "writer.next"
_WANTED_FILE = "writer.wanted"
"""Created by a process that wants to write a session whose writer nobody looks at."""


class Writers:
    """Decides which process writes each session, by a lock in the session's folder.

    A process takes part once it is announced under a name. One that is not announced shares every
    session; its turns are kept apart from others' by leases alone.
    """

    def __init__(self, paths: ProjectPaths | None) -> None:
        """``paths`` has the sessions' folders; None: no other process can open the store."""
        self._paths = paths
        self._name: str | None = None
        self._guard = Lock()
        self._held: dict[str, int] = {}
        self._left: set[str] = set()

    def announce(self, name: str) -> None:
        """Take part from now on, under a name that other processes show to people."""
        self._name = f"{''.join(filter(str.isprintable, name))[:40]}, process {os.getpid()}"

    def claim(self, session_id: str) -> str | None:
        """Become the writer of a session, or return the name of the process that is.

        Raises:
            StoreUnavailable: The file cannot be used.
        """
        if self._paths is None or self._name is None:
            return None
        folder = self._paths.session(session_id)
        path = folder / WRITER_FILE
        with self._guard:
            # Of a session without a folder nothing was said yet, or it was deleted.
            if self._holds(session_id) or not folder.is_dir():
                return None
            try:
                descriptor = open_locked(path)
            except BlockingIOError:
                return read_holder(path)
            write_holder(descriptor, path, self._signature())
            self._held[session_id] = descriptor
            self._left.discard(session_id)
        return None

    def want(self, session_id: str) -> None:
        """Tell the writer of a session that this process wants to write it.

        Raises:
            StoreUnavailable: The file cannot be made.
        """
        if self._paths is not None and self._name is not None:
            path = self._paths.session(session_id) / _WANTED_FILE
            try:
                os.close(open_private(path))
            except OSError as error:
                raise unavailable("make", path, error) from error

    def is_wanted(self, session_id: str) -> bool:
        """Tell whether another process wants a session that is written here; clears the request."""
        if self._paths is None or session_id not in self._held:
            return False
        try:
            (self._paths.session(session_id) / _WANTED_FILE).unlink()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise unavailable("remove", Path(_WANTED_FILE), error) from error
        return True

    def leave(self, session_id: str) -> None:
        """Give up a session to a process that wants it; using it, not reading, claims it again."""
        with self._guard:
            self._let_go(session_id)
            self._left.add(session_id)

    def has_left(self, session_id: str) -> bool:
        """Tell whether a session was given up here and has no writer yet."""
        if self._paths is None or session_id not in self._left:
            return False
        try:
            unlock_and_close(open_locked(self._paths.session(session_id) / WRITER_FILE))
        except BlockingIOError:
            self._left.discard(session_id)
            return False
        return True

    def is_open_elsewhere(self, session_id: str) -> bool:
        """Tell whether another process that has a name has a session open to write it."""
        if self._paths is None or session_id in self._held:
            return False
        path = self._paths.session(session_id) / WRITER_FILE
        if not path.exists():
            return False
        try:
            unlock_and_close(open_locked(path))
        except BlockingIOError:
            return True
        return False

    def _signature(self) -> str:
        return f"{self._name}, since {datetime.now(UTC).astimezone():%Y-%m-%d %H:%M}"

    def refuse_elsewhere(self, session_id: str) -> None:
        """Raise Busy with ``data.heldBy`` while another process writes a session."""
        holder = self.claim(session_id)
        if holder is not None:
            raise Busy(
                f"The session {session_id!r} is open in {holder}, which is using it.",
                remedy="Take it over while no turn runs there, or fork it.",
                data={"heldBy": holder},
            )

    def take_over(self, session_id: str) -> None:
        """Become the writer of a session in place of another process; needs the session's lease.

        The file is replaced, by which the earlier writer learns that it has lost the lock.
        """
        if self._paths is None or self._name is None:
            return
        with self._guard:
            folder = self._paths.session(session_id)
            descriptor = open_locked(folder / _NEXT_WRITER_FILE)
            write_holder(descriptor, folder / _NEXT_WRITER_FILE, self._signature())
            try:
                (folder / _NEXT_WRITER_FILE).replace(folder / WRITER_FILE)
            except OSError as error:
                unlock_and_close(descriptor)
                raise unavailable("write", folder / WRITER_FILE, error) from error
            self._let_go(session_id)
            self._held[session_id] = descriptor

    def keep_only(self, session_ids: Collection[str]) -> None:
        """Give up all sessions but these, so that other processes can write them."""
        with self._guard:
            for session_id in self._held.keys() - set(session_ids):
                self._let_go(session_id)

    def _holds(self, session_id: str) -> bool:
        descriptor = self._held.get(session_id)
        if descriptor is None or self._paths is None:
            return False
        if is_current(descriptor, self._paths.session(session_id) / WRITER_FILE):
            return True
        self._let_go(session_id)
        return False

    def _let_go(self, session_id: str) -> None:
        descriptor = self._held.pop(session_id, None)
        if descriptor is not None:
            unlock_and_close(descriptor)
