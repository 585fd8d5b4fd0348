import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.tools.process.output import Captured, clean_output

OUTPUTS = {
    "colour": (b"\x1b[1;31mred\x1b[0m", "red"),
    "cursor": (b"a\x1b[2K\x1b[1Gb", "ab"),
    "title": (b"\x1b]0;evil\x07ok", "ok"),
    "link": (b"\x1b]8;;http://x\x1b\\here\x1b]8;;\x1b\\", "here"),
    "clipboard": (b"\x1b]52;c;aGk=\x07ok", "ok"),
    "device string": (b"\x1bP1$r\x1b\\ok", "ok"),
    "charset": (b"\x1b(Bok", "ok"),
    "unfinished": (b"ok\x1b]0;never", "ok]0;never"),
    "progress": (b"10%\r50%\r100%\ndone\n", "100%\ndone\n"),
    "progress, erased": (b"10%\r50%\r\n", "50%\n"),
    "progress, blanked": (b"working ...\r            \rdone\n", "working ...\ndone\n"),
    "progress, in other figures": (b"get 1/3 a.c\rget 3/3 c.c, done\n", "get 3/3 c.c, done\n"),
    "lines of an old file": (b"alpha\rbeta\rgamma\r", "alpha\nbeta\ngamma"),
    "an error that is overwritten": (b"error: no module\rBuilt\n", "error: no module\nBuilt\n"),
    "windows": (b"a\r\nb\r\n", "a\nb\n"),
    "overstrike": (b"b\x08bo\x08o", "bo"),
    "invalid utf-8": (b"a\xffb", "a\ufffdb"),
    "controls": (b"a\x00\x07b\x7f", "ab"),
    "tab": (b"a\tb", "a\tb"),
    "c1": ("a\x9b31mb".encode(), "ab"),
}


@pytest.mark.parametrize(("data", "text"), OUTPUTS.values(), ids=OUTPUTS.keys())
def test_output_as_text(data, text):
    assert clean_output(data) == text


@given(st.binary(max_size=300))
def test_no_control_character_is_left(data):
    assert all(part.isprintable() or not part.isascii() for part in clean_output(data).split())
    assert not set(clean_output(data)) & {"\x1b", "\r", "\x08", "\x9b", "\0"}


def test_of_thousands_of_texts_in_a_line_the_first_and_the_last_are_kept():
    words = [f"{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(400)]
    kept = clean_output("\r".join(words).encode()).split("\n")
    assert kept == [*words[:20], "[360 texts of this line left out here]", *words[-20:]]


PIECES = st.lists(
    st.sampled_from(["price €", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x9b1m", "日本", "\n"]),
    max_size=12,
)


@given(PIECES, st.lists(st.integers(0, 80), max_size=6))
def test_what_is_read_in_pieces_is_what_is_read_at_once(parts, cuts):
    data = "".join(parts).encode()
    places = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    told, captured = "", Captured()
    for start, end in pairwise(places):
        captured.feed(data[start:end])
        taken, captured = captured, Captured()
        captured.feed(taken.take_unfinished())
        told += taken.text()
        assert "\ufffd" not in taken.end(100)
    assert told + captured.text() == clean_output(data)


def test_the_middle_is_left_out_and_counted():
    captured = Captured(limit=10)
    for piece in (b"abc", b"defgh", b"i" * 100, b"vwxyz"):
        captured.feed(piece)
    assert captured.text() == "abcde\n[103 bytes of output left out here]\nvwxyz"


def test_what_fits_is_kept_whole():
    captured = Captured(limit=10)
    captured.feed(b"0123456789")
    assert captured.text() == "0123456789"


@pytest.mark.parametrize(
    "data",
    [b"a" * 200_000 + b"\b" * 200_000, "\x9d".encode() * 100_000, b"\x1b]" * 100_000],
    ids=["backspaces", "strings without an end", "the same in ASCII"],
)
def test_whatever_a_command_writes_is_cleaned_in_one_pass(data):
    started = time.thread_time()
    assert set(clean_output(data)) <= {"]"}
    # Once an output of this size took minutes, and one may be fifty times larger.
    assert time.thread_time() - started < 2
