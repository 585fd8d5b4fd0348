"""What is read of a log once and asked again and again: it stands beside the fold, and follows it.

The fold knows the log alone. What an index has learned of an entry does not change any more, so to
ask one changes no answer.
"""

from collections.abc import Iterable, Mapping, Sequence

from plimsoll.context.index.instructions import InstructionIndex
from plimsoll.context.index.names import NameIndex, References
from plimsoll.context.index.read_notes import ReadNotes
from plimsoll.context.index.recorded_events import RecordedEvents
from plimsoll.context.index.results import LineIndex, ResultIndex, Unread
from plimsoll.context.log.entries import Entry, Framed, Pinned, Said
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
        """The rules that people said."""
        self._take_notes()
        return self._instructions

    @property
    def read_notes(self) -> ReadNotes:
        """What was noted of what was read."""
        self._take_notes()
        return self._read_notes

    def _take_notes(self) -> None:
        for note in self._unread.take():
            self._instructions.take(note)
            self._read_notes.take(note)

    def standing(self) -> Mapping[str, int]:
        """In how many items of the view each name stands; a live count, not to be kept."""
        return self.names.standing(self.fold.head(), self.fold.rendered_groups())

    def read_ahead(self, entries: Sequence[Entry]) -> None:
        """Count and read the texts of entries to come, which takes seconds for megabytes.

        May run on any thread while the fold is in use: what is learned of a text does not depend on
        the log, and the fold itself stays as it is.
        """
        self.read_parts(standing_parts(entries))
        for entry in entries:
            if isinstance(entry, Said):
                for part in entry.parts:
                    self.names.of(part.text)
            elif isinstance(entry, Framed | Pinned) and entry.text:
                self.fold.ledger.text(entry.text)

    def read_parts(self, parts: Iterable[Part]) -> None:
        """Count and read what comes into view, also what was said before; as `read_ahead`."""
        for part in parts:
            self.fold.ledger.part(part, first=False)
            self.names.of(part.text)

    def read_all(self) -> None:
        """Build the view, and read what the stages ask of its texts: seconds for megabytes.

        For the thread that made the fold, before anybody else has it.
        """
        self.standing()
        self.references.counts()
