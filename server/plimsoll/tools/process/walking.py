"""Walks through folders however deep they are: what a command makes has no bound of ours."""

import os
from collections.abc import Iterator
from pathlib import Path


def walk(
    folder: Path, unlisted: list[Path] | None = None
) -> Iterator[tuple[Path, list[str], list[str]]]:
    """Yield each folder with the names of the folders and files in it, from the top; blocks.

    A folder that the caller removes from the list of names is not walked. No link is followed;
    folders that cannot be listed are left out, and added to ``unlisted``.
    """
    pending = [folder]
    while pending:
        at = pending.pop()
        folders: list[str] = []
        files: list[str] = []
        try:
            with os.scandir(at) as entries:
                for entry in entries:
                    (folders if entry.is_dir(follow_symlinks=False) else files).append(entry.name)
        except OSError:
            if unlisted is not None:
                unlisted.append(at)
            continue
        yield at, folders, files
        pending += [at / name for name in reversed(folders)]
