"""Keeps the old text of files that are overwritten in place, until the new one is on disk.

A process that ends in between leaves it there, beside what says whose text it is. It is removed
when the file is known to be whole: as it was, or as it was to be.
"""

import json
import os
import secrets
import shlex
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from plimsoll.private_files import create_private, private_folder
from plimsoll.text.lines import version_of_bytes
from plimsoll.tools.display import whole_line

KEPT = "written-over"
"""The name of their folder, beside the sessions' own folders."""
_OF, _SAID = ".of", ".said"
"""The ends of the names of what says whose text it is, and that a person was told of it."""
_LONGEST_NAME = 180
_OLD, _NEW = "old", "new"
# From here on nobody is about to write any more.
_OLD_SECONDS = 3600
# A text that is younger may be that of a process which is just writing.
_WRITING_SECONDS = 5


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A file that the process was overwriting when it ended."""

    path: Path | None
    """The file; none: whose text it is was not written down."""
    copy: Path
    """Its old text."""


def keep_text(folder: Path, path: Path, before: bytes, after: bytes) -> Path:
    """Save the old text of a file, and the digest of the new one, on disk; return the path.

    Raises:
        OSError: The text could not be saved; then no part of it stays on disk.
    """
    name = os.fsdecode(os.fsencode(path.name)[:_LONGEST_NAME])
    # A text is told from what stands beside it by its end.
    end = ".text" if name.endswith((_OF, _SAID)) else ""
    copy = private_folder(folder) / f"{secrets.token_hex(8)}-{name}{end}"
    told = {"path": str(path), "before": version_of_bytes(before), "after": version_of_bytes(after)}
    try:
        _write(_beside(copy, _OF), json.dumps(told).encode())
        _write(copy, before)
    except OSError:
        discard_text(copy)
        raise
    return copy


def discard_text(copy: Path) -> None:
    """Remove a saved text, then the record that names its file."""
    for each in (copy, _beside(copy, _OF), _beside(copy, _SAID)):
        each.unlink(missing_ok=True)


def unfinished_writes(folder: Path) -> list[Unfinished]:
    """Return the files that may be half written; saved texts of whole files are removed.

    Raises:
        OSError: The folder cannot be read.
    """
    if not folder.is_dir():
        return []
    found = sorted(folder.iterdir())
    copies = [each for each in found if not each.name.endswith((_OF, _SAID))]
    _tidy(set(found) - set(copies), {copy.name for copy in copies})
    return list(_find_unfinished(copies))


def told_once(folder: Path) -> list[str]:
    """Describe in Markdown the files that may be half written and were not reported yet.

    A file so young that another process may be writing it is reported the next time.

    Raises:
        OSError: The folder cannot be read.
    """
    return [
        unfinished_words(each, _code)
        for each in unfinished_writes(folder)
        if (_age(each.copy) or 0) > _WRITING_SECONDS and _claim(each.copy)
    ]


def unfinished_words(unfinished: Unfinished, code: Callable[[str], str] = str) -> str:
    """Write that a file may be half written, and how to restore it; ``code`` marks names."""
    copy, path = str(unfinished.copy), unfinished.path
    if path is None:
        return f"The old text of a file is in {code(copy)}. Remove it when you do not need it."
    restore = f"cp {shlex.quote(copy)} {shlex.quote(str(path))}"
    return (
        f"Plimsoll ended while it wrote {code(str(path))}, which may be half written. Its old "
        f"text is in {code(copy)}. To put it back: {code(restore)}. Then remove the copy."
    )


def _code(text: str) -> str:
    fence = "``" if "`" in text else "`"
    return f"{fence}{whole_line(text)}{fence}"


def _claim(copy: Path) -> bool:
    """Record that a person is told of a saved text; return false if another process did so."""
    try:
        os.close(create_private(_beside(copy, _SAID)))
    except FileExistsError:
        return False
    except OSError:
        # A disk without room for that: better told twice than never.
        return True
    return True


def _tidy(beside: set[Path], copies: set[str]) -> None:
    """Remove the records whose saved texts are gone."""
    for each in beside:
        if each.stem not in copies and (_age(each) or 0) > _OLD_SECONDS:
            with suppress(OSError):
                each.unlink()


def _age(path: Path) -> float | None:
    """Return how many seconds ago a file was written; None if the file is gone."""
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return None


def _find_unfinished(copies: list[Path]) -> Iterator[Unfinished]:
    for copy in copies:
        path, before, after = _read_record(copy)
        state = None if path is None else _state(path, copy, before, after)
        # Asked last: what says whose text it is leaves after the text.
        age = _age(copy)
        if age is None:
            continue
        if state == _NEW or (state == _OLD and age > _OLD_SECONDS):
            discard_text(copy)
        # A file that is as it was may be about to be written by another process.
        elif state != _OLD:
            yield Unfinished(path, copy)


def _state(path: Path, copy: Path, before: str | None, after: str) -> str | None:
    """Tell whether a file has its old or its new text; None if it has neither."""
    try:
        now = version_of_bytes(path.read_bytes())
        if now == after:
            return _NEW
        # A kill can have cut the copy too: what the file was is then known by its digest alone.
        return _OLD if now == (before or version_of_bytes(copy.read_bytes())) else None
    except OSError:
        return None


def _read_record(copy: Path) -> tuple[Path | None, str | None, str]:
    """Return the path of a saved text's file, and the digests of its old and its new text."""
    try:
        read: object = json.loads(_beside(copy, _OF).read_bytes())
    except (OSError, ValueError):
        return None, None, ""
    fields = cast("dict[str, object]", read) if isinstance(read, dict) else {}
    path, before, after = (fields.get(name) for name in ("path", "before", "after"))
    if not isinstance(path, str) or not isinstance(after, str):
        return None, None, ""
    return Path(path), before if isinstance(before, str) else None, after


def _beside(copy: Path, end: str) -> Path:
    return copy.with_name(f"{copy.name}{end}")


def _write(path: Path, data: bytes) -> None:
    with os.fdopen(create_private(path), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
