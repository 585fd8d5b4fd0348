"""Replaces a file on disk in one step, keeping its mode, or leaves it as it was.

What would lose something by a file in its place, or cannot have one, is written where it stands:
a file with several names, with attributes or of another owner, a mount, one in a closed folder.
Its old text is kept aside first, and stays there where the process ends in between: the doctor
names it then.
"""

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from plimsoll.tools.written_over import discard_text, keep_text

_CREATE = (
    os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
)
_IN_PLACE = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
# What is answered where nothing can be put beside or over a file: a closed folder, a mount.
_NOT_OVER = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY, errno.EXDEV)
# The system gives it to the file in its place.
_OF_THE_SYSTEM = frozenset({"security.selinux"})
# What file systems without hard links answer.
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)


@dataclass(frozen=True, slots=True)
class Replacing:
    """Replaces a file by new bytes, which are written to a file beside it first."""

    path: Path
    """The real path of the file."""
    parent: int | None
    """A descriptor of its folder; none on systems without folder descriptors."""
    data: bytes
    kept: Path
    """The folder in which the old text is kept while it is written over."""

    def carry_out(self, check: Callable[[], object]) -> None:
        """Write and sync the new file beside the old, check once more, and rename it into place.

        Raises:
            OSError: It could not be written; or a new file's name was taken meanwhile.
            Exception: What ``check`` raises.
        """
        before = self._status()
        if before is not None and self._must_stay(before):
            self._write_over(check)
            return
        try:
            self._put_over(before, check)
        except _Differs:
            self._write_over(check)
        except OSError as error:
            if before is None or error.errno not in _NOT_OVER:
                raise
            self._write_over(check)

    def _put_over(self, before: os.stat_result | None, check: Callable[[], object]) -> None:
        temporary = self._path_to(f".{secrets.token_hex(12)}.tmp")
        try:
            self._write(temporary, before)
            check()
            if before is None:
                self._put_new(temporary)
            else:
                os.replace(temporary, self._name, src_dir_fd=self.parent, dst_dir_fd=self.parent)
        finally:
            # Gone already when it has taken the place of the old file.
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=self.parent)
        if self.parent is not None:
            self._sync_folder()

    def _must_stay(self, before: os.stat_result) -> bool:
        return before.st_nlink > 1 or bool(_attributes(self.path) - _OF_THE_SYSTEM)

    def _write_over(self, check: Callable[[], object]) -> None:
        """Write the new bytes into the file itself; its old text is kept until they are synced.

        Where that fails, as on a full disk, the old text is put back; it stays kept where that
        fails too.
        """
        descriptor = os.open(self._name, _IN_PLACE, dir_fd=self.parent)
        with os.fdopen(descriptor, "r+b", buffering=0) as file:
            before, status = file.read(), os.fstat(descriptor)
            copy = keep_text(self.kept, self.path, before, self.data)
            try:
                check()
            except BaseException:
                discard_text(copy)
                raise
            try:
                _fill(descriptor, self.data)
            except OSError:
                _fill(descriptor, before)
                discard_text(copy)
                raise
            # To write takes the marks of a program that runs as its owner.
            _keep_mode(descriptor, status)
        discard_text(copy)

    @property
    def _name(self) -> str:
        return self._path_to(self.path.name)

    def _path_to(self, name: str) -> str:
        return str(self.path.parent / name) if self.parent is None else name

    def _status(self) -> os.stat_result | None:
        try:
            return os.stat(self._name, dir_fd=self.parent, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def _write(self, temporary: str, before: os.stat_result | None) -> None:
        # A new one gets what the umask leaves; who may not read the old one never reads this one.
        mode = 0o666 if before is None else 0o600
        descriptor = os.open(temporary, _CREATE, mode, dir_fd=self.parent)
        with os.fdopen(descriptor, "wb") as file:
            if before is not None:
                _keep_owner(descriptor, before)
            file.write(self.data)
            file.flush()
            if before is not None:
                _keep_mode(descriptor, before)
            os.fsync(descriptor)

    def _put_new(self, temporary: str) -> None:
        """Link the new file into place: that fails where a name is taken, as a rename would not."""
        try:
            os.link(temporary, self._name, src_dir_fd=self.parent, dst_dir_fd=self.parent)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            os.rename(temporary, self._name, src_dir_fd=self.parent, dst_dir_fd=self.parent)

    def _sync_folder(self) -> None:
        descriptor = os.open(".", os.O_RDONLY, dir_fd=self.parent)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def has_other_names(path: Path) -> bool:
    """Tell whether a file has several names (hard links), which all change when it is written."""
    try:
        status = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and status.st_nlink > 1


def _fill(descriptor: int, data: bytes) -> None:
    """Replace all the content of an open file, and sync the file to the disk."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    os.ftruncate(descriptor, len(data))
    os.fsync(descriptor)


class _Differs(Exception):
    """Replacing the file would give it another owner or mode."""


def _attributes(path: Path) -> frozenset[str]:
    """Return the names of a file's extended attributes; empty where there are none."""
    if not hasattr(os, "listxattr"):
        return frozenset()
    try:
        return frozenset(os.listxattr(path, follow_symlinks=False))
    except OSError:
        # The file system has none.
        return frozenset()


def _keep_owner(descriptor: int, before: os.stat_result) -> None:
    if not hasattr(os, "fchown"):
        return
    # Only an administrator may give a file away, and whoever is in a group may give it to that.
    with contextlib.suppress(PermissionError):
        os.fchown(descriptor, before.st_uid if os.geteuid() == 0 else -1, before.st_gid)
    now = os.fstat(descriptor)
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        raise _Differs


def _keep_mode(descriptor: int, before: os.stat_result) -> None:
    if not hasattr(os, "fchmod") or os.fstat(descriptor).st_mode == before.st_mode:
        return
    with contextlib.suppress(PermissionError):
        os.fchmod(descriptor, stat.S_IMODE(before.st_mode))
