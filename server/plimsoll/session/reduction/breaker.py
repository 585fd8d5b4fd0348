"""The circuit breaker: after failures in a row the model is not asked for summaries any more.

It is kept in the log, so it holds over a restart; it closes when a turn ends below the warning mark
or when a compaction that a person asked for succeeds.
"""

import json
from collections.abc import Iterable

from plimsoll.context.log.entries import Entry, Noted
from plimsoll.context.log.messages import canonical
from plimsoll.context.stages.next_request import NextRequest
from plimsoll.session.clock import Clock

BREAKER = "breaker"


def failures(entries: Iterable[Entry]) -> int:
    """Failures in a row, by the newest note."""
    last = 0
    for entry in entries:
        if isinstance(entry, Noted) and entry.what == BREAKER:
            last = int(json.loads(entry.data)["failures"])
    return last


def noted(count: int, clock: Clock) -> Noted:
    """The note of so many failures in a row; 0 closes the breaker."""
    data = canonical({"failures": count})
    return Noted(id=clock.new_id("n"), at=clock.now(), what=BREAKER, data=data)


def closing(draft: NextRequest, clock: Clock) -> tuple[Noted, ...]:
    """The note that closes an open breaker, when the pressure has fallen; else none.

    Failures below the limit stay counted: what a digest has covered is a failure all the same.
    """
    failed = failures(draft.fold.entries)
    if failed < draft.settings.compaction.max_failures or draft.tokens >= draft.budget.warning:
        return ()
    return (noted(0, clock),)
