"""Merges one file three ways: what the tree began with, what the folder has, what the tree has.

Law: no line of either side is lost. What cannot be merged is a conflict, and stays on both sides.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from plimsoll.tools.files import content
from plimsoll.tools.files.content import DecodedText
from plimsoll.tools.git.program import Git
from plimsoll.tools.git.worktrees.changes import TreeChange, TreeFile
from plimsoll.tools.git.worktrees.manifest import FileKind

BOTH = "it was changed on both sides, in the same lines"
BOTH_BINARY = "it was changed on both sides, and is no text"
BOTH_NEW = "it was added on both sides, differently"
KINDS = "it is a link, or no file, on one of the sides that changed it"
DELETED_HERE = "it was deleted in the folder, and changed in the tree"
DELETED_THERE = "it was changed in the folder, and deleted in the tree"
_CONFLICTS = range(1, 128)
_MOST_ROWS = 60
_FOLDER, _FIRST, _TREE = "the user's folder", "before", "the agent's tree"


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """A file merged three ways."""

    result: TreeFile | None = None
    """The file that the folder gets; None: none."""
    why: str | None = None
    """Why it is a conflict; None: it is none."""
    both: str = ""
    """The lines that are in conflict, each side as it has them."""


def merge(git: Git, change: TreeChange, ours: TreeFile | None) -> Merge:
    """Merge a change of a tree into the file that the folder has. Blocks.

    Raises:
        ToolFailed: Git fails.
    """
    base, theirs = change.base, change.theirs
    if ours in (base, theirs):
        return Merge(result=theirs)
    if ours is None:
        return Merge(why=DELETED_HERE)
    if theirs is None:
        return Merge(why=DELETED_THERE)
    if "link" in {each.kind for each in (base, ours, theirs) if each}:
        return Merge(why=KINDS)
    kind = _kind(base, ours, theirs)
    if theirs.data in (ours.data, base.data if base else None):
        return Merge(result=TreeFile(kind, ours.data))
    if base is not None and ours.data == base.data:
        return Merge(result=TreeFile(kind, theirs.data))
    return _merge_texts(git, base, ours, theirs=theirs, kind=kind)


def _kind(base: TreeFile | None, ours: TreeFile, theirs: TreeFile) -> FileKind:
    """Return the kind that one side has changed, else that of both."""
    return theirs.kind if base is None or ours.kind == base.kind else ours.kind


def _merge_texts(
    git: Git, base: TreeFile | None, ours: TreeFile, *, theirs: TreeFile, kind: FileKind
) -> Merge:
    texts = [content.decode(each.data if each else b"") for each in (ours, base, theirs)]
    if any(each is None for each in texts):
        return Merge(why=BOTH_BINARY)
    here, first, there = (each or DecodedText("") for each in texts)
    merged, in_conflict = merge_lines(git, here.text, first.text, there.text)
    if in_conflict:
        return Merge(why=BOTH if base else BOTH_NEW, both=_conflicts(merged))
    try:
        return Merge(result=TreeFile(kind, content.encode(merged, here)))
    except content.UnwritableError as error:
        return Merge(why=f"in the folder it {error}")


def merge_lines(git: Git, ours: str, base: str, theirs: str) -> tuple[str, bool]:
    """Merge texts line by line; tell whether conflicts are marked in the result. Blocks.

    Raises:
        ToolFailed: Git fails.
    """
    with tempfile.TemporaryDirectory(prefix="plimsoll-merge-") as folder:
        sides = dict(zip((_FOLDER, _FIRST, _TREE), (ours, base, theirs), strict=True))
        paths = [Path(folder) / str(number) for number in range(3)]
        for path, text in zip(paths, sides.values(), strict=True):
            path.write_bytes(text.encode())
        labels = [word for side in sides for word in ("-L", side)]
        done = git.ask(
            *("merge-file", "-p", "-q", "--diff3", *labels, *map(str, paths)),
            failing=_CONFLICTS,
        )
    return done.output, done.code != 0 or not done.whole


def _conflicts(merged: str) -> str:
    """Return the parts of a merged text that are marked as conflicts, cut to some lines."""
    rows = list(_yield_marked(merged.split("\n")))
    more = [f"… {len(rows) - _MOST_ROWS} more lines"] if rows[_MOST_ROWS:] else []
    return "\n".join([*rows[:_MOST_ROWS], *more])


def _yield_marked(rows: list[str]) -> Iterator[str]:
    inside = False
    for row in rows:
        inside = inside or row.startswith(f"<<<<<<< {_FOLDER}")
        if inside:
            yield row
        if row.startswith(f">>>>>>> {_TREE}"):
            inside = False
