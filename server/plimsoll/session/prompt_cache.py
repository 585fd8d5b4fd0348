"""Whether the provider's prompt cache still holds the session, by what its log says.

So a session that is resumed is cold or warm by the facts, whichever process sent its last request.
"""

from collections.abc import Sequence
from datetime import datetime

from plimsoll.context.log.entries import HELD_HERE, Entry, Noted, Said
from plimsoll.context.log.messages import Role, canonical
from plimsoll.context.log.notes import MODEL, USAGE, notes_of_kind
from plimsoll.session.environment import Clock


class PromptCache:
    """Says whether the cache still holds a log, of which it reads each entry once."""

    def __init__(self) -> None:
        self._log: Sequence[Entry] = ()
        self._known = 0
        """Entries of that log that were read."""
        self._answered: int | None = None
        """The index of the newest answer among them."""

    def is_cold(self, log: Sequence[Entry], model: str, now: str, cache_seconds: int) -> bool:
        """Tell whether the cache holds nothing that the next request to the model begins with.

        A request was sent right behind the entry before its answer; one without an answer wrote
        nothing that can be relied on.
        """
        index = self._last_answer(log)
        if index is None or not _is_of(model, log[index + 1 :]):
            return True
        sent = log[max(0, index - 1)].at
        try:
            quiet = datetime.fromisoformat(now) - datetime.fromisoformat(sent)
            # A clock that was set back says as little as one that was set forward.
            return abs(quiet.total_seconds()) > cache_seconds
        except (ValueError, TypeError):
            return True

    def _last_answer(self, log: Sequence[Entry]) -> int | None:
        if log is not self._log:
            self._log, self._known, self._answered = log, 0, None
        fresh = range(len(log) - 1, self._known - 1, -1)
        self._known = len(log)
        self._answered = next((n for n in fresh if is_own_answer(log[n])), self._answered)
        return self._answered


def changed_note(model: str, clock: Clock) -> Noted:
    """Note that another model answers from now on: its cache holds nothing of the session."""
    data = canonical({"model": model})
    return Noted(id=clock.new_id("n"), at=clock.now(), what=MODEL, data=data)


def is_own_answer(entry: Entry) -> bool:
    """Tell whether an entry is a model's answer to a request of ours."""
    # What was imported, or came from an editor's own agent, was no answer to a request of ours.
    return isinstance(entry, Said) and entry.role is Role.ASSISTANT and entry.origin in HELD_HERE


def _is_of(model: str, since: Sequence[Entry]) -> bool:
    """Tell whether an answer is the model's own, by the notes behind it."""
    if next(notes_of_kind(since, MODEL), None) is not None:
        return False
    usage = (note for note in notes_of_kind(since, USAGE) if note.values.get("purpose") == "turn")
    said = next(usage, None)
    return said is None or said.text("model") == model
