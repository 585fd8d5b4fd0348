"""Learn from what a provider reports of a request, unless it cannot be right."""

from collections.abc import Iterable
from dataclasses import replace

from plimsoll.context.log.entries import Entry, Noted, Slot
from plimsoll.context.log.messages import canonical
from plimsoll.context.log.notes import CALIBRATION, NoteFields, notes_of_kind
from plimsoll.context.view.ledger import tokens_and_texts
from plimsoll.context.view.view import RenderedItem, View
from plimsoll.session.environment import Clock, Model
from plimsoll.session.events import NoticeGiven
from plimsoll.session.session_state import SessionState
from plimsoll.session.window import learn_window
from plimsoll.tokens.correction import Correction, RawCount, SentCount, Weights

TOO_FEW = 0.75
"""The share of our count below which something of the request was not read."""
NEAR = (0.75, 1.25)
"""A report is about the rest of a request if it is so near to our count of that."""
FAR = 5
"""A report that is so many times our count, or this part of it, is of no request of ours."""
SMALL = 200
"""Tokens of a request up to which a template may add more than there is of it."""
TOOLS_SHARE = 0.25
"""The share of a request that the tools must have, so that their absence can be told."""


def is_believed(counted: int, reported: int, tools: int = 0) -> bool:
    """Tell whether what was reported of a request can be what it cost.

    ``tools``: the part of our count that a template may leave out.
    """
    return (counted - tools) / FAR <= reported <= FAR * max(counted, SMALL)


async def take_usage(state: SessionState, turn: str, sent: View, reported: int) -> None:
    """Correct the counter by what was reported for a request, or say why it is not believed."""
    counted, tools = sent.tokens, sent.by_slot.get(Slot.TOOLS, 0)
    correction = state.model.correction
    if are_tools_dropped(counted, reported, tools):
        await _say_once(
            state, turn, "tools", TOOLS_DROPPED.format(reported=reported, counted=counted)
        )
        await calibrate(state, replace(correction, weights=correction.weights._replace(tools=0.0)))
        return
    if reported < TOO_FEW * counted and await _is_cut_by_ollama(state, turn, counted, reported):
        return
    request = sent_count(sent, state.model)
    if reported > 0 and not correction.is_plausible(request, reported):
        await _say_once(
            state, turn, "usage", NOT_BELIEVED.format(reported=reported, counted=counted)
        )
    await calibrate(state, correction.learned(request, reported))


def sent_count(view: View, model: Model) -> SentCount:
    """Count a request by kind, as the model's tokenizer may weigh it."""
    text = _raw(model, view.head, *(line.shown for line in view.lines))
    return SentCount(view.tokens, text, _raw(model, view.tools))


def _raw(model: Model, *items: Iterable[RenderedItem]) -> RawCount:
    texts = (text for some in items for item in some for text in tokens_and_texts(item.part)[1])
    counts = zip(*map(model.raw, texts), strict=True)
    return RawCount(*map(sum, counts))


def are_tools_dropped(counted: int, reported: int, tools: int) -> bool:
    """Tell whether a report lacks about what the schemas of the tools take."""
    rest = counted - tools
    if tools < TOOLS_SHARE * counted or not 0 < reported < TOO_FEW * counted:
        return False
    return NEAR[0] * rest <= reported <= NEAR[1] * rest


TOOLS_DROPPED = (
    "The server read {reported:,} tokens of a request of about {counted:,}; what is missing is "
    "about the size of the tools. The model's chat template probably leaves them out, so it can "
    "call none: choose a model or a template with tools (llama.cpp: `--jinja`)."
)
NOT_BELIEVED = (
    "The provider reports {reported:,} tokens for a request of about {counted:,}. That cannot be "
    "right, so Plimsoll counts by itself, which is less exact."
)
CUT_BY_OLLAMA = (
    "Ollama cut the prompt without a word: it read {reported:,} of about {counted:,} tokens. Set "
    "`num_ctx` to {wanted:,} (`PARAMETER num_ctx {plain}` in the Modelfile, or "
    "`OLLAMA_CONTEXT_LENGTH={plain}` for the server) to have all of it read. "
)


async def _is_cut_by_ollama(state: SessionState, turn: str, counted: int, reported: int) -> bool:
    """Ask Ollama for its window once more, where it read far less than was sent, and learn it."""
    if not state.environment.trusted():
        return False
    served = await state.environment.models.served(state.model)
    if served is None or not served.ollama or served.window is None:
        return False
    if not reported <= served.window < counted:
        return False
    wanted = 1 << (counted + state.model.budget.reserve - 1).bit_length()
    why = CUT_BY_OLLAMA.format(reported=reported, counted=counted, wanted=wanted, plain=wanted)
    return await learn_window(state, served.window, turn, why)


async def _say_once(state: SessionState, turn: str, about: str, words: str) -> None:
    """Say it once of a model."""
    await state.tell_once(f"{about} {state.model.id}", NoticeGiven(words, "warning", turn))


async def calibrate(state: SessionState, learned: Correction) -> None:
    """Count with another correction from now on, where ours is no exact count."""
    if state.model.basis == "counted" or learned == state.model.correction:
        return
    model = state.environment.models.corrected(state.model, learned)
    # Where the process ends before, the next report teaches it again.
    state.keep_with_next(_calibration_note(model.id, learned, state.environment.clock))
    await state.use_model(model)


def newest_correction(entries: Iterable[Entry], model: str) -> Correction | None:
    """Find the newest correction that a log holds for a model."""
    found = None
    for note in notes_of_kind(entries, CALIBRATION):
        if note.text("model") == model:
            found = Correction(_weights(note), note.factor("band"))
    return found


def _weights(note: NoteFields) -> Weights:
    """Read the weights; in a note of an earlier version there is one factor for all."""
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
    return Noted(id=clock.new_id("n"), at=clock.now(), what=CALIBRATION, data=canonical(data))
