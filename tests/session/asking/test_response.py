"""A stream of chunks becomes one answer, and is ended where nobody wants more of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.providers.base import Mended
from plimsoll.session.asking.response import ask, gather, new_response
from session.asking.streams import WHOLE, Stream, anywhere


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
