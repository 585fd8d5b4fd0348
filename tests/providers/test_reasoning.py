"""Reasoning in an answer's text, and what of it goes back to whom."""

import json
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.context.log.messages import Call, Message, Role
from plimsoll.providers.answers import ALL_REASONING, ThinkTags
from plimsoll.providers.anthropic import request_body as message_body
from plimsoll.providers.base import (
    BegunAnew,
    Chunk,
    Finished,
    ReasoningDelta,
    Request,
    TextDelta,
    TextWasReasoning,
)
from plimsoll.providers.http.site import Site
from plimsoll.providers.http.sse import ServerEvent
from plimsoll.providers.openai import ChatStream, request_body
from plimsoll.session.asking.kept_answer import answer_parts
from plimsoll.session.asking.response import ask, new_response
from providers.support import QUESTION, reasoning_of, request, text_of


async def anywhere() -> None:
    """Let a request through that belongs to no session."""


def told(*pieces: str) -> tuple[str, str]:
    """The reasoning and the text in these pieces."""
    tags = ThinkTags()
    found = [each for piece in pieces for each in tags.feed(piece)] + [*tags.end()]
    assert all(words for own, words in found if (own, words) != ALL_REASONING)
    thought, said = "", ""
    for own, words in found:
        if (own, words) == ALL_REASONING:
            thought, said = thought + said, ""
        elif own:
            thought += words
        else:
            said += words
    return thought, said


CASES = {
    "<think>hm</think>So.": ("hm", "So."),
    "\n<think>\n\nhm <b>\n</think>\n\nSo </think> <think>it</think> is.": (
        "hm <b>\n",
        "So </think> <think>it</think> is.",
    ),
    "[THINK]hm[/THINK]So.": ("hm", "So."),
    "<think>a</think> <think>b</think> c": ("ab", "c"),
    "<think></think>\n\nSo.": ("", "So."),
    "<think>never ended </thin": ("never ended </thin", ""),
    "  So, <think>hm</think>": ("", "  So, <think>hm</think>"),
    "<thin ice": ("", "<thin ice"),
    "<think": ("", "<think"),
    "<thinking>hm</thinking>So.": ("hm", "So."),
    "": ("", ""),
    "So, hm.\nWait.\n</think>\n\nIt is.": ("So, hm.\nWait.\n", "It is."),
    "</think>\n\nIt is.": ("", "It is."),
    "hm\n</think><think>a</think> b": ("hm\na", "b"),
    "hm\n</think>\nIt is.\n</think>\n": ("hm\n", "It is.\n</think>\n"),
    "Write\n```\n</think>\n```": ("", "Write\n```\n</think>\n```"),
    "Between <think> and\n</think>": ("", "Between <think> and\n</think>"),
    "It ends with </think>\nhere.": ("", "It ends with </think>\nhere."),
    "hm\n</thin": ("", "hm\n</thin"),
}


@pytest.mark.parametrize("text", CASES)
def test_tags_at_the_beginning_are_reasoning(text: str):
    assert told(text) == CASES[text]
    assert told(*text) == CASES[text]


async def test_reasoning_that_a_template_began_is_kept_as_such(tmp_path):
    """What people saw as text while it came stands as reasoning in the log."""
    chunks = [TextDelta("So, hm.\n"), TextWasReasoning(), TextDelta("It is."), Finished("endTurn")]

    class Thinker:
        async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
            for chunk in chunks:
                yield chunk

    response = new_response()
    await ask(Thinker(), request(), response, len, let_through=anywhere)
    parts = [(part.kind.value, part.text) for part in answer_parts(response, whole=True)]
    assert parts == [("reasoning", "So, hm.\n"), ("text", "It is.")]


