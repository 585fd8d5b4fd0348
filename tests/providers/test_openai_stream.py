import json

import pytest

from plimsoll.context.log.messages import Call, Message, Role
from plimsoll.errors import (
    ProviderAnswer,
    ProviderOverflow,
    ProviderRateLimited,
    ProviderUnavailable,
)
from plimsoll.providers.base import (
    ArgumentsDelta,
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
from plimsoll.providers.openai import ChatStream
from providers.support import QUESTION, reasoning_of, request, settled, text_of
from recordings.streams import CHAT_NAMES, body_of

SITE = Site(
    url="http://127.0.0.1:1/v1/chat/completions", model="some-model", key_env="OPENAI_API_KEY"
)
DONE = "[DONE]"
HISTORY = (
    QUESTION,
    Message(id="m2", role=Role.ASSISTANT, text="", calls=(Call("taken", "grep", "{}"),)),
)


def chunk(
    delta: dict[str, object], finish: str | None = None, **fields: object
) -> dict[str, object]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **fields}


def call(**fields: object) -> dict[str, object]:
    function = {key: fields.pop(key) for key in ("name", "arguments") if key in fields}
    return chunk({"tool_calls": [{"function": function, **fields}]})


def played(
    *events: dict[str, object] | str, framed: bool = False, history=(QUESTION,)
) -> list[Chunk]:
    answer = ChatStream(request(*history), SITE)
    chunks: list[Chunk] = []
    for event in events:
        data = event if isinstance(event, str) else json.dumps(event)
        chunks += answer.take(ServerEvent("message", data))
    return settled([*chunks, *answer.end(framed)])


STOP = chunk({}, "stop")


def test_text_reasoning_usage_and_end():
    usage = {
        "prompt_tokens": 10,
        "completion_tokens": 3,
        "prompt_tokens_details": {"cached_tokens": 8, "cache_write_tokens": 2},
    }
    assert played(
        chunk({"role": "assistant", "content": ""}),
        chunk({"reasoning": "hm"}),
        chunk({"reasoning_content": "so", "reasoning": "so"}),
        chunk({"content": "Hel"}),
        chunk({"content": [{"type": "text", "text": "lo"}]}),
        STOP,
        {"choices": [], "usage": usage},
        DONE,
        chunk({"content": "never"}),
    ) == [
        ReasoningDelta("hm"),
        ReasoningDelta("so"),
        TextDelta("Hel"),
        TextDelta("lo"),
        Usage(10, 3, 8, CacheWrites(2)),
        Finished("endTurn"),
    ]


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (
            {"prompt_tokens": 5, "completion_tokens": 1, "prompt_cache_hit_tokens": 4},
            Usage(5, 1, 4),
        ),
        ({"prompt_tokens": 5, "completion_tokens": 1, "cached_tokens": 3}, Usage(5, 1, 3)),
        ({"prompt_tokens": None, "completion_tokens": "x"}, Usage(0, 0)),
        ({"prompt_tokens": 2500.0, "completion_tokens": 5.0}, Usage(2500, 5)),
        ({"prompt_tokens": "2500", "completion_tokens": "5"}, Usage(2500, 5)),
        ({"input_tokens": 2500, "output_tokens": 5}, Usage(2500, 5)),
        ({"prompt_tokens": -1, "completion_tokens": True}, Usage(0, 0)),
        ({"prompt_tokens": 1e300, "completion_tokens": 10**30}, Usage(0, 0)),
    ],
)
def test_usage_of_other_hosts(usage: dict[str, object], expected: Usage):
    assert expected in played(STOP, {"usage": usage}, DONE)
    assert expected in played(STOP, {"x_groq": {"usage": usage}}, DONE)


def cited(url: str, title: str) -> dict[str, object]:
    return {"type": "url_citation", "url_citation": {"url": url, "title": title}}


def test_the_pages_that_an_answer_names_stand_below_it_each_once():
    pages = [cited("https://a.example/1", "One\n[page]"), cited("https://a.example/1", "One")]
    chunks = played(
        chunk({"content": "So."}),
        chunk({"annotations": pages}),
        chunk({"annotations": [cited("javascript:alert(1)", "no page"), {"type": "file"}]}),
        STOP,
        DONE,
    )
    assert text_of(chunks) == "So.\n\nSources:\n- One [page]: <https://a.example/1>"
    assert chunks[-1] == Finished("endTurn")


