"""What a tool sends becomes text and images; nothing of it is said twice, or not at all."""

import base64
from typing import Any

import mcp_types as types
import pytest

from plimsoll.context.log.messages import Image
from plimsoll.tools.mcp.client.answers import prompt_answer, resource_answer, tool_answer

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"0" * 20).decode()
PICTURE = {"type": "image", "data": PNG, "mimeType": "image/png"}


def answered(*content: dict[str, Any], **more: Any):
    return tool_answer(types.CallToolResult.model_validate({"content": list(content), **more}))


def said(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def test_text_and_images_come_as_they_are():
    answer = answered(said("one"), PICTURE, said("two"))
    assert (answer.text, answer.images) == ("one\n\ntwo", (Image("image/png", PNG),))


@pytest.mark.parametrize(
    "text",
    [
        '{"count": 3, "names": ["Ada", "Bob"]}',
        '{\n  "names": ["Ada", "Bob"],\n  "count": 3\n}',
        "There are 3: Ada and Bob.",
    ],
)
def test_structured_content_that_the_text_holds_is_not_said_twice(text: str):
    answer = answered(said(text), structuredContent={"count": 3, "names": ["Ada", "Bob"]})
    assert answer.text == text


@pytest.mark.parametrize("text", ["", "Done.", "There are 33: Adam and Bob."])
def test_structured_content_that_the_text_lacks_is_added(text: str):
    answer = answered(said(text), structuredContent={"count": 3, "names": ["Ada", "Bob"]})
    assert answer.text.startswith(text)
    assert '"count": 3' in answer.text


def test_structured_content_does_not_take_the_place_of_images():
    answer = answered(PICTURE, structuredContent={"width": 7})
    assert len(answer.images) == 1
    assert '"width": 7' in answer.text


def test_what_is_neither_text_nor_image_is_told_in_words():
    blob = base64.b64encode(b"\0" * 300).decode()
    answer = answered(
        {"type": "audio", "data": blob, "mimeType": "audio/wav"},
        {"type": "resource_link", "uri": "a://b", "name": "b", "description": "The b."},
        {"type": "resource", "resource": {"uri": "a://c", "blob": blob, "mimeType": "a/zip"}},
        {"type": "resource", "resource": {"uri": "a://d", "text": "words"}},
        {"type": "image", "data": blob, "mimeType": "image/png"},
    )
    assert answer.text.split("\n\n") == [
        "[audio, audio/wav, 300 bytes: not heard]",
        "[resource a://b (b): The b.]",
        "[resource a://c, a/zip, 300 bytes: not shown]",
        "words",
        "[image, image/png, 300 bytes: in a form that models do not take]",
    ]
    assert blob not in answer.text


def test_an_empty_answer_is_told_so_that_no_model_asks_again():
    assert answered().text == "(The tool ended without an error and has nothing to say.)"
    assert answered(isError=True).failed


def test_a_prompt_says_who_speaks_and_a_resource_what_it_holds():
    messages = [
        {"role": "user", "content": said("Hi.")},
        {"role": "assistant", "content": said("Yes?")},
    ]
    prompt = types.GetPromptResult.model_validate({"messages": messages})
    assert prompt_answer(prompt).text == "Hi.\n\nAssistant: Yes?"
    held = [{"uri": "a://b", "text": "x"}, {"uri": "a://c", "blob": PNG, "mimeType": "image/png"}]
    read = resource_answer(types.ReadResourceResult.model_validate({"contents": held}))
    assert (read.text, len(read.images)) == ("x", 1)
