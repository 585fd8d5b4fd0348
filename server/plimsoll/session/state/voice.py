"""What a session says to whoever listens, and what of that is kept with its log."""

from plimsoll.context.log.entries import Noted
from plimsoll.context.log.notes import TOLD, notes_of_kind
from plimsoll.session.log.session_log import SessionLog
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_note
from plimsoll.session.ports.events import Event, Listener, NoticeGiven
from plimsoll.session.state.shown import shown_note


class SessionVoice:
    """Tells events, remembers what was told once, and keeps what a person was shown."""

    def __init__(self, log: SessionLog, listener: Listener, clock: Clock) -> None:
        self._log = log
        self._listener = listener
        self._clock = clock
        self._unkept: tuple[Noted, ...] = ()
        self._told = {note.text("about") for note in notes_of_kind(log.fold.entries, TOLD)}

    def emit(self, event: Event) -> None:
        """Tell whoever listens; a notice of a turn is kept with the next entries."""
        if isinstance(event, NoticeGiven) and event.turn is not None:
            self.keep_shown(event)
        self._listener(self._log.session_id, event)

    def keep_shown(self, notice: NoticeGiven) -> None:
        """Keep a notice with the next entries, as the person was shown it."""
        self.keep_with_next(shown_note(notice, self._clock))

    def keep_with_next(self, note: Noted) -> None:
        """Keep a note with the next entries: one that is no loss where none come any more."""
        self._unkept += (note,)

    def take_unkept(self) -> tuple[Noted, ...]:
        """Take the notes that are to be kept with the next entries, each once."""
        notes, self._unkept = self._unkept, ()
        return notes

    def note_told(self, about: str, notice: NoticeGiven) -> tuple[Noted, ...]:
        """Give a notice unless this session was given it before, by whichever process.

        Returns what is to be appended, so that no later process gives it again.
        """
        if about in self._told:
            return ()
        self._told.add(about)
        self.emit(notice)
        return (new_note(self._clock, TOLD, {"about": about}),)

    async def tell_once(self, about: str, notice: NoticeGiven) -> None:
        """Give a notice unless this session was given it before, and keep that it was."""
        if note := self.note_told(about, notice):
            await self._log.append(*note)
