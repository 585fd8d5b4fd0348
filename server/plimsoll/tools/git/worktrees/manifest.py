"""What a tree began with: each file's kind and content, by which its changes are found."""

import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from plimsoll.private_files import replace_private

FileKind = Literal["file", "program", "link"]
"""A file, a file that may be executed, or a symbolic link."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """What tells that a file was not touched: its size and times in nanoseconds."""

    size: int
    modified: int
    changed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstFile:
    """A file as a tree began with it."""

    kind: FileKind
    content: str
    """The id of its bytes in git's store; of a link, where it leads."""
    stamp: Stamp


# As it stands: a path would be written in a simpler form.
text_of_link = os.readlink
Manifest = Mapping[str, FirstFile]
"""The files of a tree by their names below its root."""


def kind_of(status: os.stat_result) -> FileKind | None:
    """Return the kind of a file by its status; None for what git does not know."""
    if stat.S_ISLNK(status.st_mode):
        return "link"
    if not stat.S_ISREG(status.st_mode):
        return None
    return "program" if status.st_mode & stat.S_IXUSR else "file"


def stamp_of(status: os.stat_result) -> Stamp:
    """Return the stamp of a file by its status."""
    return Stamp(size=status.st_size, modified=status.st_mtime_ns, changed=status.st_ctime_ns)


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Write a manifest to a file; raises StoreUnavailable."""
    rows = {
        name: [each.kind, each.content, each.stamp.size, each.stamp.modified, each.stamp.changed]
        for name, each in manifest.items()
    }
    replace_private(path, json.dumps(rows))


def read_manifest(path: Path) -> Manifest:
    """Read a manifest that was written; raises OSError, or ValueError where it is damaged."""
    rows: dict[str, list[str | int]] = json.loads(path.read_text("utf-8"))
    return {name: _first(row) for name, row in rows.items()}


def _first(row: list[str | int]) -> FirstFile:
    kinds: dict[str, FileKind] = {"file": "file", "program": "program", "link": "link"}
    kind, content, *times = row
    size, modified, changed = map(int, times)
    return FirstFile(
        kind=kinds[str(kind)],
        content=str(content),
        stamp=Stamp(size=size, modified=modified, changed=changed),
    )
