"""What a log says of the files that the agent changed, and what is to be done to take it back.

Each change is a note with the versions of the text before and after; the texts are blobs. Putting a
file back is one more change, noted before it is made: after a crash the file is as one side says.
"""

import asyncio
import logging
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from urllib.parse import quote, unquote_to_bytes

from plimsoll.context.index.calls import AnsweredCall, answered_calls
from plimsoll.context.log.entries import Entry, Noted
from plimsoll.context.log.messages import message_of
from plimsoll.context.log.notes import FILE, HUNKS, NoteFields, note_fields
from plimsoll.context.view.fold import Fold
from plimsoll.errors import StoreError
from plimsoll.session.checkpoints.since import last_changed, why_another
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_note
from plimsoll.session.resources.files import FileCopies
from plimsoll.storage.base import Redactor
from plimsoll.text.lines import version_of
from plimsoll.text.paths import name_in
from plimsoll.tools.ports.intent import TextChange

log = logging.getLogger(__name__)

LARGEST = 10_000_000
"""Bytes of a text that is kept."""
SENSITIVE = "There is a secret in it, so no copy of it was kept."
TOO_LARGE = "It has more than 10 MB, so no copy of it was kept."
GUARDED = "No copy of it was kept: {why}."
UNKEPT = "No copy of it could be kept."
BETWEEN = "Somebody else changed it between the agent's edits."


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """A change of a file, by the agent or by putting it back."""

    path: str
    """Relative to the workspace; absolute outside of it."""
    before: str | None
    """The version of the text before; none: there was no file."""
    after: str | None
    """The version of the text after; none: the file was removed."""
    encoding: str = "utf-8"
    """The encoding of the bytes before."""
    why: str | None = None
    """Why no copy was kept, for people."""
    cause: str | None = None
    """The rewind by which it was put back, or brought back."""
    changed: int | None = None
    """When it was last changed before, or, where there was none, its folder by somebody else: in
    microseconds since 1970; none: it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRestore:
    """The planned restore of a file to its text before some changes."""

    path: str
    left: str | None
    """The version in which the last change left it; none: there must be no file."""
    wanted: str | None
    """The version before the first change; none: there was no file."""
    encoding: str
    why: str | None = None
    """Why it is left as it is, for people."""
    remark: str | None = None
    """Why it may have been another than the one that is wanted, for people."""


async def own_file_note(
    change: TextChange, item: str, *, fold: Fold, copies: FileCopies, clock: Clock
) -> Noted:
    """Keep both texts of a change by the agent's tools, and note the change.

    ``item``: the call.
    """
    texts = change.before, change.after
    why = await asyncio.to_thread(keep_copies, copies, texts, change.guarded)
    name = name_in(copies.root, change.path)
    before = None if change.before is None else version_of(change.before)
    done = FileChange(
        path=name,
        before=before,
        after=version_of(change.after),
        encoding=change.encoding,
        why=why,
        changed=last_changed(
            change, copies.folders_left, lambda: _left_at(fold, name, before) or clock.now()
        ),
    )
    return change_note(done, clock, item)


def change_note(change: FileChange, clock: Clock, item: str | None = None) -> Noted:
    """Note a change of a file."""
    told = {
        "before": change.before,
        "after": change.after,
        "why": change.why,
        "cause": change.cause,
        "changed": change.changed,
    }
    given = {name: value for name, value in told.items() if value is not None}
    path = path_in_note(change.path)
    return new_note(clock, FILE, {"path": path, "encoding": change.encoding, **given}, item=item)


def path_in_note(path: str) -> str:
    """Write a path so that a note can hold it, whatever its bytes are."""
    return quote(os.fsencode(path))


def path_of_note(fields: NoteFields) -> str:
    """Return the path that a note of a file names."""
    return os.fsdecode(unquote_to_bytes(fields.text("path")))


def changes_since(fold: Fold, message: str) -> list[FileChange]:
    """Return the file changes after the group of a message, hidden ones included."""
    last = _last_index(fold, message)
    return [
        change
        for index, entry in enumerate(fold.entries)
        if isinstance(entry, Noted)
        and (change := file_change(entry)) is not None
        and _asked_at(fold, entry, index) > last
    ]


def changes_by(fold: Fold, cause: str) -> list[FileChange]:
    """Return the changes that were made by going back."""
    notes = (entry for entry in fold.entries if isinstance(entry, Noted))
    return [
        each for note in notes if (each := file_change(note)) is not None and each.cause == cause
    ]


async def share_copies(source: str, fork: Iterable[Entry], copies: FileCopies) -> None:
    """Copy to a fork the texts needed to restore files to before the fork was made.

    ``source``: the session that was forked; ``fork``: the log of the fork. Where they cannot be
    kept, going back names the files.
    """
    notes = (entry for entry in fork if isinstance(entry, Noted))
    versions = {each for note in notes for each in _versions(note) if each is not None}
    try:
        await asyncio.to_thread(copies.texts.take_from, source, sorted(versions))
    except StoreError as error:
        log.warning("%s: its copies of files are not shared: %s", source, error.message)


def _versions(note: Noted) -> tuple[str | None, ...]:
    change = file_change(note)
    if change is not None:
        return change.before, change.after
    fields = note_fields(note) if note.what == HUNKS else None
    return (fields.maybe_text("base"), fields.maybe_text("left")) if fields is not None else ()


def plan_restores(
    changes: Sequence[FileChange], checkpoint: Entry | None = None
) -> list[PlannedRestore]:
    """Plan how each file gets the text that it had before the first of its changes.

    ``checkpoint``: the entry after which the changes were made, if they were the agent's.
    """
    by_path: dict[str, list[FileChange]] = {}
    for change in changes:
        by_path.setdefault(change.path, []).append(change)
    return [_plan_restore(path, made, checkpoint) for path, made in by_path.items()]


def checkpoint_of(fold: Fold, message: str) -> Entry | None:
    """Return the last entry that a rewind to a message keeps."""
    last = _last_index(fold, message)
    return fold.entries[last] if last >= 0 else None


def calls_since(fold: Fold, message: str) -> Iterator[AnsweredCall]:
    """Yield the calls of tools after a message that have a result."""
    last = _last_index(fold, message)
    for group in fold.groups:
        said = (one for one in group.said if (fold.index_of(one.id) or 0) > last)
        yield from (call for call in answered_calls(said) if call.result is not None)


def _plan_restore(
    path: str, made: Sequence[FileChange], checkpoint: Entry | None
) -> PlannedRestore:
    why = next((change.why for change in made if change.why is not None), None)
    if why is None and any(one.after != later.before for one, later in pairwise(made)):
        why = BETWEEN
    first = made[0]
    return PlannedRestore(
        path=path,
        left=made[-1].after,
        wanted=first.before,
        encoding=first.encoding,
        why=why,
        remark=why_another(first.changed, checkpoint, missing=first.before is None),
    )


def _left_at(fold: Fold, path: str, version: str | None) -> str | None:
    """Return when the agent last changed a file, if it left the file in the given version."""
    notes = (each for each in reversed(fold.entries) if isinstance(each, Noted))
    found = (
        (note, change) for note in notes if (change := file_change(note)) and change.path == path
    )
    note, change = next(found, (None, None))
    return note.at if note and change and change.after == version else None


def file_change(note: Noted) -> FileChange | None:
    """Read a file change from a note; None if the note is of another kind."""
    fields = note_fields(note) if note.what == FILE else None
    if fields is None:
        return None
    return FileChange(
        path=path_of_note(fields),
        before=fields.maybe_text("before"),
        after=fields.maybe_text("after"),
        encoding=fields.text("encoding"),
        why=fields.maybe_text("why"),
        cause=fields.maybe_text("cause"),
        changed=fields.maybe_count("changed"),
    )


def _last_index(fold: Fold, message: str) -> int:
    """Return the index of the last entry that a rewind to a message keeps; -1: none."""
    group = fold.group_of_message(message)
    said = group.visible if group is not None else ()
    return max((fold.index_of(one.id) or 0 for one in said), default=-1)


def _asked_at(fold: Fold, note: Noted, index: int) -> int:
    """Return the index of the call that made a change, or of the change's own note."""
    asked = fold.index_of(message_of(note.item)) if note.item is not None else None
    return index if asked is None else asked


def keep_copies(
    copies: FileCopies, texts: Iterable[str | None], guarded: str | None = None
) -> str | None:
    """Keep texts of a file; returns why they could not be kept, None if they were. Blocks.

    ``guarded``: why a person is asked about each change of the file.
    """
    known = [text for text in texts if text is not None]
    why = _why_not_kept(copies.redact, known, guarded)
    if why is not None:
        return why
    try:
        for text in known:
            copies.texts.keep(text)
    except StoreError:
        return UNKEPT
    return None


def _why_not_kept(redact: Redactor, texts: Sequence[str], guarded: str | None) -> str | None:
    if guarded is not None:
        return GUARDED.format(why=guarded)
    if any(len(text.encode("utf-8", "surrogatepass")) > LARGEST for text in texts):
        return TOO_LARGE
    return SENSITIVE if any(redact(text) != text for text in texts) else None
