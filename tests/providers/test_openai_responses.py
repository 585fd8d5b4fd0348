"""The responses dialect: what is sent, what is read, and what goes back."""

import json

import pytest

from plimsoll.context.log.messages import Call, Image, Message, Role
from plimsoll.errors import (
    ProviderAnswer,
    ProviderOverflow,
    ProviderRateLimited,
    ProviderUnavailable,
)
from plimsoll.providers.base import (
    CallFinished,
    CallStarted,
    Chunk,
    Finished,
    ReasoningDelta,
    Request,
    TextDelta,
    Usage,
)
from plimsoll.providers.http.json_body import encode_body
from plimsoll.providers.http.site import Site
from plimsoll.providers.http.sse import ServerEvent, SseParser
from plimsoll.providers.openai_responses import ResponseStream, request_body
from providers.fault_server import broken, document, fault_server, stream
from providers.support import (
    GREP,
    KEY,
    QUESTION,
    collected,
    outcome,
    read_stream,
    reasoning_of,
    request,
    responses,
    settled,
    text_of,
)
from recordings.streams import COMMENTARY, RESPONSE_NAMES, RESPONSES, SEALED, body_of

HOME = "https://api.openai.com/v1"
SITE = Site(url=HOME, model="some-model", key_env="OPENAI_API_KEY")
Event = dict[str, object]
TOOLS = "responses-tools"
OWN = {name: own for name, own in RESPONSES.items() if own.reason}


def played(*events: Event) -> list[Chunk]:
    answer = ResponseStream(request(), SITE)
    chunks = [c for e in events for c in answer.take(ServerEvent("message", json.dumps(e)))]
    return settled([*chunks, *answer.end(framed=True)])


@pytest.mark.parametrize("name", OWN)
def test_what_our_streams_say(name: str):
    own, chunks = OWN[name], read_stream(ResponseStream(request(), SITE), [body_of(name)])
    assert isinstance(chunks, list)
    calls = [(c.id, c.name, c.arguments) for c in chunks if isinstance(c, CallFinished)]
    assert (text_of(chunks), reasoning_of(chunks), tuple(calls)) == (
        own.text,
        own.reasoning,
        own.calls,
    )
    assert chunks[-1] == Finished(own.reason)
    assert own.usage is None or chunks[-2] == own.usage


@pytest.mark.parametrize("name", RESPONSE_NAMES)
def test_streams_give_no_call_before_their_end(name: str):
    body, parser, answer = body_of(name), SseParser(), ResponseStream(request(), SITE)
    for byte in body:
        try:
            for event in parser.feed(bytes([byte])):
                assert not any(isinstance(c, CallFinished | Finished) for c in answer.take(event))
        except ProviderUnavailable:
            assert "error" in name
            return
        if not answer.done:
            with pytest.raises(ProviderAnswer, match="broke off"):
                list(answer.end(framed=True))


@pytest.mark.others
def test_what_the_recording_says():
    chunks = read_stream(ResponseStream(request(), SITE), [body_of(RESPONSE_NAMES[-1].values[0])])
    assert isinstance(chunks, list)
    assert text_of(chunks) == "I\u2019ll check the capital lookup tool for \u201cPotatoLand.\u201d"
    assert chunks[-3:] == [
        CallFinished("call_LabG58Uhrq9kZvR52BYKjToD", "get_capital", '{"country":"PotatoLand"}'),
        Usage(63, 69),
        Finished("toolCalls"),
    ]
    kept = json.loads(next(c.signature for c in chunks if isinstance(c, ReasoningDelta)) or "")
    assert [min(item) for item in kept["items"]] == ["reasoning", "phase", "call"]
    assert kept["items"][0]["reasoning"]["encrypted_content"].startswith("gAAAA")


