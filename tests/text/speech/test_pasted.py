"""What of a text was pasted, through changes of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.text.speech.pasted import (
    Ranges,
    Replaced,
    WrittenText,
    after_change,
    carry_over,
    from_utf16,
    in_order,
    replacement,
    to_utf16,
    typed_spans,
    whole,
)

TEXT = st.text(alphabet="ab \n😀é", max_size=12)


@st.composite
def written(draw: st.DrawFn) -> tuple[str, Ranges]:
    text = draw(TEXT)
    places = st.integers(0, len(text))
    pairs = draw(st.lists(st.tuples(places, places), max_size=3))
    return text, in_order((min(pair), max(pair)) for pair in pairs)


def marks(ranges: Ranges, length: int) -> list[bool]:
    return [any(start <= at < end for start, end in ranges) for at in range(length)]


@given(written(), TEXT, st.data(), st.booleans())
def test_what_is_left_of_a_paste_stays_pasted_and_nothing_else_becomes_it(
    given_text, new, data, typed
):
    text, pasted = given_text
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    after = after_change(pasted, Replaced(start, end, len(new)), typed=typed)
    was, now = marks(pasted, len(text)), marks(after, len(text) - (end - start) + len(new))
    assert now[:start] == was[:start]
    assert now[start + len(new) :] == was[end:]
    inserted = now[start : start + len(new)]
    assert all(inserted) or not any(inserted)
    if new and not typed:
        assert all(inserted)
    if new and typed and not any(was[start:end]):
        inside = start == end and 0 < start < len(text) and was[start - 1] and was[start]
        assert any(inserted) == (inside and len(in_order(pasted)) > 0)
    assert after == in_order(after)


@given(TEXT, TEXT)
def test_a_replacement_makes_one_text_of_the_other(before, after):
    found = replacement(before, after)
    new = after[found.start : found.start + found.length]
    assert before[: found.start] + new + before[found.end :] == after


@given(written())
def test_utf16_units_and_characters_say_the_same(given_text):
    text, pasted = given_text
    assert from_utf16(to_utf16(pasted, text), text) == pasted


def test_a_range_that_cuts_a_character_holds_all_of_it():
    assert from_utf16([(1, 2)], "😀a") == ((0, 1),)
    assert from_utf16([(0, 1)], "😀a") == ((0, 1),)
    assert from_utf16([(2, 3)], "😀a") == ((1, 2),)


@pytest.mark.parametrize("ranges", [[(0, 4)], [(2, 1)], [(-1, 1)]])
def test_ranges_that_do_not_lie_in_a_text_are_none(ranges):
    assert from_utf16(ranges, "😀a") is None


def test_the_caret_tells_equal_characters_apart():
    assert replacement("aaa", "aaaa", caret=1) == Replaced(0, 0, 1)
    assert replacement("aaa", "aaaa", caret=4) == Replaced(3, 3, 1)


def test_without_a_secret_what_was_pasted_stays_so():
    held = WrittenText("Use key-123 as <log>", ((15, 20),))
    assert carry_over(held, "Use *** as <log>") == WrittenText("Use *** as <log>", ((11, 16),))
    pasted = WrittenText("Use key-123.", ((4, 11),))
    assert carry_over(pasted, "Use ***.") == WrittenText("Use ***.", ((4, 7),))
    assert carry_over(WrittenText("key"), "***").pasted is None
    assert carry_over(WrittenText("key", ()), "***").pasted == ()


def test_what_stands_between_pastes_was_typed():
    assert list(typed_spans(WrittenText("abcdef", ((1, 2), (4, 6))))) == [(0, 1), (2, 4)]
    assert list(typed_spans(WrittenText("ab"))) == [(0, 2)]
    assert list(typed_spans(WrittenText("ab", whole("ab")))) == []
