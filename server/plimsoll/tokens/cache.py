"""Counts that were made once."""

from collections import OrderedDict
from threading import Lock

WHOLE = 512
"""Characters up to which a text is its own key; a longer one would be kept alive by it."""
OVERHEAD = 100
"""What an entry weighs besides its text, in characters."""

Key = str | tuple[int, int]


class CountCache:
    """The counts of the texts last asked for, within a total weight in characters.

    A long text is known by its hash and length: Python keys the hash with a secret of the process
    and keeps it with the string, so asking again for the same object costs nothing. Safe from any
    thread.
    """

    def __init__(self, limit: int = 16_000_000) -> None:
        self._limit = limit
        self._counts: OrderedDict[Key, int] = OrderedDict()
        self._weight = 0
        self._lock = Lock()

    @property
    def weight(self) -> int:
        """Characters held, overhead included; never above the limit."""
        return self._weight

    def get(self, text: str) -> int | None:
        """Return the count of `text` if it is known."""
        key = _key(text)
        with self._lock:
            if key not in self._counts:
                return None
            self._counts.move_to_end(key)
            return self._counts[key]

    def put(self, text: str, tokens: int) -> None:
        """Keep the count of `text`, and forget the oldest ones that no longer fit."""
        key = _key(text)
        with self._lock:
            if key not in self._counts:
                self._weight += _weight(key)
            self._counts[key] = tokens
            while self._weight > self._limit:
                oldest, _ = self._counts.popitem(last=False)
                self._weight -= _weight(oldest)


def _key(text: str) -> Key:
    return text if len(text) <= WHOLE else (hash(text), len(text))


def _weight(key: Key) -> int:
    return OVERHEAD + (len(key) if isinstance(key, str) else 0)
