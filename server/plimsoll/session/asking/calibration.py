"""Counts a request, and corrects that count by what a provider reports."""

from collections.abc import Iterable

from plimsoll.context.log.entries import Entry, Noted
from plimsoll.context.log.notes import CALIBRATION, NoteFields, notes_of_kind
from plimsoll.context.view.ledger import tokens_and_texts
from plimsoll.context.view.view import RenderedItem, View
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_note
from plimsoll.session.ports.model import Model
from plimsoll.session.state.load import SessionLoad
from plimsoll.session.state.voice import SessionVoice
from plimsoll.tokens.correction import Correction, RawCount, SentCount, Weights

FAR = 5
"""A report that is so many times our count, or this part of it, is of no request of ours."""
SMALL = 200
"""Tokens of a request up to which a template may add more than there is of it."""


def is_believed(counted: int, reported: int, tools: int = 0) -> bool:
    """Tell whether the reported tokens of a request are plausible beside our count.

    ``tools``: the part of our count that a template may leave out.
    """
    return (counted - tools) / FAR <= reported <= FAR * max(counted, SMALL)


def sent_count(view: View, model: Model) -> SentCount:
    """Count a request's tokens, and its raw counts by kind of text for a calibration."""
    text = _raw(model, view.head, *(line.shown for line in view.lines))
    return SentCount(view.tokens, text, _raw(model, view.tools))


def _raw(model: Model, *items: Iterable[RenderedItem]) -> RawCount:
    texts = (text for some in items for item in some for text in tokens_and_texts(item.part)[1])
    counts = zip(*map(model.raw, texts), strict=True)
    return RawCount(*map(sum, counts))


async def calibrate(
    load: SessionLoad, voice: SessionVoice, learned: Correction, clock: Clock
) -> None:
    """Use a newly learned correction from now on, unless the model's count is exact."""
    model = load.model
    if model.basis == "counted" or learned == model.correction:
        return
    # Where the process ends before, the next report teaches it again.
    voice.keep_with_next(_calibration_note(model.id, learned, clock))
    await load.correct(learned)


def newest_correction(entries: Iterable[Entry], model: str) -> Correction | None:
    """Find the newest correction that a log holds for a model."""
    found = None
    for note in notes_of_kind(entries, CALIBRATION):
        if note.text("model") == model:
            found = Correction(_weights(note), note.factor("band"))
    return found


def _weights(note: NoteFields) -> Weights:
    """Read a correction's weights; a note of an earlier version has one factor for all."""
    factor = note.factor("factor")
    return Weights(
        tokens=factor,
        digits=note.factor_or("digits", 0.0),
        foreign=note.factor_or("foreign", 0.0),
        tools=note.factor_or("tools", factor),
    )


def _calibration_note(model: str, learned: Correction, clock: Clock) -> Noted:
    factor, digits, foreign, tools = (round(weight, 6) for weight in learned.weights)
    weights = {"factor": factor, "digits": digits, "foreign": foreign, "tools": tools}
    data = {"model": model, **weights, "band": round(learned.band, 6)}
    return new_note(clock, CALIBRATION, data)
