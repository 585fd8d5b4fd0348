"""A whole answer of JSON in place of a stream: one chunk in each dialect of HTTP."""

import json
from collections.abc import Callable

import pytest

from plimsoll.errors import ProviderAnswer, ProviderOverflow
from plimsoll.providers.base import (
    CallFinished,
    CallStarted,
    Finished,
    Provider,
    ReasoningDelta,
    TextDelta,
    Usage,
)
from providers.fault_server import document, fault_server, stream
from providers.support import GOOD, KINDS, WHOLE, anthropic, collected, openai, outcome, responses

CHAT = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "choices": [
        {
            "index": 0,
            "message": {
                "role": "assistant",
                "reasoning_content": "hm",
                "content": 'It says "error".',
                "tool_calls": [
                    {
                        "id": name,
                        "type": "function",
                        "function": {"name": "grep", "arguments": '{"a":1}'},
                    }
                    for name in ("c1", "c2")
                ],
            },
            "finish_reason": "tool_calls",
        }
    ],
    "usage": {"prompt_tokens": 3, "completion_tokens": 2},
    "error": None,
}
MESSAGE = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "content": [
        {"type": "thinking", "thinking": "hm", "signature": "EuoC"},
        {"type": "text", "text": 'It says "error".'},
        *(
            {"type": "tool_use", "id": name, "name": "grep", "input": {"a": 1}}
            for name in ("c1", "c2")
        ),
    ],
    "stop_reason": "tool_use",
    "usage": {"input_tokens": 3, "output_tokens": 2},
}
RESPONSE = {
    "id": "resp_1",
    "object": "response",
    "status": "completed",
    "error": None,
    "output": [
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "hm"}]},
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": 'It says "error".', "annotations": []}],
        },
        *(
            {"type": "function_call", "call_id": name, "name": "grep", "arguments": '{"a":1}'}
            for name in ("c1", "c2")
        ),
    ],
    "usage": {"input_tokens": 3, "output_tokens": 2},
}
DIALECTS: dict[str, tuple[Callable[..., Provider], dict[str, object], str]] = {
    "anthropic": (anthropic, MESSAGE, "blocks"),
    "openai": (openai, CHAT, "text"),
    "openai-responses": (responses, RESPONSE, ""),
}
"""Beside a body the name of what is kept of its reasoning."""


@pytest.mark.parametrize("kind", DIALECTS)
async def test_a_whole_answer_is_read_like_its_stream(kind: str):
    opened, body, left = DIALECTS[kind]
    raw = json.dumps(body, indent=1).encode()
    pieces = [raw[at : at + 7] for at in range(0, len(raw), 7)]
    async with fault_server(document(200, body), stream(pieces, kind="application/json")) as server:
        provider = opened(server.url)
        for _ in range(2):
            chunks = await collected(provider)
            kept = [c for c in chunks if isinstance(c, ReasoningDelta) and c.signature]
            assert [left in json.loads(c.signature or "") for c in kept] == [True] * bool(left)
            assert [chunk for chunk in chunks if chunk not in kept] == [
                ReasoningDelta("hm"),
                TextDelta('It says "error".'),
                CallStarted("c1", "grep"),
                CallStarted("c2", "grep"),
                CallFinished("c1", "grep", '{"a":1}'),
                CallFinished("c2", "grep", '{"a":1}'),
                Usage(3, 2),
                Finished("toolCalls"),
            ]
        await provider.close()


@pytest.mark.parametrize("kind", DIALECTS)
@pytest.mark.parametrize(
    "body", [{"object": "list", "data": []}, {}, b"[1]", b'{"cut": "', b"\xff"]
)
async def test_a_document_that_is_no_answer_is_said(kind: str, body: object):
    async with fault_server(document(200, body)) as server:
        provider = DIALECTS[kind][0](server.url)
        chunks, error = await outcome(provider)
        await provider.close()
    assert type(error) is ProviderAnswer
    assert error.remedy
    assert chunks == []


async def test_a_document_has_the_largest_size_of_a_stream():
    async with fault_server(document(200, CHAT)) as server:
        provider = openai(server.url, body_bytes=100)
        _, error = await outcome(provider)
        await provider.close()
    assert isinstance(error, ProviderAnswer)
    assert "larger than 100 bytes" in error.message


async def test_an_error_in_a_document_is_one_and_asked_again_where_that_helps():
    too_long = {"error": {"message": "prompt is too long"}}
    busy = {"error": {"message": "slow down", "code": 429}}
    async with fault_server(document(200, too_long), document(200, busy), stream(WHOLE)) as server:
        provider = openai(server.url)
        _, error = await outcome(provider)
        assert isinstance(error, ProviderOverflow)
        assert isinstance(error, KINDS)
        assert await collected(provider) == GOOD
        await provider.close()


@pytest.mark.parametrize("kind", DIALECTS)
async def test_an_error_in_a_document_is_told_in_each_dialect(kind: str):
    fault = {"type": "error", "error": {"type": "request_too_large", "message": "Too long."}}
    async with fault_server(document(200, fault)) as server:
        provider = DIALECTS[kind][0](server.url)
        chunks, error = await outcome(provider)
        await provider.close()
    assert (chunks, type(error)) == ([], ProviderOverflow)
