"""Read each entry of a growing log once, by whoever keeps what it has learned from it."""

from collections.abc import Sequence

from plimsoll.context.log.entries import Entry


class LogReading:
    """How far a log was read; another log is read from its beginning."""

    def __init__(self) -> None:
        self._log: Sequence[Entry] = ()
        self._known = 0

    def start(self, log: Sequence[Entry]) -> int:
        """Return the index from which a log is new to the reader, who reads to its end now.

        0 means that nothing learned before is of this log.
        """
        start = self._known if log is self._log else 0
        self._log, self._known = log, len(log)
        return start
