"""A stream of chunks becomes one whole answer, or the text that people have seen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.context.log.messages import Part, PartKind
from plimsoll.errors import ProviderAnswer
from plimsoll.providers.base import (
    CallFinished,
    CallStarted,
    Finished,
    ReasoningDelta,
    TextDelta,
    Usage,
)
from plimsoll.session.asking.request import answer_parts, call_part
from plimsoll.session.asking.response import ask, gather, new_response


async def anywhere() -> None:
    """Let a request through that belongs to no session."""


class Stream:
    """A provider that says these chunks."""

    def __init__(self, *chunks):
        self.chunks = chunks

    async def stream(self, _request):
        for chunk in self.chunks:
            yield chunk


async def heard(*chunks):
    response, told = new_response(), []
    await ask(Stream(*chunks), None, response, len, let_through=anywhere, hear=told.append)
    return response, told


WHOLE = (
    ReasoningDelta("Let "),
    ReasoningDelta("me see.", "signed"),
    TextDelta("Look"),
    TextDelta("ing."),
    CallStarted("c1", "grep"),
    CallFinished("c1", "grep", '{ "b": 1, "a": "ü" }'),
    Usage(9, 3, 5),
    Finished("toolCalls"),
)


async def test_a_whole_answer():
    response, told = await heard(*WHOLE)
    assert answer_parts(response, whole=True) == (
        Part(kind=PartKind.REASONING, text="Let me see.", opaque="signed"),
        Part(kind=PartKind.TEXT, text="Looking."),
        Part(kind=PartKind.CALL, text='{"a":"ü","b":1}', call_id="c1", name="grep"),
    )
    assert (response.usage, response.finished) == (Usage(9, 3, 5), "toolCalls")
    assert told == list(WHOLE[:4])


class Ending(Stream):
    """Says its chunks, and knows whether it was ended."""

    ended = False

    async def stream(self, request):
        try:
            async for chunk in super().stream(request):
                yield chunk
        finally:
            self.ended = True


async def test_an_answer_that_cannot_be_shown_is_ended_at_once():
    """As where standard output is gone; left alone it was ended with the process, and a trace."""

    def gone(_chunk):
        raise BrokenPipeError

    provider = Ending(*WHOLE)
    with pytest.raises(BrokenPipeError):
        await ask(provider, None, new_response(), len, let_through=anywhere, hear=gone)
    assert provider.ended


async def test_of_a_broken_answer_only_the_text_stays():
    response = new_response()
    with pytest.raises(ProviderAnswer) as broken:
        await ask(Stream(*WHOLE[:-1]), None, response, len, let_through=anywhere)
    assert "nothing of it was run" in broken.value.message
    assert answer_parts(response, whole=False) == (Part(kind=PartKind.TEXT, text="Looking."),)


@given(st.lists(st.text(min_size=1, max_size=9), max_size=200))
def test_pieces_are_gathered_in_their_order_and_few_remain(pieces: list[str]):
    gathered: list[str] = []
    for piece in pieces:
        gather(gathered, piece)
    assert "".join(gathered) == "".join(pieces)
    assert len(gathered) <= len("".join(pieces)).bit_length() + 1


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
