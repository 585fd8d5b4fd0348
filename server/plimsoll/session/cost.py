"""What a session used, summed from the notes that each answer leaves in the log."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from plimsoll.context.entries import Entry, Noted


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
        if isinstance(entry, Noted) and entry.what == "usage":
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
