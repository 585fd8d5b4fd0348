"""A person's word that no automatic compaction is wanted for a while; kept in the log."""

import json
from collections.abc import Iterable

from plimsoll.context.log.entries import Entry, Noted
from plimsoll.context.log.messages import canonical
from plimsoll.session.clock import Clock

POSTPONED = "postponed"
FOR_EVER = 2**31
"""A number of turns that no session reaches."""


def postponed_note(until: int, clock: Clock) -> Noted:
    """Keeps the number of turns until which no automatic compaction runs."""
    data = canonical({"until": until})
    return Noted(id=clock.new_id("n"), at=clock.now(), what=POSTPONED, data=data)


def fulfilled_note(until: int, clock: Clock) -> tuple[Noted, ...]:
    """The note that a compaction which was put off has come; one for ever stays put off."""
    return (postponed_note(0, clock),) if 0 < until < FOR_EVER else ()


def postponed_until(entries: Iterable[Entry]) -> int:
    """The number of turns until which none runs, by the newest note; 0 when nobody asked."""
    until = 0
    for entry in entries:
        if isinstance(entry, Noted) and entry.what == POSTPONED:
            until = int(json.loads(entry.data)["until"])
    return until
