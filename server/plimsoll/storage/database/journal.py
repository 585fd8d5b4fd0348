"""Chooses the journal of a database: a write-ahead log only on a local file system.

The index of a write-ahead log is shared memory of all processes of one machine. Where two machines
can reach a file, or a file system only imitates shared memory, SQLite reports nothing and loses
data. A rollback journal needs only locks and syncs.
"""

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

Journal = Literal["wal", "delete"]
"""SQLite's names: a write-ahead log, or a rollback journal that each commit deletes."""

_LOCAL = frozenset(
    (
        "ext2",
        "ext3",
        "ext4",
        "xfs",
        "btrfs",
        "zfs",
        "bcachefs",
        "f2fs",
        "jfs",
        "reiserfs",
        "nilfs2",
        "ecryptfs",
        "tmpfs",
        "ramfs",
        "overlay",
        "aufs",
        "apfs",
        "hfs",
        "ufs",
        "ffs",
    )
)
"""Kinds of local file systems, whose processes can share memory.

Any other is not known to be local: nfs, smb3, virtiofs, 9p, fuse.sshfs, lustre …
"""

_MOUNTS = Path("/proc/self/mountinfo")
_ESCAPED = re.compile(r"\\([0-7]{3})")
_WAL_FORMAT = 2
_KIND_IN_STATFS = slice(72, 88)
"""The bytes of ``f_fstypename`` in the ``struct statfs`` of macOS with 64-bit inodes."""
_STATFS_BYTES = 4096
"""More than any version of the struct has."""


@dataclass(frozen=True, slots=True)
class FileSystem:
    """The file system that holds a folder."""

    kind: str | None
    """The operating system's name of its kind; none if it gives none."""

    @property
    def journal(self) -> Journal:
        """The journal mode for a new database on this file system."""
        return "wal" if self.kind in _LOCAL else "delete"


def file_system(folder: Path) -> FileSystem:
    """Find the file system of a folder, or of its nearest existing parent."""
    real = Path(os.path.realpath(folder))
    there = next(path for path in (real, *real.parents) if path.exists())
    if sys.platform == "darwin":
        return FileSystem(_kind_by_statfs(there))
    try:
        mounts = _MOUNTS.read_bytes()
    except OSError:
        # No such file: it is neither Linux nor macOS, and nothing is known.
        return FileSystem(None)
    return FileSystem(kind_in_mounts(os.fsdecode(mounts), PurePosixPath(there)))


def kind_in_mounts(mounts: str, path: PurePosixPath) -> str | None:
    """Find the kind of the file system of a real path in the text of ``/proc/self/mountinfo``.

    The longest mount point that begins the path holds it; of two at the same point the later one,
    which hides the other.
    """
    found: tuple[int, str] | None = None
    for line in mounts.split("\n"):
        fields, _, source = line.partition(" - ")
        before, after = fields.split(" "), source.split(" ")
        if len(before) < 5 or not after[0]:
            continue
        point = PurePosixPath(_ESCAPED.sub(_character, before[4]))
        if path.is_relative_to(point) and (found is None or len(point.parts) >= found[0]):
            found = len(point.parts), after[0]
    return found[1] if found else None


def journal_of(path: Path) -> Journal:
    """Read from a database's header which journal it was last used with."""
    with path.open("rb") as file:
        header = file.read(20)
    return "wal" if header[18:20] == bytes((_WAL_FORMAT, _WAL_FORMAT)) else "delete"


def kind_in_statfs(answer: bytes) -> str:
    """Read the kind of a file system from the result of macOS's ``statfs``."""
    return answer[_KIND_IN_STATFS].split(b"\0")[0].decode("ascii", "replace")


def describe_journal(found: FileSystem) -> str:
    """Describe which journal new stores get on a file system, and why."""
    return _TOLD[found.journal].format(kind=found.kind or "a file system without a name")


_TOLD: Mapping[Journal, str] = {
    "wal": "write-ahead log, on {kind}",
    "delete": "rollback journal, since {kind} is not known to be a local file system: slower, "
    "and safe when several machines use it",
}


def _character(octal: re.Match[str]) -> str:
    return chr(int(octal.group(1), 8))


def _kind_by_statfs(path: Path) -> str | None:
    # Loaded late: no other system needs it.
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    # On Intel the plain name is the old struct with 32-bit inodes.
    statfs = getattr(library, "statfs$INODE64", None) or library.statfs
    answer = ctypes.create_string_buffer(_STATFS_BYTES)
    return kind_in_statfs(answer.raw) if statfs(os.fsencode(path), answer) == 0 else None
