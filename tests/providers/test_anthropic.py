"""The anthropic kind over real HTTP on loopback; what the transport does is shown with openai."""

import json

import pytest

from plimsoll.errors import ProviderAnswer, ProviderAuth, ProviderOverflow, ProviderUnavailable
from plimsoll.providers.anthropic import Anthropic
from plimsoll.providers.base import CallFinished, Finished, ProviderOptions, ReasoningDelta, Usage
from providers.fault_server import Reply, broken, document, fault_server, stream
from providers.support import KEY, anthropic, collected, outcome, reasoning_of, request, text_of
from recordings.streams import (
    MESSAGE_NAMES,
    MESSAGES,
    body_of,
    message_block,
    message_end,
    message_start,
    messages,
)

TOOLS = "messages-tools"


async def test_what_is_sent():
    async with fault_server(stream(body_of(TOOLS))) as server:
        provider = anthropic(server.url)
        chunks = await collected(provider)
        await provider.close()
    calls = [(c.id, c.name, c.arguments) for c in chunks if isinstance(c, CallFinished)]
    assert tuple(calls) == MESSAGES[TOOLS].calls
    sent = server.heads[0].lower()
    assert sent.startswith("post /v1/messages http/1.1")
    assert f"x-api-key: {KEY}" in sent
    assert "anthropic-version: 2023-06-01" in sent
    assert "authorization" not in sent


@pytest.mark.slow
@pytest.mark.parametrize("name", MESSAGE_NAMES)
async def test_recordings_cut_at_every_event(name: str):
    data = body_of(name)
    breaks = [at for at in range(len(data)) if data.startswith(b"\n\n", at)]
    ends = [at + shift for at in breaks for shift in (0, 1, 2)]
    cuts = [cut for cut in ends if b"message_stop" not in data[:cut]]
    async with fault_server(*(broken(data[:cut]) for cut in cuts), Reply([b""], "close")) as server:
        provider = anthropic(server.url, tries=1)
        for _ in cuts:
            chunks, error = await outcome(provider)
            assert isinstance(error, ProviderAnswer)
            assert not any(isinstance(c, CallFinished | Finished | Usage) for c in chunks)
        await provider.close()


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (401, {"type": "authentication_error", "message": f"bad {KEY}"}, ProviderAuth),
        (
            400,
            {
                "type": "invalid_request_error",
                "message": "prompt is too long: 9 tokens > 8 maximum",
            },
            ProviderOverflow,
        ),
        (529, {"type": "overloaded_error", "message": "Overloaded"}, ProviderUnavailable),
    ],
)
async def test_refusals(status: int, error: dict[str, str], kind: type[Exception]):
    async with fault_server(document(status, {"type": "error", "error": error})) as server:
        provider = anthropic(server.url)
        _, raised = await outcome(provider)
        await provider.close()
    assert type(raised) is kind
    assert KEY not in f"{raised} {raised.remedy} {raised.data}"


async def test_an_answer_that_may_not_be_so_long_is_asked_for_shorter():
    said = "max_tokens: 16000 > 8192, which is the maximum allowed number of output tokens for x"
    error = {"type": "error", "error": {"type": "invalid_request_error", "message": said}}
    async with fault_server(document(400, error), stream(body_of(TOOLS))) as server:
        provider = anthropic(server.url)
        chunks = await collected(provider, request(max_output=16_000))
        await provider.close()
    assert chunks[-1] == Finished("toolCalls")
    assert [json.loads(body)["max_tokens"] for body in server.bodies] == [16_000, 8192]


async def test_the_vendor_s_own_address_needs_a_key():
    provider = Anthropic(ProviderOptions(name="m"))
    _, error = await outcome(provider)
    await provider.close()
    assert isinstance(error, ProviderAuth)
    assert "ANTHROPIC_API_KEY" in (error.remedy or "")


def part(reason: str, *blocks: dict[str, object]) -> bytes:
    """One part of an answer that pauses; each block with its deltas."""
    events = [message_start(10)]
    for index, each in enumerate(blocks):
        deltas = each.pop("deltas", [])
        events += message_block(index, each, *deltas)
    return messages(*events, *message_end(reason, 5))


def thinking(thought: str, signature: str) -> dict[str, object]:
    deltas = [
        {"type": "thinking_delta", "thinking": thought},
        {"type": "signature_delta", "signature": signature},
    ]
    return {"type": "thinking", "thinking": "", "signature": "", "deltas": deltas}


async def test_an_answer_that_pauses_is_continued():
    query = {"type": "input_json_delta", "partial_json": '{"query":"x"}'}
    search = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}}
    first = part(
        "pause_turn",
        thinking("h", "Eu"),
        {"type": "text", "text": "I ", "deltas": [{"type": "text_delta", "text": "look."}]},
        {**search, "deltas": [query]},
        {"type": "text", "text": ""},
    )
    second = part("end_turn", thinking("m", "oC"), {"type": "text", "text": " So."})
    async with fault_server(stream(first), stream(second)) as server:
        provider = anthropic(server.url)
        chunks = await collected(provider)
        await provider.close()
    assert (text_of(chunks), reasoning_of(chunks)) == ("I look. So.", "hm")
    assert chunks[-2:] == [Usage(10, 10), Finished("endTurn")]
    assert sum(isinstance(chunk, Usage | Finished) for chunk in chunks) == 2
    kept = [c.signature for c in chunks if isinstance(c, ReasoningDelta) and c.signature][-1]
    assert json.loads(kept)["blocks"] == [
        {"thought": {"type": "thinking", "signature": "Eu"}, "length": 1},
        {"text": 7},
        {"text": 0},
        {"thought": {"type": "thinking", "signature": "oC"}, "length": 1},
        {"text": 4},
    ]
    one, other = (json.loads(body)["messages"] for body in server.bodies)
    assert other[:-1] == one
    assert other[-1] == {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "h", "signature": "Eu"},
            {"type": "text", "text": "I look."},
            {**search, "input": {"query": "x"}},
        ],
    }


async def test_an_answer_that_only_pauses_is_not_continued_for_ever():
    async with fault_server(stream(part("pause_turn", {"type": "text", "text": "x"}))) as server:
        provider = anthropic(server.url)
        chunks = await collected(provider)
        await provider.close()
    assert len(server.bodies) == 9
    assert chunks[-1] == Finished("maxTokens")
