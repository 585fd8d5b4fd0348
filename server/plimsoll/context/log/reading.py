"""Remembers how far a reader has read a growing log, so that it reads each entry once."""

from collections.abc import Sequence

from plimsoll.context.log.entries import Entry


class LogReading:
    """The position of a reader in a log; another log is read from its beginning."""

    def __init__(self) -> None:
        self._log: Sequence[Entry] = ()
        self._known = 0

    def start(self, log: Sequence[Entry]) -> int:
        """Return the index of the first entry that is new to the reader, and mark all as read.

        0 also means that what was learned so far belongs to another log.
        """
        start = self._known if log is self._log else 0
        self._log, self._known = log, len(log)
        return start
