"""Who writes a session: the one process that others may only follow."""

import os
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

from plimsoll.errors import Busy
from plimsoll.private_files import open_private, unavailable
from plimsoll.storage.locate import ProjectPaths
from plimsoll.storage.locks.open_files import free, is_current, locked, sign, signed

WRITER_FILE, _NEXT_WRITER_FILE = "writer", "writer.next"
_WANTED_FILE = "writer.wanted"
"""Made by a process that would write the session if the one that does has nobody in front of it."""


class Writers:
    """Which process writes a session that others may only follow: a lock in the session's folder.

    A process takes part from the moment it is announced by a name. One that is not announced
    shares every session; its turns and those of others are kept apart by leases alone.
    """

    def __init__(self, paths: ProjectPaths | None) -> None:
        """``paths`` has the sessions' folders; none: no other process can know of them."""
        self._paths = paths
        self._name: str | None = None
        self._guard = Lock()
        self._held: dict[str, int] = {}
        self._left: set[str] = set()

    def announce(self, name: str) -> None:
        """Take part from now on, under a name that people are told in the other process."""
        self._name = f"{''.join(filter(str.isprintable, name))[:40]}, process {os.getpid()}"

    def claim(self, session_id: str) -> str | None:
        """Be the one who writes a session, unless another process is: then return its name.

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
                descriptor = locked(path)
            except BlockingIOError:
                return signed(path)
            sign(descriptor, path, self._signature())
            self._held[session_id] = descriptor
            self._left.discard(session_id)
        return None

    def want(self, session_id: str) -> None:
        """Let the process that writes a session know that somebody here would.

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
        """Tell whether somebody else would write a session that is written here; asks once."""
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
        """Let a session go to whoever wants it; it is not claimed by looking, until it is used."""
        with self._guard:
            self._let_go(session_id)
            self._left.add(session_id)

    def has_left(self, session_id: str) -> bool:
        """Tell whether a session was left here, and nobody writes it yet."""
        if self._paths is None or session_id not in self._left:
            return False
        try:
            free(locked(self._paths.session(session_id) / WRITER_FILE))
        except BlockingIOError:
            self._left.discard(session_id)
            return False
        return True

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
        """Be the one who writes a session, whoever was; called while its lease is ours.

        The file is replaced: whoever held the old one finds that it has lost its name.
        """
        if self._paths is None or self._name is None:
            return
        with self._guard:
            folder = self._paths.session(session_id)
            descriptor = locked(folder / _NEXT_WRITER_FILE)
            sign(descriptor, folder / _NEXT_WRITER_FILE, self._signature())
            try:
                (folder / _NEXT_WRITER_FILE).replace(folder / WRITER_FILE)
            except OSError as error:
                free(descriptor)
                raise unavailable("write", folder / WRITER_FILE, error) from error
            self._let_go(session_id)
            self._held[session_id] = descriptor

    def keep_only(self, session_ids: Collection[str]) -> None:
        """Let every other session go, for whoever wants to write it."""
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
            free(descriptor)
