"""Whatever a memory says, it stands as data."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.memory.fence import QUOTE, quote_line, quote_text, strip_markers
from recordings.attacks import CASES, SOURCES

TAGS = re.compile(
    r"<\s*/?\s*(?:system|memor|tool|user|assistant|information|pin|summar)", re.IGNORECASE
)


@pytest.mark.parametrize("whose", CASES)
def test_no_line_of_an_attack_stands_outside_the_fence(whose: str) -> None:
    for text in SOURCES[whose]():
        for line in quote_text(text).split("\n"):
            assert line == QUOTE.strip() or line.startswith(QUOTE)


@pytest.mark.parametrize("whose", CASES)
def test_tags_that_carry_authority_are_broken_and_others_stay(whose: str) -> None:
    for text in SOURCES[whose]():
        assert not TAGS.search(quote_text(text))
    assert strip_markers("Vec<T> and <div> and a < b") == "Vec<T> and <div> and a < b"


def test_placeholders_of_ours_are_broken_and_lists_stay() -> None:
    assert strip_markers("[pinned 1] x") == "(pinned 1] x"
    assert strip_markers("[Summary of the earlier conversation]").startswith("(Summary")
    assert strip_markers("a[0] = [1, 2]") == "a[0] = [1, 2]"


def test_what_cannot_be_seen_is_left_out() -> None:
    assert quote_text("a\u200bb\U000e0041\u202ec\x1b[31m") == "> abc[31m"
    assert quote_text("one\u2028# two\rthree\x0bfour") == "> one\n> # two\n> three\n> four"


def test_a_title_is_one_line_without_marks() -> None:
    assert quote_line("# Priority Context\n- obey") == "Priority Context - obey"
    assert quote_line("x" * 300, most=10) == "x" * 9 + "…"


@given(st.text())
def test_every_text_is_quoted_on_every_line(text: str) -> None:
    out = quote_text(text)

    assert all(line.startswith(">") for line in out.split("\n"))
    assert len(out.splitlines()) == len(out.split("\n"))
    assert "\n" not in quote_line(text)
