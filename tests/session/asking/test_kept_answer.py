"""Of an answer its whole is kept, or the text that people have seen."""

import pytest

from plimsoll.context.log.messages import Part, PartKind
from plimsoll.errors import ProviderAnswer
from plimsoll.providers.base import (
    Finished,
    TextDelta,
    Usage,
)
from plimsoll.session.asking.kept_answer import answer_parts, call_part
from plimsoll.session.asking.response import ask, new_response
from session.asking.streams import WHOLE, Stream, anywhere, heard


async def test_a_whole_answer():
    response, told = await heard(*WHOLE)
    assert answer_parts(response, whole=True) == (
        Part(kind=PartKind.REASONING, text="Let me see.", opaque="signed"),
        Part(kind=PartKind.TEXT, text="Looking."),
        Part(kind=PartKind.CALL, text='{"a":"ü","b":1}', call_id="c1", name="grep"),
    )
    assert (response.usage, response.finished) == (Usage(9, 3, 5), "toolCalls")
    assert told == list(WHOLE[:4])


async def test_of_a_broken_answer_only_the_text_stays():
    response = new_response()
    with pytest.raises(ProviderAnswer) as broken:
        await ask(Stream(*WHOLE[:-1]), None, response, len, let_through=anywhere)
    assert "nothing of it was run" in broken.value.message
    assert answer_parts(response, whole=False) == (Part(kind=PartKind.TEXT, text="Looking."),)


async def test_nothing_but_space_is_no_answer():
    response, _ = await heard(TextDelta(" \n"), Finished("endTurn"))
    assert answer_parts(response, whole=True) == ()


DEEP = f'{{"a":{"[" * 99}{"]" * 99}}}'


@pytest.mark.parametrize(
    "raw", ['{"a": 1', "[]", '"a"', "7", "null", "{'a': 1}", '{"a": NaN}', DEEP]
)
def test_arguments_that_are_no_object_are_kept_as_they_came(raw):
    assert call_part("c1", "grep", raw) == Part(
        kind=PartKind.CALL, text="{}", call_id="c1", name="grep", opaque=raw
    )


def test_no_arguments_are_an_empty_object():
    assert call_part("c1", "grep", "") == Part(
        kind=PartKind.CALL, text="{}", call_id="c1", name="grep"
    )


def test_sealed_reasoning_without_a_word_is_kept():
    response = new_response()
    response.signature = "sealed"
    response.text.append("So.")
    parts = answer_parts(response, whole=True)
    assert parts[0] == Part(kind=PartKind.REASONING, text="", opaque="sealed")
    assert answer_parts(response, whole=False) == parts[1:]
