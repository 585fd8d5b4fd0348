"""Faults that come inside a stream, behind its status: before a word they are tried again."""

import asyncio
import json
from collections.abc import Callable

import pytest

from plimsoll.errors import PlimsollError, ProviderOverflow, ProviderRateLimited
from plimsoll.providers.base import (
    BegunAnew,
    Chunk,
    Finished,
    Provider,
    ReasoningDelta,
    TextDelta,
    Usage,
    Waiting,
)
from providers.fault_server import Reply, broken, fault_server, stream
from providers.support import WHOLE, anthropic, openai, outcome, request, responses


def events(*payloads: dict[str, object]) -> bytes:
    return b"".join(b"data: " + json.dumps(payload).encode() + b"\n\n" for payload in payloads)


START = {"type": "message_start", "message": {"usage": {"input_tokens": 3}}}
SAYS = (
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "hi"}},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
    {"type": "message_stop"},
)
MESSAGE = events(START, *SAYS)
CREATED = {"type": "response.created", "response": {"status": "in_progress"}}
PART = {"type": "output_text", "text": "hi"}
ITEM = {"type": "message", "content": [PART]}
RESPONSE = events(
    CREATED,
    {"type": "response.completed", "response": {"status": "completed", "output": [ITEM]}},
)


def failed(kind: str, message: str) -> dict[str, object]:
    return {"type": "error", "error": {"type": kind, "message": message}}


def response_failed(code: str, message: str = "") -> dict[str, object]:
    error = {"code": code, "message": message}
    return {"type": "response.failed", "response": {"status": "failed", "error": error}}


Opens = Callable[..., Provider]


@pytest.mark.parametrize(
    ("opens", "fault", "good"),
    [
        (anthropic, stream(events(START, failed("overloaded_error", "Overloaded"))), MESSAGE),
        (anthropic, stream(events(START, failed("api_error", "Internal server error"))), MESSAGE),
        (anthropic, stream(events(START)), MESSAGE),
        (anthropic, broken(events(START)), MESSAGE),
        (anthropic, stream(b""), MESSAGE),
        (openai, stream(events({"error": {"message": "slow", "code": 429}})), WHOLE),
        (openai, stream(events({"error": {"message": "slow", "code": "429"}})), WHOLE),
        (openai, stream(events({"error": {"message": "Provider returned error"}})), WHOLE),
        (openai, stream(b': here\n\ndata: {"error":{"message":"x","code":502}}\n\n'), WHOLE),
        (openai, stream(events({"error": "The server is overloaded"})), WHOLE),
        (openai, stream(events({"error": {"type": "server_error", "message": "oh"}})), WHOLE),
        (openai, stream(events({"base_resp": {"status_code": 1002, "status_msg": "x"}})), WHOLE),
        (openai, stream(events({"error": {"code": "1305", "message": "x"}})), WHOLE),
        (openai, broken(events({"choices": [{"delta": {"role": "assistant"}}]})), WHOLE),
        (openai, stream(b""), WHOLE),
        (responses, stream(events(CREATED, response_failed("server_is_overloaded"))), RESPONSE),
        (responses, stream(events(CREATED, response_failed("rate_limit_exceeded"))), RESPONSE),
        (responses, stream(events(CREATED)), RESPONSE),
        (
            responses,
            stream(events({"type": "error", "code": "server_error", "message": "oh"})),
            RESPONSE,
        ),
    ],
)
async def test_a_fault_before_a_word_is_tried_again(opens: Opens, fault: Reply, good: bytes):
    async with fault_server(fault, fault, stream(good)) as server:
        provider = opens(server.url)
        chunks, error = await outcome(provider)
        await provider.close()
    assert error is None
    assert [chunk for chunk in chunks if not isinstance(chunk, Usage)] == [
        TextDelta("hi"),
        Finished("endTurn"),
    ]
    assert len(server.bodies) == 3


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ({"error": {"message": "prompt is too long", "code": 400}}, ProviderOverflow),
        ({"error": {"message": "x", "code": "insufficient_quota"}}, ProviderRateLimited),
        ({"error": {"message": "no such field", "code": 400}}, PlimsollError),
    ],
)
async def test_what_does_not_pass_is_asked_once(
    fault: dict[str, object], kind: type[PlimsollError]
):
    async with fault_server(stream(events(fault))) as server:
        provider = openai(server.url)
        chunks, error = await outcome(provider)
        await provider.close()
    assert (chunks, len(server.bodies)) == ([], 1)
    assert isinstance(error, kind)


