"""How many turns the window has left, judged by the last ones."""

import itertools
import json
from collections.abc import Sequence

from plimsoll.context.budget import Budget
from plimsoll.context.log.entries import Entry, Noted
from plimsoll.context.log.messages import canonical
from plimsoll.session.clock import Clock

TURN = "turn"
LOOKED_AT = 5
"""Turns whose growth is averaged: enough to smooth, few enough to follow a change of work."""


def turn_note(turn: str, used: int, clock: Clock) -> Noted:
    """Keeps the load at the end of a turn."""
    data = canonical({"turn": turn, "used": used})
    return Noted(id=clock.new_id("n"), at=clock.now(), what=TURN, data=data)


def turns_left(entries: Sequence[Entry], used: int, budget: Budget) -> int | None:
    """Turns until the compact mark at the pace of the last ones; none without a pace."""
    newest = (
        int(json.loads(entry.data)["used"])
        for entry in reversed(entries)
        if isinstance(entry, Noted) and entry.what == TURN
    )
    loads = list(itertools.islice(newest, LOOKED_AT + 1))[::-1]
    steps = [after - before for before, after in itertools.pairwise(loads)]
    grown = [step for step in steps if step > 0]
    if not grown or used >= budget.compact:
        return 0 if used >= budget.compact else None
    return int((budget.compact - used) / (sum(grown) / len(grown)))
