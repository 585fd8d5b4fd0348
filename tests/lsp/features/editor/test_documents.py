import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.lsp.features.editor.documents import smallest_edit

TEXT = st.text(st.sampled_from("ab\r\n😀é\u2028"), max_size=12)


def offset(text: str, position: dict[str, int]) -> int:
    """Where a position of LSP is in a text, read as the protocol says."""
    starts = [0, *(found.end() for found in re.finditer(r"\r\n|\r|\n", text))]
    at = starts[position["line"]]
    units = 0
    while units < position["character"]:
        units += len(text[at].encode("utf-16-le")) // 2
        at += 1
    return at


@given(TEXT, TEXT)
def test_the_edit_makes_the_one_text_of_the_other(before, after):
    edit = smallest_edit(before, after, "utf-16")
    start, end = (offset(before, edit["range"][name]) for name in ("start", "end"))
    assert before[:start] + edit["newText"] + before[end:] == after


@pytest.mark.parametrize(
    ("before", "after", "start", "end", "text"),
    [
        ("one\ntwo\nthree\n", "one\n2\nthree\n", (1, 0), (1, 3), "2"),
        ("a😀b\n", "a😀c\n", (0, 3), (0, 4), "c"),
        ("same\n", "same\nmore\n", (1, 0), (1, 0), "more\n"),
        ("x\r\ny", "x\ny", (0, 1), (1, 0), "\n"),
    ],
)
def test_what_both_texts_have_is_left_alone(before, after, start, end, text):
    edit = smallest_edit(before, after, "utf-16")
    places = [tuple(edit["range"][name].values()) for name in ("start", "end")]
    assert (places, edit["newText"]) == ([start, end], text)
