"""Tells whether what the model read of a file still stands there, on which lines.

A read becomes stale when its lines are changed, and fresh again when they are as they were read.
What the agent's own tools change of them the model knows: they count as read in that state.
"""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from plimsoll.context.index.indexes import Indexes
from plimsoll.context.index.read_notes import ReadNotes
from plimsoll.context.log.entries import ItemState, Noted, Slot
from plimsoll.context.log.messages import Source
from plimsoll.context.log.notes import FRESH, STALE, note_fields
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.sources import file_of
from plimsoll.context.view.view import RenderedItem
from plimsoll.session.log.session_log import SessionLog
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_frame, new_note
from plimsoll.session.ports.environment import LastEdit
from plimsoll.session.resources.files import WorkspaceFiles
from plimsoll.session.state.session_state import SessionState
from plimsoll.storage.base import SessionRecord
from plimsoll.text.lines import line_range, lines_of, version_of, version_of_lines
from plimsoll.text.paths import name_in
from plimsoll.tools.ports.intent import TextChange

MOST_SEARCHED = 20_000_000
"""Characters that are hashed to find lines again, in about 20 ms; what is farther is gone."""
MOST_FILES = 100
"""Files that are looked at before a request, those that were read last."""
MOST_BYTES = 5_000_000
MOST_NAMED = 8
"""Files that the model is told of by name."""
SLOT = "stale"
"""The slot of the frame that tells the model."""


@dataclass(frozen=True, slots=True)
class ReadState:
    """What was read of a file, so that it can be found again."""

    lines: tuple[int, int] | None
    """First and last line, from 1; none: the whole."""
    version: str
    """SHA-256 of these lines, or of the whole text."""


@dataclass(frozen=True, slots=True)
class Review:
    """What a look at the present text of a file says of the reads of it."""

    stale: tuple[str, ...]
    """Items that have become stale."""
    fresh: tuple[str, ...]
    """Items that were stale and are not any more."""


def held_of(fold: Fold, path: Path) -> list[RenderedItem]:
    """Return the items in the next request that were read of a file, in their order."""
    return fold.sources().items_of(path.as_posix())


def notes_about(indexes: Indexes, held: Iterable[RenderedItem]) -> list[Noted]:
    """Return what the log notes of some items as they were read."""
    return indexes.read_notes.about(shown.item for shown in held)


def read_states(held: Iterable[RenderedItem], notes: Iterable[Noted]) -> dict[str, ReadState]:
    """Return which lines of a file count as read, for each item of which that is known."""
    found = {
        shown.item: state
        for shown in held
        if shown.part.source is not None and (state := _as_read(shown.part.source))
    }
    for note in notes:
        if note.what == FRESH and note.item in found:
            found[note.item] = _as_noted(note) or found[note.item]
    return found


def place_of(state: ReadState, text: str, rows: Sequence[str]) -> int | None:
    """Find the line, from 0, at which stands what was read; the nearest to where it was.

    ``rows``: the lines of ``text``. None: it stands nowhere, or too far away.
    """
    if state.lines is None:
        return 0 if version_of(text) == state.version else None
    first, last = state.lines
    length, looked = last - first + 1, 0
    for start in _nearest(first - 1, len(rows) - length):
        piece = rows[start : start + length]
        if version_of_lines(piece) == state.version:
            return start
        looked += sum(map(len, piece)) + length
        if looked > MOST_SEARCHED:
            return None
    return None


def places_now(
    held: Iterable[RenderedItem], notes: Iterable[Noted], text: str | None
) -> dict[str, int]:
    """Find the line, from 0, where each item stands now in the text; those that do not are out."""
    if text is None:
        return {}
    rows = list(lines_of(text))
    places = {item: place_of(each, text, rows) for item, each in read_states(held, notes).items()}
    return {item: place for item, place in places.items() if place is not None}


def follow_own_change(state: ReadState, change: TextChange) -> ReadState | None:
    """Return which lines count as read after the agent's own change; none: none are left.

    None too where it was stale before: what somebody else changed in it the model has not seen.
    """
    before, after = list(lines_of(change.before or "")), list(lines_of(change.after))
    start = place_of(state, change.before or "", before)
    if start is None:
        return None
    if state.lines is None:
        return ReadState(None, version_of(change.after))
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    end = start + state.lines[1] - state.lines[0] + 1
    grown, behind = len(after) - len(before), len(before) - tail
    first = start + grown if start >= behind else min(start, head)
    last = end if end <= head else end + grown if end >= behind else len(after) - tail
    if last <= first:
        return None
    return ReadState((first + 1, last), version_of_lines(after[first:last]))


def review(
    held: Sequence[RenderedItem],
    notes: Sequence[Noted],
    text: str | None,
    line: int | None = None,
) -> Review:
    """Compare what was read of a file with its present text; none: there is no such file.

    ``line``: where a person has changed it. What was read without a version, such as a selection,
    becomes stale by a change of its lines alone.
    """
    before = ReadNotes()
    for note in notes:
        before.take(note)
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
    """Note which reads of a file have become stale by its present text, and which fresh again.

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
    """Note what counts as read after the agent's own change of a file."""
    held = held_of(indexes.fold, change.path)
    states = read_states(held, notes_about(indexes, held))
    after = {item: follow_own_change(each, change) for item, each in states.items()}
    return tuple(
        new_note(clock, FRESH, _state_data(now), item)
        for item, now in after.items()
        if now is not None and now != states[item]
    )


