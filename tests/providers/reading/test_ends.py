"""Why answers end, by the words of hosts, and what becomes of those that are not whole."""

import json

import pytest

from plimsoll.providers.base import CallFinished, Finished, TextDelta
from plimsoll.providers.reading.ends import REASONS, normalise_reason
from providers.fault_server import fault_server, stream
from providers.support import WHOLE, anthropic, openai, outcome, responses

CALL = {"index": 0, "id": "a", "function": {"name": "grep", "arguments": '{"pattern":"x"}'}}
PART_OF_CALL = {"index": 0, "id": "a", "function": {"name": "grep", "arguments": '{"pattern":'}}


def event(payload: dict[str, object]) -> bytes:
    return f"data: {json.dumps(payload)}\n\n".encode()


def chat(delta: dict[str, object], reason: str) -> bytes:
    choice = {"delta": delta, "finish_reason": reason}
    return f"data: {json.dumps({'choices': [choice]})}\n\ndata: [DONE]\n\n".encode()


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("stop", "endTurn"),
        ("STOP", "endTurn"),
        ("FinishReason.STOP", "endTurn"),
        ("COMPLETE", "endTurn"),
        ("tool_use", "toolCalls"),
        ("MAX_TOKENS", "maxTokens"),
        ("FINISH_REASON_MAX_TOKENS", "maxTokens"),
        ("model_length", "maxTokens"),
        ("model_context_window_exceeded", "maxTokens"),
        ("RECITATION", "refusal"),
        ("PROHIBITED_CONTENT", "refusal"),
        ("guardrail_intervened", "refusal"),
        ("sensitive", "refusal"),
        ("network_error", "cut"),
        ("abort", "cut"),
        ("insufficient_system_resource", "cut"),
        ("MALFORMED_FUNCTION_CALL", "cut"),
    ],
)
def test_words(said: str, reason: str):
    assert REASONS[normalise_reason(said)] == reason


@pytest.mark.parametrize(
    ("reason", "finished"),
    [
        ("stop", Finished("endTurn")),
        ("network_error", Finished("cut", "network_error")),
        ("of_a_new_kind", Finished("endTurn", "of_a_new_kind")),
    ],
)
async def test_an_end_with_words_before_it(reason: str, finished: Finished):
    async with fault_server(stream(chat({"content": "half"}, reason))) as server:
        provider = openai(server.url)
        chunks, error = await outcome(provider)
        await provider.close()
    assert (chunks, error) == ([TextDelta("half"), finished], None)
    assert len(server.bodies) == 1


@pytest.mark.parametrize("reason", ["network_error", "of_a_new_kind", "MALFORMED_FUNCTION_CALL"])
async def test_an_unusual_end_before_a_word_is_tried_again(reason: str):
    fault = stream(chat({"role": "assistant"}, reason))
    async with fault_server(fault, stream(WHOLE)) as server:
        provider = openai(server.url)
        chunks, error = await outcome(provider)
        await provider.close()
    assert (chunks, error) == ([TextDelta("hi"), Finished("endTurn")], None)


async def test_where_it_stays_it_is_told_with_its_word():
    async with fault_server(stream(chat({}, "network_error"))) as server:
        provider = openai(server.url, tries=2)
        chunks, error = await outcome(provider)
        await provider.close()
    assert (chunks, len(server.bodies)) == ([], 2)
    assert error is not None
    assert "before a word, with `network_error`" in error.message


@pytest.mark.parametrize(
    ("call", "reason", "called"),
    [
        (CALL, "network_error", False),
        (CALL, "of_a_new_kind", True),
        (PART_OF_CALL, "of_a_new_kind", False),
        (PART_OF_CALL, "tool_calls", True),
    ],
)
async def test_what_may_be_cut_is_not_run(call: dict[str, object], reason: str, called: bool):
    async with fault_server(stream(chat({"tool_calls": [call]}, reason))) as server:
        provider = openai(server.url)
        chunks, error = await outcome(provider)
        await provider.close()
    assert error is None
    assert any(isinstance(chunk, CallFinished) for chunk in chunks) is called


async def test_the_other_dialects():
    message = (
        b'data: {"type":"message_start","message":{}}\n\n'
        b'data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"h"}}'
        b'\n\ndata: {"type":"message_delta","delta":{"stop_reason":"abort"}}\n\n'
        b'data: {"type":"message_stop"}\n\n'
    )
    item = {"type": "message", "content": [{"type": "output_text", "text": "h"}]}
    ended = {
        "type": "response.incomplete",
        "response": {
            "status": "incomplete",
            "incomplete_details": {"reason": "of_a_new_kind"},
            "output": [item],
        },
    }
    cancelled = {
        "type": "response.cancelled",
        "response": {"status": "cancelled", "output": [item]},
    }
    for opens, body, finished in (
        (anthropic, message, Finished("cut", "abort")),
        (
            responses,
            f"data: {json.dumps(ended)}\n\n".encode(),
            Finished("endTurn", "of_a_new_kind"),
        ),
        (responses, f"data: {json.dumps(cancelled)}\n\n".encode(), Finished("cut", "cancelled")),
    ):
        async with fault_server(stream(body)) as server:
            provider = opens(server.url)
            chunks, error = await outcome(provider)
            await provider.close()
        assert (chunks[-1], error) == (finished, None)
