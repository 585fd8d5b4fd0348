"""Finds what is changed in a worktree since it was made."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.tools.files.opening import open_regular_file
from plimsoll.tools.git.program import Git
from plimsoll.tools.git.worktrees.listing import plain_files
from plimsoll.tools.git.worktrees.manifest import (
    FileKind,
    FirstFile,
    kind_of,
    read_manifest,
    stamp_of,
    text_of_link,
)
from plimsoll.tools.git.worktrees.place import TreePlace

LARGEST = 50_000_000
"""Bytes of a file that is compared and brought in."""


@dataclass(frozen=True, slots=True)
class TreeFile:
    """The kind and content of a file, in the tree or at its beginning."""

    kind: FileKind
    data: bytes
    """Its content; of a link, where it leads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeChange:
    """A file that differs from what a tree began with."""

    name: str
    base: TreeFile | None
    """None: it was not there."""
    theirs: TreeFile | None
    """The file in the tree; None: it is gone."""


def read_file(path: Path) -> TreeFile | None:
    """Read a file or link, following none; None if there is none. Blocks.

    Raises:
        ToolFailed: It is neither, too large, or cannot be read; the message is for people.
    """
    try:
        status = path.lstat()
        kind = kind_of(status)
        if kind is None:
            raise ToolFailed("It is no file.")
        if kind == "link":
            return TreeFile(kind, os.fsencode(text_of_link(path)))
        if status.st_size > LARGEST:
            raise ToolFailed(f"It has more than {LARGEST // 1_000_000} MB.")
        with open_regular_file(path) as descriptor, open(descriptor, "rb", closefd=False) as file:
            return TreeFile(kind, file.read())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ToolFailed(f"It cannot be read: {error.strerror}.") from error


def read_changes(git: Git, place: TreePlace, root: Path) -> list[TreeChange]:
    """Return the changed files of a tree with their content on both sides, by name. Blocks.

    ``git``: of the tree, run in ``root``.

    Raises:
        ToolFailed: Git fails, what was noted of the tree is damaged, or a changed file cannot be
            read.
    """
    first = read_first(place)
    names = sorted(_list_changed(git, root, first, _read_names(place)))
    before = _read_base(git, {name: first[name] for name in names if name in first})
    found = (
        TreeChange(name=name, base=before.get(name), theirs=_read_theirs(root, name))
        for name in names
    )
    return [change for change in found if change.base != change.theirs]


def read_first(place: TreePlace) -> Mapping[str, FirstFile]:
    """Read what a tree began with; raises ToolFailed where that is damaged."""
    try:
        return read_manifest(place.manifest)
    except (OSError, ValueError) as error:
        raise ToolFailed("What was noted of this worktree cannot be read.") from error


def note_written(place: TreePlace, names: Iterable[str]) -> None:
    """Note files that count though git ignores them. Blocks; raises OSError."""
    below = (name for name in names if not Path(name).is_absolute())
    with place.written.open("ab") as file:
        file.write(b"".join(os.fsencode(name) + b"\0" for name in below))


def _read_names(place: TreePlace) -> tuple[set[str], set[str]]:
    """Return the names of ignored files that count, and of links of ours."""
    written = b""
    with suppress(FileNotFoundError):
        written = place.written.read_bytes()
    links: list[str] = json.loads(place.links.read_text("utf-8"))
    return {os.fsdecode(name) for name in written.split(b"\0") if name}, set(links)


def _list_changed(
    git: Git,
    root: Path,
    first: Mapping[str, FirstFile],
    names: tuple[set[str], set[str]],
) -> Iterator[str]:
    written, links = names
    for name in {*plain_files(git, root), *first, *written} - links:
        try:
            status = (root / name).lstat()
        except OSError:
            if name in first:
                yield name
            continue
        kind, before = kind_of(status), first.get(name)
        same = (before.kind, before.stamp) == (kind, stamp_of(status)) if before else kind is None
        if not same:
            yield name


def _read_theirs(root: Path, name: str) -> TreeFile | None:
    path = root / name
    if Path(os.path.realpath(path.parent)) != path.parent:
        # A link stands where its folder was: what lies behind it is no file of the tree.
        return None
    if path.is_dir() and not path.is_symlink():
        return None
    try:
        return read_file(path)
    except ToolFailed as error:
        raise ToolFailed(f"{name}: {error.message}") from error


def _read_base(git: Git, first: Mapping[str, FirstFile]) -> dict[str, TreeFile]:
    plain = {name: each for name, each in first.items() if each.kind != "link"}
    texts = _read_blobs(git, [each.content for each in plain.values()])
    return {
        **{
            name: TreeFile(each.kind, os.fsencode(each.content))
            for name, each in first.items()
            if each.kind == "link"
        },
        **{name: TreeFile(each.kind, texts[each.content]) for name, each in plain.items()},
    }


def _read_blobs(git: Git, ids: Sequence[str]) -> dict[str, bytes]:
    """Read the content of blobs by their ids; raises ToolFailed where one is missing."""
    if not ids:
        return {}
    data = git.feed("".join(f"{each}\n" for each in ids).encode(), "cat-file", "--batch")
    found: dict[str, bytes] = {}
    at = 0
    for each in ids:
        end = data.index(b"\n", at)
        words = data[at:end].split()
        if len(words) != 3:
            raise ToolFailed("A file as this worktree began with it is not kept any more.")
        size = int(words[2])
        found[each] = data[end + 1 : end + 1 + size]
        at = end + 1 + size + 1
    return found
