"""What a session says to whoever listens, and what of that is kept with its log."""

from plimsoll.context.log.entries import Noted
from plimsoll.context.log.notes import TOLD, notes_of_kind
from plimsoll.session.log.session_log import SessionLog
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_note
from plimsoll.session.ports.events import Event, Listener, NoticeGiven
from plimsoll.session.state.shown import shown_note


class SessionVoice:
    """Sends a session's events, gives some notices only once, and logs shown notices."""

    def __init__(self, log: SessionLog, listener: Listener, clock: Clock) -> None:
        self._log = log
        self._listener = listener
        self._clock = clock
        self._unkept: tuple[Noted, ...] = ()
        self._told = {note.text("about") for note in notes_of_kind(log.fold.entries, TOLD)}

    def emit(self, event: Event) -> None:
        """Send an event to the listener; a notice in a turn is logged with the next entries."""
        if isinstance(event, NoticeGiven) and event.turn is not None:
            self.keep_shown(event)
        self._listener(self._log.session_id, event)

    def keep_shown(self, notice: NoticeGiven) -> None:
        """Log a notice with the next entries, as the person was shown it."""
        self.keep_with_next(shown_note(notice, self._clock))

    def keep_with_next(self, note: Noted) -> None:
        """Log a note with the next entries; if there are none any more, it is lost."""
        self._unkept += (note,)

    def take_unkept(self) -> tuple[Noted, ...]:
        """Take the notes to be logged with the next entries, each once."""
        notes, self._unkept = self._unkept, ()
        return notes

    def note_told(self, about: str, notice: NoticeGiven) -> tuple[Noted, ...]:
        """Send a notice unless this session has had it before, from any process.

        Returns the notes to append, so that no later process sends it again.
        """
        if about in self._told:
            return ()
        self._told.add(about)
        self.emit(notice)
        return (new_note(self._clock, TOLD, {"about": about}),)

    async def tell_once(self, about: str, notice: NoticeGiven) -> None:
        """Send a notice unless this session has had it before, and log that it was sent."""
        if note := self.note_told(about, notice):
            await self._log.append(*note)
