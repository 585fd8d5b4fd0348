"""Which files hold hunks of the agent that nobody has kept or undone, as the log says it.

Of a file two texts say all: the base, which is the file without those hunks, and the text in which
it was left when the log last spoke of it. What stands there now and in neither is a person's.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from plimsoll.context.log.entries import Entry, Noted
from plimsoll.context.log.notes import FILE, HUNKS, note_fields
from plimsoll.session.checkpoints.changes import FileChange, file_change, path_in_note, path_of_note
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_note
from plimsoll.text.hunks import rebase
from plimsoll.text.lines import version_of

ReadText = Callable[[str], str | None]
"""Reads a text by its version; none: it is not kept any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackedFile:
    """A file that the agent changed."""

    path: str
    """Relative to the workspace."""
    base: str | None
    """The version of the base; none: without the hunks there is no file."""
    left: str
    """The version in which it was left."""
    encoding: str
    """The encoding of its bytes before the first change."""
    base_text: str | None = None
    """The base, where it was worked out and no version of it is kept."""


def tracked_files(entries: Iterable[Entry], read: ReadText) -> list[TrackedFile]:
    """Return the files that may hold hunks, in the order of their first change. Blocks."""
    files: dict[str, TrackedFile] = {}
    for note in entries:
        if not isinstance(note, Noted) or note.what not in (FILE, HUNKS):
            continue
        found = _read_choice(note) if note.what == HUNKS else _apply_change(note, files, read)
        if isinstance(found, TrackedFile):
            files[found.path] = found
        elif found is not None:
            files.pop(found, None)
    return [file for file in files.values() if file.base != file.left]


def base_of(file: TrackedFile, read: ReadText) -> str | None:
    """Return the base of a file, empty if there was no file; None if no longer stored."""
    if file.base_text is not None:
        return file.base_text
    return "" if file.base is None else read(file.base)


def chosen_note(file: TrackedFile, clock: Clock) -> Noted:
    """Make the note of a file's base after a person has kept hunks of it."""
    base = {} if file.base is None else {"base": file.base}
    told = {"path": path_in_note(file.path), "encoding": file.encoding, "left": file.left}
    return new_note(clock, HUNKS, {**told, **base})


def _read_choice(note: Noted) -> TrackedFile | None:
    fields = note_fields(note)
    if fields is None:
        return None
    return TrackedFile(
        path=path_of_note(fields),
        base=fields.maybe_text("base"),
        left=fields.text("left"),
        encoding=fields.text("encoding"),
    )


def _apply_change(
    note: Noted, files: dict[str, TrackedFile], read: ReadText
) -> TrackedFile | str | None:
    """Return the tracked file after a change; only its name if its hunks are no longer known."""
    change = file_change(note)
    if change is None:
        return None
    if change.why is not None or change.after is None:
        return change.path
    known = files.get(change.path)
    is_open = known is not None and known.base != known.left
    if change.cause is not None:
        # By going back a person wanted the file so; nothing of it is the agent's.
        found = _rebase(known, change.after, read) if known and is_open else None
        return found or change.path
    if not known or not is_open:
        return _first(change, change.after)
    if known.left == change.before:
        return replace(known, left=change.after)
    found = _rebase(known, change.before, read)
    return replace(found, left=change.after) if found else _first(change, change.after)


def _rebase(file: TrackedFile, now: str | None, read: ReadText) -> TrackedFile | None:
    """Move a person's changes into a file's base; None if a text is no longer stored."""
    base, left = base_of(file, read), read(file.left)
    text = None if now is None else read(now)
    if base is None or left is None or now is None or text is None:
        return None
    new = rebase(base, left, text)
    version = None if file.base is None and new == "" else version_of(new)
    return replace(file, base=version, base_text=new, left=now)


def _first(change: FileChange, after: str) -> TrackedFile:
    return TrackedFile(path=change.path, base=change.before, left=after, encoding=change.encoding)
