"""Files that are kept for days in their session's folder.

Spill files are whole outputs, which the model can grep; blobs are texts of files before and after
the agent changed them; readings spare the counting of a long log at its next opening.
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
"""Bytes; what was kept of 1.1M tokens is some 500 kB."""
_VERSION = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class SessionSpill:
    """The spill files of one session."""

    folder: Path
    redact: Redactor

    def write(self, call_id: str, text: str) -> Path:
        """Keep a whole text, without secrets, in a new file that only its owner can read.

        The name is random: one that can be guessed from ``call_id`` could be put there by
        somebody else first.

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
    """The texts of files that are kept with a session, each once."""

    folder: Path

    def keep(self, text: str) -> str:
        """Keep a text from now on, and return its version.

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
        """Keep texts of another session here too, each as old as it is there.

        Those that are not kept there any more are left out.

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
        """Return a text by its version; none where it is not there, or is not what was kept."""
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
    """What was counted and read of a session's log, in one file that may be lost."""

    folder: Path

    def read(self) -> bytes | None:
        """Return what was kept last; none where nothing can be read."""
        try:
            descriptor = os.open(self.folder / READINGS_FILE, os.O_RDONLY | os.O_NOFOLLOW)
            with os.fdopen(descriptor, "rb") as file:
                return file.read(_MOST_OF_READINGS)
        except OSError:
            return None

    def keep(self, data: bytes) -> None:
        """Keep this in the place of what was kept.

        Raises:
            StoreUnavailable: It cannot be kept whole.
        """
        replace_private(private_folder(self.folder) / READINGS_FILE, data)


@dataclass(frozen=True, slots=True)
class Spills:
    """The spill files and blobs of a project, and what was read of its logs."""

    paths: ProjectPaths
    redact: Redactor

    def of(self, session_id: str) -> SessionSpill:
        """Return the spill of a session; its folder is made with the first file."""
        return SessionSpill(self.paths.session(session_id) / SPILL_FOLDER, self.redact)

    def blobs(self, session_id: str) -> SessionBlobs:
        """Return the blobs of a session; their folder is made with the first."""
        return SessionBlobs(self.paths.session(session_id) / BLOB_FOLDER)

    def readings(self, session_id: str) -> SessionReadings:
        """Return where the readings of a session are kept; the folder is made with the first."""
        return SessionReadings(self.paths.session(session_id) / READINGS_FOLDER)

    def sweep(self, days: float, now: float) -> int:
        """Remove what can be removed of files that are ``days`` old; return how many they were."""
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
    """Remove a folder with all that is in it, if it is there; of a link the link alone.

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
    """Remove folders that lie too deep to be gone through: what lies in one is moved up first."""
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
    """Let the owner change every folder in it: caches of build tools hold some that nobody may.

    No link is followed, also none that a command puts in a folder's place meanwhile: each folder
    is looked for in the one above, which is open.
    """
    for _, names, _, above in os.fwalk(folder):
        for name in names:
            try:
                os.chmod(name, stat.S_IRWXU, dir_fd=above, follow_symlinks=False)
            except ValueError:
                # Python's word for a link, whose permissions cannot be changed.
                continue
