"""Watches folders by inotify, through the C library: what changed in them since the last question.

It sees what any process does by the kernel of this machine, through whatever mount.
"""

import ctypes
import errno
import os
import struct
import sys
import weakref
from pathlib import Path

MOST_WATCHES = 32_768
"""Folders of one workspace that are watched; the kernel takes some 1.1 kB for each."""
_SHARE = 4
"""One of so many of the user's watches is taken at most: editors need theirs."""
_CREATE, _DELETE, _MOVED_FROM, _MOVED_TO = 0x100, 0x200, 0x40, 0x80
_DELETE_SELF, _MOVE_SELF = 0x400, 0x800
_MODE_OR_TIME = 0x4
_IS_FOLDER, _OVERFLOW, _IGNORED, _UNMOUNTED = 0x4000_0000, 0x4000, 0x8000, 0x2000
_ONLY_FOLDERS, _FOLLOW_NO_LINK, _NOT_UNLINKED = 0x100_0000, 0x200_0000, 0x400_0000
_ITSELF = _DELETE_SELF | _MOVE_SELF | _UNMOUNTED
_MASK = (
    _CREATE | _DELETE | _MOVED_FROM | _MOVED_TO | _DELETE_SELF | _MOVE_SELF
    | _ONLY_FOLDERS | _FOLLOW_NO_LINK | _NOT_UNLINKED
)  # fmt: skip
_EVENT = struct.Struct("iIII")
_PIECE = 1_000_000
# On others, another machine may change what no event of this one tells.
_LOCAL = frozenset(
    {"ext2", "ext3", "ext4", "xfs", "btrfs", "tmpfs", "overlay", "f2fs", "zfs", "bcachefs"}
)


class Changes(dict[str, set[str]]):
    """The folders whose entries changed, each with the changed entries that are folders."""


class Watcher:
    """Watches folders by inotify, each under a path that its caller gives."""

    def __init__(self, *, modes: bool = False, most: int = MOST_WATCHES) -> None:
        """Open an inotify instance.

        ``modes``: report changes of modes too. ``most``: how many folders may be watched.

        Raises:
            OSError: This platform has no inotify, or all instances are taken.
        """
        if not sys.platform.startswith("linux"):
            raise OSError(errno.ENOSYS, "no inotify here")
        library = ctypes.CDLL(None, use_errno=True)
        self._add = library.inotify_add_watch
        self._add.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_uint32)
        self._remove = library.inotify_rm_watch
        self.descriptor: int = library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        """Readable when something has changed."""
        if self.descriptor < 0:
            raise OSError(ctypes.get_errno(), "no inotify left")
        weakref.finalize(self, os.close, self.descriptor)
        self._mask = _MASK | (_MODE_OR_TIME if modes else 0)
        self._most = min(most, _most_watches())
        self._paths: dict[int, str] = {}
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        """Return how many folders are watched."""
        return len(self._numbers)

    def watch(self, folder: str, path: str) -> bool:
        """Watch a folder under the name ``path``; return whether that is possible."""
        if len(self._numbers) >= self._most:
            return False
        number: int = self._add(self.descriptor, os.fsencode(folder), self._mask)
        if number < 0:
            if ctypes.get_errno() == errno.ENOSPC:
                self._most = len(self._numbers)
            return False
        if number in self._paths:
            # It was renamed or has two names: whoever has the first keeps it.
            return self._paths[number] == path
        self._paths[number] = path
        self._numbers[path] = number
        return True

    def forget(self, path: str) -> None:
        """Stop watching a folder."""
        number = self._numbers.pop(path, None)
        if number is not None:
            del self._paths[number]
            self._remove(self.descriptor, number)

    def changes(self) -> Changes | None:
        """Return the changes since the last call; None if there were more than the kernel keeps."""
        found = Changes()
        whole = True
        while data := self._read():
            at = 0
            while at < len(data):
                number, mask, _, length = _EVENT.unpack_from(data, at)
                name = data[at + _EVENT.size : at + _EVENT.size + length]
                at += _EVENT.size + length
                whole = whole and not mask & _OVERFLOW
                self._note(found, number, mask, name)
        return found if whole else None

    def _read(self) -> bytes:
        try:
            return os.read(self.descriptor, _PIECE)
        except BlockingIOError:
            return b""

    def _note(self, found: Changes, number: int, mask: int, name: bytes) -> None:
        path = self._paths.get(number)
        if path is None:
            return
        if mask & _IGNORED:
            # The kernel has ended it, since the folder is gone.
            del self._paths[number]
            del self._numbers[path]
        if mask & (_ITSELF | _IGNORED):
            above, _, own = path.rpartition("/")
            if own:
                found.setdefault(above, set()).add(own)
            else:
                found.setdefault("", set()).add("")
            return
        folders = found.setdefault(path, set())
        if mask & _IS_FOLDER:
            folders.add(os.fsdecode(name.rstrip(b"\0")))


def _most_watches() -> int:
    try:
        text = Path("/proc/sys/fs/inotify/max_user_watches").read_text("ascii")
        return min(MOST_WATCHES, int(text) // _SHARE)
    except (OSError, ValueError):
        return MOST_WATCHES


def unseen_below(root: Path) -> tuple[str, ...]:
    """Return folders at or below the root in which changes by other machines raise no event.

    Absolute paths: those on network file systems, or on file systems of another machine.
    """
    try:
        lines = Path("/proc/self/mountinfo").read_text("utf-8", "surrogateescape").split("\n")
    except OSError:
        return (str(root),)
    mounts: dict[str, str] = {}
    for line in filter(None, lines):
        before, _, after = line.partition(" - ")
        at = before.split(" ")[4].encode("utf-8", "surrogateescape").decode("unicode_escape")
        mounts[at] = after.split(" ")[0]
    holding = next((mounts[at] for at in _upwards(root) if at in mounts), "")
    below = [at for at, kind in mounts.items() if kind not in _LOCAL and at.startswith(f"{root}/")]
    return tuple(below) if holding in _LOCAL else (str(root),)


def _upwards(path: Path) -> tuple[str, ...]:
    return (str(path), *map(str, path.parents))
