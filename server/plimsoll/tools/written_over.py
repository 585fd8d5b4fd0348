"""The old text of files that are written where they stand, kept until the new one is on the disk.

A process that ends in between leaves it there, beside what says whose text it is. It is removed
when the file is known to be whole: as it was, or as it was to be.
"""

import hashlib
import json
import os
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from plimsoll.private_files import create_private, private_folder

KEPT = "written-over"
"""The name of their folder, beside the sessions' own folders."""
_OF = ".of"
_LONGEST_NAME = 180
_OLD, _NEW = "old", "new"
# From here on nobody is about to write any more.
_OLD_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A file that was being written over when the process ended."""

    path: Path | None
    """The file; none: whose text it is was not written down."""
    copy: Path
    """Its old text."""


def keep_text(folder: Path, path: Path, before: bytes, after: bytes) -> Path:
    """Keep the old text of a file, and what it is to become, on the disk; return where.

    Raises:
        OSError: It could not be kept; then nothing is left of it.
    """
    name = os.fsdecode(os.fsencode(path.name)[:_LONGEST_NAME])
    copy = private_folder(folder) / f"{secrets.token_hex(8)}-{name}"
    told = {"path": str(path), "after": _digest(after)}
    try:
        _write(_of(copy), json.dumps(told).encode())
        _write(copy, before)
    except OSError:
        discard_text(copy)
        raise
    return copy


def discard_text(copy: Path) -> None:
    """Remove a kept text, first itself: what says whose it is serves nobody alone."""
    copy.unlink(missing_ok=True)
    _of(copy).unlink(missing_ok=True)


def unfinished_writes(folder: Path) -> list[Unfinished]:
    """Return the files that may be half written; what is known to be whole is tidied up.

    Raises:
        OSError: The folder cannot be read.
    """
    if not folder.is_dir():
        return []
    return list(_unfinished(sorted(each for each in folder.iterdir() if each.suffix != _OF)))


def _unfinished(copies: list[Path]) -> Iterator[Unfinished]:
    for copy in copies:
        path, after = _told(copy)
        state = None if path is None else _state(path, copy, after)
        if state == _NEW or (state == _OLD and time.time() - copy.stat().st_mtime > _OLD_SECONDS):
            discard_text(copy)
        # A file that is as it was may be about to be written by another process.
        elif state != _OLD:
            yield Unfinished(path, copy)


def _state(path: Path, copy: Path, after: str) -> str | None:
    """Tell whether a file is as it was or as it was to be; none: it is neither."""
    try:
        now = _digest(path.read_bytes())
        return _NEW if now == after else _OLD if now == _digest(copy.read_bytes()) else None
    except OSError:
        return None


def _told(copy: Path) -> tuple[Path | None, str]:
    """Return whose text it is, and the digest of what it was to become."""
    try:
        read: object = json.loads(_of(copy).read_bytes())
    except (OSError, ValueError):
        return None, ""
    fields = cast("dict[str, object]", read) if isinstance(read, dict) else {}
    path, after = fields.get("path"), fields.get("after")
    if not isinstance(path, str) or not isinstance(after, str):
        return None, ""
    return Path(path), after


def _of(copy: Path) -> Path:
    return copy.with_name(f"{copy.name}{_OF}")


def _write(path: Path, data: bytes) -> None:
    with os.fdopen(create_private(path), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
