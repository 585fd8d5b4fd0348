"""What a session used: a note in the log for each answer of a model, and their sums."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from plimsoll.context.log.entries import Entry, Noted
from plimsoll.context.log.messages import canonical
from plimsoll.context.log.notes import USAGE, notes_of_kind
from plimsoll.providers.base import Usage
from plimsoll.session.environment import Clock
from plimsoll.session.events import Purpose


def usage_note(usage: Usage, purpose: Purpose, model: str, clock: Clock, **more: object) -> Noted:
    """Note what a provider reported for one request; ``more``: what else is known of it."""
    data = {
        "turn": "",
        "purpose": purpose,
        "model": model,
        "input": usage.input,
        "cached": usage.cached,
        "output": usage.output,
        **more,
    }
    return Noted(id=clock.new_id("n"), at=clock.now(), what=USAGE, data=canonical(data))


@dataclass(frozen=True, slots=True, kw_only=True)
class CostRow:
    """Tokens of one purpose with one model, as the provider reported them."""

    purpose: str
    model: str
    input: int
    cached: int
    output: int


def cost_rows(entries: Iterable[Entry]) -> tuple[CostRow, ...]:
    """Sum up the cost by purpose and model, in order of first use."""
    sums: dict[tuple[str, str], CostRow] = {}
    for note in notes_of_kind(entries, USAGE):
        purpose, model = note.text("purpose"), note.text("model")
        nothing = CostRow(purpose=purpose, model=model, input=0, cached=0, output=0)
        held = sums.get((purpose, model), nothing)
        sums[purpose, model] = replace(
            held,
            input=held.input + note.count("input"),
            cached=held.cached + note.count("cached"),
            output=held.output + note.count("output"),
        )
    return tuple(sums.values())
