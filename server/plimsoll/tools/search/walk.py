"""Finds the files of a folder for a search, in the same order on every machine."""

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from plimsoll.tools.display import visible_line
from plimsoll.tools.files.opening import folder as folder_at
from plimsoll.tools.files.opening import listable
from plimsoll.tools.files.paths import shown_name
from plimsoll.tools.search.halt import DEPTH_WORK, ENTRY_WORK, Halt
from plimsoll.tools.search.ignore import IgnoreFile, IgnoreReader
from plimsoll.tools.search.repository import (
    GIT,
    GitFolder,
    GitKnowledge,
    IgnoreFiles,
    repository_above,
    repository_at,
)
from plimsoll.tools.search.rules import IGNORE_FILE, Rules, rules_above, rules_of

_NAMED = 3
_MOST_REPOSITORIES = 50
"""Repositories below a folder of which git is asked what they track."""
_LOOK_WORK = 10_000
"""Units of work for naming what a search left out: about 2,000 names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """The files that a walk found, and the parts that it skipped."""

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
        """The absolute paths of the files."""
        return (self.start / name for name in self.names)


@dataclass(frozen=True, slots=True)
class WalkPlace:
    """A folder on a walk, with the ignore rules and the repository that apply there."""

    folder: Path
    rules: Rules
    """The rules that hold above it."""
    repository: GitFolder | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Walker:
    """The readers and limits that a walk uses in each folder."""

    root: Path
    start: Path
    reader: IgnoreReader
    git: GitKnowledge
    halt: Halt

    def begin(self) -> WalkPlace:
        """Return the place where the walk starts, which is walked even when it is ignored."""
        inside = self.start.is_relative_to(self.root)
        rules = rules_above(self.root, self.start, self.reader, self.halt, git=self.git)
        return WalkPlace(self.start, rules, repository_above(self.start) if inside else None)

    def descend(self, place: WalkPlace, below: Sequence[str]) -> WalkPlace | None:
        """Return the place below these folders; None if one is missing or ignored."""
        for name in below:
            inner = place.rules.below(place.folder, [IGNORE_FILE], self.halt)
            folder = place.folder / name
            if name == GIT or not _is_folder(folder):
                return None
            if inner.ignores(folder.as_posix(), self.halt, is_folder=True):
                return None
            known = self.with_own_rules(
                WalkPlace(folder, inner, place.repository), place.repository
            )
            if known is None:
                return None
            place = known
        return place

    def with_own_rules(self, place: WalkPlace, above: GitFolder | None) -> WalkPlace | None:
        """Return a place with the rules of a repository that begins there; None for a worktree."""
        inside = repository_at(place.folder)
        if inside is None:
            return place
        if above is not None and inside.common == above.common:
            return None
        return WalkPlace(place.folder, rules_of(inside, self.reader, self.git, self.halt), inside)


@dataclass(slots=True, kw_only=True)
class _WalkedSoFar:
    """The files that a walk has found so far, and the parts that it skipped."""

    files: list[str] = field(default_factory=list[str])
    unreadable: list[str] = field(default_factory=list[str])
    unapplied: list[str] = field(default_factory=list[str])
    ignored: list[Path] = field(default_factory=list[Path])
    worktrees: list[Path] = field(default_factory=list[Path])
    repositories: list[GitFolder] = field(default_factory=list[GitFolder])


def walk(
    root: Path,
    start: Path,
    halt: Halt,
    reader: IgnoreReader,
    *,
    environment: Mapping[str, str] | None = None,
) -> Walk:
    """Find all plain files under ``start`` that git would include, and nothing of ``.git``.

    Hidden files are included, and files that are tracked though ignored. ``start`` itself is walked
    even when it is ignored; a worktree of the same repository below it is not.
    ``environment``: the variables for git; None: git is not asked.
    """
    git = GitKnowledge(environment)
    walker = Walker(root=root, start=start, reader=reader, git=git, halt=halt)
    return walk_from(walker, walker.begin())


def walk_from(walker: Walker, place: WalkPlace | None) -> Walk:
    """Find the files below a place in the walker's folder; for None there are no files."""
    halt = walker.halt
    found = _WalkedSoFar()
    pending = deque([] if place is None else [place])
    if place is not None:
        found.unapplied += notes_on(place.rules.files)
        found.repositories += [] if place.repository is None else [place.repository]
    while pending and not halt:
        here = pending.popleft()
        try:
            listed = _list_entries(here.folder, halt)
        except OSError as error:
            found.unreadable.append(f"{here.folder.name}: {error.strerror}")
            continue
        names = [name for name, _ in listed]
        known = here
        if GIT in names and here is not place:
            inside = walker.with_own_rules(here, here.repository)
            if inside is None:
                found.worktrees.append(here.folder)
                continue
            if inside is not here and inside.repository is not None:
                found.repositories.append(inside.repository)
            known = inside
        inner = known.rules.below(here.folder, names, halt)
        found.unapplied += notes_on(inner.files[len(known.rules.files) :])
        for path in _filter_ignored(here.folder, listed, inner, halt, found=found):
            pending.append(WalkPlace(path, inner, known.repository))
        if halt:
            pending.append(here)
    prefix = prefix_of(walker.start)
    relative = {name[len(prefix) :] for name in found.files}
    below = walker.start if place is None else place.folder
    asked = [(each, None) for each in found.repositories]
    relative.update(tracked_below(below, walker, asked))
    unseen = tuple(sorted(each.folder for each in pending))
    return Walk(
        start=walker.start,
        names=sorted(relative),
        whole=not unseen,
        unseen=unseen,
        unreadable=tuple(sorted(found.unreadable)),
        unapplied=tuple(found.unapplied),
        ignored=tuple(sorted(found.ignored)),
        worktrees=tuple(sorted(found.worktrees)),
    )


