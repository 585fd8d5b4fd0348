"""Notes in the log that decide when to compact: a postponement, failures.

After failed calls in a row the model is not asked for summaries by itself any more (a circuit
breaker). Only a summary of it closes that again, which a person can ask for at any time; how full
the context is says nothing of the model. All of it is in the log, so it holds over a restart.
"""

from collections.abc import Iterable

from plimsoll.context.log.entries import Entry, Noted
from plimsoll.context.log.notes import BREAKER, POSTPONED, notes_of_kind
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_note


def failures_in_a_row(entries: Iterable[Entry], model: str | None = None) -> int:
    """Read from the newest note how many calls for a summary failed in a row.

    ``model``: ``provider/name``, as others' failures do not count for it; empty: none could be
    opened; none: whichever was asked last.
    """
    last = 0
    for note in notes_of_kind(entries, BREAKER):
        same = model is None or note.maybe_text("model") in (None, model)
        last = note.count("failures") if same else 0
    return last


def failures_so_far(entries: Iterable[Entry]) -> int:
    """Count all failures in a log, of any model, also those before a success."""
    return sum(note.count("failures") > 0 for note in notes_of_kind(entries, BREAKER))


def failure_note(count: int, model: str, clock: Clock) -> Noted:
    """Make the note of a model's failures in a row; 0 closes the breaker."""
    return new_note(clock, BREAKER, {"failures": count, "model": model})


FOR_EVER = 2**31
"""A number of turns that no session reaches."""


def postponed_note(until: int, clock: Clock) -> Noted:
    """Make the note of a postponement: the turn count until which no compaction runs by itself."""
    return new_note(clock, POSTPONED, {"until": until})


def fulfilled_note(until: int, clock: Clock) -> tuple[Noted, ...]:
    """Make the note that a postponed compaction has run; one postponed for ever stays so."""
    return (postponed_note(0, clock),) if 0 < until < FOR_EVER else ()


def postponed_until(entries: Iterable[Entry]) -> int:
    """Return the turn count until which compaction is postponed, by the newest note, else 0."""
    until = 0
    for note in notes_of_kind(entries, POSTPONED):
        until = note.count("until")
    return until
