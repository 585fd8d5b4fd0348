import json

import pytest

from plimsoll.errors import ProviderAnswer, ProviderOverflow, ProviderUnavailable
from plimsoll.providers.anthropic import DIALECT, MessageStream
from plimsoll.providers.base import (
    CacheWrites,
    CallFinished,
    CallStarted,
    Chunk,
    Finished,
    ReasoningDelta,
    TextDelta,
    Usage,
)
from plimsoll.providers.http.site import Site
from plimsoll.providers.http.sse import ServerEvent, SseParser
from plimsoll.providers.reasoning import asked_at
from providers.support import reasoning_of, request, settled, text_of
from recordings.streams import MESSAGE_NAMES, MESSAGES, body_of

SITE = Site(url="http://127.0.0.1:1/v1/messages", model="some-model", key_env="ANTHROPIC_API_KEY")
Event = dict[str, object]
STOP: Event = {"type": "message_stop"}


def start(index: int, **block: object) -> Event:
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index: int, **fields: object) -> Event:
    return {"type": "content_block_delta", "index": index, "delta": fields}


def stop(index: int) -> Event:
    return {"type": "content_block_stop", "index": index}


def ended(reason: str | None, **usage: object) -> Event:
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage}


def played(*events: Event) -> list[Chunk]:
    answer = MessageStream(request(), SITE)
    chunks: list[Chunk] = []
    for event in events:
        chunks += answer.take(ServerEvent(str(event["type"]), json.dumps(event)))
    return settled([*chunks, *answer.end(framed=True)])


CALL = (
    start(1, type="tool_use", id="toolu_1", name="grep", input={}),
    delta(1, type="input_json_delta", partial_json=""),
    delta(1, type="input_json_delta", partial_json='{"pattern"'),
    delta(1, type="input_json_delta", partial_json=':"x"}'),
    stop(1),
)


ORDER = [
    {"thought": {"type": "thinking", "signature": "EuoC"}, "length": 2},
    {"text": 7},
    {"call": "toolu_1"},
]


def test_a_whole_answer():
    usage = {
        "input_tokens": 5,
        "cache_read_input_tokens": 90,
        "cache_creation_input_tokens": 10,
        "cache_creation": {"ephemeral_5m_input_tokens": 6, "ephemeral_1h_input_tokens": 4},
        "output_tokens": 1,
    }
    assert played(
        {"type": "message_start", "message": {"usage": usage}},
        {"type": "ping"},
        start(0, type="thinking", thinking="", signature=""),
        delta(0, type="thinking_delta", thinking="hm"),
        delta(0, type="signature_delta", signature="Euo"),
        delta(0, type="signature_delta", signature="C"),
        stop(0),
        start(7, type="text", text=""),
        delta(7, type="text_delta", text="I look."),
        stop(7),
        *CALL,
        {"type": "something_new"},
        ended("tool_use", output_tokens=20),
        STOP,
        delta(7, type="text_delta", text="never"),
    ) == [
        ReasoningDelta("hm"),
        TextDelta("I look."),
        CallStarted("toolu_1", "grep"),
        ReasoningDelta("", asked_at(SITE, DIALECT).encode_kept({"blocks": ORDER}, "hm")),
        CallFinished("toolu_1", "grep", '{"pattern":"x"}'),
        Usage(105, 20, 90, CacheWrites(6, 4)),
        Finished("toolCalls"),
    ]


def test_several_thinking_blocks_are_kept_whole():
    chunks = played(
        start(0, type="thinking", thinking="a", signature=""),
        delta(0, type="signature_delta", signature="x"),
        stop(0),
        start(1, type="redacted_thinking", data="secret"),
        stop(1),
        ended("end_turn"),
        STOP,
    )
    last = [c.signature for c in chunks if isinstance(c, ReasoningDelta)][-1]
    assert json.loads(last or "")["blocks"] == [
        {"thought": {"type": "thinking", "signature": "x"}, "length": 1},
        {"thought": {"type": "redacted_thinking", "data": "secret"}},
    ]


@pytest.mark.parametrize(
    ("events", "arguments"),
    [
        ((start(0, type="tool_use", id="a", name="n", input={"k": 1}), stop(0)), '{"k":1}'),
        ((start(0, type="tool_use", id="a", name="n", input={}), stop(0)), "{}"),
        (
            (
                start(0, type="tool_use", id="a", name="n", input={}),
                delta(0, type="input_json_delta", partial_json='{"k'),
            ),
            '{"k',
        ),
    ],
)
def test_arguments_are_handed_on_as_they_came(events: tuple[Event, ...], arguments: str):
    chunks = played(*events, ended("max_tokens"), STOP)
    assert chunks[1:] == [CallFinished("a", "n", arguments), Finished("maxTokens")]


def test_calls_of_a_refused_answer_are_not_given_out():
    assert played(*CALL, ended("refusal"), STOP)[1:] == [Finished("refusal")]


@pytest.mark.parametrize(
    ("events", "kind"),
    [
        ((*CALL, ended("tool_use")), ProviderAnswer),
        ((*CALL, STOP), ProviderAnswer),
        ((), ProviderAnswer),
        (({"type": "error", "error": {"type": "overloaded_error"}},), ProviderUnavailable),
        (
            (
                {
                    "type": "error",
                    "error": {
                        "type": "invalid_request_error",
                        "message": "prompt is too long: 9 tokens > 8 maximum",
                    },
                },
            ),
            ProviderOverflow,
        ),
    ],
)
def test_no_proper_end(events: tuple[Event, ...], kind: type[Exception]):
    with pytest.raises(kind):
        played(*events)


EXPECTED = {
    **{
        name: (own.text, own.reasoning, own.names, own.usage, own.reason)
        for name, own in MESSAGES.items()
    },
    "anthropic-messages__test_anthropic_native_tool_search_streaming__0.sse": (
        "Let me search for a tool",
        "",
        ["get_exchange_rate"],
        Usage(1591, 175),
        "toolCalls",
    ),
    "anthropic-messages__test_anthropic_model_thinking_part_stream__0.sse": (
        "",
        "This is a straightforward question",
        [],
        Usage(43, 282),
        "endTurn",
    ),
    "anthropic-messages__test_anthropic_mcp_servers_stream__0.sse": (
        "",
        "The user is asking about the pydantic/pydantic-ai",
        [],
        Usage(3042, 354),
        "endTurn",
    ),
}


@pytest.mark.parametrize("name", MESSAGE_NAMES)
def test_recordings_byte_by_byte_give_nothing_before_their_end(name: str):
    parser, answer = SseParser(), MessageStream(request(), SITE)
    chunks: list[Chunk] = []
    for byte in body_of(name):
        for event in parser.feed(bytes([byte])):
            chunks += answer.take(event)
        if not answer.done:
            with pytest.raises(ProviderAnswer):
                list(answer.end(framed=True))
    assert not any(isinstance(chunk, CallFinished) for chunk in chunks)
    text, reasoning, names, usage, reason = EXPECTED[name]
    end = list(answer.end(framed=False))
    assert text_of(chunks).startswith(text)
    assert reasoning_of(chunks).startswith(reasoning)
    assert [chunk.name for chunk in chunks if isinstance(chunk, CallStarted)] == names
    assert all(json.loads(c.arguments) for c in end if isinstance(c, CallFinished))
    assert end[-2:] == [usage, Finished(reason)]
    signed = [c.signature for c in end if isinstance(c, ReasoningDelta) and c.signature]
    assert bool(signed) == bool(reasoning)
