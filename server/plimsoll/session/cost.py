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
        **{name: count for name, count in _surcharged(usage).items() if count},
        **more,
    }
    return Noted(id=clock.new_id("n"), at=clock.now(), what=USAGE, data=canonical(data))


def _surcharged(usage: Usage) -> dict[str, int]:
    return {"written": usage.written.total, "writtenHour": usage.written.hour}


@dataclass(frozen=True, slots=True, kw_only=True)
class CostRow:
    """Tokens of one purpose with one model, as the provider reported them."""

    purpose: str
    model: str
    input: int
    cached: int
    output: int
    written: int = 0
    written_hour: int = 0
    """The part of ``written`` that the provider keeps for an hour."""


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
            written=held.written + (note.maybe_count("written") or 0),
            written_hour=held.written_hour + (note.maybe_count("writtenHour") or 0),
        )
    return tuple(sums.values())