def test_summaries_sources_and_refusals():
    page = {"type": "url_citation", "url": "https://a.example/", "title": "A"}
    chunks = played(
        {"type": "response.reasoning_summary_part.added", "output_index": 0},
        {"type": "response.reasoning_summary_text.delta", "output_index": 0, "delta": "one"},
        {"type": "response.reasoning_summary_part.added", "output_index": 0},
        {"type": "response.reasoning_summary_text.delta", "output_index": 0, "delta": "two"},
        {"type": "response.output_text.delta", "output_index": 1, "delta": "So."},
        {"type": "response.output_text.annotation.added", "output_index": 1, "annotation": page},
        {"type": "response.something_new", "output_index": 1},
        {"type": "response.completed", "response": {"status": "completed"}},
    )
    assert reasoning_of(chunks) == "one\n\ntwo"
    assert text_of(chunks) == "So.\n\nSources:\n- A: <https://a.example/>"
    assert played(
        {"type": "response.refusal.delta", "output_index": 0, "delta": "No."},
        {"type": "response.completed", "response": {}},
    ) == [TextDelta("No."), Finished("refusal")]


def test_half_a_character_of_reasoning_at_the_end_is_shown_as_one_that_is_missing():
    kind = "response.reasoning_text.delta"
    chunks = played(
        {"type": kind, "output_index": 0, "delta": "h\ud83d"},
        {"type": "response.completed", "response": {"status": "completed"}},
    )
    assert reasoning_of(chunks) == "h\ufffd"


def test_what_no_delta_said_is_read_at_the_end():
    call = {"type": "function_call", "call_id": "c", "name": "grep", "arguments": "{}"}
    said = {"type": "message", "content": [{"type": "output_text", "text": "So."}]}
    assert played(
        {"type": "response.completed", "response": {"output": [said, call]}},
    ) == [
        TextDelta("So."),
        CallStarted("c", "grep"),
        CallFinished("c", "grep", "{}"),
        Finished("toolCalls"),
    ]


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        ({"type": "error", "code": "rate_limit_exceeded", "message": "slow"}, ProviderRateLimited),
        ({"type": "error", "error": {"type": "server_error", "message": "x"}}, ProviderUnavailable),
        ({"error": {"code": 502, "message": "upstream"}}, ProviderUnavailable),
        (
            {
                "type": "response.failed",
                "response": {
                    "status": "failed",
                    "error": {"code": "context_length_exceeded", "message": "too long"},
                },
            },
            ProviderOverflow,
        ),
        (
            {"type": "response.failed", "response": {"status": "failed", "error": None}},
            ProviderUnavailable,
        ),
        ({"type": "response.in_progress"}, ProviderAnswer),
    ],
)
def test_errors_inside_the_stream(event: Event, kind: type[Exception]):
    with pytest.raises(kind):
        played(event)


PICTURE = Image("image/png", "AAAA")
SHOWN = {"type": "input_image", "image_url": "data:image/png;base64,AAAA", "detail": "auto"}


def body(asked: Request, **how: object) -> dict[str, object]:
    return json.loads(encode_body(request_body(asked, **how)))


def test_a_whole_request():
    history = (
        Message(id="m0", role=Role.SYSTEM, text="Be brief."),
        Message(id="m1", role=Role.USER, text="Look", images=(PICTURE,)),
        Message(
            id="m2",
            role=Role.ASSISTANT,
            text="I look.",
            reasoning="private",
            signature="of another vendor",
            calls=(Call("c1", "grep", '{"pattern":"x"}'),),
        ),
        Message(id="m3", role=Role.TOOL, text="a.py", call_id="c1", name="grep", images=(PICTURE,)),
        Message(id="m4", role=Role.SYSTEM, text="The mode is plan."),
    )
    assert body(request(*history, tools=(GREP,), tool_choice="none", max_output=100)) == {
        "model": "some-model",
        "instructions": "Be brief.",
        "input": [
            {"role": "user", "content": [{"type": "input_text", "text": "Look"}, SHOWN]},
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": "I look."}],
            },
            {
                "type": "function_call",
                "call_id": "c1",
                "name": "grep",
                "arguments": '{"pattern":"x"}',
            },
            {"type": "function_call_output", "call_id": "c1", "output": "a.py"},
            {"role": "user", "content": [SHOWN]},
            {"role": "system", "content": "The mode is plan."},
        ],
        "tools": [
            {
                "type": "function",
                "name": "grep",
                "description": "Search.",
                "parameters": GREP.parameters,
                "strict": False,
            }
        ],
        "tool_choice": "none",
        "max_output_tokens": 100,
        "include": ["reasoning.encrypted_content"],
        "store": False,
        "stream": True,
    }


