import pytest
from pydantic import ValidationError

from plimsoll.lsp.wire.base import dump
from plimsoll.lsp.wire.content import (
    FilePart,
    ImagePart,
    Position,
    Range,
    RawMessage,
    RawToolCall,
    SelectionPart,
    TextPart,
)
from plimsoll.lsp.wire.sessions import SessionPromptParams


def call(**fields: object) -> RawToolCall:
    return RawToolCall.model_validate({"id": "c1", "name": "grep", **fields})


def test_every_content_part_is_told_apart_by_its_type():
    lines = {"start": {"line": 0, "character": 0}, "end": {"line": 2, "character": 0}}
    sent = [
        {"type": "text", "text": "why?"},
        {"type": "file", "uri": "file:///w/a.py", "range": lines},
        {"type": "image", "mimeType": "image/png", "data": "aGk="},
        {"type": "selection", "uri": "file:///w/a.py", "range": lines, "text": "x = 1"},
    ]

    content = SessionPromptParams.model_validate({"sessionId": "s", "content": sent}).content

    stretch = Range(start=Position(line=0, character=0), end=Position(line=2, character=0))
    assert content == (
        TextPart(text="why?"),
        FilePart(uri="file:///w/a.py", range=stretch),
        ImagePart(mime_type="image/png", data="aGk="),
        SelectionPart(uri="file:///w/a.py", range=stretch, text="x = 1"),
    )
    assert dump(content) == sent


def test_an_empty_prompt_is_refused():
    with pytest.raises(ValidationError):
        SessionPromptParams.model_validate({"sessionId": "s", "content": []})


def test_snake_case_is_taken_on_input_and_camel_case_given_back():
    sent = {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": "c1", "name": "grep", "arguments": {"pattern": "x"}}],
    }

    message = RawMessage.model_validate(sent)

    assert dump(message) == {
        "role": "assistant",
        "content": "",
        "toolCalls": [{"id": "c1", "name": "grep", "arguments": {"pattern": "x"}}],
    }
    answer = RawMessage.model_validate({"role": "tool", "content": "y", "tool_call_id": "c1"})
    assert dump(answer) == {"role": "tool", "content": "y", "toolCallId": "c1"}


def test_null_content_beside_calls_reads_as_no_text():
    assert RawMessage.model_validate({"role": "assistant", "content": None}).content == ""


def test_content_may_be_parts():
    sent = {"role": "user", "content": [{"type": "text", "text": "look"}]}

    assert dump(RawMessage.model_validate(sent)) == sent


def test_an_unknown_role_is_refused():
    with pytest.raises(ValidationError):
        RawMessage.model_validate({"role": "developer", "content": "x"})


def test_arguments_that_are_an_object_stay_as_they_are():
    assert call(arguments={"a": None}) == RawToolCall(id="c1", name="grep", arguments={"a": None})


def test_arguments_as_json_text_of_an_object_are_that_object():
    assert call(arguments='{"a": [1]}') == RawToolCall(id="c1", name="grep", arguments={"a": [1]})


@pytest.mark.parametrize(
    ("sent", "raw"),
    [
        ('{"a": ', '{"a": '),
        ("ls -l", "ls -l"),
        ("", ""),
        ("[1]", "[1]"),
        ("[" * 100_000, "[" * 100_000),
        (["é"], '["é"]'),
        (7, "7"),
    ],
    ids=["cut off", "plain text", "empty", "array text", "deep", "array", "number"],
)
def test_arguments_that_are_no_object_are_kept_as_raw_text(sent, raw):
    assert call(arguments=sent) == RawToolCall(
        id="c1", name="grep", arguments={}, raw_arguments=raw
    )


def test_raw_arguments_survive_the_way_out_and_back():
    message = call(arguments="ls -l")

    assert RawToolCall.model_validate(dump(message)) == message


def test_a_chat_completions_call_is_lifted_from_its_function():
    sent = {
        "id": "c1",
        "type": "function",
        "function": {"name": "grep", "arguments": '{"pattern": "x"}'},
    }

    assert RawToolCall.model_validate(sent) == call(arguments={"pattern": "x"})


@pytest.mark.parametrize("sent", [{"id": "c1", "name": "grep"}, [], "grep", None])
def test_a_call_without_arguments_or_shape_is_refused(sent):
    with pytest.raises(ValidationError):
        RawToolCall.model_validate(sent)