def tracked_below(
    folder: Path, walker: Walker, repositories: Sequence[tuple[GitFolder, IgnoreFiles | None]]
) -> Iterator[str]:
    """Yield the files in a folder that repositories track though they ignore them.

    The paths are relative to the folder where the walk starts. Each repository comes with the
    ignore files that hold in the folder and below, if all are known.
    """
    start = prefix_of(walker.start)
    for repository, files in repositories[:_MOST_REPOSITORIES]:
        if walker.halt:
            return
        inner = folder if folder.is_relative_to(repository.top) else repository.top
        prefix = prefix_of(inner)[len(start) :]
        names = walker.git.tracked_though_ignored(repository, inner, files)
        yield from (prefix + name for name in names)


def look(root: Path, start: Path, reader: IgnoreReader, environment: Mapping[str, str]) -> Walk:
    """Walk only the first folders, to find out which parts a search there skips."""
    return walk(root, start, Halt(1.0, _LOOK_WORK), reader, environment=environment)


def walk_notes(found: Walk, root: Path, halt: Halt) -> Iterator[str]:
    """Write which parts a walk has skipped, for the end of a search's result."""
    if not found.whole:
        inner = [path for path in found.unseen if path != root]
        names = ", ".join(f"{shown_name(path, root)}/" for path in inner[:_NAMED])
        more = f" and {len(inner) - _NAMED:,} more" if len(inner) > _NAMED else ""
        told = f" (not, or not all: {names}{more})" if names else ""
        yield f"[stopped {halt.why}: not all folders were seen{told}; name a path]"
    yield from (f"[{note}]" for note in found.unapplied)


def left_out(looked: Walk, root: Path) -> str:
    """Say in words which parts a walk skipped, and how to search them; empty if there are none."""
    parts: list[str] = []
    if looked.ignored:
        parts.append(f"git ignores {_some(looked.ignored, root)}")
    if looked.worktrees:
        parts.append(f"left out as worktrees of this repository: {_some(looked.worktrees, root)}")
    return f"{'; '.join(parts)} (name one as path to search it)" if parts else ""


def _some(paths: Sequence[Path], root: Path) -> str:
    names = [shown_name(path, root) for path in paths[:_NAMED]]
    more = f" and {len(paths) - _NAMED:,} more" if len(paths) > _NAMED else ""
    return f"{', '.join(names)}{more}"


def notes_on(files: Iterable[tuple[str, IgnoreFile]]) -> Iterator[str]:
    """Yield notes on the lines of ignore files that were not applied."""
    for folder, lines in files:
        for note in lines.notes:
            yield f"the ignore file of {visible_line(f'{Path(folder).name}/', limit=80)}: {note}"


def prefix_of(folder: Path) -> str:
    """Return the text with which all paths in a folder begin."""
    path = folder.as_posix()
    return path if path.endswith("/") else f"{path}/"


def _list_entries(path: Path, halt: Halt) -> list[tuple[str, bool]]:
    """List the names of plain files and folders, each with whether it is a folder.

    They are listed through a descriptor opened without links: a folder swapped for a link is empty.
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


def _filter_ignored(
    folder: Path,
    listed: Iterable[tuple[str, bool]],
    rules: Rules,
    halt: Halt,
    *,
    found: _WalkedSoFar,
) -> Iterator[Path]:
    """Keep the files of a folder that are not ignored, and yield its folders that are not."""
    prefix = prefix_of(folder)
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


def _is_folder(path: Path) -> bool:
    """Tell whether a path is a folder and no link to one."""
    try:
        with folder_at(path):
            return True
    except OSError:
        return False
