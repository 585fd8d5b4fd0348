from hypothesis import given
from hypothesis import strategies as st

from plimsoll.tools.editor.knowledge import Position, TextEdit
from plimsoll.tools.editor.positions import with_edits

CODECS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
WIDTHS = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
TEXTS = st.text("ab😀é\r\n", max_size=20)


def position(text: str, at: int, encoding: str) -> Position:
    """The position of an offset that stands in no CRLF."""
    before = text[:at].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    units = len(before[-1].encode(CODECS[encoding])) // WIDTHS[encoding]
    return Position(len(before) - 1, units)


@given(TEXTS, TEXTS, st.data(), st.sampled_from(sorted(CODECS)))
def test_an_edit_replaces_what_it_names(text, new, data, encoding):
    places = [n for n in range(len(text) + 1) if text[n - 1 : n + 1] != "\r\n"]
    first, last = sorted((data.draw(st.sampled_from(places)), data.draw(st.sampled_from(places))))
    edit = TextEdit(position(text, first, encoding), position(text, last, encoding), new)
    assert with_edits(text, [edit], encoding) == text[:first] + new + text[last:]


def test_a_position_amid_a_character_fits_nothing():
    edit = TextEdit(Position(0, 1), Position(0, 2), "x")
    assert with_edits("😀", [edit], "utf-16") is None


def test_the_same_edit_twice_is_made_once():
    edit = TextEdit(Position(0, 0), Position(0, 1), "b")
    assert with_edits("a", [edit, edit], "utf-16") == "b"