async def test_reasoning_of_a_try_that_failed_is_seen_and_not_kept():
    void, good = ReasoningDelta("Hm.", "s1"), ReasoningDelta("So.")
    chunks = [void, BegunAnew(), good, TextDelta("It is."), Finished("endTurn")]

    class Thinker:
        async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
            for chunk in chunks:
                yield chunk

    response, heard = new_response(), []
    await ask(Thinker(), request(), response, len, let_through=anywhere, hear=heard.append)
    parts = [(part.kind.value, part.text) for part in answer_parts(response, whole=True)]
    assert parts == [("reasoning", "So."), ("text", "It is.")]
    assert response.signature is None
    assert "".join(chunk.text for chunk in heard) == "Hm.\n\nSo.It is."


def test_the_end_of_reasoning_alone_is_given_out():
    stream = ChatStream(request(), Site(url="http://host/v1", path="", model="m", key_env="K"))
    data = json.dumps({"choices": [{"delta": {"content": "hm\n</think>\nSo."}}]})
    chunks = [*stream.take(ServerEvent("message", data))]
    assert chunks == [TextDelta("hm\n"), TextWasReasoning(), TextDelta("So.")]


@pytest.mark.parametrize("delta", [{"reasoning_content": "h\ud83d"}, {"content": "h\ud83d"}])
def test_half_a_character_at_the_end_is_shown_as_one_that_is_missing(delta: dict[str, str]):
    stream = ChatStream(request(), Site(url="http://host/v1", path="", model="m", key_env="K"))
    event = {"choices": [{"delta": delta, "finish_reason": "stop"}]}
    chunks = [*stream.take(ServerEvent("message", json.dumps(event))), *stream.end(framed=True)]
    assert reasoning_of(chunks) + text_of(chunks) == "h\ufffd"


@given(st.text("<think>/[]HINK \nab", max_size=40), st.lists(st.integers(0, 40), max_size=5))
def test_any_cut_tells_the_same(text: str, cuts: list[int]):
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    assert told(text) == told(*(text[a:b] for a, b in pairwise(places)))


def site(host: str, model: str = "some-model") -> Site:
    path = "/chat/completions"
    return Site(url=f"https://{host}/v1{path}", path=path, model=model, key_env="OPENAI_API_KEY")


Piece = dict[str, object]
SIGNED = {"google": {"thought_signature": "EoYC"}}
PIECES = (
    {
        "reasoning_content": "h",
        "reasoning_details": [{"type": "reasoning.text", "text": "h", "index": 0, "format": "f"}],
    },
    {"reasoning_details": [{"type": "reasoning.text", "text": "m", "index": 0}]},
    {
        "reasoning_details": [
            {"type": "reasoning.text", "signature": "Eu", "index": 0, "text": None}
        ]
    },
    {
        "tool_calls": [
            {
                "index": 0,
                "id": "c1",
                "function": {"name": "grep", "arguments": "{}"},
                "extra_content": SIGNED,
            }
        ]
    },
    {"content": "<think>more</think>So."},
)


def answered(host: str, pieces: Sequence[Piece] = PIECES) -> list[Chunk]:
    """The chunks of one answer with all that a host may leave."""
    answer = ChatStream(request(), site(host))
    events = [{"choices": [{"delta": piece}]} for piece in pieces]
    events.append({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]})
    chunks = [c for e in events for c in answer.take(ServerEvent("message", json.dumps(e)))]
    return [*chunks, *answer.end(framed=True)]


def kept(host: str, pieces: Sequence[Piece] = PIECES) -> Message:
    """What a session keeps of it."""
    response = new_response()
    for chunk in answered(host, pieces):
        if isinstance(chunk, ReasoningDelta):
            response.reasoning.append(chunk.text)
            response.signature = chunk.signature or response.signature
    part = answer_parts(response, whole=True)[0]
    return Message(
        id="m2", role=Role.ASSISTANT, text="So.", reasoning=part.text or None,
        signature=part.opaque, calls=(Call("c1", "grep", "{}"),),
    )  # fmt: skip


