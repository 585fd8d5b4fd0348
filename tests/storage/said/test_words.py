"""What is indexed of a text, and what is asked of the index."""

import unicodedata
from itertools import pairwise

import pytest

from plimsoll.storage.said.words import MOST_GRAMS, indexed_text, match_of


def test_each_word_is_indexed_once_and_folded():
    assert indexed_text(["The STRASSE, the", "Straße of"]) == "strasse strasse, the"


def test_pairs_of_ideographs_are_indexed_as_words_of_three():
    assert indexed_text(["船体a涂"]) == "船体a涂 船体\ue000"
    assert match_of(["船体"]) == '"船体\ue000"'


def test_short_words_leave_the_choice_to_whoever_reads():
    assert match_of(["of", "ü"]) is None
    assert match_of(["of", "rope"]) == '"rop" "ope"'


def test_what_fts5_does_not_read_is_replaced_on_both_sides():
    assert indexed_text(["a\0b \ud800ab"]) == "?ab a\ue000b"
    assert match_of(["a\0b", "\ud800ab"]) == '"a\ue000b" "?ab"'


def test_a_long_query_asks_for_its_beginning():
    match = match_of(["".join(map(chr, range(0x100, 0x300)))])
    assert match is not None
    assert match.count(" ") + 1 == MOST_GRAMS


def test_a_quote_stands_for_itself():
    assert match_of(['"a"']) == '"""a"""'


@pytest.mark.parametrize("sign", ["\u2029", "\x1c", "\u3000"])
def test_no_word_has_a_blank_in_it(sign):
    assert "ab" not in indexed_text([f"xxa{sign}bxx"])


def test_folding_makes_no_blank_and_looks_at_no_neighbour():
    """By which a word of a query stands inside one word of the text, whatever is around it."""
    signs = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) != "Cs"]
    assert [
        sign for sign in signs if sign.casefold().split() != ([sign.casefold()], [])[sign.isspace()]
    ] == []
    some = [sign for sign in signs if sign.casefold() != sign]
    assert [
        a + b for a, b in pairwise(some) if (a + b).casefold() != a.casefold() + b.casefold()
    ] == []
