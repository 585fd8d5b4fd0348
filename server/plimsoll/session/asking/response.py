"""An answer of a model while it streams in: its pieces, and how it is given up."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

from plimsoll.errors import ProviderAnswer
from plimsoll.providers.base import (
    ArgumentsDelta,
    BegunAnew,
    CallFinished,
    Chunk,
    Finished,
    Mended,
    Provider,
    ReasoningDelta,
    Request,
    StopReason,
    TextDelta,
    TextWasReasoning,
    Usage,
    Waiting,
    WaitReason,
)
from plimsoll.session.asking.loops import Repeated, Repetition

PARAGRAPH = "\n\n"
"""Between the reasoning that a fault has made void, which people have seen, and what follows."""


@dataclass(slots=True, kw_only=True)
class ResponseBuilder:
    """An answer while it arrives."""

    text: list[str]
    reasoning: list[str]
    calls: list[CallFinished]
    signature: str | None = None
    usage: Usage | None = None
    finished: StopReason | None = None
    ending: str = ""
    """The host's own word for an unusual end."""
    repeated: Repeated | None = None
    """The phrase at which the answer was stopped."""
    let_through: bool = False
    """The session may be sent where it comes from."""
    waits: list[WaitReason] = field(default_factory=list["WaitReason"])
    """Why it was waited for, each wait once."""


def new_response() -> ResponseBuilder:
    """Return an empty answer, before anything has arrived."""
    return ResponseBuilder(text=[], reasoning=[], calls=[])


async def ask(
    provider: Provider,
    request: Request,
    response: ResponseBuilder,
    count: Callable[[str], int],
    *,
    let_through: Callable[[], Awaitable[None]],
    hear: Callable[[TextDelta | ReasoningDelta], None] = lambda _: None,
    wait: Callable[[Waiting], None] = lambda _: None,
    tell: Callable[[str], None] = lambda _: None,
) -> None:
    """Fill the response from the provider's stream, up to a phrase that has become a loop.

    ``let_through`` returns when the session may be sent there; nothing is awaited between it and
    the request. ``count`` counts tokens; ``hear`` gets pieces of text and reasoning, ``wait``
    the waits before the first token, ``tell`` the request fields that a server has refused.

    Raises:
        AddressChanged: What ``let_through`` raises, as AddressRejected: nothing was sent.
        ProviderAnswer: The stream ended without its proper end; nothing in it may be run.
        ProviderError: Any other failure of the provider.
    """
    await let_through()
    response.let_through = True
    stream = provider.stream(request)
    # Text, reasoning and the arguments of calls are watched each by itself.
    watched = defaultdict[type[Chunk], Repetition](partial(Repetition, count))
    async with _close_at_end(stream):
        async for chunk in stream:
            if isinstance(chunk, Waiting):
                if response.waits[-1:] != [chunk.reason]:
                    response.waits.append(chunk.reason)
                wait(chunk)
                continue
            if isinstance(chunk, Mended):
                tell(chunk.told)
                continue
            _take(chunk, response)
            if isinstance(chunk, BegunAnew):
                watched.pop(ReasoningDelta, None)
                hear(ReasoningDelta(PARAGRAPH))
                continue
            if isinstance(chunk, TextDelta | ReasoningDelta):
                hear(chunk)
            if isinstance(chunk, TextDelta | ReasoningDelta | ArgumentsDelta):
                response.repeated = watched[type(chunk)].feed(chunk.text)
            if response.repeated is not None:
                return
    if response.finished is None:
        raise ProviderAnswer(
            "The model's answer ended before it was complete, so nothing of it was run.",
            remedy="Send the message again.",
        )


@asynccontextmanager
async def _close_at_end(stream: AsyncIterator[Chunk]) -> AsyncGenerator[None]:
    """Close the provider's stream at the end of the block, also where a listener fails."""
    try:
        yield
    finally:
        if isinstance(stream, AsyncGenerator):
            await stream.aclose()


def _take(chunk: Chunk, response: ResponseBuilder) -> None:
    if isinstance(chunk, TextDelta):
        gather(response.text, chunk.text)
    elif isinstance(chunk, ReasoningDelta):
        gather(response.reasoning, chunk.text)
        response.signature = chunk.signature or response.signature
    elif isinstance(chunk, TextWasReasoning):
        response.reasoning, response.text = [*response.reasoning, *response.text], []
    elif isinstance(chunk, BegunAnew):
        response.reasoning, response.signature = [], None
    elif isinstance(chunk, CallFinished):
        response.calls.append(chunk)
    elif isinstance(chunk, Usage):
        response.usage = chunk
    elif isinstance(chunk, Finished):
        response.finished, response.ending = chunk.reason, chunk.said


def gather(pieces: list[str], text: str) -> None:
    """Append a piece of an answer, joined with earlier pieces to keep the list short.

    A hundred thousand small pieces would take several times the memory of their text.
    """
    while pieces and len(pieces[-1]) <= 2 * len(text):
        text = pieces.pop() + text
    pieces.append(text)


NOT_SENT = frozenset[WaitReason]({"connecting", "loading", "rateLimited", "retrying"})
"""What is waited for while no request is with the provider."""


def was_sent(response: ResponseBuilder, error: BaseException) -> bool:
    """Tell whether a request without an answer was read by the provider, so that it costs."""
    if response.text or response.reasoning or response.calls or response.usage is not None:
        return True
    waited = response.waits[-1] if response.waits else None
    sent = response.let_through and waited not in NOT_SENT
    return sent and isinstance(error, asyncio.CancelledError)
