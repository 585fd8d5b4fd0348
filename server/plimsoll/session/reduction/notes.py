"""Notes in the log that decide when to compact: a postponement, failures.

After failures in a row the model is not asked for summaries any more (a circuit breaker). All of it
is kept in the log, so it holds over a restart.
"""

from collections.abc import Iterable

from plimsoll.context.log.entries import Entry, Noted
from plimsoll.context.log.messages import canonical
from plimsoll.context.log.notes import BREAKER, POSTPONED, notes_of_kind
from plimsoll.context.stages.pipeline import NextRequest
from plimsoll.session.environment import Clock


def failures_in_a_row(entries: Iterable[Entry]) -> int:
    """Read from the newest note how many failures came in a row."""
    last = 0
    for note in notes_of_kind(entries, BREAKER):
        last = note.count("failures")
    return last


def failure_note(count: int, clock: Clock) -> Noted:
    """Note so many failures in a row; 0 closes the breaker."""
    data = canonical({"failures": count})
    return Noted(id=clock.new_id("n"), at=clock.now(), what=BREAKER, data=data)


def closing_note(next_request: NextRequest, clock: Clock) -> tuple[Noted, ...]:
    """Return the note that closes an open breaker once the pressure has fallen; else none.

    Failures below the limit stay counted: what a digest has covered is a failure all the same.
    """
    failed = failures_in_a_row(next_request.fold.entries)
    if (
        failed < next_request.settings.compaction.max_failures
        or next_request.tokens >= next_request.budget.warning
    ):
        return ()
    return (failure_note(0, clock),)


FOR_EVER = 2**31
"""A number of turns that no session reaches."""


def postponed_note(until: int, clock: Clock) -> Noted:
    """Note the number of turns until which no automatic compaction runs."""
    data = canonical({"until": until})
    return Noted(id=clock.new_id("n"), at=clock.now(), what=POSTPONED, data=data)


def fulfilled_note(until: int, clock: Clock) -> tuple[Noted, ...]:
    """Note that a compaction which was put off has come; one put off for ever stays so."""
    return (postponed_note(0, clock),) if 0 < until < FOR_EVER else ()


def postponed_until(entries: Iterable[Entry]) -> int:
    """Return the turn count until which none runs, by the newest note; 0 when nobody asked."""
    until = 0
    for note in notes_of_kind(entries, POSTPONED):
        until = note.count("until")
    return until
