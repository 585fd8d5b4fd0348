"""Files that are kept for some days in their session's folder.

Spill files are whole outputs, which the model can search; blobs are texts of files before and after
the agent changed them; readings cache what was counted of a long log for its next opening.
"""

import errno
import os
import re
import secrets
import shutil
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from plimsoll.private_files import private_folder, replace_private, unavailable, write_private
from plimsoll.storage.base import Redactor
from plimsoll.storage.clock import DAY
from plimsoll.storage.locate import ProjectPaths
from plimsoll.text.lines import version_of

SPILL_FOLDER = "spill"
BLOB_FOLDER = "checkpoints"
READINGS_FOLDER, READINGS_FILE = "readings", "texts.json"
# A folder in a folder in a folder holds a descriptor each while they are gone through.
_TOO_DEEP = frozenset({errno.EMFILE, errno.ENFILE, errno.ENAMETOOLONG})
_MOST_OF_READINGS = 100_000_000
"""Bytes; the readings of 1.1M tokens are some 500 kB."""
_VERSION = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class SessionSpill:
    """The spill files of one session."""

    folder: Path
    redact: Redactor

    def write(self, call_id: str, text: str) -> Path:
        """Write a whole text, without secrets, to a new file that only its owner can read.

        The name is random: one that can be guessed from ``call_id`` could be created by somebody
        else first.

        Raises:
            StoreUnavailable: It cannot be kept whole, on a full disk for example.
        """
        path = private_folder(self.folder) / f"{secrets.token_hex(16)}.txt"
        try:
            write_private(path, self.redact(text))
        except OSError as error:
            raise unavailable(f"keep the output of call {call_id!r} in", path, error) from error
        return path


@dataclass(frozen=True, slots=True)
class SessionBlobs:
    """The blobs of one session: texts of files, each stored once."""

    folder: Path

    def keep(self, text: str) -> str:
        """Store a text and return its version, the SHA-256.

        Raises:
            StoreUnavailable: It cannot be kept whole.
        """
        version = version_of(text)
        path = private_folder(self.folder) / version
        if self.read(version) is None:
            replace_private(path, text.encode("utf-8", "surrogatepass"))
            return version
        try:
            os.utime(path, follow_symlinks=False)
        except OSError as error:
            raise unavailable("keep the text of a file in", path, error) from error
        return version

    def take_from(self, session_id: str, versions: Iterable[str]) -> None:
        """Copy texts of another session here, with their age.

        Those that are no longer stored there are left out.

        Raises:
            StoreUnavailable: They cannot be kept.
        """
        others = SessionBlobs(self.folder.parents[1] / session_id / self.folder.name)
        folder = None
        for version in filter(_VERSION.fullmatch, versions):
            folder = folder or private_folder(self.folder)
            try:
                os.link(others.folder / version, folder / version, follow_symlinks=False)
            except (FileExistsError, FileNotFoundError):
                continue
            except OSError:
                # A file system without hard links.
                self._copy(others, version)

    def _copy(self, others: "SessionBlobs", version: str) -> None:
        text = others.read(version)
        if text is None:
            return
        path = self.folder / self.keep(text)
        try:
            age = (others.folder / version).stat()
            os.utime(path, ns=(age.st_atime_ns, age.st_mtime_ns), follow_symlinks=False)
        except OSError as error:
            raise unavailable("keep the text of a file in", path, error) from error

    def read(self, version: str) -> str | None:
        """Return a text by its version; None if it is missing or was changed."""
        if not _VERSION.fullmatch(version):
            return None
        try:
            descriptor = os.open(self.folder / version, os.O_RDONLY | os.O_NOFOLLOW)
            with os.fdopen(descriptor, "rb") as file:
                text = file.read().decode("utf-8", "surrogatepass")
        except (OSError, UnicodeDecodeError):
            return None
        return text if version_of(text) == version else None