async def edited_elsewhere(files: WorkspaceFiles, log: SessionLog, path: Path) -> LastEdit | None:
    """Tell which other session has left a file as it is, if this one has read it before that."""
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
    """Let the other sessions of the folder know who has changed a file."""
    edit = LastEdit(record.id, record.title, version_of(change.after))
    files.last_edits[change.path] = edit


async def tell_stale(state: SessionState) -> None:
    """Before a request: look at the files that were read, and tell the model which have changed."""
    files = state.log.fold.sources().newest_files(MOST_FILES)
    # Where no file was read nothing is waited for: a first request goes out at once.
    changed = await asyncio.to_thread(_changed_files, files, state.files_seen) if files else ()
    for path in changed:
        text = await asyncio.to_thread(state.files.present_text, path, MOST_BYTES)
        if text is not None or not path.exists():
            await mark_changed(state, path, text)
    told = _stale_told(state.log.indexes, state.files.root)
    held = state.log.fold.frames.get(SLOT)
    if told is not None and (held is None or held.text != state.redact(told)):
        await state.append(new_frame(state.clock, SLOT, Slot.SYSTEM, told, place="tail"))


def stale_text(stale: Sequence[RenderedItem], root: Path) -> str:
    """Name the files of which a read is stale, with the lines that were read."""
    places: dict[str, list[str]] = {}
    for shown in stale:
        source = shown.part.source
        path = path_of_source(source) if source is not None else None
        if source is None or path is None:
            continue
        name = name_in(root, path)
        lines = line_range(*source.lines) if source.lines else ""
        places.setdefault(" ".join(name.split()), []).append(lines)
    named = [_place(name, lines) for name, lines in list(places.items())[:MOST_NAMED]]
    more = [f"{len(places) - MOST_NAMED} more"] if len(places) > MOST_NAMED else []
    return f"[Changed since you read it: {', '.join([*named, *more])}. Read again what you need.]"


NOTHING_STALE = "[Nothing that you read of a file is out of date any more.]"
STANDING = frozenset({ItemState.VERBATIM, ItemState.TRUNCATED, ItemState.REFERRED})
"""Forms in which what was read stands in the request, as a whole or in part."""


def to_tell(items: Sequence[RenderedItem], stale: AbstractSet[str]) -> list[RenderedItem]:
    """Return the stale reads to tell the model of: those whose lines no later read has."""
    found: list[RenderedItem] = []
    later: dict[str, list[tuple[int, int] | None]] = {}
    for shown in reversed(items):
        source = shown.part.source
        if source is None or shown.state not in STANDING:
            continue
        newer = later.setdefault(source.uri, [])
        if shown.item not in stale:
            newer.append(source.lines)
        elif not any(_covers(each, source.lines) for each in newer):
            found.append(shown)
    return found[::-1]


def path_of_source(source: Source) -> Path | None:
    """Return the file that a source names; none where it is no file."""
    found = file_of(source.uri)
    return None if found is None else Path(found)


def _place(name: str, lines: Sequence[str]) -> str:
    known = [each for each in dict.fromkeys(lines) if each]
    if not known or len(known) != len(lines):
        return name
    many = "s" if len(known) > 1 or "-" in known[0] else ""
    return f"{name} (line{many} {', '.join(known)})"


def _stale_told(indexes: Indexes, root: Path) -> str | None:
    """Return what a model is to be told now; none: nothing was ever stale."""
    fold, stale = indexes.fold, indexes.read_notes.stale
    items = to_tell(fold.sources().items_of_same_files(stale), stale) if stale else []
    if items:
        return stale_text(items, root)
    return NOTHING_STALE if SLOT in fold.frames else None


def _changed_files(files: Iterable[str], seen: dict[Path, tuple[int, int] | None]) -> list[Path]:
    """List the files whose time or size is another than when last ``seen``, which is renewed."""
    changed: list[Path] = []
    for path in map(Path, files):
        try:
            status = path.stat()
        except OSError:
            now = None
        else:
            now = status.st_mtime_ns, status.st_size
        if path not in seen or seen[path] != now:
            changed.append(path)
        seen[path] = now
    return changed


def _as_read(source: Source) -> ReadState | None:
    if source.lines is None:
        return ReadState(None, source.version) if source.version is not None else None
    found = source.lines_version
    return ReadState(source.lines, found) if found is not None else None


def _as_noted(note: Noted) -> ReadState | None:
    fields = note_fields(note)
    version = fields.maybe_text("version") if fields else None
    if fields is None or version is None:
        return None
    first, last = fields.maybe_count("first"), fields.maybe_count("last")
    return ReadState(None if first is None or last is None else (first, last), version)


def _state_data(state: ReadState) -> dict[str, object]:
    lines = {} if state.lines is None else {"first": state.lines[0], "last": state.lines[1]}
    return {**lines, "version": state.version}


def _touches(shown: RenderedItem, line: int | None) -> bool:
    lines = shown.part.source.lines if shown.part.source is not None else None
    return line is not None and (lines is None or lines[0] <= line <= lines[1])


def _covers(newer: tuple[int, int] | None, lines: tuple[int, int] | None) -> bool:
    if newer is None or lines is None:
        return newer is None
    return newer[0] <= lines[0] and lines[1] <= newer[1]


def _nearest(place: int, last: int) -> Iterator[int]:
    """Yield the places from 0 to ``last``, those near ``place`` first."""
    for distance in range(max(place, last - place) + 1):
        for start in {place - distance, place + distance}:
            if 0 <= start <= last:
                yield start


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many lines two texts begin with alike."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
