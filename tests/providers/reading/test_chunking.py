"""A stream says the same however its bytes are cut, in every dialect."""

import json
from collections.abc import Callable
from itertools import chain, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.providers.anthropic import MessageStream
from plimsoll.providers.base import Request
from plimsoll.providers.http.endpoint import StreamReader
from plimsoll.providers.http.faults import Site
from plimsoll.providers.openai import ChatStream
from plimsoll.providers.openai_responses import ResponseStream
from providers.support import read_stream, request
from recordings.beside import OTHERS, STREAMS_OF_OTHERS
from recordings.streams import CHAT_NAMES, MESSAGE_NAMES, RESPONSE_NAMES, body_of

Reader = Callable[[Request, Site], StreamReader]
SITE = Site(url="https://openrouter.ai/v1", model="some-model", key_env="OPENAI_API_KEY")


def cases() -> list[object]:
    """Each stream with the reader of its dialect; those of others are marked."""
    found: list[object] = []
    for reader, names in (
        (ChatStream, CHAT_NAMES),
        (MessageStream, MESSAGE_NAMES),
        (ResponseStream, RESPONSE_NAMES),
    ):
        for each in names:
            own = isinstance(each, str)
            name, marks = (each, ()) if own else (each.values[0], each.marks)
            found.append(pytest.param(reader, name, marks=marks, id=name))
    return found


@pytest.mark.parametrize(("reader", "name"), cases())
def test_each_byte_by_itself(reader: Reader, name: str):
    body = body_of(name)
    whole = read_stream(reader(request(), SITE), [body])
    assert read_stream(reader(request(), SITE), [bytes([byte]) for byte in body]) == whole
    assert isinstance(whole, list) == ("error" not in name)


@pytest.mark.slow
@pytest.mark.parametrize(("reader", "name"), cases())
@given(data=st.data())
def test_any_pieces_and_any_line_ends(reader: Reader, name: str, data: st.DataObject):
    body = body_of(name)
    end = data.draw(st.sampled_from([b"\n", b"\r\n", b"\r"]))
    cut = body.replace(b"\n", end)
    places = [0, *sorted(data.draw(st.sets(st.integers(0, len(cut)), max_size=12))), len(cut)]
    pieces = read_stream(reader(request(), SITE), [cut[a:b] for a, b in pairwise(places)])
    assert pieces == read_stream(reader(request(), SITE), [body])


@pytest.mark.others
def test_every_stream_of_others_is_read_but_those_of_gemini_s_own_dialect():
    index = json.loads((OTHERS / "sse" / "index.json").read_text("utf-8"))
    spoken = {each["file"] for each in index if each["family"] != "gemini"}
    assert spoken == set(chain.from_iterable(STREAMS_OF_OTHERS.values()))
