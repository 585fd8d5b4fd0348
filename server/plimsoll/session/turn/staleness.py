"""Which reads of a file are out of date: noted as somebody changes it, and as the agent does.

A read becomes stale when its lines are changed, and fresh again when they are as they were read.
What the agent's own tools change of them the model knows: they count as read in that state.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from plimsoll.context.index.indexes import Indexes
from plimsoll.context.index.read_notes import ReadNotes
from plimsoll.context.log.entries import Noted
from plimsoll.context.log.notes import FRESH, STALE
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.view import RenderedItem
from plimsoll.session.log.session_log import SessionLog
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_note
from plimsoll.session.ports.environment import LastEdit
from plimsoll.session.resources.files import WorkspaceFiles
from plimsoll.session.state.session_state import SessionState
from plimsoll.session.turn.read_lines import follow_own_change, note_data, place_of, read_states
from plimsoll.storage.base import SessionRecord
from plimsoll.text.lines import lines_of, version_of
from plimsoll.tools.ports.intent import TextChange

MOST_BYTES = 5_000_000


@dataclass(frozen=True, slots=True)
class Review:
    """The reads of a file that are stale or fresh by its present text."""

    stale: tuple[str, ...]
    """Items that have become stale."""
    fresh: tuple[str, ...]
    """Items that were stale and are not any more."""


def held_of(fold: Fold, path: Path) -> list[RenderedItem]:
    """Return the items of the next request that hold lines read of a file, in their order."""
    return fold.sources().items_of(path.as_posix())


def notes_about(indexes: Indexes, held: Iterable[RenderedItem]) -> list[Noted]:
    """Return the log's notes about the read lines of some items."""
    return indexes.read_notes.about(shown.item for shown in held)


def review(
    held: Sequence[RenderedItem],
    notes: Sequence[Noted],
    text: str | None,
    line: int | None = None,
) -> Review:
    """Compare the reads of a file with its present text; a None text: the file is missing.

    ``line``: where a person has changed it. A read without a version, such as a selection,
    becomes stale by a change of its lines alone.
    """
    before = ReadNotes()
    for note in notes:
        before.read_note(note)
    known, states = before.stale, read_states(held, notes)
    rows = [] if text is None else list(lines_of(text))
    stale: list[str] = []
    fresh: list[str] = []
    for shown in held:
        state = states.get(shown.item)
        if state is None:
            gone = text is None or _touches(shown, line)
        else:
            gone = text is None or place_of(state, text, rows) is None
        if gone and shown.item not in known:
            stale.append(shown.item)
        elif not gone and state is not None and shown.item in known:
            fresh.append(shown.item)
    return Review(tuple(stale), tuple(fresh))


async def mark_changed(
    state: SessionState, path: Path, text: str | None, line: int | None = None
) -> Review:
    """Log which reads of a file have become stale by its present text, and which fresh again.

    Nothing is taken out: a person's edit alone is no reason to drop what the model has seen.
    """
    held = held_of(state.log.fold, path)
    # What is only followed here is marked by the process that writes it.
    if not held or state.writing.claim() is not None:
        return Review((), ())
    notes_before = notes_about(state.log.indexes, held)
    found = await asyncio.to_thread(review, held, notes_before, text, line=line)
    clock, data = state.clock, {} if line is None else {"line": line}
    notes = (
        *(new_note(clock, STALE, data, item) for item in found.stale),
        *(new_note(clock, FRESH, item=item) for item in found.fresh),
    )
    if notes:
        await state.append(*notes)
    return found


def own_change_notes(indexes: Indexes, change: TextChange, clock: Clock) -> tuple[Noted, ...]:
    """Make the notes of the lines that count as read after the agent's own change of a file."""
    held = held_of(indexes.fold, change.path)
    states = read_states(held, notes_about(indexes, held))
    after = {item: follow_own_change(each, change) for item, each in states.items()}
    return tuple(
        new_note(clock, FRESH, note_data(now), item)
        for item, now in after.items()
        if now is not None and now != states[item]
    )


async def edited_elsewhere(files: WorkspaceFiles, log: SessionLog, path: Path) -> LastEdit | None:
    """Return the other session that changed a file after this one had read it, if any."""
    last = files.last_edits.get(path)
    held = held_of(log.fold, path) if last and last.session != log.session_id else []
    reads = list(read_states(held, notes_about(log.indexes, held)).values())
    if last is None or not reads:
        return None
    text = await asyncio.to_thread(files.present_text, path, MOST_BYTES)
    if text is None or version_of(text) != last.version:
        return None
    return last if place_of(reads[-1], text, list(lines_of(text))) is None else None


def note_own_edit(files: WorkspaceFiles, record: SessionRecord, change: TextChange) -> None:
    """Record for the folder's other sessions that this one has changed a file."""
    edit = LastEdit(record.id, record.title, version_of(change.after))
    files.last_edits[change.path] = edit


def _touches(shown: RenderedItem, line: int | None) -> bool:
    lines = shown.part.source.lines if shown.part.source is not None else None
    return line is not None and (lines is None or lines[0] <= line <= lines[1])
