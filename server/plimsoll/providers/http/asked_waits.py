"""How long a provider asks to be waited for: in headers, in fields of a body, or in words. Pure.

Headers are those of RFC 9110 (``Retry-After``), Azure (``retry-after-ms``), and the resets of
limits as OpenAI, Anthropic, Groq, Mistral, OpenRouter and the IETF's draft spell them; fields are
Google's ``RetryInfo`` and its like; words are what all of them write for people.
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
"""What is written for people before the time that is to be waited."""
FIELDS: Mapping[str, float] = {
    "retrydelay": 1,
    "retryafter": 1,
    "retryafterseconds": 1,
    "retryafterms": 0.001,
    "retryinseconds": 1,
    "resetsinseconds": 1,
    "resetinseconds": 1,
}
"""Fields of an error that name a wait, without case and signs, and their unit in seconds."""
LASTING = re.compile(
    r"\bper[ -](?:day|week|month)\b|\b(?:daily|weekly|monthly|rpd|tpd)\b",
    re.IGNORECASE,
)
"""A quota of a day or longer, in words."""
LASTING_QUOTA = re.compile(r"per(?:day|week|month)", re.IGNORECASE)
"""The same in the ``quotaId`` of Google's ``QuotaFailure``, which names a wait of seconds too."""
DEEPEST = 8
"""Levels of an error that are looked through."""
EPOCH_SECONDS, EPOCH_MILLISECONDS = 1e9, 1e12
"""From here on a number is a time, not a wait."""


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Read the seconds that a provider asks for, in milliseconds, seconds or as a date.

    ``headers`` have lower-case names.
    """
    for name in ("retry-after-ms", "x-ms-retry-after-ms"):
        if (milliseconds := _number(headers.get(name))) is not None:
            return milliseconds / 1000
    value = headers.get("retry-after")
    # Some gateways write when, where the standard has how long.
    return None if value is None else _moment(value, now)


def limit_reset(headers: Mapping[str, str], now: datetime) -> float | None:
    """Read when the limit that is nearest to its end begins anew, in seconds from now.

    ``headers`` have lower-case names. Of several limits only the one with the least left was met.
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
    """Return the share of a limit that is left; 0 where that is not said."""
    left = _number(headers.get(reset.replace("reset", "remaining")))
    most = _number(headers.get(reset.replace("reset", "limit", 1)))
    if most is None:
        most = _number(headers.get(reset.replace("-reset", "-limit")))
    if not left:
        return 0.0
    return left / most if most else 1.0


def wait_in(error: object) -> float | None:
    """Read the wait that a field of an error names, however deep it stands."""
    waits = (
        seconds * FIELDS[name]
        for name, value in _fields(error, DEEPEST)
        if name in FIELDS and (seconds := _seconds(value)) is not None
    )
    return max(waits, default=None)


def wait_in_words(message: str) -> float | None:
    """Read the wait that a message asks for, such as "try again in 1m3.2s"."""
    waits = (_written(found["wait"]) for found in WORDS.finditer(message))
    return max((wait for wait in waits if wait is not None), default=None)


def is_lasting(error: object, message: str) -> bool:
    """Tell whether a limit is of a day or longer, and no wait of seconds ends it."""
    quotas = (value for name, value in _fields(error, DEEPEST) if name == "quotaid")
    if any(isinstance(quota, str) and LASTING_QUOTA.search(quota) for quota in quotas):
        return True
    # A daily limit that slides names the true wait: a place comes free every few seconds.
    return bool(LASTING.search(message)) and wait_in_words(message) is None


def shown_wait(seconds: float) -> str:
    """Write a wait for people."""
    if seconds < 180:
        return f"{seconds:.0f} s"
    if seconds < 10_800:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h" if seconds < 172_800 else f"{seconds / 86400:.0f} days"


def _fields(value: object, levels: int) -> Iterator[tuple[str, object]]:
    """Yield every field below a value, its name without case and signs."""
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
    return _written(value) if isinstance(value, str) else None


def _written(text: str) -> float | None:
    """Read a duration that is written, such as ``1m3.2s``; a number alone is of seconds."""
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
    """Read a reset: a wait in any spelling, or a time as a number, RFC 3339 or a date."""
    number = _number(value)
    if number is not None and number >= EPOCH_SECONDS:
        then = number / 1000 if number >= EPOCH_MILLISECONDS else number
        return max(0.0, then - now.timestamp())
    if (seconds := _written(value)) is not None and "T" not in value:
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
