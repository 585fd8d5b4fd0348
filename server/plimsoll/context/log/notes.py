"""Parses the notes of a log, leaving out those that do not parse.

A log can come from a later version, a file that anybody wrote, or a damaged disk. A note changes no
text, so that an unreadable one is kept without effect, and no reader of notes fails.
"""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from plimsoll.context.log.entries import Entry, Noted

STALE = "stale"
FRESH = "fresh"
"""The file is again as it was read; with a version, that version counts as read from now on."""
USAGE = "usage"
UNREPORTED = "unreported"
"""Our own count of a request whose usage the provider did not report."""
TURN = "turn"
BREAKER = "breaker"
CALIBRATION = "calibration"
POSTPONED = "postponed"
WINDOW = "window"
"""The window of a model differs from what was set or known."""
PROFILE = "profile"
"""The request profile of the session: full, or slim for a small window."""
AGENT = "agent"
"""The kind of agent of the session, and its depth below the main one."""
CALLED_AGENT = "calledAgent"
"""A call began the session of a subagent; ``item``: the call."""
ACCEPTED_PLAN = "acceptedPlan"
"""A person accepted a plan; names the pin that holds it."""
MODEL = "model"
"""Another model answers from now on."""
MACHINE = "machine"
"""The session goes on on another machine of the person's."""
IMPORT = "import"
"""The session began with an imported file."""
FILE = "file"
"""A tool of the agent, or the undo of its work, changed a file; has both versions."""
HUNKS = "hunks"
"""A person kept hunks of the agent's changes to a file; has the file without the other hunks."""
INTERRUPTED_CALL = "interruptedCall"
"""A call was stopped while it ran, or before; ``item``: the call."""
KEPT_RULE = "keptRule"
"""A person said that a later rule does not end an earlier one; ``item``: the earlier's message."""
TOLD = "told"
"""The session was given a notice that is given only once."""
SHOWN = "shown"
"""A notice of a turn or the answer of a slash command, as it was shown to a person."""

MOST = 2**53
"""The largest count that every client can represent."""
MOST_FACTOR = 1_000.0
"""The upper limit of a correction factor and of its error."""


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
    MACHINE: {"from": _is_text, "to": _is_text},
    IMPORT: {},
    FILE: {"path": _is_text, "encoding": _is_text, "changed": _may_be_count},
    HUNKS: {"path": _is_text, "encoding": _is_text, "left": _is_text},
    INTERRUPTED_CALL: {},
    KEPT_RULE: {"text": _is_text, "by": _is_text, "byMessage": _is_text},
    TOLD: {"about": _is_text},
    SHOWN: {"markdown": _is_text, "level": _is_text},
}
"""The required fields of each kind of note; others are ignored."""


@dataclass(frozen=True, slots=True)
class NoteFields:
    """The parsed fields of a note: all there, with the right types."""

    values: Mapping[str, object]

    def text(self, name: str) -> str:
        """Return a text."""
        return str(self.values[name])

    def maybe_text(self, name: str) -> str | None:
        """Return a text, or None if the note lacks it."""
        found = self.values.get(name)
        return found if isinstance(found, str) else None

    def count(self, name: str) -> int:
        """Return a whole number of at least 0."""
        return cast("int", self.values[name])

    def maybe_count(self, name: str) -> int | None:
        """Return a whole number of at least 0, or None if the note lacks it."""
        return cast("int | None", self.values.get(name))

    def factor(self, name: str) -> float:
        """Return a finite number of at least 0."""
        return float(cast("float", self.values[name]))

    def factor_or(self, name: str, missing: float) -> float:
        """Return a finite number of at least 0; ``missing`` if the note lacks it."""
        return self.factor(name) if _is_factor(self.values.get(name)) else missing


def note_fields(note: Noted) -> NoteFields | None:
    """Parse a note; None if its kind is unknown or its fields are wrong."""
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
    """Yield the fields of the readable notes of a kind, in the order given."""
    for entry in entries:
        if isinstance(entry, Noted) and entry.what == what:
            found = note_fields(entry)
            if found is not None:
                yield found


def unreadable_notes(entries: Iterable[Entry]) -> list[Noted]:
    """Return the notes that do not parse, which have no effect."""
    return [each for each in entries if isinstance(each, Noted) and note_fields(each) is None]
