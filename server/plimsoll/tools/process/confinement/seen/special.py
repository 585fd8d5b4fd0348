"""Finds pipes, sockets and devices in the folders that a person lists for commands."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

MOST_ENTRIES = 100_000
"""Of all folders together; what lies beyond is not looked at."""


def special_below(folders: Iterable[Path], most: int = MOST_ENTRIES) -> Iterator[Path]:
    """Yield the pipes, sockets and devices below folders; blocks to walk them."""
    pending = [str(folder) for folder in folders]
    left = most
    while pending and left > 0:
        try:
            entries = list(os.scandir(pending.pop()))
        except OSError:
            # It is gone, or closed to us, and so to a command.
            continue
        left -= len(entries)
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                pending.append(entry.path)
            elif not entry.is_file(follow_symlinks=False) and not entry.is_symlink():
                yield Path(entry.path)
