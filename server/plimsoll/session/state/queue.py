"""Prompts that were sent while a turn runs, until their time has come.

They stand in memory alone: whoever sent one has it until it is said or given back. So a crash loses
none, and nothing is kept of what a person took back.
"""

from collections.abc import Callable

from plimsoll.errors import NotFound, PlimsollError
from plimsoll.session.ports.events import Event, NoticeGiven, QueueChanged, QueuedPrompt, When


class PromptQueue:
    """The prompts of a session that wait; each change is sent as an event."""

    def __init__(self, emit: Callable[[Event], None]) -> None:
        self._emit = emit
        self.entries: tuple[QueuedPrompt, ...] = ()
        """Those that can still be taken back, in the order in which they came."""

    def put(self, queued: QueuedPrompt) -> None:
        """Add a prompt to the end of the queue."""
        self.entries = (*self.entries, queued)
        self._tell()

    def unqueue(self, name: str) -> None:
        """Remove a prompt from the queue; raises NotFound if it was said or given back already."""
        if all(each.id != name for each in self.entries):
            raise NotFound(
                "queued",
                name,
                message=f"The prompt {name!r} does not wait any more.",
                remedy="It was sent or taken back; the conversation shows which.",
            )
        self._drop(name)
        self._tell()

    def take(self, when: When | None = None) -> QueuedPrompt | None:
        """Take the first prompt, or the first of a kind, to say it; nobody can unqueue it now."""
        found = next((each for each in self.entries if when in (None, each.when)), None)
        if found is not None:
            self._drop(found.id)
        return found

    def put_first(self, queued: QueuedPrompt) -> None:
        """Put a prompt that could not be said yet back to the front of the queue."""
        self.entries = (queued, *self.entries)

    def tell_said(self, queued: QueuedPrompt) -> None:
        """Send the event that a queued prompt has been said."""
        self._emit(QueueChanged(entries=self.entries, said=(queued.id,)))

    def return_all(self, *taken: QueuedPrompt) -> None:
        """Give prompts that were taken, and all that wait, back to whoever sent them."""
        returned, self.entries = (*taken, *self.entries), ()
        if returned:
            self._emit(QueueChanged(entries=(), returned=returned))

    def refuse(self, queued: QueuedPrompt, error: PlimsollError) -> None:
        """Give back one prompt that was taken and cannot be said, and tell why."""
        remedy = f" {error.remedy}" if error.remedy else ""
        self._emit(NoticeGiven(f"{error.message}{remedy}", "error"))
        self._emit(QueueChanged(entries=self.entries, returned=(queued,)))

    def _drop(self, name: str) -> None:
        self.entries = tuple(each for each in self.entries if each.id != name)

    def _tell(self) -> None:
        self._emit(QueueChanged(entries=self.entries))
