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
    """Read from the newest note how many calls to a model that summarises failed in a row.

    ``model``: ``provider/name``, what another one did says nothing of it; empty: none could be
    opened; none: whichever was asked last.
    """
    last = 0
    for note in notes_of_kind(entries, BREAKER):
        same = model is None or note.maybe_text("model") in (None, model)
        last = note.count("failures") if same else 0
    return last


def failures_so_far(entries: Iterable[Entry]) -> int:
    """Count all failures of a log, of whichever model, also those that a success has ended."""
    return sum(note.count("failures") > 0 for note in notes_of_kind(entries, BREAKER))


def failure_note(count: int, model: str, clock: Clock) -> Noted:
    """Note so many failures of a model in a row; 0 closes the breaker."""
    return new_note(clock, BREAKER, {"failures": count, "model": model})


FOR_EVER = 2**31
"""A number of turns that no session reaches."""


def postponed_note(until: int, clock: Clock) -> Noted:
    """Note the number of turns until which no automatic compaction runs."""
    return new_note(clock, POSTPONED, {"until": until})


def fulfilled_note(until: int, clock: Clock) -> tuple[Noted, ...]:
    """Note that a compaction which was put off has come; one put off for ever stays so."""
    return (postponed_note(0, clock),) if 0 < until < FOR_EVER else ()


def postponed_until(entries: Iterable[Entry]) -> int:
    """Return the turn count until which none runs, by the newest note; 0 when nobody asked."""
    until = 0
    for note in notes_of_kind(entries, POSTPONED):
        until = note.count("until")
    return until
