"""Keeps what the folders of one workspace hold: walked once, then only where something changed."""

import os
import time
from pathlib import Path

from plimsoll.tools.process.confinement.protection.listing import (
    Folder,
    FolderRole,
    Reasons,
    list_folder,
)
from plimsoll.tools.process.confinement.protection.watching import Watcher, unseen_below

TICK_NANOSECONDS = 50_000_000
"""Two changes within one tick of the kernel's clock have the same change time."""
_UNSETTLED = (-1, -1)


class Tree:
    """The listed folders of one workspace, by their paths from its root (the root's is empty)."""

    def __init__(self, root: Path, *, watch: bool = True) -> None:
        """``watch``: learn of changes by the kernel's events if possible, else by change times."""
        self._root = str(root)
        self._watch = watch
        self._reasons = Reasons()
        self._watcher: Watcher | None = None
        self._unseen: tuple[str, ...] = ()
        self._folders: dict[str, Folder] = {}
        self._changed: dict[str, tuple[int, int]] = {}
        """The inodes and change times of those that are not watched."""
        self.notable: dict[str, Folder] = {}
        """Those that hold something that matters."""

    @property
    def descriptor(self) -> int | None:
        """A descriptor that is readable once a folder has changed; None without kernel events."""
        return None if self._watcher is None else self._watcher.descriptor

    @property
    def size(self) -> int:
        """How many folders the tree holds."""
        return len(self._folders)

    def refresh(self) -> None:
        """List the changed folders again; blocks."""
        changes = None if self._watcher is None else self._watcher.changes()
        if not self._folders or (self._watcher is not None and changes is None):
            self._begin()
            return
        for path, folders in sorted(changes.items()) if changes else ():
            if path not in self._folders:
                continue
            if "" in folders:
                # The workspace folder itself is another one.
                self._begin()
                return
            for name in folders:
                self._drop(f"{path}/{name}".lstrip("/"))
            self._relist(path)
        for path in list(self._changed):
            before = self._changed.get(path)
            if before is not None and before != self._stamp(path):
                self._relist(path)

    def _begin(self) -> None:
        self._folders, self._changed, self.notable = {}, {}, {}
        self._watcher = None
        if self._watch:
            try:
                self._watcher = Watcher()
                self._unseen = unseen_below(Path(self._root))
            except OSError:
                # Change times serve as well, and take longer.
                self._watcher = None
        self._walk([("", FolderRole.PLAIN)])

    def _at(self, path: str) -> str:
        return f"{self._root}/{path}" if path else self._root

    def _stamp(self, path: str) -> tuple[int, int] | None:
        """Return a folder's identity and the time of its last change; None if the folder is gone.

        Folders that were made at once have one time, and a command can put one in another's place.
        """
        try:
            status = os.lstat(self._at(path))
        except OSError:
            return None
        return status.st_ino, status.st_ctime_ns

    def _walk(self, pending: list[tuple[str, FolderRole]]) -> None:
        while pending:
            path, role = pending.pop()
            # The watch stands before the look: what comes in between is told, or seen, or both.
            if not self._is_watched(path):
                self._time(path)
            pending += self._list(path, role)

    def _is_watched(self, path: str) -> bool:
        if self._watcher is None:
            return False
        at = self._at(path)
        if self._unseen and any(f"{at}/".startswith(f"{unseen}/") for unseen in self._unseen):
            return False
        return self._watcher.watch(at, path)

    def _time(self, path: str) -> None:
        now, changed = time.time_ns(), self._stamp(path)
        if changed is not None:
            settled = now - changed[1] > TICK_NANOSECONDS
            self._changed[path] = changed if settled else _UNSETTLED

    def _list(self, path: str, role: FolderRole) -> list[tuple[str, FolderRole]]:
        """List a folder and store the result; return the folders inside of it."""
        try:
            found = list_folder(self._at(path), role, self._reasons)
        except (FileNotFoundError, NotADirectoryError):
            self._drop(path)
            return []
        except OSError:
            # It is somebody else's, and closed: that may change without a word.
            found, self._changed[path] = Folder(role=role), _UNSETTLED
        self._folders[path] = found
        if found.notable:
            self.notable[path] = found
        else:
            self.notable.pop(path, None)
        return [(f"{path}/{name}" if path else name, role) for name, role in found.below]

    def _relist(self, path: str) -> None:
        before = self._folders.get(path)
        if before is None:
            return
        if path in self._changed:
            self._time(path)
        below = self._list(path, before.role)
        now = self._folders.get(path)
        if now is None:
            return
        for name, role in before.below:
            if (name, role) not in now.below:
                self._drop(f"{path}/{name}".lstrip("/"))
        self._walk([(at, role) for at, role in below if at not in self._folders])

    def _drop(self, path: str) -> None:
        pending = [path]
        while pending:
            at = pending.pop()
            gone = self._folders.pop(at, None)
            self.notable.pop(at, None)
            self._changed.pop(at, None)
            if self._watcher is not None:
                self._watcher.forget(at)
            if gone is not None:
                pending += [f"{at}/{name}".lstrip("/") for name, _ in gone.below]
