"""What a session used: a note in the log for each answer of a model, and their sums."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from plimsoll.context.log.entries import Entry, Noted
from plimsoll.context.log.notes import UNREPORTED, USAGE, note_fields
from plimsoll.providers.base import Usage
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_note
from plimsoll.session.ports.events import Purpose
from plimsoll.session.ports.prices import Tokens


def usage_note(usage: Usage, purpose: Purpose, model: str, clock: Clock, **more: object) -> Noted:
    """Make the note of a request's reported usage; ``more``: further fields of the note."""
    data = {
        "turn": "",
        "purpose": purpose,
        "model": model,
        "input": usage.input,
        "cached": usage.cached,
        "output": usage.output,
        **{name: count for name, count in _surcharged_tokens(usage).items() if count},
        **more,
    }
    return new_note(clock, USAGE, data)


def _surcharged_tokens(usage: Usage) -> dict[str, int]:
    return {"written": usage.written.total, "writtenHour": usage.written.hour}


class SpentTokens:
    """Sums the tokens of a log's requests, reading each entry once."""

    def __init__(self) -> None:
        self._log: Sequence[Entry] = ()
        self._known = 0
        """Entries of that log that were read."""
        self._found: list[tuple[str, Tokens]] = []

    def of(self, log: Sequence[Entry]) -> Sequence[tuple[str, Tokens]]:
        """Return the model and tokens of each request."""
        if log is not self._log:
            self._log, self._known, self._found = log, 0, []
        self._found.extend(spent_by(log[self._known :]))
        self._known = len(log)
        return self._found


def spent_by(entries: Iterable[Entry]) -> Iterator[tuple[str, Tokens]]:
    """Yield the model and tokens of each request, as reported, else as we counted them."""
    for entry in entries:
        if isinstance(entry, Noted) and entry.what in (USAGE, UNREPORTED):
            note = note_fields(entry)
            if note is not None:
                counts = (note.count(name) for name in ("input", "cached", "output"))
                yield note.text("model"), Tokens(*counts)


@dataclass(frozen=True, slots=True, kw_only=True)
class CostRow:
    """Tokens of one purpose with one model, as the provider reported them or as we counted."""

    purpose: str
    model: str
    input: int
    cached: int
    output: int
    written: int = 0
    written_hour: int = 0
    """The part of ``written`` that the provider keeps for an hour."""
    estimated: int = 0
    """Of input and output together what is our own count."""


def cost_rows(entries: Iterable[Entry]) -> tuple[CostRow, ...]:
    """Sum up the cost by purpose and model, in order of first use."""
    sums: dict[tuple[str, str], CostRow] = {}
    for entry in entries:
        own = isinstance(entry, Noted) and entry.what == UNREPORTED
        if not isinstance(entry, Noted) or not (own or entry.what == USAGE):
            continue
        note = note_fields(entry)
        if note is None:
            continue
        purpose, model = note.maybe_text("purpose") or "turn", note.text("model")
        nothing = CostRow(purpose=purpose, model=model, input=0, cached=0, output=0)
        held = sums.get((purpose, model), nothing)
        read, made = note.count("input"), note.count("output")
        sums[purpose, model] = replace(
            held,
            input=held.input + read,
            cached=held.cached + note.count("cached"),
            output=held.output + made,
            written=held.written + (note.maybe_count("written") or 0),
            written_hour=held.written_hour + (note.maybe_count("writtenHour") or 0),
            estimated=held.estimated + (read + made if own else 0),
        )
    return tuple(sums.values())
