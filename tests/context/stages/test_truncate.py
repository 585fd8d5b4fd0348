"""Truncate: what is cut of an output that is too long, and what never is."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from plimsoll.context.pipeline.settings import TruncationSettings
from plimsoll.context.stages.truncate import exceeds, truncate

LIMITS = TruncationSettings(max_lines=100, max_bytes=5_000)
ROOM = 1_000_000


def characters(text: str) -> int:
    return len(text)


def cut(text: str, limits: TruncationSettings = LIMITS, tokens: int = ROOM, where=None):
    """Shorten an output that is over a limit; none where it is within all."""
    if not exceeds(text, limits, tokens, characters):
        return None
    return truncate(text, limits, max_tokens=tokens, count=characters, kept_in=where)


def rows(count: int, width: int = 10) -> str:
    return "\n".join(f"{n} {'x' * width}" for n in range(count))


@pytest.mark.parametrize(
    ("text", "tokens", "whole"),
    [
        (rows(100), ROOM, True),
        (rows(101), ROOM, False),
        ("x" * 5_000, ROOM, True),
        ("x" * 5_001, ROOM, False),
        ("漢" * 1_667, ROOM, False),
        (rows(101, 100), ROOM, False),
        ("x" * 900, 900, True),
        ("x" * 900, 899, False),
        ("", ROOM, True),
        ("\n" * 99, ROOM, True),
    ],
    ids=[
        "lines at the limit",
        "a line over",
        "bytes at the limit",
        "a byte over",
        "few characters of many bytes",
        "both limits at once",
        "its share of the window",
        "a token over its share",
        "nothing",
        "empty lines",
    ],
)
def test_what_is_too_long(text, tokens, whole):
    assert (cut(text, tokens=tokens) is None) is whole


def test_head_and_tail_stay_and_the_notice_says_what_is_missing_and_where_it_is():
    """An error stands at the end of an output: whoever keeps the head alone hides it."""
    text = "\n".join([rows(3_000), "FAILED tests/test_net.py::test_parse"])
    found = cut(text, where="spill/c1.txt")
    head, notice, tail = found.partition("\n[truncated: ")[0], found, found[-60:]
    assert head.startswith("0 x")
    assert tail.endswith("FAILED tests/test_net.py::test_parse")
    assert f"3,001 lines, {len(text):,} characters" in notice
    behind = head.count("\n") + 2
    assert f"The whole is in spill/c1.txt: use grep, or file_read with offset {behind}.]" in notice


@pytest.mark.parametrize("before", ["", "short\n"])
def test_of_a_long_line_the_notice_names_the_character_behind_the_head(before):
    """In lines there is no way on from the head of a file of one line."""
    line = "".join(f"{number};" for number in range(100_000))
    found = cut(before + line, where="spill/c1.txt")
    place = re.search(r"file_read with offset (\d+) and start_character (\d+)\.\]", found)
    assert place is not None
    head = found.partition("\n[truncated: ")[0]
    assert int(place[1]) == before.count("\n") + 1
    assert head == (before + line)[: len(before) + int(place[2]) - 1]
    assert len(head) > 2_000


def test_where_it_could_not_be_kept_the_notice_names_no_file():
    assert "The whole is in" not in cut(rows(3_000))


def test_whole_lines_stay():
    lines = cut(rows(3_000)).splitlines()
    assert all(line.startswith("[truncated") or line.endswith("x" * 10) for line in lines)


@pytest.mark.parametrize("unit", ["漢", "\U0001f6a2", "e\u0301", "\u200d"])
def test_one_line_of_a_megabyte_is_cut_between_characters(unit):
    """claude-code 2.1.132: an emoji was cut to a lone surrogate, and the session was lost."""
    found = cut(unit * 300_000)
    assert len(found.encode()) <= LIMITS.max_bytes
    found.encode("utf-8", "strict")
    head, _, rest = found.partition("\n[truncated")
    assert set(head) <= set(unit)
    assert set(rest.partition("]\n")[2]) <= set(unit)


def test_what_no_request_can_carry_does_not_stop_it():
    assert "\n[truncated: " in cut("\ud800\x00\r\n\t" * 3_000)


@settings(max_examples=examples(200))
@given(
    st.lists(st.text(max_size=40), max_size=300).map("\n".join),
    st.integers(10, 200),
    st.integers(1_000, 3_000),
    st.integers(400, 2_000),
)
def test_the_shorter_form_is_within_every_limit(text, lines, size, tokens):
    limits = TruncationSettings(max_lines=lines, max_bytes=size)
    found = cut(text, limits, tokens)
    if found is None:
        assert text.count("\n") < lines
        assert len(text.encode("utf-8", "replace")) <= size
        return
    assert len(found.encode("utf-8", "replace")) <= size
    assert len(found) <= tokens
    assert found.count("\n") <= lines + 2


@pytest.mark.parametrize("text", [rows(300), "x" * 20_000, "a\n" + "漢" * 9_000])
def test_without_a_file_the_notice_names_the_character_of_the_item_at_which_to_read_on(text):
    short = truncate(
        text,
        LIMITS,
        max_tokens=ROOM,
        count=characters,
        kept_in=None,
        recall="history with item_id m7.0",
    )
    head, place = re.search(
        r"^(.*)\n\[truncated: .*history with item_id m7\.0 and offset (\d+)\.\]$",
        short,
        re.DOTALL | re.MULTILINE,
    ).groups()
    assert text[: int(place)].rstrip("\n") == head
    assert text[int(place)] != "\n"


def test_where_nothing_brings_the_whole_back_the_notice_says_to_ask_for_a_part():
    assert "Ask for the part that you need.]" in cut(rows(300))


@pytest.mark.parametrize("tokens", [1_000, 10_000, 100_000])
def test_a_few_counts_find_where_to_cut_a_long_output(tokens):
    """A count of a whole cut takes long: a search by halves made six of them."""
    counted: list[int] = []

    def count(text: str) -> int:
        counted.append(len(text))
        return len(text) // 4

    limits = TruncationSettings(max_lines=10**6, max_bytes=2_000_000)
    short = truncate(rows(50_000, 20), limits, max_tokens=tokens, count=count, kept_in=None)
    assert 0.96 * tokens <= len(short) // 4 <= tokens
    assert len(counted) <= 3
