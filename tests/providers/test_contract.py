"""What holds for every kind of provider."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from plimsoll.context.log.messages import Message, Role
from plimsoll.errors import PlimsollError, ProviderModel
from plimsoll.providers import REGISTRY, ProviderOptions, open_provider
from plimsoll.providers.base import (
    CallFinished,
    CallStarted,
    Chunk,
    Finished,
    Provider,
    ReasoningDelta,
    Request,
    TextDelta,
    Usage,
)
from plimsoll.providers.embedded.provider import Embedded
from plimsoll.providers.scripted import Scripted
from providers.fault_server import Reply, fault_server, framed, head, stream
from providers.support import GREP, anthropic, collected, openai, request, responses

ASKED = request(
    Message(id="m0", role=Role.SYSTEM, text="You help."),
    Message(id="m1", role=Role.USER, text="Where is the ledger summed?"),
    tools=(GREP,),
)
EVENTS = (
    b'data: {"choices":[{"delta":{"reasoning":"hm"}}]}\n\n',
    b'data: {"choices":[{"delta":{"content":"I look."}}]}\n\n',
    (
        b'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"grep",'
        b'"arguments":"{}"}},{"index":1,"id":"b","function":{"name":"grep","arguments":"{}"}}]}}]}'
        b"\n\n"
    ),
    b'data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}\n\n',
    b'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2}}\n\n',
    b"data: [DONE]\n\n",
)
BLOCKS = (
    {"type": "message_start", "message": {"usage": {"input_tokens": 3}}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking"}},
    {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "thinking_delta", "thinking": "h"},
    },
    {
        "type": "content_block_start",
        "index": 1,
        "content_block": {"type": "text", "text": "I look."},
    },
    *(
        {
            "type": "content_block_start",
            "index": number,
            "content_block": {"type": "tool_use", "id": f"t{number}", "name": "grep", "input": {}},
        }
        for number in (2, 3)
    ),
    {"type": "content_block_stop", "index": 2},
    {"type": "content_block_stop", "index": 3},
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 2}},
    {"type": "message_stop"},
)
MESSAGE_EVENTS = [f"data: {json.dumps(block)}\n\n".encode() for block in BLOCKS]
CALL_EVENTS = [
    {
        "type": "response.output_item.added",
        "output_index": number,
        "item": {"type": "function_call", "call_id": f"c{number}", "name": "grep"},
    }
    for number in (2, 3)
]
RESPONSE_EVENTS = [
    f"data: {json.dumps(event)}\n\n".encode()
    for event in (
        {"type": "response.reasoning_summary_text.delta", "output_index": 0, "delta": "hm"},
        {"type": "response.output_text.delta", "output_index": 1, "delta": "I look."},
        *CALL_EVENTS,
        {
            "type": "response.completed",
            "response": {"usage": {"input_tokens": 3, "output_tokens": 2}},
        },
    )
]
STEP = {
    "reasoning": "hm",
    "text": ["I ", "look."],
    "calls": [{"name": "grep", "arguments": {}}, {"name": "grep", "arguments": "{}"}],
    "usage": {"input": 3, "output": 2},
}


@asynccontextmanager
async def embedded() -> AsyncIterator[Provider]:
    yield Embedded()


@asynccontextmanager
async def scripted() -> AsyncIterator[Provider]:
    yield Scripted(steps=[STEP])


@asynccontextmanager
async def scripted_hanging() -> AsyncIterator[Provider]:
    yield Scripted(steps=[{**STEP, "error": "hang"}])


@asynccontextmanager
async def chat() -> AsyncIterator[Provider]:
    async with fault_server(stream(EVENTS)) as server:
        yield openai(server.url)


def hanging(events: Sequence[bytes]) -> Reply:
    """A stream that stays open behind these events."""
    opening = head(content_type="text/event-stream", transfer_encoding="chunked")
    return Reply([opening, *map(framed, events)], "hold")


@asynccontextmanager
async def chat_hanging() -> AsyncIterator[Provider]:
    async with fault_server(hanging(EVENTS[:3])) as server:
        yield openai(server.url)


@asynccontextmanager
async def messages() -> AsyncIterator[Provider]:
    async with fault_server(stream(MESSAGE_EVENTS)) as server:
        yield anthropic(server.url)


@asynccontextmanager
async def messages_hanging() -> AsyncIterator[Provider]:
    async with fault_server(hanging(MESSAGE_EVENTS[:-1])) as server:
        yield anthropic(server.url)


@asynccontextmanager
async def response() -> AsyncIterator[Provider]:
    async with fault_server(stream(RESPONSE_EVENTS)) as server:
        yield responses(server.url)


@asynccontextmanager
async def response_hanging() -> AsyncIterator[Provider]:
    async with fault_server(hanging(RESPONSE_EVENTS[:-1])) as server:
        yield responses(server.url)


Kind = Callable[[], AbstractAsyncContextManager[Provider]]
KINDS: dict[str, Kind] = {
    "anthropic": messages,
    "embedded": embedded,
    "openai": chat,
    "openai-responses": response,
    "scripted": scripted,
}
HANGING: dict[str, Kind] = {
    "anthropic": messages_hanging,
    "openai": chat_hanging,
    "openai-responses": response_hanging,
    "scripted": scripted_hanging,
}


def test_every_kind_is_under_the_contract():
    assert KINDS.keys() == REGISTRY.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_opens_by_name(kind: str):
    name = "echo" if kind == "scripted" else "some-model"
    assert open_provider(kind, ProviderOptions(name=name, base_url="http://127.0.0.1:1/v1"))


def test_an_unknown_kind_names_the_known_ones():
    with pytest.raises(ProviderModel) as raised:
        open_provider("oracle", ProviderOptions(name="x"))
    assert "oracle" in raised.value.message
    assert all(kind in (raised.value.remedy or "") for kind in REGISTRY)


def place(chunk: Chunk) -> int:
    match chunk:
        case TextDelta() | ReasoningDelta() | CallStarted():
            return 0
        case CallFinished():
            return 1
        case Usage():
            return 2
        case Finished():
            return 3


@pytest.mark.parametrize("kind", KINDS)
async def test_chunks_come_in_order(kind: str):
    async with KINDS[kind]() as provider:
        chunks = await collected(provider, ASKED)
        await provider.close()
    places = [place(chunk) for chunk in chunks]
    assert places == sorted(places)
    assert chunks[-1] == Finished("toolCalls")
    assert places.count(3) == 1
    assert places.count(2) <= 1
    started = [(c.id, c.name) for c in chunks if isinstance(c, CallStarted)]
    finished = [(c.id, c.name) for c in chunks if isinstance(c, CallFinished)]
    assert len(started) >= 2 or kind == "embedded"
    assert started == finished
    assert len(set(started)) == len(started) > 0
    assert all(c.text for c in chunks if isinstance(c, TextDelta))


@pytest.mark.parametrize("kind", KINDS)
async def test_a_stream_may_be_left_after_any_chunk(kind: str):
    async with KINDS[kind]() as provider:
        chunks = provider.stream(ASKED)
        assert await anext(chunks)
        await chunks.aclose()
        await provider.close()


@pytest.mark.parametrize("kind", HANGING)
async def test_a_stream_that_hangs_can_be_cancelled(kind: str):
    seen: list[Chunk] = []
    silent = asyncio.Event()

    async def read(provider: Provider) -> None:
        async for chunk in provider.stream(ASKED):
            seen.append(chunk)
            if [c for c in seen if isinstance(c, CallStarted)][1:]:
                silent.set()

    async with HANGING[kind]() as provider:
        task = asyncio.create_task(read(provider))
        await silent.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await provider.close()
    assert not any(isinstance(chunk, CallFinished | Finished) for chunk in seen)


@pytest.mark.parametrize("kind", KINDS)
async def test_closing_twice_does_no_harm(kind: str):
    async with KINDS[kind]() as provider:
        await provider.close()
        await provider.close()


@pytest.mark.parametrize("kind", KINDS)
async def test_an_empty_request_is_answered_or_refused_in_our_words(kind: str):
    async with KINDS[kind]() as provider:
        try:
            assert isinstance(
                (await collected(provider, Request(model="m", messages=())))[-1], Finished
            )
        except PlimsollError as error:
            assert error.remedy
        await provider.close()
