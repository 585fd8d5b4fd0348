"""One model request: proved valid, streamed from the provider, kept as an answer, and counted."""

import asyncio
import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from plimsoll.context.budget import Budget
from plimsoll.context.log.entries import (
    Edited,
    ItemState,
    Noted,
    Replace,
    Said,
    Slot,
    Stage,
)
from plimsoll.context.log.messages import (
    Message,
    Part,
    PartKind,
    Role,
    canonical,
    object_in,
    part_item,
)
from plimsoll.context.pipeline.proposal import Proposal
from plimsoll.context.pipeline.reduction import Weight
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.ledger import violations
from plimsoll.context.view.view import View, render
from plimsoll.errors import Infeasible, RequestInvalid
from plimsoll.providers.base import (
    ReasoningDelta,
    Request,
    StopReason,
    TextDelta,
    Usage,
    Waiting,
    WaitReason,
)
from plimsoll.redaction.secrets import StreamRedactor
from plimsoll.redaction.variables import SHORTEST
from plimsoll.session.asking.calibration import is_believed
from plimsoll.session.asking.gate import let_through
from plimsoll.session.asking.loops import Repeated
from plimsoll.session.asking.response import ResponseBuilder, ask, new_response
from plimsoll.session.asking.spans import note_miss, request_span
from plimsoll.session.asking.spending import unreported_note
from plimsoll.session.ports.clock import rfc3339
from plimsoll.session.ports.entries import new_edit
from plimsoll.session.ports.events import (
    MessageSaid,
    NoticeGiven,
    ReasoningArrived,
    TextArrived,
    WaitLasted,
)
from plimsoll.session.ports.ids import new_message_id
from plimsoll.session.ports.prices import Tokens
from plimsoll.session.state.cost import usage_note
from plimsoll.session.state.session_state import SessionState

UNSEEN = "[an image was left out: this model sees none]"


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


