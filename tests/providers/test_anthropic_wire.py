import json
from dataclasses import replace

import pytest

from plimsoll.context.log.messages import Call, Image, Message, Role
from plimsoll.providers.anthropic import CACHE_HOUR, DIALECT, request_body
from plimsoll.providers.base import Request
from plimsoll.providers.http.json_body import encode_body
from plimsoll.providers.reasoning import Asked
from providers.fault_server import fault_server, stream
from providers.support import GREP, QUESTION, anthropic, collected, request
from recordings.streams import body_of

CACHE = {"cache_control": {"type": "ephemeral"}}
PICTURE = Image("image/png", "AAAA")
SHOWN = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
SYSTEM = Message(id="m0", role=Role.SYSTEM, text="Be brief.")
HOME = Asked(DIALECT, "", "some-model")
THOUGHT = {"thought": {"type": "thinking", "signature": "EuoC"}, "length": 2}
HISTORY = (
    SYSTEM,
    Message(id="m1", role=Role.USER, text="Look", images=(PICTURE,)),
    Message(
        id="m2",
        role=Role.ASSISTANT,
        text="I look.",
        reasoning="hm",
        signature=HOME.encode_kept({"blocks": [THOUGHT, {"text": 7}]}, "hm"),
        calls=(
            Call("functions.grep:0", "grep", '{"pattern":"x"}'),
            Call("c2", "grep", "{}", raw='{"patt'),
        ),
    ),
    Message(id="m3", role=Role.TOOL, text="a.py:1:x", call_id="functions.grep:0", name="grep"),
    Message(id="m4", role=Role.TOOL, text=" ", call_id="c2", name="grep", images=(PICTURE,)),
    Message(id="m5", role=Role.SYSTEM, text="The mode is plan."),
    Message(id="m6", role=Role.USER, text="And?"),
    Message(id="m7", role=Role.ASSISTANT, text=" \n", reasoning="not signed"),
)


def body(asked: Request) -> dict[str, object]:
    return json.loads(encode_body(request_body(asked)))


def text(said: str, **more: object) -> dict[str, object]:
    return {"type": "text", "text": said, **more}


def test_a_whole_request():
    assert body(request(*HISTORY, tools=(GREP,), tool_choice="none", max_output=100)) == {
        "model": "some-model",
        "max_tokens": 100,
        "tools": [{"name": "grep", "description": "Search.", "input_schema": GREP.parameters}],
        "tool_choice": {"type": "none"},
        "system": [text("Be brief.", **CACHE)],
        "messages": [
            {"role": "user", "content": [text("Look"), {**SHOWN, **CACHE}]},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "hm", "signature": "EuoC"},
                    text("I look."),
                    {
                        "type": "tool_use",
                        "id": "functions_grep_0_7242d9e6",
                        "name": "grep",
                        "input": {"pattern": "x"},
                    },
                    {"type": "tool_use", "id": "c2", "name": "grep", "input": {}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {
                        "type": "tool_result",
                        "tool_use_id": "functions_grep_0_7242d9e6",
                        "content": "a.py:1:x",
                    },
                    {"type": "tool_result", "tool_use_id": "c2", "content": [SHOWN]},
                    text("The mode is plan."),
                    text("And?", **CACHE),
                ],
            },
        ],
        "stream": True,
    }


def answered(reasoning: str, said: str, **more: object) -> list[dict[str, object]]:
    """What is sent of an answer of two thoughts, one of them sealed, around a text and a call."""
    order = [
        {"thought": {"type": "thinking", "signature": "x"}, "length": 1},
        {"text": 1},
        {"call": "c1"},
        {"thought": {"type": "redacted_thinking", "data": "y"}},
        {"thought": {"type": "thinking", "signature": "z"}, "length": 2},
        {"text": 1},
    ]
    own = Message(
        id="m2",
        role=Role.ASSISTANT,
        text=said,
        reasoning=reasoning,
        signature=HOME.encode_kept({"blocks": order}, "abb"),
        calls=(Call("c1", "grep", "{}"), Call("c2", "grep", "{}")),
    )
    asked = replace(request(QUESTION, own), **more.get("asked", {}))
    return request_body(asked, address=str(more.get("address", "")))["messages"][1]["content"]


CALLS = [{"type": "tool_use", "id": f"c{n}", "name": "grep", "input": {}} for n in (1, 2)]


def test_blocks_of_an_answer_go_back_in_the_order_in_which_they_came():
    assert answered("abb", "ST") == [
        {"type": "thinking", "thinking": "a", "signature": "x"},
        text("S"),
        CALLS[0],
        {"type": "redacted_thinking", "data": "y"},
        {"type": "thinking", "thinking": "bb", "signature": "z"},
        text("T"),
        CALLS[1],
    ]


@pytest.mark.parametrize(
    "other",
    [
        {"reasoning": "a[secret]"},
        {"asked": {"model": "another"}},
        {"address": "https://elsewhere.example/v1"},
    ],
)
def test_signed_reasoning_goes_to_its_origin_alone_and_as_it_came(other: dict[str, object]):
    own = {"reasoning": "abb", "said": "ST", **other}
    assert answered(**own) == [text("ST"), *CALLS]


def test_a_signature_without_an_origin_goes_to_nobody():
    said = Message(id="m2", role=Role.ASSISTANT, text="b", reasoning="a", signature="EuoC")
    assert body(request(QUESTION, said))["messages"][1]["content"] == [text("b")]


def test_old_calls_keep_their_tools_where_none_are_offered():
    sent = body(request(*HISTORY))
    assert sent["tools"] == [{"name": "grep", "input_schema": {"type": "object"}}]
    assert sent["tool_choice"] == {"type": "none"}
    assert "tools" not in body(request())


def breakpoints(asked: Request) -> int:
    return encode_body(request_body(asked)).count(b'"cache_control"')


def test_there_are_never_more_than_four_breakpoints():
    turns = [
        Message(id=f"m{n}", role=Role.ASSISTANT if n % 2 else Role.USER, text=f"text {n}")
        for n in range(21)
    ]
    assert breakpoints(request(SYSTEM, *turns, tools=(GREP,))) == 4
    assert breakpoints(request(*turns, tools=(GREP,))) == 4
    assert breakpoints(request()) == 1


def test_the_newest_message_of_one_request_is_marked_in_the_next_one_too():
    answer = Message(id="m2", role=Role.ASSISTANT, text="hi")
    one, two = (
        request(SYSTEM, QUESTION),
        request(SYSTEM, QUESTION, answer, replace(QUESTION, id="m3")),
    )
    assert body(two)["messages"][0] == body(one)["messages"][0]
    assert request_body(one) == request_body(one)


def test_half_characters_never_reach_the_wire():
    half = Message(id="m", role=Role.USER, text="half \ud83d")
    encode_body(request_body(request(half))).decode("utf-8")


def test_a_long_cache_is_asked_for_by_name():
    asked = request(SYSTEM, QUESTION)
    marks = [request_body(asked, CACHE_HOUR)["system"][0]["cache_control"]]
    assert marks == [{"type": "ephemeral", "ttl": "1h"}]


@pytest.mark.parametrize("hour", [False, True])
async def test_the_option_chooses_how_long_a_prefix_is_kept(hour: bool):
    async with fault_server(stream(body_of("messages-tools"))) as server:
        provider = anthropic(server.url, cache_hour=hour)
        await collected(provider)
        await provider.close()
    assert (b'"ttl":"1h"' in server.bodies[0]) is hour
