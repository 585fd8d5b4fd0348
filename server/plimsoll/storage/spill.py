"""Spill files: whole outputs that the model can grep, kept for days in their session's folder."""

import os
import secrets
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path

from plimsoll.storage.base import Redactor
from plimsoll.storage.clock import DAY
from plimsoll.storage.locate import ProjectPaths, private_folder, unavailable, write_private

SPILL_FOLDER = "spill"


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
class Spills:
    """The spill files of a project."""

    paths: ProjectPaths
    redact: Redactor

    def of(self, session_id: str) -> SessionSpill:
        """Return the spill of a session; its folder is made with the first file."""
        return SessionSpill(self.paths.session(session_id) / SPILL_FOLDER, self.redact)

    def sweep(self, days: float, now: float) -> int:
        """Remove what can be removed of files that are ``days`` old; return how many they were."""
        oldest = now - days * DAY
        removed = 0
        for path in self.paths.sessions.glob(f"*/{SPILL_FOLDER}/*.txt"):
            try:
                if path.lstat().st_mtime < oldest:
                    path.unlink()
                    removed += 1
            except OSError:
                # Another process sweeps the same folder, or it stays until the next sweep.
                continue
        return removed


def remove_folder(folder: Path) -> None:
    """Remove a folder with all that is in it, if it is there.

    Raises:
        StoreUnavailable: Some of it cannot be removed.
    """
    try:
        try:
            shutil.rmtree(folder)
        except PermissionError:
            open_up(folder)
            shutil.rmtree(folder)
    except FileNotFoundError:
        return
    except OSError as error:
        raise unavailable("remove", folder, error) from error


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
