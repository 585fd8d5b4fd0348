"""The port to ids and times, and the clocks behind it."""

import itertools
import secrets
import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """The port to ids and times."""

    def new_id(self, prefix: str) -> str:
        """Return an id that was never given before."""
        ...

    def now(self) -> str:
        """Return the time as RFC 3339 in UTC."""
        ...

    def today(self) -> str:
        """Return the date where the person is, such as ``2026-11-24``."""
        ...

    def seconds(self) -> float:
        """Return seconds on a clock that never goes back."""
        ...


def rfc3339(moment: datetime) -> str:
    """Write a time in UTC, with milliseconds."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class SystemClock:
    """Makes random ids and reads the system's clock."""

    def new_id(self, prefix: str) -> str:
        """Return the prefix with 64 random bits."""
        return f"{prefix}{secrets.token_hex(8)}"

    def now(self) -> str:
        """Return the time with milliseconds."""
        return rfc3339(datetime.now(UTC))

    def today(self) -> str:
        """Return the date in the system's time zone."""
        return datetime.now().astimezone().date().isoformat()

    def seconds(self) -> float:
        """Return the monotonic clock."""
        return time.monotonic()


class CountedClock:
    """Makes counted ids; its clock stands still. For replays and tests."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)

    def new_id(self, prefix: str) -> str:
        """Return the prefix with the next number."""
        return f"{prefix}{next(self._numbers)}"

    def now(self) -> str:
        """Return always the same time."""
        return "2000-01-01T00:00:00.000Z"

    def today(self) -> str:
        """Return always the same day."""
        return "2000-01-01"

    def seconds(self) -> float:
        """Return always the same second."""
        return 0.0
