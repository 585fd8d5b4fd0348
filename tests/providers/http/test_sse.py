from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.errors import ProviderAnswer
from plimsoll.providers.http.sse import ServerEvent, SseParser
from recordings.streams import CHAT_NAMES, body_of

KINDS = b"""\xef\xbb\xbf: a comment
data: one

event: error
data:two
data:  three
id: 7
retry: 100

data

event: lost without data

:

data: caf\xc3\xa9 \xf0\x9f\x98\x80
data: not ended by an empty line"""

EVENTS = [
    ServerEvent("message", "one"),
    ServerEvent("error", "two\n three"),
    ServerEvent("message", ""),
]


def parsed(data: bytes) -> list[ServerEvent]:
    return SseParser().feed(data)


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_events_of_every_kind(end: bytes):
    assert parsed(KINDS.replace(b"\n", end)) == EVENTS


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_one_byte_at_a_time(end: bytes):
    data = KINDS.replace(b"\n", end) + end + end
    parser = SseParser()
    events = [event for byte in data for event in parser.feed(bytes([byte]))]
    last = ServerEvent("message", "café 😀\nnot ended by an empty line")
    assert events == [*EVENTS, last]


@given(st.lists(st.integers(0, len(KINDS)), max_size=8), st.sampled_from([b"\n", b"\r\n", b"\r"]))
def test_any_cut_gives_the_same_events(cuts: list[int], end: bytes):
    data = KINDS.replace(b"\n", end) + end + end
    places = [0, *sorted(cuts), len(data)]
    parser = SseParser()
    events = [e for a, b in pairwise(places) for e in parser.feed(data[a:b])]
    assert events == parsed(data)


@given(st.binary(max_size=200))
def test_any_bytes_give_events_or_our_error(data: bytes):
    try:
        assert isinstance(parsed(data), list)
    except ProviderAnswer as error:
        assert "UTF-8" in error.message


def test_mixed_line_ends():
    assert parsed(b"data: a\rdata: b\r\ndata: c\n\r\n") == [ServerEvent("message", "a\nb\nc")]


def test_a_line_feed_after_a_cut_carriage_return_is_no_second_line():
    parser = SseParser()
    assert parser.feed(b"data: a\r") == []
    assert parser.feed(b"\ndata: b\r\n\r") == [ServerEvent("message", "a\nb")]
    assert parser.feed(b"\n") == []


def test_bad_utf8_is_an_error_and_never_a_replaced_character():
    with pytest.raises(ProviderAnswer, match="UTF-8"):
        parsed(b"data: \xff\n\n")


@pytest.mark.parametrize("piece", [b"x" * 50, b"data: " + b"x" * 40 + b"\n"])
def test_an_event_has_a_largest_size(piece: bytes):
    parser = SseParser(limit=1000)
    with pytest.raises(ProviderAnswer, match="larger than 1,000 bytes"):
        for _ in range(40):
            parser.feed(piece)


def test_many_events_have_no_limit_together():
    parser = SseParser(limit=100)
    assert sum(len(parser.feed(b"data: " + b"x" * 80 + b"\n\n")) for _ in range(50)) == 50


@pytest.mark.parametrize("name", CHAT_NAMES)
def test_recordings_read_the_same_with_every_line_end(name: str):
    data = body_of(name)
    assert (
        parsed(data) == parsed(data.replace(b"\n", b"\r\n")) == parsed(data.replace(b"\n", b"\r"))
    )


def test_a_byte_order_mark_is_no_part_of_the_first_field():
    parser = SseParser()
    events = [e for byte in b"\xef\xbb\xbfdata: a\n\n" for e in parser.feed(bytes([byte]))]
    assert events == [ServerEvent("message", "a")]
