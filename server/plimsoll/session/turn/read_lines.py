"""The lines that were read of a file, and where they stand in its present text."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from plimsoll.context.log.entries import Noted
from plimsoll.context.log.messages import Source
from plimsoll.context.log.notes import FRESH, note_fields
from plimsoll.context.view.view import RenderedItem
from plimsoll.text.lines import lines_of, version_of, version_of_lines
from plimsoll.tools.ports.intent import TextChange

MOST_SEARCHED = 20_000_000
"""Characters that are hashed to find lines again, in about 20 ms; what is farther is gone."""


@dataclass(frozen=True, slots=True)
class ReadState:
    """The lines that were read of a file, with the hash by which they are found again."""

    lines: tuple[int, int] | None
    """First and last line, from 1; none: the whole."""
    version: str
    """SHA-256 of these lines, or of the whole text."""


def read_states(held: Iterable[RenderedItem], notes: Iterable[Noted]) -> dict[str, ReadState]:
    """Return the lines of a file that count as read, for each item where they are known."""
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
    """Find the line, from 0, where read lines stand in a text now; nearest to the old place.

    ``rows``: the lines of ``text``. Null: they stand nowhere, or too far away.
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
    """Find the line, from 0, of each item's lines in the text; items not found are left out."""
    if text is None:
        return {}
    rows = list(lines_of(text))
    places = {item: place_of(each, text, rows) for item, each in read_states(held, notes).items()}
    return {item: place for item, place in places.items() if place is not None}


def follow_own_change(state: ReadState, change: TextChange) -> ReadState | None:
    """Return the lines that count as read after the agent's own change; None if none are left.

    Null also for a stale read: the model has not seen what others changed in its lines.
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


def note_data(state: ReadState) -> dict[str, object]:
    """Return the fields of a read state's note, which ``read_states`` reads again."""
    lines = {} if state.lines is None else {"first": state.lines[0], "last": state.lines[1]}
    return {**lines, "version": state.version}


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
