"""Compares a worktree with the folder as it is now: what comes in, as a person is shown it."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from plimsoll.errors import ToolFailed
from plimsoll.text.lines import lines_of
from plimsoll.text.wording import plural
from plimsoll.tools.display import visible_line, visible_path
from plimsoll.tools.files import content
from plimsoll.tools.files.diff import count_changed_lines, unified_diff
from plimsoll.tools.files.paths import resolve
from plimsoll.tools.files.replacing import has_other_names
from plimsoll.tools.files.writing import ALL_EDITS, OTHER_NAMES
from plimsoll.tools.git.program import Git
from plimsoll.tools.git.worktrees.changes import TreeChange, TreeFile, read_file
from plimsoll.tools.git.worktrees.merging import merge
from plimsoll.tools.ports.apart.own_trees import FileIn, TreeReview
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import Intent, Location

LINK_ABOVE = "a link stands in its way in the folder"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedFile:
    """A file that is to be brought in, as a person is shown it."""

    name: str
    before: TreeFile | None
    """The file as the folder has it, in the editor where it is open there."""
    after: TreeFile | None
    what: str
    buffer: str | None
    """The text in the editor; None: it is not open."""
    guarded: str | None
    """Why each change of it is asked about."""

    @property
    def replaces_no_text(self) -> bool:
        """Whether what it replaces is no text, so that no copy of it is kept with the session."""
        return self.before is not None and text_of(self.before) is None and self.loses_content

    @property
    def loses_content(self) -> bool:
        """Whether the content that the folder has is replaced."""
        return self.after is None or self.before is None or self.after.data != self.before.data


def review_changes(
    git: Git, changes: Iterable[TreeChange], context: CallContext, title: str
) -> TreeReview:
    """Compare the changes of a tree with the folder as it is now. Blocks.

    Raises:
        ToolFailed: Git fails.
    """
    planned: list[PlannedFile] = []
    others: list[FileIn] = []
    for change in changes:
        found = _plan(git, change, context)
        if isinstance(found, PlannedFile):
            planned.append(found)
        else:
            others.append(found)
    return TreeReview(
        intent=_intent(planned, title, context) if planned else None, others=tuple(others)
    )


def _plan(git: Git, change: TreeChange, context: CallContext) -> PlannedFile | FileIn:
    path, what = context.root / change.name, describe_change(change.base, change.theirs)
    try:
        before, buffer = read_present(path, context)
        guarded = _why_guarded(change.name, context)
    except ToolFailed as error:
        return FileIn(name=change.name, how="left", what=what, why=error.message)
    merged = merge(git, change, before)
    if merged.why is not None:
        return FileIn(name=change.name, how="conflict", what=what, why=merged.why, both=merged.both)
    if merged.result == before:
        return FileIn(name=change.name, how="same", what=what)
    return PlannedFile(
        name=change.name,
        before=before,
        after=merged.result,
        what=what,
        buffer=buffer,
        guarded=guarded,
    )


def read_present(path: Path, context: CallContext) -> tuple[TreeFile | None, str | None]:
    """Read a file as the folder has it, and its text in the editor where it is open there.

    Raises:
        ToolFailed: It cannot be read, or not be written as the editor has it.
    """
    if Path(os.path.realpath(path.parent)) != path.parent:
        raise ToolFailed(LINK_ABOVE)
    on_disk = read_file(path)
    buffer = context.documents.open_text(path)
    if buffer is None or (on_disk is not None and on_disk.kind == "link"):
        return on_disk, None
    known = content.decode(on_disk.data) if on_disk else content.DecodedText("")
    if known is None:
        raise ToolFailed("it is open in the editor, and no text on disk")
    if known.text == buffer:
        return on_disk, buffer
    try:
        data = content.encode(buffer, known)
    except content.UnwritableError as error:
        raise ToolFailed(f"as the editor has it, it {error}") from error
    return TreeFile(on_disk.kind if on_disk else "file", data), buffer


def _why_guarded(name: str, context: CallContext) -> str | None:
    # Whatever it looks like, it is a name below the folder.
    target = resolve(f"./{name}", context)
    return OTHER_NAMES if has_other_names(context.root / name) else target.protected


def _intent(
    planned: list[PlannedFile], title: str, context: CallContext
) -> Intent[tuple[PlannedFile, ...]]:
    guarded = [f"{visible_path(each.name)}: {each.guarded}" for each in planned if each.guarded]
    diffs = {each.name: diff for each in planned if (diff := _diff(each)) is not None}
    remarks = (line for each in planned for line in _remarks(each))
    count = plural(len(planned), "file")
    what = visible_path(planned[0].name) if len(planned) == 1 else count
    return Intent(
        title=f"Merge {what} of “{visible_line(title, 80)}”",
        ask=True,
        # Where each is asked about, an answer for the session covers nothing.
        approval="" if guarded else ALL_EDITS.key,
        covers="" if guarded else ALL_EDITS.covers,
        why_each_time=visible_line("; ".join(guarded)) if guarded else None,
        # Before the diffs: a client takes what stands behind one for a part of it.
        diff="\n".join((*remarks, *diffs.values())),
        locations=tuple(Location(context.root / name) for name in diffs),
        plan=tuple(planned),
    )


def _diff(file: PlannedFile) -> str | None:
    """Return the diff of a file that is added or changed; None for what is no change of lines."""
    before, after = text_of(file.before), text_of(file.after)
    if after is None or (file.before and before is None) or (before or "") == after:
        return None
    return unified_diff(before, after, visible_path(file.name))


def _remarks(file: PlannedFile) -> Iterator[str]:
    """Yield remarks on a change that its diff does not show."""
    name, before, after = visible_path(file.name), file.before, file.after
    old, new = text_of(before), text_of(after)
    if after is None and old is not None:
        rows = list(lines_of(old))
        yield f"{name}: deleted, {plural(len(rows), 'line')}"
        yield from (f"| {visible_line(row)}" for row in rows[:_MOST_ROWS])
        if rows[_MOST_ROWS:]:
            yield "| …"
    elif (before and old is None) or (after and new is None):
        yield f"{name}: {_size(before)} -> {_size(after)}"
    elif after and not before and not new:
        yield f"{name}: a new empty file"
    if after and after.kind != "link" and after.kind != (before.kind if before else "file"):
        yield f"{name}: {_KINDS[after.kind]} now"


_MOST_ROWS = 40
"""Lines of a deleted file that are shown."""
_KINDS = {"file": "a file", "program": "a file that can be run", "link": "a link"}


def text_of(file: TreeFile | None) -> str | None:
    """Return the text of a file; None for a link, for what is no text, and for no file."""
    if file is None or file.kind == "link":
        return None
    decoded = content.decode(file.data)
    return None if decoded is None else decoded.text


def _size(file: TreeFile | None) -> str:
    if file is None:
        return "nothing"
    if file.kind == "link":
        return f"a link to {visible_path(os.fsdecode(file.data))}"
    kind = "text" if text_of(file) is not None else content.type_guess(file.data)
    return f"{content.size_text(len(file.data))}, {kind}"


def describe_change(before: TreeFile | None, after: TreeFile | None) -> str:
    """Describe what was done to a file, in words for people."""
    if after is None:
        return "deleted"
    if before is not None and before.data == after.data:
        return f"made {_KINDS[after.kind]}"
    verb = "added" if before is None else "changed"
    old, new = text_of(before), text_of(after)
    if new is None or (before is not None and old is None):
        return verb
    added, removed = count_changed_lines(old, new)
    return f"{verb} +{added} -{removed}"
