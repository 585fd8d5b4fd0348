"""The indexes that are kept beside the fold of a log and follow it as it grows.

The fold knows only the log. What an index has learned of an entry never changes, so that a query
has no effect on later answers.
"""

from collections.abc import Iterable, Mapping, Sequence

from plimsoll.context.index.instructions import InstructionIndex
from plimsoll.context.index.names import NameIndex, References
from plimsoll.context.index.read_notes import ReadNotes
from plimsoll.context.index.recorded_events import RecordedEvents
from plimsoll.context.index.results import LineIndex, ResultIndex, Unread
from plimsoll.context.log.entries import Entry, Framed, Said
from plimsoll.context.log.messages import Part
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.view import standing_parts


class Indexes:
    """The indexes of one fold: names, results and their lines, references, rules, decisions."""

    def __init__(self, fold: Fold) -> None:
        self.fold = fold
        self.names = NameIndex()
        self.results = ResultIndex(fold.messages)
        self.references = References(self.names, self.results, fold.messages)
        self.shared = LineIndex(fold.messages)
        self.decisions = RecordedEvents()
        self._instructions = InstructionIndex()
        self._read_notes = ReadNotes()
        self._unread = Unread(fold.notes)

    @property
    def instructions(self) -> InstructionIndex:
        """The index of people's standing instructions."""
        self._read_new_notes()
        return self._instructions

    @property
    def read_notes(self) -> ReadNotes:
        """The notes about files that were read."""
        self._read_new_notes()
        return self._read_notes

    def _read_new_notes(self) -> None:
        for note in self._unread.take_new():
            self._instructions.read_note(note)
            self._read_notes.read_note(note)

    def name_counts_in_view(self) -> Mapping[str, int]:
        """Return how many items in view hold each name; a live mapping, not to be stored."""
        return self.names.counts_in_view(self.fold.head(), self.fold.rendered_groups())

    def read_ahead(self, entries: Sequence[Entry]) -> None:
        """Count and index the texts of entries before they are appended; seconds for megabytes.

        May run on any thread while the fold is in use: the indexed facts depend only on the text,
        and the fold is not changed.
        """
        self.read_parts(standing_parts(entries))
        for entry in entries:
            if isinstance(entry, Said):
                for part in entry.parts:
                    self.names.of(part.text)
            elif isinstance(entry, Framed) and entry.text:
                self.fold.ledger.text(entry.text)

    def read_parts(self, parts: Iterable[Part]) -> None:
        """Count and index parts that come into view, as `read_ahead` does for entries."""
        for part in parts:
            self.fold.ledger.part(part, first=False)
            self.names.of(part.text)

    def read_all(self) -> None:
        """Build the view and index all texts that stages will ask for; seconds for megabytes.

        For the thread that made the fold, before others use it.
        """
        self.name_counts_in_view()
        self.references.counts()
