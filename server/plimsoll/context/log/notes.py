"""What the notes of a log say, read with tolerance: a note that does not parse is left out.

A log can come from a later version, a file that anybody wrote, or a damaged disk. A note changes no
text, so one that cannot be read is kept and has no effect, and nothing that asks for notes fails.
"""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from plimsoll.context.log.entries import Entry, Noted

STALE = "stale"
FRESH = "fresh"
"""The file is again as it was read; with a version, that is what counts as read from now on."""
USAGE = "usage"
UNREPORTED = "unreported"
"""Our own count of a request of which the provider reported nothing."""
TURN = "turn"
BREAKER = "breaker"
CALIBRATION = "calibration"
POSTPONED = "postponed"
WINDOW = "window"
"""The window of a model is another than what was set or known."""
PROFILE = "profile"
"""What the session begins each request with: in full, or slim for a small window."""
AGENT = "agent"
"""What agent the session is: its kind, and how many stand above it."""
CALLED_AGENT = "calledAgent"
"""A call has begun a session of another agent; ``item``: the call."""
ACCEPTED_PLAN = "acceptedPlan"
"""A person has accepted a plan; the pin that holds it."""
MODEL = "model"
"""Another model answers from now on."""
IMPORT = "import"
"""The session began with a file."""
FILE = "file"
"""The agent's tools, or the undoing of what they did, changed a file: its versions."""
HUNKS = "hunks"
"""A person has kept hunks of the agent's changes of a file: the file without the others."""
INTERRUPTED_CALL = "interruptedCall"
"""A call was stopped while it ran, or before; ``item``: the call."""
KEPT_RULE = "keptRule"
"""A later rule does not end an earlier one, as a person said; ``item``: the earlier's message."""
TOLD = "told"
"""A notice that is given once a session was given."""
SHOWN = "shown"
"""A notice of a turn, or the answer of a slash command, as a person was shown it."""

MOST = 2**53
"""No count of ours is larger, and every client can hold it."""
MOST_FACTOR = 1_000.0
"""A count is corrected by less than this, and is off by less."""


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST


def _may_be_count(value: object) -> bool:
    return value is None or _is_count(value)


def _is_factor(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 <= value <= MOST_FACTOR and math.isfinite(value)


_USAGE = {
    "purpose": _is_text,
    "model": _is_text,
    "input": _is_count,
    "cached": _is_count,
    "output": _is_count,
}
_FIELDS: Mapping[str, Mapping[str, Callable[[object], bool]]] = {
    STALE: {"line": _may_be_count},
    FRESH: {"first": _may_be_count, "last": _may_be_count},
    USAGE: _USAGE,
    UNREPORTED: {name: _USAGE[name] for name in ("model", "input", "cached", "output")},
    TURN: {"used": _is_count},
    BREAKER: {"failures": _is_count},
    CALIBRATION: {"model": _is_text, "factor": _is_factor, "band": _is_factor},
    POSTPONED: {"until": _is_count},
    WINDOW: {"model": _is_text, "window": _is_count, "source": _is_text, "set": _may_be_count},
    PROFILE: {"name": _is_text},
    ACCEPTED_PLAN: {"pin": _is_text},
    AGENT: {"kind": _is_text, "depth": _is_count},
    CALLED_AGENT: {"session": _is_text, "kind": _is_text, "description": _is_text},
    MODEL: {"model": _is_text},
    IMPORT: {},
    FILE: {"path": _is_text, "encoding": _is_text, "changed": _may_be_count},
    HUNKS: {"path": _is_text, "encoding": _is_text, "left": _is_text},
    INTERRUPTED_CALL: {},
    KEPT_RULE: {"text": _is_text, "by": _is_text, "byMessage": _is_text},
    TOLD: {"about": _is_text},
    SHOWN: {"markdown": _is_text, "level": _is_text},
}
"""The fields that a note of each kind must have; others may stand beside them."""


@dataclass(frozen=True, slots=True)
class NoteFields:
    """The fields of a note, which are all there and of the right type."""

    values: Mapping[str, object]

    def text(self, name: str) -> str:
        """Return a text."""
        return str(self.values[name])

    def maybe_text(self, name: str) -> str | None:
        """Return a text, or none where the note does not say it."""
        found = self.values.get(name)
        return found if isinstance(found, str) else None

    def count(self, name: str) -> int:
        """Return a whole number from 0."""
        return cast("int", self.values[name])

    def maybe_count(self, name: str) -> int | None:
        """Return a whole number from 0, or none where the note does not say it."""
        return cast("int | None", self.values.get(name))

    def factor(self, name: str) -> float:
        """Return a finite number from 0."""
        return float(cast("float", self.values[name]))

    def factor_or(self, name: str, missing: float) -> float:
        """Return a finite number from 0; ``missing`` where the note does not say it."""
        return self.factor(name) if _is_factor(self.values.get(name)) else missing


def note_fields(note: Noted) -> NoteFields | None:
    """Parse a note; none where its kind is unknown or its data is not what the kind needs."""
    wanted = _FIELDS.get(note.what)
    if wanted is None:
        return None
    try:
        found: object = json.loads(note.data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    values = cast("dict[str, object]", found)
    whole = all(is_right(values.get(name)) for name, is_right in wanted.items())
    return NoteFields(values) if whole else None


def notes_of_kind(entries: Iterable[Entry], what: str) -> Iterator[NoteFields]:
    """Yield what the notes of a kind say, in the order given; unreadable ones say nothing."""
    for entry in entries:
        if isinstance(entry, Noted) and entry.what == what:
            found = note_fields(entry)
            if found is not None:
                yield found


def unreadable_notes(entries: Iterable[Entry]) -> list[Noted]:
    """Return the notes that are kept and have no effect."""
    return [each for each in entries if isinstance(each, Noted) and note_fields(each) is None]
