"""Where ids and times come from; a replay brings its own, so that it is the same each time."""

import itertools
import secrets
import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Makes ids and times."""

    def new_id(self, prefix: str) -> str:
        """An id that was never given before."""
        ...

    def now(self) -> str:
        """The time as RFC 3339 in UTC."""
        ...

    def seconds(self) -> float:
        """Seconds on a clock that never goes back."""
        ...


class SystemClock:
    """Random ids and the clock."""

    def new_id(self, prefix: str) -> str:
        """The prefix with 64 random bits."""
        return f"{prefix}{secrets.token_hex(8)}"

    def now(self) -> str:
        """The time with milliseconds."""
        return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def seconds(self) -> float:
        """The monotonic clock."""
        return time.monotonic()


class CountedClock:
    """Counted ids and a standing clock, for replays and tests."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)

    def new_id(self, prefix: str) -> str:
        """The prefix with the next number."""
        return f"{prefix}{next(self._numbers)}"

    def now(self) -> str:
        """Always the same time."""
        return "2000-01-01T00:00:00.000Z"

    def seconds(self) -> float:
        """Always the same second."""
        return 0.0
