"""Finds the files of a folder for a search, in the same order on every machine."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from plimsoll.tools.display import visible_line
from plimsoll.tools.files.opening import listable
from plimsoll.tools.files.paths import shown_name
from plimsoll.tools.search.halt import DEPTH_WORK, ENTRY_WORK, Halt
from plimsoll.tools.search.ignore import GIT, IgnoreFile, IgnoreReader, Rules, rules_above

_NAMED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """The files that a walk found, and the parts that it left out."""

    files: tuple[Path, ...]
    """Plain files, sorted by path; links are not followed."""
    whole: bool
    """True if the walk came to its end."""
    unseen: tuple[Path, ...] = ()
    """The folders of which files may be missing, if the walk ended early."""
    unreadable: tuple[str, ...] = ()
    """Folders that could not be listed, each with the reason."""
    unapplied: tuple[str, ...] = ()
    """Notes on the parts of ignore files that were not applied."""


def walk(root: Path, start: Path, halt: Halt, reader: IgnoreReader) -> Walk:
    """Find all plain files under ``start`` that git would include, and nothing of ``.git``.

    Hidden files are included. ``start`` itself is walked even when it is left out.
    """
    files: list[Path] = []
    unreadable: list[str] = []
    rules = rules_above(root, start, reader, halt)
    unapplied = [*_notes(rules.files)]
    pending = [(start, rules)]
    while pending and not halt:
        folder, rules = pending.pop()
        try:
            listed = _listed(folder, halt)
        except OSError as error:
            unreadable.append(f"{folder.name}: {error.strerror}")
            continue
        inner = rules.below(folder, [name for name, _ in listed], halt)
        unapplied += _notes(inner.files[len(rules.files) :])
        for path, is_folder in _kept(folder, listed, inner, halt):
            if is_folder:
                pending.append((path, inner))
            else:
                files.append(path)
        if halt:
            pending.append((folder, rules))
    return Walk(
        files=tuple(sorted(files, key=str)),
        whole=not pending,
        unseen=tuple(sorted(path for path, _ in pending)),
        unreadable=tuple(sorted(unreadable)),
        unapplied=tuple(unapplied),
    )


def walk_notes(found: Walk, root: Path, halt: Halt) -> Iterator[str]:
    """Say what a walk has left out, for the end of a search's result."""
    if not found.whole:
        inner = [path for path in found.unseen if path != root]
        names = ", ".join(f"{shown_name(path, root)}/" for path in inner[:_NAMED])
        more = f" and {len(inner) - _NAMED:,} more" if len(inner) > _NAMED else ""
        told = f" (not, or not all: {names}{more})" if names else ""
        yield f"[stopped {halt.why}: not all folders were seen{told}; name a path]"
    yield from (f"[{note}]" for note in found.unapplied)


def _notes(files: Iterable[tuple[str, IgnoreFile]]) -> Iterator[str]:
    for folder, lines in files:
        for note in lines.notes:
            yield f"the ignore file of {visible_line(f'{Path(folder).name}/', limit=80)}: {note}"


def _listed(path: Path, halt: Halt) -> list[tuple[str, bool]]:
    """List the names of plain files and folders, each with whether it is a folder.

    Listed through a descriptor that no link led to: a folder swapped for a link shows nothing.
    """
    halt.spend(DEPTH_WORK * len(path.parts))
    listed: list[tuple[str, bool]] = []
    with listable(path) as folder, os.scandir(folder) as entries:
        for entry in entries:
            if halt:
                break
            halt.spend(ENTRY_WORK)
            is_folder = entry.is_dir(follow_symlinks=False)
            if is_folder or entry.is_file(follow_symlinks=False):
                listed.append((entry.name, is_folder))
    return listed


def _kept(
    folder: Path, listed: Iterable[tuple[str, bool]], rules: Rules, halt: Halt
) -> Iterator[tuple[Path, bool]]:
    for name, is_folder in listed:
        path = folder / name
        ignored = name == GIT or rules.ignores(path.as_posix(), halt, is_folder=is_folder)
        if halt:
            # What has been decided amid the end may be wrong.
            return
        if not ignored:
            yield path, is_folder