def test_arguments_are_given_out_as_they_come():
    """A loop within them is seen before their end."""
    answer = ChatStream(request(), SITE)
    events = (call(index=0, id="c1", name="grep", arguments='{"a'), call(index=0, arguments='":1}'))
    seen = [c for e in events for c in answer.take(ServerEvent("message", json.dumps(e)))]
    assert seen == [CallStarted("c1", "grep"), ArgumentsDelta('{"a'), ArgumentsDelta('":1}')]


def finished(*events: dict[str, object] | str, history=(QUESTION,)) -> list[tuple[str, str, str]]:
    chunks = played(*events, chunk({}, "tool_calls"), DONE, history=history)
    started = [(c.id, c.name) for c in chunks if isinstance(c, CallStarted)]
    whole = [(c.id, c.name, c.arguments) for c in chunks if isinstance(c, CallFinished)]
    assert started == [(own, name) for own, name, _ in whole]
    assert chunks[-1] == Finished("toolCalls" if whole else "endTurn")
    return whole


def test_parallel_calls_whose_fragments_interleave():
    assert finished(
        call(index=0, id="a", name="grep", arguments=""),
        call(index=1, id="b", name="glob", arguments='{"x"'),
        call(index=0, arguments='{"p":'),
        call(index=1, arguments=":1}"),
        call(index=0, arguments="1}"),
    ) == [("a", "grep", '{"p":1}'), ("b", "glob", '{"x":1}')]


def test_the_id_and_the_name_may_be_repeated_or_come_late():
    assert finished(
        call(index=0, id="a", arguments=""),
        call(index=0, id="a", name="grep", arguments="{"),
        call(index=0, id="a", name="grep", arguments="}"),
    ) == [("a", "grep", "{}")]


def test_one_index_for_all_calls_is_told_apart_by_id():
    assert finished(
        call(index=0, id="a", name="grep", arguments="{}"),
        call(index=0, id="b", name="grep", arguments="{}"),
    ) == [("a", "grep", "{}"), ("b", "grep", "{}")]


def test_calls_without_index_and_id_each_begin_with_a_name():
    whole = finished(
        call(name="grep", arguments='{"a":'),
        call(arguments="1}"),
        call(name="grep", arguments={"b": 2}),
    )
    assert [(name, text) for _, name, text in whole] == [("grep", '{"a":1}'), ("grep", '{"b":2}')]
    assert len({own for own, _, _ in whole}) == 2


def test_an_id_that_is_taken_is_replaced_and_the_same_each_time():
    events = (
        call(index=0, id="taken", name="grep", arguments="{}"),
        call(index=1, id="new", name="grep", arguments="{}"),
        call(index=2, id="new", name="grep", arguments="{}"),
    )
    first = finished(*events, history=HISTORY)
    assert first == finished(*events, history=HISTORY)
    ids = [own for own, _, _ in first]
    assert len(set(ids)) == 3
    assert "taken" not in ids
    assert ids[1] == "new"


@pytest.mark.parametrize("arguments", ['{"path": "a', "", "[1]", '{"a":1}{"b":2}'])
def test_arguments_are_handed_on_as_they_came(arguments: str):
    assert finished(call(index=0, id="a", name="grep", arguments=arguments)) == [
        ("a", "grep", arguments)
    ]


def test_an_answer_at_its_limit_says_so_and_hands_the_broken_call_on_as_text():
    chunks = played(call(index=0, id="a", name="grep", arguments='{"pa'), chunk({}, "length"), DONE)
    assert chunks[1:] == [CallFinished("a", "grep", '{"pa'), Finished("maxTokens")]


def test_calls_of_a_refused_answer_are_not_given_out():
    chunks = played(
        call(index=0, id="a", name="grep", arguments="{}"), chunk({}, "content_filter"), DONE
    )
    assert chunks == [CallStarted("a", "grep"), Finished("refusal")]


def test_a_refusal_is_text_and_a_reason():
    assert played(chunk({"refusal": "No."}), STOP, DONE) == [TextDelta("No."), Finished("refusal")]


def test_a_call_without_a_name_is_an_error():
    with pytest.raises(ProviderAnswer, match="without a name"):
        played(call(index=0, id="a", arguments="{}"), chunk({}, "tool_calls"), DONE)


def test_stop_after_a_call_and_tool_calls_without_one():
    assert played(call(index=0, id="a", name="grep", arguments="{}"), STOP, DONE)[-1] == Finished(
        "toolCalls"
    )
    assert played(chunk({}, "tool_calls"), DONE) == [Finished("endTurn")]