def request_for(fold: Fold, budget: Budget, model: str) -> Request:
    """Build the request of the present view.

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
            remedy="Undo the last reduction or start a new session, and report this bug.",
        )
    return Request(
        model=model,
        messages=messages,
        tools=view.schemas,
        tool_choice=view.tool_choice,
        max_output=budget.reserve,
    )


def addressed(request: Request, session: str, sees_images: bool | None) -> Request:
    """Fit a request of a session to its model."""
    request = replace(request, cache_key=cache_key(session))
    if sees_images is not False or not any(message.images for message in request.messages):
        return request
    # They are there when a session has changed its model; the provider would refuse them.
    messages = tuple(_without_images(message) for message in request.messages)
    return replace(request, messages=messages)


def cache_key(session: str) -> str:
    """Name the requests of a session, so that a provider finds their common beginning again."""
    return hashlib.sha256(f"plimsoll\0{session}".encode()).hexdigest()[:32]


def _without_images(message: Message) -> Message:
    if not message.images:
        return message
    left_out = "\n".join(UNSEEN for _ in message.images)
    return replace(message, text=f"{message.text}\n{left_out}".lstrip(), images=())


def infeasible(missing: int, heaviest: tuple[Weight, ...], budget: Budget) -> Infeasible:
    """Make the error that says what does not fit, and by how many tokens."""
    largest = ", ".join(f"{weight.title} ({weight.tokens:,})" for weight in heaviest[:3])
    return Infeasible(
        f"The next request needs {budget.effective + missing:,} tokens, {missing:,} more than the "
        f"{budget.effective:,} that the model can take. The largest parts that are always sent: "
        f"{largest}.",
        remedy="Unpin (`/unpin`), shorten or leave out one of them, or choose a model that takes "
        "more (`/model`). Of a text that is attached as a file the model gets as much as fits.",
        data={
            "needsTokens": missing,
            "items": [{"id": w.item, "title": w.title, "tokens": w.tokens} for w in heaviest],
        },
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAnswer:
    """What the model said, and why it stopped."""

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
        """Its words for the person."""
        parts = self.said.parts if self.said else ()
        return "".join(part.text for part in parts if part.kind is PartKind.TEXT)

    @property
    def has_text(self) -> bool:
        """Whether there is a word in it for the person."""
        return bool(self.text)

    @property
    def calls(self) -> tuple[Part, ...]:
        """The tool calls in it."""
        parts = self.said.parts if self.said else ()
        return tuple(part for part in parts if part.kind is PartKind.CALL)


class ShownAnswer:
    """What people see of an answer while it arrives: its text and its reasoning without secrets."""

    def __init__(
        self,
        open_stream: Callable[[], StreamRedactor],
        show: Callable[[type[TextArrived | ReasoningArrived], str], None],
    ) -> None:
        self._show = show
        self._streams: dict[type[TextArrived | ReasoningArrived], StreamRedactor] = {
            ReasoningArrived: open_stream(),
            TextArrived: open_stream(),
        }

    def hear(self, chunk: TextDelta | ReasoningDelta) -> None:
        """Show what arrived, but for what could be the beginning of a secret."""
        kind = TextArrived if isinstance(chunk, TextDelta) else ReasoningArrived
        for other, stream in self._streams.items():
            # A few characters of the other kind are no secret, and it may be over.
            if other is not kind and stream.held < SHORTEST:
                self._show(other, stream.end())
        self._show(kind, self._streams[kind].feed(chunk.text))

    def end(self) -> None:
        """Show what waited."""
        for kind, stream in self._streams.items():
            self._show(kind, stream.end())


async def ask_model(state: SessionState, turn: str) -> KeptAnswer:
    """Send the present view and keep what the model says.

    Raises:
        RequestInvalid: The view breaks a law other than the window.
        AddressChanged: The session may not go there, as AddressRejected: nothing was sent.
        ProviderError: The model did not answer to its end; what people have seen of it is kept.
    """
    request = request_for(state.log.fold, state.model.budget, state.model.name)
    request = addressed(request, state.id, state.model.sees_images)
    sent, message = state.log.fold.view, new_message_id(state.clock)
    last = request.tool_choice == "none" and state.mode != "ask"

    def show(kind: type[TextArrived | ReasoningArrived], text: str) -> None:
        if text:
            state.voice.emit(kind(turn, message, text))

    response, shown = new_response(), ShownAnswer(state.environment.open_stream, show)
    provider, count = state.model.provider, state.model.ledger.bare
    wait = partial(tell_wait, state, turn, state.model.name)
    tell = partial(tell_mend, state, turn)
    with request_span(state.environment, state.model, "turn", response) as span:
        try:
            await ask(
                provider,
                request,
                response,
                count,
                let_through=partial(let_through, state, state.model.id, "turn"),
                hear=shown.hear,
                wait=wait,
                tell=tell,
            )
        except BaseException as error:
            shown.end()
            if was_sent(response, error):
                await _keep(state, turn, message, response, whole=False)
            raise
        shown.end()
        reasoned = any(piece.strip() for piece in response.reasoning)
        said = await _keep(state, turn, message, response, whole=response.repeated is None)
        cache_seconds = state.model.settings.cache.cache_seconds
        note_miss(span, state.requests.newest(state.log.fold.entries, cache_seconds))
    return KeptAnswer(
        said=said,
        sent=sent,
        usage=response.usage,
        finished=response.finished,
        reasoned=reasoned,
        repeated=response.repeated,
        ending=response.ending,
        last=last,
    )


def tell_mend(state: SessionState, turn: str | None, words: str) -> None:
    """Say once what a server refuses, and how it is asked from now on."""
    state.voice.emit(NoticeGiven(state.redact(words), "info", turn))


def tell_wait(state: SessionState, turn: str, model: str, waiting: Waiting) -> None:
    """Tell that a model is waited for; ``turn`` is empty where no turn waits for it."""
    now = datetime.fromisoformat(state.clock.now())
    next_at = None if waiting.seconds is None else now + timedelta(seconds=waiting.seconds)
    state.voice.emit(
        WaitLasted(
            turn=turn,
            model=model,
            reason=waiting.reason,
            since=rfc3339(now - timedelta(seconds=waiting.lasted)),
            attempt=waiting.attempt,
            attempts=waiting.attempts,
            retry_at=next_at and rfc3339(next_at),
        )
    )


async def _keep(
    state: SessionState, turn: str, message: str, response: ResponseBuilder, *, whole: bool
) -> Said | None:
    """Keep what the model said; of a broken answer only the text that people have seen."""
    parts = answer_parts(response, whole=whole)
    texts = [*response.text, *response.reasoning, *(call.arguments for call in response.calls)]
    notes = _usage_notes(state, turn, response, texts)
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
    edits = _cut_edits(state, said, response.repeated)
    await state.append(said, *edits, *notes)
    state.voice.emit(MessageSaid(state.log.kept(said)))
    return said


def _cut_edits(state: SessionState, said: Said, repeated: Repeated | None) -> tuple[Edited, ...]:
    """Let the repeats leave the view: a model that reads its own loop goes on with it."""
    number, text = len(said.parts) - 1, said.parts[-1].text
    if repeated is None or not text.endswith(repeated.phrase):
        # A loop of the reasoning: it is not kept, and the text before it has no part in it.
        return ()
    short, bare, before = repeated.cut(text), state.model.ledger.bare, state.log.fold.view.tokens
    proposal = Proposal(
        stage=Stage.TRUNCATE,
        why="the answer repeated one phrase without an end",
        ops=(Replace(part_item(said.id, number), short, ItemState.TRUNCATED),),
        before=before + bare(text),
        after=before + bare(short),
    )
    return (new_edit(proposal, state.clock, said.at),)


def _usage_notes(
    state: SessionState, turn: str, response: ResponseBuilder, answered: Iterable[str]
) -> tuple[Noted, ...]:
    """Note what the provider reported; our own count where that is nothing that can be right."""
    clock, sent, model = state.clock, state.log.fold.view, state.model
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


NOT_SENT = frozenset[WaitReason]({"connecting", "loading", "rateLimited", "retrying"})
"""What is waited for while no request is with the provider."""


def was_sent(response: ResponseBuilder, error: BaseException) -> bool:
    """Tell whether a request that came to no answer was read by the provider, so that it costs."""
    if response.text or response.reasoning or response.calls or response.usage is not None:
        return True
    waited = response.waits[-1] if response.waits else None
    sent = response.let_through and waited not in NOT_SENT
    return sent and isinstance(error, asyncio.CancelledError)
