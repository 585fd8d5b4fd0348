import json

from plimsoll.context.log.messages import Call, Image, Message, Role, ToolSchema
from plimsoll.providers.base import Request
from plimsoll.providers.http.json_body import encode_body
from plimsoll.providers.openai import request_body
from providers.support import GREP, QUESTION, request

PICTURE = Image("image/png", "AAAA")
HISTORY = (
    Message(id="m0", role=Role.SYSTEM, text="Be brief."),
    Message(id="m1", role=Role.USER, text="Look: 😀", images=(PICTURE,)),
    Message(
        id="m2",
        role=Role.ASSISTANT,
        text="",
        reasoning="private",
        signature="s",
        calls=(Call("c1", "grep", '{"pattern":"x"}'), Call("c2", "grep", "{}", raw='{"patt')),
    ),
    Message(id="m3", role=Role.TOOL, text="a.py:1:x", call_id="c1", name="grep", images=(PICTURE,)),
    Message(id="m4", role=Role.TOOL, text="no JSON", call_id="c2", name="grep"),
    Message(id="m5", role=Role.ASSISTANT, text="Found."),
)
IMAGE_PART = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


def body(asked: Request, **fields: str) -> dict[str, object]:
    return json.loads(encode_body(request_body(asked, **fields)))


def test_a_whole_request():
    assert body(request(*HISTORY, tools=(GREP,), tool_choice="none", max_output=100)) == {
        "model": "some-model",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": "Look: 😀"}, IMAGE_PART]},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {
                        "id": "c1",
                        "type": "function",
                        "function": {"name": "grep", "arguments": '{"pattern":"x"}'},
                    },
                    {
                        "id": "c2",
                        "type": "function",
                        "function": {"name": "grep", "arguments": "{}"},
                    },
                ],
            },
            {"role": "tool", "tool_call_id": "c1", "content": "a.py:1:x"},
            {"role": "tool", "tool_call_id": "c2", "content": "no JSON"},
            {"role": "assistant", "content": "(read)"},
            {"role": "user", "content": [IMAGE_PART]},
            {"role": "assistant", "content": "Found."},
        ],
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "grep",
                    "description": "Search.",
                    "parameters": GREP.parameters,
                },
            }
        ],
        "tool_choice": "none",
        "max_tokens": 100,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_a_plain_request_names_neither_tools_nor_a_limit():
    assert body(request()) == {
        "model": "some-model",
        "messages": [{"role": "user", "content": "hello"}],
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_the_limit_has_the_name_of_the_host():
    assert (
        body(request(max_output=5), limit_field="max_completion_tokens")["max_completion_tokens"]
        == 5
    )


def test_the_same_request_gives_the_same_bytes_and_a_longer_one_the_same_prefix():
    one = encode_body(request_body(request(*HISTORY, tools=(GREP,))))
    longer = encode_body(request_body(request(*HISTORY, QUESTION, tools=(GREP,))))
    assert one == encode_body(request_body(request(*HISTORY, tools=(GREP,))))
    assert longer.startswith(one[: one.index(b'],"tools"')])


def test_tools_stand_in_the_order_given():
    tools = (ToolSchema("z", "", {}), ToolSchema("a", "", {}))
    names = [tool["function"]["name"] for tool in body(request(tools=tools))["tools"]]
    assert names == ["z", "a"]


def test_half_characters_never_reach_the_wire():
    half = Message(id="m", role=Role.USER, text="half \ud83d")
    encode_body(request_body(request(half))).decode("utf-8")
