"""The circuit breaker of the model that writes summaries: counted as it fails, kept in the log."""

from plimsoll.session.log.session_log import KeepsNotes
from plimsoll.session.ports.events import NoticeGiven
from plimsoll.session.state.notes import failure_note, failures_in_a_row
from plimsoll.session.state.session_state import SessionState

OPENED = (
    "The model's summaries could not be used {count} times in a row, so automatic ones are used "
    "from now on. `/compact` tries the model again."
)


def is_open(state: SessionState, model: str) -> bool:
    """Tell whether a model has failed so often in a row that it is not asked by itself."""
    most = state.model.settings.compaction.max_failures
    return failures_in_a_row(state.log.fold.entries, model) >= most


async def count_failure(state: SessionState, model: str, keep: KeepsNotes) -> None:
    """Count a call that came to nothing, at once; say so where the breaker opens by it."""
    count = failures_in_a_row(state.log.fold.entries, model) + 1
    await keep(failure_note(count, model, state.clock))
    if count == state.model.settings.compaction.max_failures:
        state.voice.emit(NoticeGiven(OPENED.format(count=count), "warning"))


async def close(state: SessionState, model: str, keep: KeepsNotes) -> None:
    """Reset the count of failures, as the model wrote a summary that could be used."""
    if failures_in_a_row(state.log.fold.entries, model):
        await keep(failure_note(0, model, state.clock))
