"""When a request is tried again, and after what wait. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often and after what wait a request is tried again, before an answer's first byte."""

    tries: int = 5
    connect_tries: int = 2
    """Where nobody listens, or the name is unknown: a restart at most, seldom a hiccup."""
    first_wait: float = 0.5
    """Seconds; doubled each time."""
    longest_wait: float = 60.0
    """Seconds; a provider that asks for more gets an honest error instead."""
    start_wait: float = 15.0
    """Seconds in all in which a server on this machine may begin to listen."""
    start_step: float = 0.5
    """Seconds between two looks at a server that is starting."""


def retry_wait(policy: RetryPolicy, tried: int, asked: float | None, chance: float) -> float | None:
    """Return the seconds to wait after this many tries, or none to give up.

    ``asked`` is the provider's Retry-After, kept within +10 %; without one the wait is between
    half and all of the doubled step. ``chance`` is a number from 0 to 1.
    """
    if tried >= policy.tries or (asked is not None and asked > policy.longest_wait):
        return None
    if asked is not None:
        return asked * (1 + 0.1 * chance)
    step = min(policy.first_wait * 2 ** (tried - 1), policy.longest_wait)
    return step * (0.5 + 0.5 * chance)


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Read the seconds that a provider asks for, in milliseconds, seconds or as a date.

    ``headers`` have lower-case names.
    """
    if (milliseconds := _seconds(headers.get("retry-after-ms"))) is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    if (seconds := _seconds(value)) is not None:
        return seconds
    return _until(value, now)


def _seconds(value: str | None) -> float | None:
    if value is None or not value.strip().replace(".", "", 1).isdecimal():
        return None
    return float(value)


def _until(value: str | None, now: datetime) -> float | None:
    if value is None:
        return None
    try:
        then = parsedate_to_datetime(value)
    except ValueError:
        # A header that is neither form asks for nothing in particular.
        return None
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    return max(0.0, (then - now).total_seconds())
