"""The time by which old files are swept, which ignores jumps of the clock for some days.

A computer that wakes with a wrong date must not cost anybody files that are kept for days. A jump
looks like an absence, so after either nothing is swept until the clock has run on for a while.
"""

import json
import math
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from plimsoll.context.log.messages import canonical
from plimsoll.errors import StoreUnavailable
from plimsoll.private_files import replace_private
from plimsoll.storage.locate import DATABASE_FILE

CLOCK_FILE = "clock.json"
DAY = 86_400.0
TRUSTED_AFTER = 7 * DAY
"""Seconds for which the clock must run on after a jump before it is trusted."""
_UNREADABLE = (OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError)


@dataclass(frozen=True, slots=True)
class Sightings:
    """Times at which the clock was seen, in seconds since 1970."""

    settled: float
    """The last time that is believed."""
    jumped: float | None = None
    """Where the clock stood when it was first seen far ahead of that."""


def add_reading(before: Sightings, now: float) -> Sightings:
    """Add a reading of the clock: it may advance by a day or go back; a longer leap must last."""
    if now <= before.settled + DAY:
        return Sightings(now)
    if before.jumped is None or now < before.jumped:
        return Sightings(before.settled, now)
    if now - before.jumped >= TRUSTED_AFTER:
        return Sightings(now)
    return before


def trusted_time(folder: Path, now: float | None = None) -> float:
    """Read the clock, and return the time that is trusted for a project's folder."""
    clock = time.time() if now is None else now
    after = add_reading(_read_sightings(folder, clock), clock)
    # On a full disk it stays unseen: the next look finds the same jump.
    with suppress(StoreUnavailable):
        replace_private(folder / CLOCK_FILE, canonical(asdict(after)))
    return after.settled


def _read_sightings(folder: Path, now: float) -> Sightings:
    # Nobody has looked yet, or it cannot be read, or no clock shows such a time.
    with suppress(*_UNREADABLE):
        kept = cast("dict[str, Any]", json.loads((folder / CLOCK_FILE).read_text("utf-8")))
        settled, jumped = float(kept["settled"]), kept["jumped"]
        if math.isfinite(settled):
            return Sightings(settled, None if jumped is None else float(jumped))
    # The store was last written at a good time.
    return Sightings(_last_written(folder, now))


def _last_written(folder: Path, now: float) -> float:
    try:
        return (folder / DATABASE_FILE).stat().st_mtime
    except OSError:
        return now