@dataclass(frozen=True, slots=True)
class SessionReadings:
    """The cache of the token counts and names of a log's texts, in one file that may be lost."""

    folder: Path

    def read(self) -> bytes | None:
        """Return the last stored cache; None if it is unreadable."""
        try:
            descriptor = os.open(self.folder / READINGS_FILE, os.O_RDONLY | os.O_NOFOLLOW)
            with os.fdopen(descriptor, "rb") as file:
                return file.read(_MOST_OF_READINGS)
        except OSError:
            return None

    def keep(self, data: bytes) -> None:
        """Replace the stored cache.

        Raises:
            StoreUnavailable: It cannot be kept whole.
        """
        replace_private(private_folder(self.folder) / READINGS_FILE, data)


@dataclass(frozen=True, slots=True)
class Spills:
    """The spill files, blobs and readings of a project's sessions."""

    paths: ProjectPaths
    redact: Redactor

    def of(self, session_id: str) -> SessionSpill:
        """Return the spill files of a session; its folder is created with the first."""
        return SessionSpill(self.paths.session(session_id) / SPILL_FOLDER, self.redact)

    def blobs(self, session_id: str) -> SessionBlobs:
        """Return the blobs of a session; their folder is created with the first."""
        return SessionBlobs(self.paths.session(session_id) / BLOB_FOLDER)

    def readings(self, session_id: str) -> SessionReadings:
        """Return the cache of a session's token counts; the folder is created with the cache."""
        return SessionReadings(self.paths.session(session_id) / READINGS_FOLDER)

    def sweep(self, days: float, now: float) -> int:
        """Remove files that are ``days`` old; return how many were removed."""
        oldest = now - days * DAY
        removed = 0
        kept = (f"{SPILL_FOLDER}/*.txt", f"{BLOB_FOLDER}/*", f"{READINGS_FOLDER}/*")
        for path in chain.from_iterable(self.paths.sessions.glob(f"*/{each}") for each in kept):
            try:
                if path.lstat().st_mtime < oldest:
                    path.unlink()
                    removed += 1
            except OSError:
                # Another process sweeps the same folder, or it stays until the next sweep.
                continue
        return removed


def remove_folder(folder: Path) -> None:
    """Remove a folder with all its content, if it exists; of a link only the link.

    Raises:
        StoreUnavailable: Some of it cannot be removed.
    """
    try:
        if folder.is_symlink() or not folder.is_dir():
            # Where a link leads is not ours.
            folder.unlink()
            return
        try:
            _remove_tree(folder)
        except (RecursionError, OSError) as error:
            if isinstance(error, OSError) and error.errno not in _TOO_DEEP:
                raise
            _remove_deep(folder)
    except FileNotFoundError:
        return
    except OSError as error:
        raise unavailable("remove", folder, error) from error


def _remove_tree(folder: Path) -> None:
    try:
        shutil.rmtree(folder)
    except PermissionError:
        open_up(folder)
        shutil.rmtree(folder)


def _remove_deep(folder: Path) -> None:
    """Remove folders that are nested too deeply to walk, by moving inner ones up first."""
    while entries := list(os.scandir(folder)):
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                Path(entry).unlink()
                continue
            Path(entry).chmod(stat.S_IRWXU)
            for below in list(os.scandir(entry)):
                if below.is_dir(follow_symlinks=False):
                    Path(below).chmod(stat.S_IRWXU)
                Path(below).rename(folder / secrets.token_hex(16))
            Path(entry).rmdir()
    folder.rmdir()


def open_up(folder: Path) -> None:
    """Make all folders inside ``folder`` writable for their owner, which some build caches are not.

    No link is followed, not even one that a command creates meanwhile: each folder is opened
    relative to its open parent.
    """
    for _, names, _, above in os.fwalk(folder):
        for name in names:
            try:
                os.chmod(name, stat.S_IRWXU, dir_fd=above, follow_symlinks=False)
            except ValueError:
                # Python's word for a link, whose permissions cannot be changed.
                continue
