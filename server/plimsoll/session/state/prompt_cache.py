"""Whether the provider's prompt cache still holds the session, by what its log says.

So a session that is resumed is cold or warm by the facts, whichever process sent its last request.
"""

from collections.abc import Sequence
from datetime import datetime

from plimsoll.context.log.entries import HELD_HERE, Entry, Noted, Said
from plimsoll.context.log.messages import Role
from plimsoll.context.log.notes import MODEL, USAGE, notes_of_kind
from plimsoll.context.log.reading import LogReading
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_note


class PromptCache:
    """Tells whether the provider's cache still holds a session, reading each log entry once."""

    def __init__(self) -> None:
        self._reading = LogReading()
        self._sent: str | None = None
        """When the request of the newest answer was sent; none: there is no answer."""
        self._since: list[Noted] = []
        """The notes behind that answer which tell whose it is."""

    def is_cold(self, log: Sequence[Entry], model: str, now: str, cache_seconds: int) -> bool:
        """Tell whether the cache holds no prefix of the next request to the model.

        A request was sent right behind the entry before its answer; one without an answer wrote
        nothing that can be relied on.
        """
        self._read(log)
        if self._sent is None or not _is_of(model, self._since):
            return True
        try:
            quiet = datetime.fromisoformat(now) - datetime.fromisoformat(self._sent)
            # A clock that was set back says as little as one that was set forward.
            return abs(quiet.total_seconds()) > cache_seconds
        except (ValueError, TypeError):
            return True

    def _read(self, log: Sequence[Entry]) -> None:
        start = self._reading.start(log)
        if start == 0:
            self._sent, self._since = None, []
        for index in range(start, len(log)):
            entry = log[index]
            if is_own_answer(entry):
                self._sent, self._since = log[max(0, index - 1)].at, []
            elif isinstance(entry, Noted) and entry.what in {MODEL, USAGE}:
                self._since.append(entry)


def changed_note(model: str, clock: Clock) -> Noted:
    """Make the note that another model answers from now on, whose cache is empty."""
    return new_note(clock, MODEL, {"model": model})


def is_own_answer(entry: Entry) -> bool:
    """Tell whether an entry is a model's answer to a request of ours."""
    # What was imported, or came from an editor's own agent, was no answer to a request of ours.
    return isinstance(entry, Said) and entry.role is Role.ASSISTANT and entry.origin in HELD_HERE


def _is_of(model: str, since: Sequence[Entry]) -> bool:
    """Tell whether an answer is of the given model, by the notes after it."""
    if next(notes_of_kind(since, MODEL), None) is not None:
        return False
    usage = (note for note in notes_of_kind(since, USAGE) if note.values.get("purpose") == "turn")
    said = next(usage, None)
    return said is None or said.text("model") == model
