"""The circuit breaker of the model that writes summaries: counted as it fails, kept in the log."""

from plimsoll.session.log.session_log import KeepsNotes
from plimsoll.session.ports.events import NoticeGiven
from plimsoll.session.state.notes import failure_note, failures_in_a_row
from plimsoll.session.state.session_state import SessionState

OPENED = (
    "The model's summaries could not be used {count} times in a row, so automatic ones are used "
    "from now on. `/compact` tries the model again."
)


class SummaryBreaker:
    """Counts for a session how often in a row a model's summaries could not be used."""

    def __init__(self, state: SessionState, keep: KeepsNotes | None = None) -> None:
        """``keep``: appends the notes of failures, if not simply to the log."""
        self._log = state.log
        self._load = state.load
        self._voice = state.voice
        self._clock = state.clock
        self._keep: KeepsNotes = keep or state.log.append

    @property
    def _most(self) -> int:
        return self._load.model.settings.compaction.max_failures

    def is_open(self, model: str) -> bool:
        """Tell whether a model has failed so often in a row that it is not asked automatically."""
        return failures_in_a_row(self._log.fold.entries, model) >= self._most

    async def count_failure(self, model: str) -> None:
        """Count a failed call at once; tell the person if it opens the breaker."""
        count = failures_in_a_row(self._log.fold.entries, model) + 1
        await self._keep(failure_note(count, model, self._clock))
        if count == self._most:
            self._voice.emit(NoticeGiven(OPENED.format(count=count), "warning"))

    async def close(self, model: str) -> None:
        """Reset the count of failures, as the model wrote a summary that could be used."""
        if failures_in_a_row(self._log.fold.entries, model):
            await self._keep(failure_note(0, model, self._clock))
