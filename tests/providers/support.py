"""Requests and collected answers."""

import asyncio

from plimsoll.context.log.messages import Message, Role, ToolSchema
from plimsoll.errors import PlimsollError
from plimsoll.providers.anthropic import Anthropic
from plimsoll.providers.base import (
    Chunk,
    Provider,
    ProviderOptions,
    ReasoningDelta,
    Request,
    TextDelta,
)
from plimsoll.providers.http.client import EventClient, RetryPolicy
from plimsoll.providers.openai import OpenAI

KEY = "sk-test-" + "0123456789abcdef"

QUESTION = Message(id="m1", role=Role.USER, text="hello")
GREP = ToolSchema(
    "grep", "Search.", {"type": "object", "properties": {"pattern": {"type": "string"}}}
)


def request(*messages: Message, **fields: object) -> Request:
    return Request(model="some-model", messages=messages or (QUESTION,), **fields)


async def no_wait(_seconds: float) -> None:
    await asyncio.sleep(0)


def openai(url: str, **how: object) -> OpenAI:
    return OpenAI(*opened(url, **how))


def anthropic(url: str, **how: object) -> Anthropic:
    return Anthropic(*opened(url, **how))


def opened(
    url: str, *, key: str | None = KEY, sleep=no_wait, tries: int = 5, **limits: float
) -> tuple[ProviderOptions, EventClient]:
    options = ProviderOptions(name="some-model", base_url=url, api_key=key, **limits)
    return options, EventClient(options, RetryPolicy(tries=tries), sleep, chance=lambda: 0.5)


async def collected(provider: Provider, asked: Request | None = None) -> list[Chunk]:
    return [chunk async for chunk in provider.stream(asked or request())]


async def outcome(
    provider: Provider, asked: Request | None = None
) -> tuple[list[Chunk], PlimsollError | None]:
    """What came before the end, and the error that ended it; any foreign error is a failure."""
    chunks: list[Chunk] = []
    try:
        async for chunk in provider.stream(asked or request()):
            chunks += [chunk]
    except PlimsollError as error:
        return chunks, error
    return chunks, None


def text_of(chunks: list[Chunk]) -> str:
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, TextDelta))


def reasoning_of(chunks: list[Chunk]) -> str:
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, ReasoningDelta))