THINKS = {"type": "content_block_delta", "index": 0}
THOUGHT = {**THINKS, "delta": {"type": "thinking_delta", "thinking": "hm"}}
DELTA = {"choices": [{"delta": {"reasoning_content": "hm"}}]}
SUMMARY = {"type": "response.reasoning_summary_text.delta", "delta": "hm", "output_index": 0}


@pytest.mark.parametrize(
    ("opens", "begun", "fault", "good"),
    [
        (anthropic, events(START, THOUGHT), failed("overloaded_error", "Overloaded"), MESSAGE),
        (openai, events(DELTA), {"error": {"message": "slow", "code": 503}}, WHOLE),
        (openai, events(DELTA), None, WHOLE),
        (
            responses,
            events(CREATED, SUMMARY),
            response_failed("server_is_overloaded"),
            RESPONSE,
        ),
    ],
)
async def test_a_fault_behind_reasoning_alone_is_tried_again(
    opens: Opens, begun: bytes, fault: dict[str, object] | None, good: bytes
):
    first = begun + (events(fault) if fault else b"")
    async with fault_server(stream(first), stream(good)) as server:
        provider = opens(server.url)
        chunks, error = await outcome(provider)
        await provider.close()
    assert (error, len(server.bodies)) == (None, 2)
    told = [chunk for chunk in chunks if not isinstance(chunk, Usage | Waiting | Finished)]
    assert [type(chunk) for chunk in told] == [ReasoningDelta, BegunAnew, TextDelta]


async def test_a_fault_that_does_not_pass_leaves_the_reasoning_as_it_is():
    fault = {"error": {"message": "bad key", "code": 401}}
    async with fault_server(stream(events(DELTA, fault))) as server:
        provider = openai(server.url)
        chunks, error = await outcome(provider)
        await provider.close()
    assert (chunks, len(server.bodies)) == ([ReasoningDelta("hm")], 1)
    assert error is not None


async def test_a_fault_behind_a_word_is_told_and_not_tried_again():
    word = {"choices": [{"delta": {"content": "half"}}]}
    fault = {"error": {"message": "overloaded", "code": 503}}
    async with fault_server(stream(events(word, fault))) as server:
        provider = openai(server.url)
        chunks, error = await outcome(provider)
        await provider.close()
    assert (chunks, len(server.bodies)) == ([TextDelta("half")], 1)
    assert error is not None
    assert "overloaded" in error.message


@pytest.mark.parametrize("before", [(), (DELTA,)])
async def test_a_limit_in_a_stream_is_told_with_its_wait(before: tuple[dict[str, object], ...]):
    told, release = asyncio.Event(), asyncio.Event()

    async def sleep(_seconds: float) -> None:
        told.set()
        await release.wait()

    limit = {"error": {"message": "Please try again in 20s.", "code": 429}}
    async with fault_server(stream(events(*before, limit)), stream(WHOLE)) as server:
        provider = openai(server.url, sleep=sleep, told_after_seconds=0)
        chunks: list[Chunk] = []
        async for chunk in provider.stream(request()):
            chunks.append(chunk)
            if isinstance(chunk, Waiting) and chunk.reason == "rateLimited":
                release.set()
        await provider.close()
    assert told.is_set()
    (wait,) = [c for c in chunks if isinstance(c, Waiting) and c.reason == "rateLimited"]
    assert (wait.attempt, wait.attempts) == (2, 5)
    assert wait.seconds is not None
    assert 19 < wait.seconds <= 21


async def test_the_tries_of_a_connection_and_of_a_stream_are_counted_together():
    async with fault_server(Reply([], "reset"), stream(b"")) as server:
        provider = openai(server.url, tries=3)
        _, error = await outcome(provider)
        await provider.close()
    assert error is not None
    assert len(server.bodies) == 3
