"""Asking the model: a stream of chunks becomes one whole answer, or none."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from plimsoll.context.log.messages import Part, PartKind, canonical
from plimsoll.errors import ProviderAnswer
from plimsoll.providers.base import (
    CallFinished,
    Finished,
    Provider,
    ReasoningDelta,
    Request,
    StopReason,
    TextDelta,
    Usage,
)


@dataclass(slots=True, kw_only=True)
class ResponseBuilder:
    """An answer while it arrives."""

    text: list[str]
    reasoning: list[str]
    calls: list[CallFinished]
    signature: str | None = None
    usage: Usage | None = None
    finished: StopReason | None = None


def new_response() -> ResponseBuilder:
    """An answer of which nothing has arrived."""
    return ResponseBuilder(text=[], reasoning=[], calls=[])


async def ask(
    provider: Provider,
    request: Request,
    draft: ResponseBuilder,
    hear: Callable[[TextDelta | ReasoningDelta], None],
) -> None:
    """Fill the draft from the provider's stream.

    Raises:
        ProviderAnswer: The stream ended without its proper end; nothing in it may be run.
        ProviderError: Any other failure of the provider.
    """
    async for chunk in provider.stream(request):
        if isinstance(chunk, TextDelta):
            draft.text.append(chunk.text)
            hear(chunk)
        elif isinstance(chunk, ReasoningDelta):
            draft.reasoning.append(chunk.text)
            draft.signature = chunk.signature or draft.signature
            hear(chunk)
        elif isinstance(chunk, CallFinished):
            draft.calls.append(chunk)
        elif isinstance(chunk, Usage):
            draft.usage = chunk
        elif isinstance(chunk, Finished):
            draft.finished = chunk.reason
    if draft.finished is None:
        raise ProviderAnswer(
            "The model's answer ended before it was complete, so nothing of it was run.",
            remedy="Send the message again.",
        )


def answer_parts(draft: ResponseBuilder, *, whole: bool) -> tuple[Part, ...]:
    """The parts of the assistant's message; calls only when the answer came whole."""
    parts: list[Part] = []
    reasoning, text = "".join(draft.reasoning), "".join(draft.text)
    if reasoning and whole:
        parts.append(Part(kind=PartKind.REASONING, text=reasoning, opaque=draft.signature))
    if text.strip():
        parts.append(Part(kind=PartKind.TEXT, text=text))
    if whole:
        parts.extend(call_part(call.id, call.name, call.arguments) for call in draft.calls)
    return tuple(parts)


def call_part(call_id: str, name: str, arguments: str) -> Part:
    """A call as a part: canonical arguments, or an empty object with the raw text beside it."""
    try:
        value: object = json.loads(arguments or "{}")
    except ValueError:
        value = None
    if not isinstance(value, dict):
        return Part(kind=PartKind.CALL, text="{}", call_id=call_id, name=name, opaque=arguments)
    return Part(kind=PartKind.CALL, text=canonical(value), call_id=call_id, name=name)  # pyright: ignore[reportUnknownArgumentType]