def sent(message: Message, host: str, model: str = "some-model") -> dict[str, object]:
    asked = Request(model=model, messages=(QUESTION, message))
    return request_body(asked, address=f"https://{host}/v1")["messages"][1]


def test_reasoning_is_shown_and_stays_behind():
    chunks = answered("api.openai.com")
    assert (reasoning_of(chunks), text_of(chunks)) == ("hmmore", "So.")
    answer = replace(kept("api.openai.com"), signature=None)
    assert sent(answer, "api.openai.com").keys() == {"role", "content", "tool_calls"}
    assert sent(answer, "api.mistral.ai") == sent(answer, "127.0.0.1")


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning", "reasoning_text"])
def test_what_a_host_sent_goes_back_to_it_under_the_same_name(name: str):
    called = {"id": "c1", "function": {"name": "grep", "arguments": "{}", "thought_signature": "S"}}
    pieces = ({name: "h"}, {name: "m", "reasoning_opaque": "O"}, {"tool_calls": [called]})
    answer = kept("any.example", pieces)
    again = sent(answer, "any.example")
    assert again[name] == "hm"
    assert again["reasoning_opaque"] == "O"
    assert again["tool_calls"][0]["function"]["thought_signature"] == "S"
    for other in (sent(answer, "another.example"), sent(answer, "any.example", "another")):
        assert other.keys() == {"role", "content", "tool_calls"}
        assert other["tool_calls"][0]["function"].keys() == {"name", "arguments"}
    assert sent(replace(answer, calls=()), "any.example").keys() == {
        *("role", "content", "reasoning_opaque")
    }


def test_signed_blocks_that_come_in_pieces_go_back_whole():
    first = [{"type": "thinking", "thinking": "h", "signature": None}]
    then = [{"type": "thinking", "thinking": "m", "signature": "S"}]
    pieces = ({"thinking_blocks": first}, {"thinking_blocks": then}, {"content": "So."})
    assert sent(kept("any.example", pieces), "any.example")["thinking_blocks"] == [
        {"type": "thinking", "thinking": "hm", "signature": "S"}
    ]


@pytest.mark.parametrize("host", ["api.deepseek.com", "api.moonshot.ai"])
def test_hosts_that_refuse_calls_without_their_reasoning_get_it(host: str):
    answer = kept(host)
    assert answer.signature
    assert sent(answer, host)["reasoning_content"] == "hmmore"
    foreign = replace(answer, reasoning=None, signature=None)
    assert sent(foreign, host)["reasoning_content"] == ""
    assert "reasoning_content" not in sent(replace(answer, calls=()), host)
    assert "reasoning_content" not in sent(answer, "api.openai.com")


def test_what_a_host_signed_goes_back_to_the_same_model_alone():
    host = "openrouter.ai"
    again = sent(kept(host), host)
    detail = {"type": "reasoning.text", "text": "hm", "index": 0, "format": "f", "signature": "Eu"}
    assert again["reasoning_details"] == [detail]
    assert again["tool_calls"][0]["extra_content"] == SIGNED
    assert "reasoning_content" not in again
    for other in (sent(kept(host), "api.openai.com"), sent(kept(host), host, "another")):
        assert other.keys() == {"role", "content", "tool_calls"}
        assert "extra_content" not in other["tool_calls"][0]


def test_what_is_not_as_it_came_is_left_out():
    host = "openrouter.ai"
    for broken in ('{"cut', "{}", '{"for":1}', "EuoC", '[{"type":"thinking"}]'):
        answer = replace(kept(host), signature=broken)
        assert sent(answer, host).keys() == {"role", "content", "tool_calls"}


def test_anthropic_is_not_sent_what_another_vendor_signed():
    body = message_body(Request(model="m", messages=(QUESTION, kept("openrouter.ai"))))
    assert [block["type"] for block in body["messages"][1]["content"]] == ["text", "tool_use"]
