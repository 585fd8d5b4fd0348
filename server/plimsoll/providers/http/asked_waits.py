"""Reads how long a provider asks to wait: from headers, fields of a body, or words. Pure.

Headers are those of RFC 9110 (``Retry-After``), Azure (``retry-after-ms``), and the resets of
limits as OpenAI, Anthropic, Groq, Mistral, OpenRouter and the IETF's draft spell them; fields are
Google's ``RetryInfo`` and similar ones; words are those that all of them write for people.
"""

import math
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import cast

UNITS: Mapping[str, float] = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400}
_PIECE = (
    r"(\d+(?:\.\d+)?)\s*"
    r"(milliseconds?|msecs?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)(?![a-z])"
)
PIECE = re.compile(_PIECE, re.IGNORECASE)
WORDS = re.compile(
    r"(?:(?:try|retry|retrying|again|wait|waiting|available|resets?|renewed|back)"
    r"(?: again)?(?: (?:in|after|for|at least))?:?|retry[- ]after[:=]?) "
    r"(?:about |approximately |at least )?"
    rf"(?P<wait>(?:{_PIECE}(?:\s|,|and )*)+|\d+(?:\.\d+)?(?![-\d:]))",
    re.IGNORECASE,
)
"""The words before a wait in messages for people."""
FIELDS: Mapping[str, float] = {
    "retrydelay": 1,
    "retryafter": 1,
    "retryafterseconds": 1,
    "retryafterms": 0.001,
    "retryinseconds": 1,
    "resetsinseconds": 1,
    "resetinseconds": 1,
}
"""Fields of an error that name a wait, normalised, and their unit in seconds."""
LASTING = re.compile(
    r"\bper[ -](?:day|week|month)\b|\b(?:daily|weekly|monthly|rpd|tpd)\b",
    re.IGNORECASE,
)
"""Words for a quota of a day or longer."""
LASTING_QUOTA = re.compile(r"per(?:day|week|month)", re.IGNORECASE)
"""The same in the ``quotaId`` of Google's ``QuotaFailure``, which names a short wait too."""
DEEPEST = 8
"""Levels of an error that are searched."""
EPOCH_SECONDS, EPOCH_MILLISECONDS = 1e9, 1e12
"""A larger number is a time, not a wait."""


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Read the seconds to wait, given in milliseconds, seconds or as a date.

    ``headers`` have lower-case names.
    """
    for name in ("retry-after-ms", "x-ms-retry-after-ms"):
        if (milliseconds := _number(headers.get(name))) is not None:
            return milliseconds / 1000
    value = headers.get("retry-after")
    # Some gateways write when, where the standard has how long.
    return None if value is None else _moment(value, now)


def limit_reset(headers: Mapping[str, str], now: datetime) -> float | None:
    """Read the seconds until the limit with the least left is reset.

    ``headers`` have lower-case names. Of several limits only that one was reached.
    """
    found: list[tuple[float, float]] = []
    for name, value in headers.items():
        if "ratelimit" not in name or "reset" not in name:
            continue
        seconds = _moment(value, now)
        if seconds is not None:
            left = _share(headers, name)
            found.append((left, -seconds))
    return -min(found)[1] if found else None


def _share(headers: Mapping[str, str], reset: str) -> float:
    """Return the remaining share of a limit; 0 if it is not given."""
    left = _number(headers.get(reset.replace("reset", "remaining")))
    most = _number(headers.get(reset.replace("reset", "limit", 1)))
    if most is None:
        most = _number(headers.get(reset.replace("-reset", "-limit")))
    if not left:
        return 0.0
    return left / most if most else 1.0


def wait_in(error: object) -> float | None:
    """Read the wait that a field of an error names, at any depth."""
    waits = (
        seconds * FIELDS[name]
        for name, value in _fields(error, DEEPEST)
        if name in FIELDS and (seconds := _seconds(value)) is not None
    )
    return max(waits, default=None)


def wait_in_words(message: str) -> float | None:
    """Read the wait that a message asks for, such as "try again in 1m3.2s"."""
    waits = (_parse_duration(found["wait"]) for found in WORDS.finditer(message))
    return max((wait for wait in waits if wait is not None), default=None)


def is_lasting(error: object, message: str) -> bool:
    """Tell whether a limit lasts a day or longer, so that no short wait helps."""
    quotas = (value for name, value in _fields(error, DEEPEST) if name == "quotaid")
    if any(isinstance(quota, str) and LASTING_QUOTA.search(quota) for quota in quotas):
        return True
    # A daily limit that slides names the true wait: a place comes free every few seconds.
    return bool(LASTING.search(message)) and wait_in_words(message) is None


def shown_wait(seconds: float) -> str:
    """Format a wait for people."""
    if seconds < 180:
        return f"{seconds:.0f} s"
    if seconds < 10_800:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h" if seconds < 172_800 else f"{seconds / 86400:.0f} days"


def _fields(value: object, levels: int) -> Iterator[tuple[str, object]]:
    """Yield every field below a value with its normalised name."""
    if levels == 0:
        return
    if isinstance(value, list):
        for item in cast("list[object]", value):
            yield from _fields(item, levels - 1)
    if not isinstance(value, dict):
        return
    for name, inner in cast("Mapping[str, object]", value).items():
        yield re.sub(r"[^a-z]", "", name.lower()), inner
        yield from _fields(inner, levels - 1)


def _seconds(value: object) -> float | None:
    """Read a duration: a number, a text, or Google's object of seconds and nanoseconds."""
    if isinstance(value, dict):
        parts = cast("Mapping[str, object]", value)
        whole, rest = _seconds(parts.get("seconds")), _seconds(parts.get("nanos"))
        return None if whole is None else whole + (rest or 0) / 1e9
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if value >= 0 and math.isfinite(value) else None
    return _parse_duration(value) if isinstance(value, str) else None


def _parse_duration(text: str) -> float | None:
    """Parse a duration such as ``1m3.2s``; a bare number is in seconds."""
    text = text.strip().rstrip(".")
    if (number := _number(text)) is not None:
        return number if number < EPOCH_SECONDS else None
    pieces = PIECE.findall(text)
    if not pieces:
        return None
    return sum(float(number) * UNITS[_unit(unit)] for number, unit in pieces)


def _unit(name: str) -> str:
    name = name.lower()
    return "ms" if name.startswith(("ms", "mil")) else name[0]


def _moment(value: str, now: datetime) -> float | None:
    """Parse a reset: a duration in any spelling, or a time as a number, RFC 3339 or a date."""
    number = _number(value)
    if number is not None and number >= EPOCH_SECONDS:
        then = number / 1000 if number >= EPOCH_MILLISECONDS else number
        return max(0.0, then - now.timestamp())
    if (seconds := _parse_duration(value)) is not None and "T" not in value:
        return seconds
    try:
        then = datetime.fromisoformat(value.strip())
    except ValueError:
        return _until(value, now)
    return _from(then, now)


def _number(value: str | None) -> float | None:
    if value is None or not value.strip().replace(".", "", 1).isdecimal():
        return None
    number = float(value)
    return number if math.isfinite(number) else None


def _until(value: str, now: datetime) -> float | None:
    try:
        then = parsedate_to_datetime(value)
    except ValueError:
        # A header that is neither form asks for nothing in particular.
        return None
    return _from(then, now)


def _from(then: datetime, now: datetime) -> float:
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    return max(0.0, (then - now).total_seconds())
