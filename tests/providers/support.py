"""Requests and collected answers."""

import asyncio
from collections.abc import Iterable, Sequence

from plimsoll.context.log.messages import Message, Role, ToolSchema
from plimsoll.errors import (
    PlimsollError,
    ProviderAnswer,
    ProviderAuth,
    ProviderError,
    ProviderModel,
    ProviderOverflow,
    ProviderRateLimited,
    ProviderUnavailable,
)
from plimsoll.providers.anthropic import Anthropic
from plimsoll.providers.base import (
    ArgumentsDelta,
    CallFinished,
    Chunk,
    Finished,
    Provider,
    ProviderOptions,
    ReasoningDelta,
    Request,
    TextDelta,
    Waiting,
)
from plimsoll.providers.http.client import EventClient
from plimsoll.providers.http.endpoint import StreamReader
from plimsoll.providers.http.retries import RetryPolicy
from plimsoll.providers.http.sse import SseParser
from plimsoll.providers.openai import OpenAI
from plimsoll.providers.openai_responses import OpenAIResponses
from providers.fault_server import Reply, fault_server

KEY = "sk-test-" + "0123456789abcdef"
WHOLE = b'data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
GOOD = [TextDelta("hi"), Finished("endTurn")]
KINDS = (
    ProviderAuth,
    ProviderRateLimited,
    ProviderOverflow,
    ProviderUnavailable,
    ProviderModel,
    ProviderAnswer,
)

QUESTION = Message(id="m1", role=Role.USER, text="hello")
GREP = ToolSchema(
    "grep", "Search.", {"type": "object", "properties": {"pattern": {"type": "string"}}}
)


def request(*messages: Message, **fields: object) -> Request:
    return Request(model="some-model", messages=messages or (QUESTION,), **fields)


def read_stream(answer: StreamReader, pieces: Sequence[bytes]) -> list[Chunk] | type[ProviderError]:
    """The chunks of a body in these pieces; or the kind of its error."""
    parser = SseParser()
    chunks: list[Chunk] = []
    try:
        for piece in pieces:
            for event in parser.feed(piece):
                chunks += answer.take(event)
        return [*chunks, *answer.end(framed=False)]
    except ProviderError as error:
        return type(error)


async def no_wait(_seconds: float) -> None:
    await asyncio.sleep(0)


def openai(url: str, **how: object) -> OpenAI:
    return OpenAI(*opened(url, **how))


def anthropic(url: str, **how: object) -> Anthropic:
    return Anthropic(*opened(url, **how))


def responses(url: str, **how: object) -> OpenAIResponses:
    return OpenAIResponses(*opened(url, **how))


def opened(
    url: str, *, key: str | None = KEY, sleep=no_wait, tries: int = 5, **limits: float
) -> tuple[ProviderOptions, EventClient]:
    options = ProviderOptions(name="some-model", base_url=url, api_key=key, **limits)
    return options, EventClient(options, RetryPolicy(tries=tries), sleep, chance=lambda: 0.5)


def settled(chunks: Iterable[Chunk]) -> list[Chunk]:
    """What an answer comes to: its calls stand whole at its end, and no wait is of it."""
    return [chunk for chunk in chunks if not isinstance(chunk, Waiting | ArgumentsDelta)]


async def collected(provider: Provider, asked: Request | None = None) -> list[Chunk]:
    """The whole answer; whether it was waited for is the machine's affair."""
    return settled([chunk async for chunk in provider.stream(asked or request())])


async def outcome(
    provider: Provider, asked: Request | None = None
) -> tuple[list[Chunk], PlimsollError | None]:
    """What came before the end, and the error that ended it; any foreign error is a failure."""
    chunks: list[Chunk] = []
    try:
        async for chunk in provider.stream(asked or request()):
            chunks += settled([chunk])
    except PlimsollError as error:
        return chunks, error
    return chunks, None


def text_of(chunks: list[Chunk]) -> str:
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, TextDelta))


def reasoning_of(chunks: list[Chunk]) -> str:
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, ReasoningDelta))


def leaks(error: PlimsollError) -> bool:
    shown = f"{error.message} {error.remedy} {error.data!r} {error!r} {error.__cause__!r}"
    return KEY in shown or KEY[-6:] in shown


async def failing(reply: Reply, **options: float) -> PlimsollError:
    """The one error of a request that cannot succeed."""
    async with fault_server(reply) as server:
        provider = openai(server.url, **options)
        chunks, error = await outcome(provider)
        await provider.close()
    assert error is not None, chunks
    assert not any(isinstance(chunk, CallFinished | Finished) for chunk in chunks)
    assert not leaks(error)
    assert error.remedy
    return error
