"""What a session used: a note in the log for each answer of a model, and their sums."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from plimsoll.context.log.entries import Entry, Noted
from plimsoll.context.log.messages import canonical
from plimsoll.providers.base import Usage
from plimsoll.session.clock import Clock
from plimsoll.session.events import Purpose

USAGE = "usage"


def usage_note(usage: Usage, purpose: Purpose, model: str, stamps: Clock, **more: object) -> Noted:
    """What a provider reported for one request; ``more``: what else is known of it."""
    data = {
        "turn": "",
        "purpose": purpose,
        "model": model,
        "input": usage.input,
        "cached": usage.cached,
        "output": usage.output,
        **more,
    }
    return Noted(stamps.new_id("n"), stamps.now(), USAGE, data=canonical(data))


@dataclass(frozen=True, slots=True)
class CostRow:
    """Tokens of one purpose with one model, as the provider reported them."""

    purpose: str
    model: str
    input: int
    cached: int
    output: int


def cost_rows(entries: Iterable[Entry]) -> tuple[CostRow, ...]:
    """The sums by purpose and model, in order of first use."""
    sums: dict[tuple[str, str], CostRow] = {}
    for entry in entries:
        if isinstance(entry, Noted) and entry.what == USAGE:
            data = json.loads(entry.data)
            key = (str(data["purpose"]), str(data["model"]))
            held = sums.get(key) or CostRow(*key, 0, 0, 0)
            sums[key] = CostRow(
                *key,
                held.input + int(data["input"]),
                held.cached + int(data["cached"]),
                held.output + int(data["output"]),
            )
    return tuple(sums.values())
