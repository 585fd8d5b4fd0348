"""What is kept of an answer: its parts, the repeats that leave the view, and what it used."""

from collections.abc import Iterable
from dataclasses import dataclass

from plimsoll.context.log.entries import Edited, ItemState, Noted, Replace, Said, Slot, Stage
from plimsoll.context.log.messages import Part, PartKind, Role, canonical, object_in, part_item
from plimsoll.context.pipeline.proposal import Proposal
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.view import View
from plimsoll.providers.base import StopReason, Usage
from plimsoll.session.asking.calibration import is_believed
from plimsoll.session.asking.loops import Repeated
from plimsoll.session.asking.response import ResponseBuilder
from plimsoll.session.asking.spending import unreported_note
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_edit
from plimsoll.session.ports.events import MessageSaid
from plimsoll.session.ports.model import Model
from plimsoll.session.ports.prices import Tokens
from plimsoll.session.state.cost import usage_note
from plimsoll.session.state.session_state import SessionState


def answer_parts(response: ResponseBuilder, *, whole: bool) -> tuple[Part, ...]:
    """Return the parts of the assistant's message; calls only when the answer came whole."""
    parts: list[Part] = []
    reasoning, text = "".join(response.reasoning), "".join(response.text)
    if (reasoning or response.signature) and whole:
        parts.append(Part(kind=PartKind.REASONING, text=reasoning, opaque=response.signature))
    if text and not text.isspace():
        parts.append(Part(kind=PartKind.TEXT, text=text))
    if whole:
        parts.extend(call_part(call.id, call.name, call.arguments) for call in response.calls)
    return tuple(parts)


def call_part(call_id: str, name: str, arguments: str) -> Part:
    """Make a call a part: canonical arguments, or an empty object with the raw text beside it."""
    found = object_in(arguments or "{}")
    if found is None:
        return Part(kind=PartKind.CALL, text="{}", call_id=call_id, name=name, opaque=arguments)
    return Part(kind=PartKind.CALL, text=canonical(found), call_id=call_id, name=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAnswer:
    """A model's answer as the log keeps it, and why it stopped."""

    said: Said | None
    """None when it said nothing."""
    sent: View
    """What it answers."""
    usage: Usage | None
    """What the provider reports of the request."""
    finished: StopReason | None
    reasoned: bool = False
    """It reasoned, whatever else it did."""
    repeated: Repeated | None = None
    """The phrase at which it was stopped."""
    ending: str = ""
    """The host's own word for an unusual end."""
    last: bool = False
    """It was asked for without tools, as the window is nearly full: a call in it isn't run."""

    @property
    def text(self) -> str:
        """The text of the answer."""
        parts = self.said.parts if self.said else ()
        return "".join(part.text for part in parts if part.kind is PartKind.TEXT)

    @property
    def has_text(self) -> bool:
        """Whether the answer has any text."""
        return bool(self.text)

    @property
    def calls(self) -> tuple[Part, ...]:
        """The tool calls of the answer."""
        parts = self.said.parts if self.said else ()
        return tuple(part for part in parts if part.kind is PartKind.CALL)


async def keep_answer(
    state: SessionState, turn: str, message: str, response: ResponseBuilder, *, whole: bool
) -> Said | None:
    """Append an answer to the log; of a broken one only the text that people have seen."""
    parts = answer_parts(response, whole=whole)
    texts = [*response.text, *response.reasoning, *(call.arguments for call in response.calls)]
    sent, model = state.log.fold.view, state.model
    notes = _usage_notes(turn, response, texts, sent=sent, model=model, clock=state.clock)
    # The parts hold all of it; a long answer is not kept twice while it is stored and read.
    response.text.clear()
    response.reasoning.clear()
    if not parts:
        await state.log.append(*notes)
        return None
    said = Said(
        id=message,
        at=state.clock.now(),
        role=Role.ASSISTANT,
        group=message,
        parts=parts,
        turn=turn,
        origin=state.origin,
    )
    edits = _cut_edits(said, response.repeated, state.log.fold, state.clock)
    await state.append(said, *edits, *notes)
    state.voice.emit(MessageSaid(state.log.kept_message(said)))
    return said


def _cut_edits(
    said: Said, repeated: Repeated | None, fold: Fold, clock: Clock
) -> tuple[Edited, ...]:
    """Cut a looping phrase from the view: a model that reads its own loop continues it."""
    number, text = len(said.parts) - 1, said.parts[-1].text
    if repeated is None or not text.endswith(repeated.phrase):
        # A loop of the reasoning: it is not kept, and the text before it has no part in it.
        return ()
    short, bare, before = repeated.cut(text), fold.ledger.bare, fold.view.tokens
    proposal = Proposal(
        stage=Stage.TRUNCATE,
        why="the answer repeated one phrase without an end",
        ops=(Replace(part_item(said.id, number), short, ItemState.TRUNCATED),),
        before=before + bare(text),
        after=before + bare(short),
    )
    return (new_edit(proposal, clock, said.at),)


def _usage_notes(
    turn: str,
    response: ResponseBuilder,
    answered: Iterable[str],
    *,
    sent: View,
    model: Model,
    clock: Clock,
) -> tuple[Noted, ...]:
    """Make the notes of an answer's usage: as reported, or by our count if that is implausible."""
    usage = response.usage
    if usage is None or not _is_believed(sent, usage):
        read = min(usage.cached, sent.tokens) if usage is not None else 0
        made = sum(map(model.ledger.bare, answered))
        own = Tokens(sent.tokens, read, made if usage is None else max(made, usage.output))
        return (unreported_note(turn, model.id, own, clock),)
    own = {"turn": turn, "counted": sent.tokens, "effective": model.budget.effective}
    return (usage_note(usage, "turn", model.id, clock, **own),)


def _is_believed(sent: View, usage: Usage) -> bool:
    return is_believed(sent.tokens, usage.input, sent.by_slot.get(Slot.TOOLS, 0))