@pytest.mark.parametrize(
    ("events", "framed", "whole"),
    [
        ((chunk({"content": "x"}), DONE), True, False),
        ((STOP,), False, False),
        ((STOP,), True, True),
        ((STOP, DONE), False, True),
        (
            (STOP, {"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}),
            False,
            True,
        ),
        ((), True, False),
        ((DONE,), True, False),
    ],
)
def test_the_proper_end(events: tuple[dict[str, object] | str, ...], framed: bool, whole: bool):
    if whole:
        assert played(*events, framed=framed)[-1] == Finished("endTurn")
    else:
        with pytest.raises(ProviderAnswer, match="broke off"):
            played(*events, framed=framed)


COUNTED: dict[str, object] = {"usage": {"prompt_tokens": 1, "completion_tokens": 1}}


def test_done_with_usage_is_an_end_without_a_reason():
    assert played(chunk({"content": "x"}), COUNTED, DONE)[-1] == Finished("endTurn")
    whole = call(index=0, id="a", name="grep", arguments='{"a":1}')
    assert played(whole, COUNTED, DONE)[1:] == [
        CallFinished("a", "grep", '{"a":1}'),
        Usage(1, 1),
        Finished("toolCalls"),
    ]


@pytest.mark.parametrize(
    "events",
    [
        (chunk({"content": "x"}), COUNTED),
        (call(index=0, id="a", name="grep", arguments='{"pa'), COUNTED, DONE),
    ],
)
def test_what_may_have_been_cut_is_no_end_without_a_reason(events: tuple[dict[str, object], ...]):
    with pytest.raises(ProviderAnswer, match="broke off"):
        played(*events)


@pytest.mark.parametrize(
    "delta",
    [
        {"reasoning_content": "hm"},
        {"reasoning": "hm"},
        {"reasoning": "hm", "reasoning_details": [{"type": "reasoning.text", "text": "hm"}]},
        {"reasoning_details": [{"type": "reasoning.text", "text": "hm", "index": 0}]},
        {"reasoning_details": [{"type": "reasoning.summary", "summary": "hm"}]},
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]},
    ],
)
def test_reasoning_wherever_a_host_puts_it(delta: dict[str, object]):
    assert played(chunk(delta), STOP, DONE) == [ReasoningDelta("hm"), Finished("endTurn")]


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        ({"error": {"message": "maximum context length is 10 tokens"}}, ProviderOverflow),
        ({"error": {"type": "rate_limit_error", "message": "slow down"}}, ProviderRateLimited),
        ({"error": {"code": 502, "message": "upstream"}, "choices": []}, ProviderUnavailable),
        ({"error": "went wrong"}, ProviderAnswer),
        (chunk({}, "error"), ProviderUnavailable),
        ("{broken", ProviderAnswer),
        ("[1]", ProviderAnswer),
        ("[" * 100_000, ProviderAnswer),
    ],
)
def test_errors_inside_the_stream(event: dict[str, object] | str, kind: type[Exception]):
    with pytest.raises(kind):
        played(call(index=0, id="a", name="grep", arguments="{}"), event, STOP, DONE)


def delta(field: str, escaped: str) -> str:
    return '{"choices":[{"delta":{"' + field + '":"' + escaped + '"}}]}'


@pytest.mark.parametrize("field", ["content", "reasoning"])
def test_a_character_cut_in_two_escapes_is_joined(field: str):
    chunks = played(
        delta(field, r"a\ud83d"),
        delta(field, r"\ude00b"),
        delta(field, r"\ud83d"),
        STOP,
        DONE,
    )
    text = text_of(chunks) or reasoning_of(chunks)
    assert text.startswith("a😀b")
    assert text.encode("utf-8")


@pytest.mark.parametrize("name", CHAT_NAMES)
def test_a_recording_that_ends_after_any_byte_gives_no_call_before_its_end(name: str):
    parser, answer = SseParser(), ChatStream(request(), SITE)
    whole: list[Chunk] = []
    for byte in body_of(name):
        try:
            for event in parser.feed(bytes([byte])):
                assert not any(isinstance(c, CallFinished | Finished) for c in answer.take(event))
        except (ProviderAnswer, ProviderUnavailable):
            assert "error" in name
            return
        try:
            ended = list(answer.end(framed=False))
        except ProviderAnswer:
            assert not whole
            continue
        whole = whole or ended
        assert ended == whole
    assert isinstance(whole[-1], Finished)
