"""One model request: from a view that is proved valid and within the window to a kept answer."""

from dataclasses import dataclass

from plimsoll.context.budget import Budget
from plimsoll.context.log.entries import Noted, Origin, Said
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.context.stages.pipeline import Weight
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.invariants import violations
from plimsoll.context.view.view import render, schemas
from plimsoll.errors import Infeasible, RequestInvalid
from plimsoll.providers.base import ReasoningDelta, Request, TextDelta
from plimsoll.providers.base import StopReason as FinishReason
from plimsoll.session.cost import usage_note
from plimsoll.session.events import MessageSaid, ReasoningArrived, TextArrived
from plimsoll.session.memory.injecting import mark_used
from plimsoll.session.session_state import SessionState
from plimsoll.session.turn.answer import ResponseBuilder, answer_parts, ask, new_response
from plimsoll.session.turn.calibration import learn


def request_for(fold: Fold, budget: Budget, model: str) -> Request:
    """The request of the present view.

    Raises:
        RequestInvalid: The view breaks a law other than the window.
    """
    view = fold.view
    messages = render(view)
    found = violations(messages, fold.pins.values(), view.tokens, budget.effective)
    if found:
        said = "; ".join(violation.message for violation in found)
        raise RequestInvalid(
            f"The next request is not valid and was not sent: {said}.",
            remedy="Undo the last reduction or start a new session, and report this defect.",
        )
    return Request(
        model=model,
        messages=messages,
        tools=schemas(view),
        tool_choice=view.tool_choice,
        max_output=budget.reserve,
    )


def infeasible(missing: int, heaviest: tuple[Weight, ...], budget: Budget) -> Infeasible:
    """The error that says what does not fit, and by how many tokens."""
    largest = ", ".join(f"{weight.title} ({weight.tokens:,})" for weight in heaviest[:3])
    return Infeasible(
        f"The next request needs {budget.effective + missing:,} tokens, {missing:,} more than the "
        f"{budget.effective:,} that the window leaves. The largest that must stay: {largest}.",
        remedy="Unpin or shorten what is named, or choose a model with a larger window.",
        data={
            "needsTokens": missing,
            "items": [{"id": w.item, "title": w.title, "tokens": w.tokens} for w in heaviest],
        },
    )


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """What the model said, and why it stopped."""

    said: Said | None
    """None when it said nothing."""
    finished: FinishReason | None

    @property
    def calls(self) -> tuple[Part, ...]:
        """The tool calls in it."""
        parts = self.said.parts if self.said else ()
        return tuple(part for part in parts if part.kind is PartKind.CALL)


async def ask_model(state: SessionState, turn: str) -> KeptAnswer:
    """Send the present view and keep what the model says.

    Raises:
        RequestInvalid: The view breaks a law other than the window.
        ProviderError: The model did not answer to its end; what people have seen of it is kept.
    """
    request = request_for(state.log.fold, state.model.budget, state.model.name)
    counted, message = state.log.fold.view.tokens, state.environment.clock.new_id("m")

    def hear(chunk: TextDelta | ReasoningDelta) -> None:
        kind = TextArrived if isinstance(chunk, TextDelta) else ReasoningArrived
        state.emit(kind(turn, message, chunk.text))

    draft = new_response()
    state.asked()
    try:
        await ask(state.model.provider, request, draft, hear)
    except BaseException:
        await _keep(state, turn, message, draft, whole=False)
        raise
    said = await _keep(state, turn, message, draft, whole=True)
    await mark_used(state)
    if draft.usage is not None:
        state.report_usage(turn, counted, draft.usage)
        await learn(state, counted, draft.usage.input)
    return KeptAnswer(said, draft.finished)


async def _keep(
    state: SessionState, turn: str, message: str, draft: ResponseBuilder, *, whole: bool
) -> Said | None:
    """Keep what the model said; of a broken answer only the text that people have seen."""
    parts = answer_parts(draft, whole=whole)
    if not parts:
        return None
    now = state.environment.clock.now()
    said = Said(
        id=message,
        at=now,
        role=Role.ASSISTANT,
        group=message,
        parts=parts,
        turn=turn,
        origin=Origin.PERSON,
    )
    await state.append(said, *_usage_notes(state, turn, draft))
    state.emit(MessageSaid(state.kept(said)))
    return said


def _usage_notes(state: SessionState, turn: str, draft: ResponseBuilder) -> tuple[Noted, ...]:
    if draft.usage is None:
        return ()
    clock, counted = state.environment.clock, state.log.fold.view.tokens
    return (usage_note(draft.usage, "turn", state.model.id, clock, turn=turn, counted=counted),)
