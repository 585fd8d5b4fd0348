"""What tools and files brought into a session, in one form for comparison, each text read once."""

import re
from collections import deque
from collections.abc import Iterable, Sequence
from threading import Lock

from plimsoll.context.log.entries import Entry, Said
from plimsoll.context.log.messages import PartKind
from plimsoll.text.terms import fold

MOST_FOREIGN = 2_000_000
"""Characters that are kept, the newest first: more than any window holds."""

_FOREIGN = frozenset({PartKind.RESULT, PartKind.FILE, PartKind.SELECTION})
_BETWEEN = re.compile(r"[\W_]+")


def flat(text: str) -> str:
    """Return the words of a text with one space around each, in one form for comparison."""
    return f" {_BETWEEN.sub(' ', fold(text)).strip()} "


class ForeignText:
    """The words that tools and files brought, kept up to date as the log grows."""

    def __init__(self) -> None:
        self._log: Sequence[Entry] = ()
        self._known = 0
        """Entries of that log that were read."""
        self._reading = Lock()
        self._flat: deque[str] = deque()
        self._length = 0

    def take_unread(self, log: Sequence[Entry]) -> list[str]:
        """Return the texts that tools and files brought since the last call, the oldest first.

        For a new log, as after a purge, all texts count as new.
        """
        if log is not self._log:
            with self._reading:
                self._flat.clear()
                self._log, self._known, self._length = log, 0, 0
        fresh, self._known = log[self._known :], len(log)
        return [
            part.text[:MOST_FOREIGN]
            for entry in fresh
            if isinstance(entry, Said)
            for part in entry.parts
            if part.kind in _FOREIGN
        ]

    def read(self, texts: Iterable[str]) -> str:
        """Add texts of ``unread``; return the words of all foreign texts kept. Blocks."""
        with self._reading:
            for text in texts:
                self._keep(flat(text))
            return "".join(self._flat)

    def _keep(self, words: str) -> None:
        self._flat.append(words)
        self._length += len(words)
        while self._length - len(self._flat[0]) > MOST_FOREIGN:
            self._length -= len(self._flat.popleft())