def answered(text: str | None = None, **changes: object) -> list[dict[str, object]]:
    """The items that go back of the answer with tools; with another text, for others."""
    chunks = read_stream(ResponseStream(request(), SITE), [body_of(TOOLS)])
    assert isinstance(chunks, list)
    message = Message(
        id="m2",
        role=Role.ASSISTANT,
        text=text_of(chunks) if text is None else text,
        signature=next(c.signature for c in chunks if isinstance(c, ReasoningDelta)),
        calls=tuple(Call(c.id, c.name, c.arguments) for c in chunks if isinstance(c, CallFinished))[
            : changes.pop("calls", 2)
        ],
    )
    asked = Request(model=str(changes.pop("model", "some-model")), messages=(QUESTION, message))
    return body(asked, address=changes.pop("address", HOME))["input"][1:]


def kinds(items: list[dict[str, object]]) -> list[object]:
    return [item["type"] for item in items]


def test_an_answer_goes_back_as_it_came():
    items = answered()
    assert kinds(items) == ["reasoning", "message", "function_call", "function_call"]
    assert items[0] == SEALED
    assert items[1]["phase"] == "commentary"
    assert items[1]["content"] == [
        {"type": "output_text", "text": COMMENTARY["content"][0]["text"]}
    ]
    assert [item["call_id"] for item in items[2:]] == ["call_hull", "call_word"]


def test_an_answer_of_several_messages_goes_back_as_so_many():
    words = ("One.", "Two.", "Three.", "Four.", "Five.")
    said = [
        {
            "type": "response.output_text.delta",
            "output_index": at,
            "item_id": f"i{at}",
            "delta": word,
        }
        for at, word in enumerate(words)
    ]
    said.append({"type": "response.output_item.done", "output_index": len(words), "item": SEALED})
    chunks = played(*said, {"type": "response.completed", "response": {"status": "completed"}})
    signature = next(c.signature for c in chunks if isinstance(c, ReasoningDelta))
    answer = Message(id="m2", role=Role.ASSISTANT, text=text_of(chunks), signature=signature)
    items = body(Request(model="some-model", messages=(QUESTION, answer)), address=HOME)["input"]
    assert [item["content"][0]["text"] for item in items[1:]] == list(words)


def test_what_was_changed_or_left_out_since_still_makes_a_request():
    assert answered("shorter")[1]["content"] == [{"type": "output_text", "text": "shorter"}]
    assert kinds(answered("")) == ["reasoning", "function_call", "function_call"]
    assert kinds(answered(calls=1)) == ["reasoning", "message", "function_call"]
    assert answered("", calls=0) == []


@pytest.mark.parametrize("other", [{"model": "another"}, {"address": "https://openrouter.ai/v1"}])
def test_sealed_reasoning_goes_to_no_other(other: dict[str, str]):
    items = answered(**other)
    assert kinds(items) == ["message", "function_call", "function_call"]
    assert "phase" not in items[0]


async def test_what_is_sent_over_http_and_a_cut_stream():
    whole = body_of(TOOLS)
    at = whole.index(b"event: response.completed")
    async with fault_server(stream(whole), broken(whole[:at])) as server:
        provider = responses(server.url)
        assert (await collected(provider))[-1] == Finished("toolCalls")
        chunks, error = await outcome(provider)
        await provider.close()
    sent = server.heads[0].lower()
    assert sent.startswith("post /v1/responses http/1.1")
    assert f"authorization: bearer {KEY}" in sent
    assert isinstance(error, ProviderAnswer)
    assert not any(isinstance(chunk, CallFinished) for chunk in chunks)


async def test_a_model_that_cannot_seal_its_reasoning_is_asked_without_and_only_once():
    said = "Encrypted content is not supported with this model."
    refusal = document(400, {"error": {"message": said, "param": "include"}})
    async with fault_server(refusal, stream(body_of(TOOLS))) as server:
        provider = responses(server.url)
        for _ in range(2):
            assert (await collected(provider))[-1] == Finished("toolCalls")
        await provider.close()
    assert ["include" in json.loads(sent) for sent in server.bodies] == [True, False, False]


async def test_another_refusal_is_not_asked_again():
    async with fault_server(document(400, {"error": {"message": "no tools"}})) as server:
        provider = responses(server.url)
        _, error = await outcome(provider)
        await provider.close()
    assert isinstance(error, ProviderAnswer)
    assert len(server.bodies) == 1
