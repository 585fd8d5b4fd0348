"""Finds the folder in which a project is stored.

A project is identified by its path, never by anything in it: a fork, a clone or an unpacked archive
can contain any file, but cannot choose its path.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from plimsoll.context.log.messages import canonical
from plimsoll.private_files import private_folder, replace_private

DATA_VARIABLE = "PLIMSOLL_DATA_DIR"
DATABASE_FILE = "plimsoll.db"
PROJECT_FILE = "project.json"

TCP_FOLDER = "tcp"
"""The folder of the tokens of servers that listen on a port."""

_NAME = re.compile(r"[0-9a-f]{32}")
_LONGEST_RECORD = 65_536
# What is no file there makes nobody wait.
_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
_SAFE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True)
class ProjectPaths:
    """The folder with everything stored of one project."""

    folder: Path

    @property
    def sessions(self) -> Path:
        """The parent of the sessions' folders."""
        return self.folder / "sessions"

    @property
    def caches(self) -> Path:
        """The folder for caches of confined commands."""
        return self.folder / "caches"

    @property
    def worktrees(self) -> Path:
        """The folder of the git worktrees in which agents work."""
        return self.folder / "worktrees"

    def session(self, session_id: str) -> Path:
        """Return the folder of a session's lease and spill files; the id may be any text."""
        if _SAFE_ID.fullmatch(session_id):
            return self.sessions / session_id
        digest = hashlib.sha256(session_id.encode("utf-8", "surrogatepass")).hexdigest()
        return self.sessions / f"other-{digest}"


def data_folder(environment: Mapping[str, str]) -> Path:
    """Return the user's data folder of Plimsoll, or the one that ``PLIMSOLL_DATA_DIR`` names."""
    chosen = environment.get(DATA_VARIABLE)
    if chosen:
        return Path(chosen).expanduser().absolute()
    # Loaded late: a chosen folder needs none of it, and start-up time is a promise.
    from platformdirs import user_data_path

    return user_data_path("plimsoll", appauthor=False)


def locate(root: Path, data: Path) -> ProjectPaths:
    """Create the folder that stores the project at ``root``, for its owner alone, if missing.

    Raises:
        StoreUnavailable: It cannot be made.
    """
    real = os.path.realpath(root)
    paths = paths_of(root, data)
    for folder in (projects_folder(data), paths.folder, paths.sessions):
        private_folder(folder)
    record = canonical(_identity(real))
    described = paths.folder / PROJECT_FILE
    if not described.is_file() or described.read_text("utf-8", "replace") != record:
        replace_private(described, record)
    return paths


def paths_of(root: Path, data: Path) -> ProjectPaths:
    """Return the folder that stores the project at ``root``, which may be missing."""
    return ProjectPaths(projects_folder(data) / _name(os.path.realpath(root)))


def looks_moved(root: Path, data: Path) -> list[Path]:
    """Find stored folders that are gone and had the same file id as ``root``.

    Only to suggest to a person: the system reuses the ids of deleted folders.
    """
    now = _identity(os.path.realpath(root))
    return [
        Path(str(known["path"]))
        for known in _known_records(data)
        if (known.get("device"), known.get("inode")) == (now["device"], now["inode"])
        and known["path"] != now["path"]
        and not Path(str(known["path"])).exists()
    ]


def log_folder(data: Path) -> Path:
    """Return the folder of the log file, shared by all processes."""
    return data / "log"


def projects_folder(data: Path) -> Path:
    """Return the folder of all projects' stores."""
    return data / "projects"


def is_project(folder: Path) -> bool:
    """Tell by its name whether a folder stores a project."""
    return _NAME.fullmatch(folder.name) is not None


def _name(real: str) -> str:
    return hashlib.sha256(os.fsencode(os.path.normcase(real))).hexdigest()[:32]


def _identity(real: str) -> dict[str, object]:
    try:
        status = Path(real).stat()
    except FileNotFoundError:
        return {"path": real, "device": None, "inode": None}
    return {"path": real, "device": status.st_dev, "inode": status.st_ino}


def root_of(folder: Path) -> str | None:
    """Return the path of the project that a folder stores; None if its record is unreadable."""
    path = _record(folder).get("path")
    return path if isinstance(path, str) else None


def _known_records(data: Path) -> Iterator[Mapping[str, object]]:
    for described in sorted(projects_folder(data).glob(f"*/{PROJECT_FILE}")):
        record = _record(described.parent)
        if "path" in record:
            yield record


def _record(folder: Path) -> Mapping[str, object]:
    """Read the record of a project; empty if it is unreadable, as opening writes it again."""
    try:
        with os.fdopen(os.open(folder / PROJECT_FILE, _READ), "rb") as file:
            value: object = json.loads(file.read(_LONGEST_RECORD))
    except (OSError, ValueError, RecursionError):
        return {}
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def sizes_in(folder: Path) -> Iterator[int]:
    """Yield the size of each file below a folder, at any depth."""
    pending = [folder]
    while pending:
        try:
            entries = list(os.scandir(pending.pop()))
        except OSError:
            # It is closed, or another process has removed it.
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                pending.append(Path(entry))
                continue
            try:
                size = Path(entry).lstat().st_size
            except FileNotFoundError:
                # Another process has removed it since the folder was listed.
                continue
            yield size
