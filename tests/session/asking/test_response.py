"""A stream of chunks becomes one answer, and is ended where nobody wants more of it."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.providers.base import (
    BegunAnew,
    Finished,
    Mended,
    ReasoningDelta,
    TextDelta,
    TextWasReasoning,
    Usage,
    Waiting,
)
from plimsoll.session.asking.response import PARAGRAPH, ask, gather, new_response, was_sent
from session.asking.streams import WHOLE, Stream, anywhere, heard


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


async def test_what_a_server_refused_is_told_and_no_part_of_the_answer():
    told: list[str] = []
    answers = new_response(), new_response()
    await ask(Stream(*WHOLE), None, answers[0], len, let_through=anywhere)
    await ask(
        Stream(Mended("It takes no temperature."), *WHOLE),
        *(None, answers[1], len),
        let_through=anywhere,
        tell=told.append,
    )
    assert told == ["It takes no temperature."]
    assert answers[1].text == answers[0].text


@given(st.lists(st.text(min_size=1, max_size=9), max_size=200))
def test_pieces_are_gathered_in_their_order_and_few_remain(pieces: list[str]):
    gathered: list[str] = []
    for piece in pieces:
        gather(gathered, piece)
    assert "".join(gathered) == "".join(pieces)
    assert len(gathered) <= len("".join(pieces)).bit_length() + 1


async def test_reasoning_that_a_fault_has_made_void_is_seen_and_not_kept():
    void = ReasoningDelta("Let me ", "unsigned"), BegunAnew()
    response, told = await heard(
        *void, ReasoningDelta("Now."), TextDelta("So."), Finished("endTurn")
    )
    assert (response.reasoning, response.signature, response.text) == (["Now."], None, ["So."])
    shown = [void[0], ReasoningDelta(PARAGRAPH), ReasoningDelta("Now."), TextDelta("So.")]
    assert told == shown


async def test_a_loop_is_looked_for_in_what_counts_alone():
    half = ReasoningDelta("and so on " * 110)
    response, _ = await heard(half, BegunAnew(), half, Finished("endTurn"))
    assert response.repeated is None
    whole, _ = await heard(half, half, Finished("endTurn"))
    assert whole.repeated is not None


async def test_text_that_turns_out_to_be_reasoning_is_no_answer():
    response, _ = await heard(
        ReasoningDelta("Let "),
        TextDelta("me see."),
        TextWasReasoning(),
        TextDelta("So."),
        Finished("endTurn"),
    )
    assert ("".join(response.reasoning), response.text) == ("Let me see.", ["So."])


async def test_each_wait_is_noted_once_and_told_each_time():
    told: list[Waiting] = []
    waits = [
        Waiting(reason=reason) for reason in ("connecting", "loading", "loading", "connecting")
    ]
    response = new_response()
    await ask(Stream(*waits, *WHOLE), None, response, len, let_through=anywhere, wait=told.append)
    assert told == waits
    assert response.waits == ["connecting", "loading", "connecting"]


@pytest.mark.parametrize(
    ("fields", "waits", "sent"),
    [
        ({}, [], True),
        ({"let_through": False}, [], False),
        ({}, ["firstToken"], True),
        ({}, ["connecting"], False),
        ({}, ["retrying"], False),
        ({}, ["rateLimited", "firstToken"], True),
        ({}, ["firstToken", "loading"], False),
        ({"text": ["So."]}, ["retrying"], True),
        ({"reasoning": ["So."]}, ["retrying"], True),
        ({"usage": Usage(1, 0)}, ["retrying"], True),
    ],
)
def test_a_request_costs_once_the_provider_has_read_it(fields, waits, sent):
    response = new_response()
    for name, value in {"let_through": True, "waits": waits, **fields}.items():
        setattr(response, name, value)
    assert was_sent(response, asyncio.CancelledError()) is sent
    answered = bool(fields) and "let_through" not in fields
    assert was_sent(response, ConnectionError()) is answered
