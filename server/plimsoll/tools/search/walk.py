"""The files of a folder that a search looks at, in one order on every machine."""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from plimsoll.tools.files.opening import listable
from plimsoll.tools.search.ignore import GIT, Rules, rules_above


class Halt:
    """When a search must end: its time is up, or nobody waits for it any more."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self._cancelled = Event()

    def cancel(self) -> None:
        """Stop the search, as nobody waits for it any more."""
        self._cancelled.set()

    @property
    def left(self) -> float:
        """Seconds that are left; zero when it must end."""
        return 0.0 if self._cancelled.is_set() else max(0.0, self._end - time.monotonic())

    def __bool__(self) -> bool:
        return self.left == 0.0


@dataclass(frozen=True, slots=True)
class Walk:
    """What a walk found."""

    files: tuple[Path, ...]
    """Plain files, sorted by path; links are not followed."""
    whole: bool
    """Whether it came to its end in time."""
    unreadable: tuple[str, ...] = ()
    """Folders that could not be listed, each with the reason."""


def walk(root: Path, start: Path, halt: Halt) -> Walk:
    """Find all plain files under ``start`` that git would include, and nothing of ``.git``.

    Hidden files are included. ``start`` itself is walked even when it is left out.
    """
    files: list[Path] = []
    unreadable: list[str] = []
    pending = [(start, rules_above(root, start))]
    while pending and not halt:
        folder, rules = pending.pop()
        try:
            listed = _listed(folder)
        except OSError as error:
            unreadable.append(f"{folder.name}: {error.strerror}")
            continue
        inner = rules.below(folder, [name for name, _ in listed])
        for path, is_folder in _kept(folder, listed, inner):
            if is_folder:
                pending.append((path, inner))
            else:
                files.append(path)
    return Walk(tuple(sorted(files, key=str)), not pending, tuple(sorted(unreadable)))


def _listed(path: Path) -> list[tuple[str, bool]]:
    """List the names of plain files and folders, each with whether it is a folder.

    Listed through a descriptor that no link led to: a folder swapped for a link shows nothing.
    """
    with listable(path) as folder, os.scandir(folder) as entries:
        return [
            (entry.name, is_folder)
            for entry in entries
            if (is_folder := entry.is_dir(follow_symlinks=False))
            or entry.is_file(follow_symlinks=False)
        ]


def _kept(
    folder: Path, listed: list[tuple[str, bool]], rules: Rules
) -> Iterator[tuple[Path, bool]]:
    for name, is_folder in listed:
        path = folder / name
        if name != GIT and not rules.ignores(path.as_posix(), is_folder=is_folder):
            yield path, is_folder
