"""Replaces a file on disk in one step, keeping its mode, or leaves it as it was."""

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_CREATE = (
    os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
)
# What file systems without hard links answer.
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)


@dataclass(frozen=True, slots=True)
class Replacing:
    """The replacement of a file: its new bytes are written beside it first."""

    path: Path
    """The real path of the file."""
    parent: int | None
    """A descriptor of its folder; none on systems without folder descriptors."""
    data: bytes

    def carry_out(self, check: Callable[[], object]) -> None:
        """Write and sync a file beside it, check a last time, and put it in its place.

        Raises:
            OSError: It could not be written; or a new file's name was taken meanwhile.
            Exception: What ``check`` raises.
        """
        before = self._status()
        temporary = self._named(f".{secrets.token_hex(12)}.tmp")
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

    @property
    def _name(self) -> str:
        return self._named(self.path.name)

    def _named(self, name: str) -> str:
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
                _keep_owner_and_mode(descriptor, before)
            file.write(self.data)
            file.flush()
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


def _keep_owner_and_mode(descriptor: int, before: os.stat_result) -> None:
    if not hasattr(os, "fchown"):
        return
    # Only an administrator may give a file away, and only there would the owner change.
    if os.geteuid() == 0:
        os.fchown(descriptor, before.st_uid, before.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(before.st_mode))
