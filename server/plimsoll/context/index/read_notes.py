"""The notes of a log about read files: which reads are stale, and which version counts as read."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from plimsoll.context.log.entries import Noted
from plimsoll.context.log.notes import FRESH, STALE, note_fields


class ReadNotes:
    """The notes that files have changed or are again as they were read, by item."""

    def __init__(self) -> None:
        self._of: dict[str, list[Noted]] = {}
        self._stale: set[str] = set()

    @property
    def stale(self) -> AbstractSet[str]:
        """The items whose file was changed since they were read; updated as the log grows."""
        return self._stale

    def read_note(self, note: Noted) -> None:
        """Read one more note of the log; notes about other things are ignored."""
        if not note.item or note.what not in {STALE, FRESH} or note_fields(note) is None:
            return
        self._of.setdefault(note.item, []).append(note)
        change = self._stale.add if note.what == STALE else self._stale.discard
        change(note.item)

    def about(self, items: Iterable[str]) -> list[Noted]:
        """Return the notes about these items, those of each item in the order of the log."""
        return [note for item in items for note in self._of.get(item, ())]
