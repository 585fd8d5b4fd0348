"""Finds the files of a folder for a search, in the same order on every machine."""

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from plimsoll.tools.display import visible_line
from plimsoll.tools.files.opening import listable
from plimsoll.tools.files.paths import shown_name
from plimsoll.tools.search.halt import DEPTH_WORK, ENTRY_WORK, Halt
from plimsoll.tools.search.ignore import IgnoreFile, IgnoreReader
from plimsoll.tools.search.repository import (
    GIT,
    GitFolder,
    GitKnowledge,
    repository_above,
    repository_at,
)
from plimsoll.tools.search.rules import Rules, rules_above, rules_of

_NAMED = 3
_MOST_REPOSITORIES = 50
"""Repositories below a folder of which git is asked what they track."""
_LOOK_WORK = 10_000
"""Units of work for naming what a search left out: about 2,000 names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """The files that a walk found, and the parts that it left out."""

    start: Path
    names: Sequence[str]
    """Plain files by their paths relative to ``start``, with ``/``, sorted; no links."""
    whole: bool = True
    """True if the walk came to its end."""
    unseen: tuple[Path, ...] = ()
    """The folders of which files may be missing, if the walk ended early."""
    unreadable: tuple[str, ...] = ()
    """Folders that could not be listed, each with the reason."""
    unapplied: tuple[str, ...] = ()
    """Notes on the parts of ignore files that were not applied."""
    ignored: tuple[Path, ...] = ()
    """What ignore files left out, a folder as one."""
    worktrees: tuple[Path, ...] = ()
    """Worktrees of the repository that is walked: their files are its files again."""

    @property
    def files(self) -> Iterator[Path]:
        """The files by their whole paths."""
        return (self.start / name for name in self.names)


@dataclass(slots=True, kw_only=True)
class _WalkedSoFar:
    """What a walk has found so far."""

    files: list[str] = field(default_factory=list[str])
    unreadable: list[str] = field(default_factory=list[str])
    unapplied: list[str] = field(default_factory=list[str])
    ignored: list[Path] = field(default_factory=list[Path])
    worktrees: list[Path] = field(default_factory=list[Path])
    nested: list[GitFolder] = field(default_factory=list[GitFolder])
    """Repositories below the folder that is walked, each with rules of its own."""


def walk(
    root: Path,
    start: Path,
    halt: Halt,
    reader: IgnoreReader,
    *,
    environment: Mapping[str, str] | None = None,
) -> Walk:
    """Find all plain files under ``start`` that git would include, and nothing of ``.git``.

    Hidden files are included, and those that are tracked though ignored. ``start`` itself is walked
    even when it is left out; a worktree below of the same repository is not.
    ``environment``: for git; none: it is not asked.
    """
    git = GitKnowledge(environment)
    above = repository_above(start) if start.is_relative_to(root) else None
    rules = rules_above(root, start, reader, halt, git=git)
    found = _WalkedSoFar(unapplied=[*_notes(rules.files)])
    pending = deque([(start, rules)])
    while pending and not halt:
        folder, rules = pending.popleft()
        try:
            listed = _listed(folder, halt)
        except OSError as error:
            found.unreadable.append(f"{folder.name}: {error.strerror}")
            continue
        names = [name for name, _ in listed]
        inside = repository_at(folder) if GIT in names and folder != start else None
        if inside is not None:
            if above is not None and inside.common == above.common:
                found.worktrees.append(folder)
                continue
            found.nested.append(inside)
            rules = rules_of(inside, reader, git, halt)
        inner = rules.below(folder, names, halt)
        found.unapplied += _notes(inner.files[len(rules.files) :])
        for path in _kept(folder, listed, inner, halt, found=found):
            pending.append((path, inner))
        if halt:
            pending.append((folder, rules))
    unseen = tuple(sorted(path for path, _ in pending))
    repositories = ([] if above is None else [above]) + found.nested
    prefix = _prefix(start)
    relative = {name[len(prefix) :] for name in found.files}
    relative.update(tracked_below(start, repositories, git, halt))
    return Walk(
        start=start,
        names=sorted(relative),
        whole=not unseen,
        unseen=unseen,
        unreadable=tuple(sorted(found.unreadable)),
        unapplied=tuple(found.unapplied),
        ignored=tuple(sorted(found.ignored)),
        worktrees=tuple(sorted(found.worktrees)),
    )


def tracked_below(
    start: Path, repositories: Sequence[GitFolder], git: GitKnowledge, halt: Halt
) -> Iterator[str]:
    """Yield the files that repositories track though they ignore them, relative to ``start``."""
    for repository in repositories[:_MOST_REPOSITORIES]:
        if halt:
            return
        inner = start if start.is_relative_to(repository.top) else repository.top
        prefix = _prefix(inner)[len(_prefix(start)) :]
        yield from (prefix + name for name in git.tracked_though_ignored(repository, inner))


def look(root: Path, start: Path, reader: IgnoreReader, environment: Mapping[str, str]) -> Walk:
    """Walk the first folders alone, for what a search there has left out."""
    return walk(root, start, Halt(1.0, _LOOK_WORK), reader, environment=environment)


def walk_notes(found: Walk, root: Path, halt: Halt) -> Iterator[str]:
    """Say what a walk has left out, for the end of a search's result."""
    if not found.whole:
        inner = [path for path in found.unseen if path != root]
        names = ", ".join(f"{shown_name(path, root)}/" for path in inner[:_NAMED])
        more = f" and {len(inner) - _NAMED:,} more" if len(inner) > _NAMED else ""
        told = f" (not, or not all: {names}{more})" if names else ""
        yield f"[stopped {halt.why}: not all folders were seen{told}; name a path]"
    yield from (f"[{note}]" for note in found.unapplied)


def left_out(looked: Walk, root: Path) -> str:
    """Say in words what a walk did not enter, and how to search it; empty if that is nothing."""
    parts: list[str] = []
    if looked.ignored:
        parts.append(f"git ignores {_some(looked.ignored, root)}")
    if looked.worktrees:
        parts.append(f"left out as worktrees of this repository: {_some(looked.worktrees, root)}")
    return f"{'; '.join(parts)} (name one as path to search it)" if parts else ""


def _some(paths: Sequence[Path], root: Path) -> str:
    names = [shown_name(path, root) + "/" * path.is_dir() for path in paths[:_NAMED]]
    more = f" and {len(paths) - _NAMED:,} more" if len(paths) > _NAMED else ""
    return f"{', '.join(names)}{more}"


def _notes(files: Iterable[tuple[str, IgnoreFile]]) -> Iterator[str]:
    for folder, lines in files:
        for note in lines.notes:
            yield f"the ignore file of {visible_line(f'{Path(folder).name}/', limit=80)}: {note}"


def _prefix(folder: Path) -> str:
    path = folder.as_posix()
    return path if path.endswith("/") else f"{path}/"


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
    folder: Path,
    listed: Iterable[tuple[str, bool]],
    rules: Rules,
    halt: Halt,
    *,
    found: _WalkedSoFar,
) -> Iterator[Path]:
    """Keep the files of a folder that are not ignored, and yield such folders."""
    prefix = _prefix(folder)
    for name, is_folder in listed:
        if name == GIT:
            continue
        path = prefix + name
        ignored = rules.ignores(path, halt, is_folder=is_folder)
        if halt:
            # What has been decided amid the end may be wrong.
            return
        if ignored:
            found.ignored.append(Path(path))
        elif is_folder:
            yield Path(path)
        else:
            found.files.append(path)
