import argparse
import inspect
import random
import re
import string

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from examples import examples
from plimsoll.tokens.vocabulary import (
    LIMIT,
    SHIPPED,
    VOCABULARIES,
    Vocabularies,
    chunks,
    pieces,
    read_ranks,
    safe_cut,
    simplify,
    well_formed,
)

# Every class that the patterns of the vocabularies tell apart, and the doubtful ones: combining
# marks, letters that are no word characters, other white space, separators that only Python calls
# white space, digits of other scripts, the apostrophe with what may follow it.
KINDS = (
    "aAbzZ09  \t\n\r/!'.,_-=<>(){}\"sSlLdt"
    "é\u0300\u0345\u0bcdʰǅ\u017f½①\u0660\u2019"
    "中日\u3002\u3001のé😀\u200d\u00a0\u3000\u2028\u0085\x1c\x1f\x00"
)
texts = st.text(st.sampled_from(KINDS), max_size=60) | st.text(max_size=60)
ENCODINGS = Vocabularies()


def safe_pieces(text):
    pieces, start = [], 0
    while (cut := safe_cut(text, start, len(text))) is not None:
        pieces.append(text[start:cut])
        start = cut
    return [*pieces, text[start:]]


def count(encoding, text):
    return len(encoding.encode_ordinary(text))


@settings(max_examples=examples(500))
@given(texts.map(well_formed), st.sampled_from(["o200k_base", "cl100k_base"]))
@example("!\n/usr", "o200k_base")
@example("!\n\n", "o200k_base")
@example("!\x1c", "cl100k_base")
@example("x's y", "cl100k_base")
@example("①5 12①", "o200k_base")
@example("a;\n" + 50 * " " + "\n" + 70 * " " + "b\r\n" + 50 * " ", "o200k_base")
@example("\n" + 50 * " " + "\t\n" + 50 * " " + "/", "cl100k_base")
def test_cutting_at_every_safe_place_changes_no_token(text, name):
    encoding = ENCODINGS.encoding(name)
    pieces = safe_pieces(text)
    assert "".join(pieces) == text
    separate = [token for piece in pieces for token in encoding.encode_ordinary(piece)]
    assert separate == encoding.encode_ordinary(text)


@given(st.text(max_size=300), st.integers(1, 20), st.integers(0, 20))
def test_chunks_are_the_text_and_none_is_too_long(text, size, slack):
    limit = size + slack
    pieces = list(chunks(text, size, limit))
    assert "".join(pieces) == text
    assert all(0 < len(piece) <= limit for piece in pieces) or pieces == [""]


@settings(max_examples=examples(500))
@given(
    st.text(st.sampled_from(KINDS + "\n" * 12), max_size=300).map(well_formed), st.integers(0, 9)
)
@example("a\r\nb\n\u0085c\n/d", 0)
def test_pieces_are_the_text_and_change_no_token(text, least):
    encoding, found = ENCODINGS.encoding("o200k_base"), list(pieces(text, ((least, 999, 0),)))
    assert "".join(found) == text
    assert sum(count(encoding, piece) for piece in found) == count(encoding, text)


def test_what_stands_in_two_texts_is_cut_alike():
    lines = [f"def part_{number}(index):\n    return {number} * index\n" for number in range(2_000)]
    before, after = "".join(lines), "".join([*lines[:900], "changed = True\n", *lines[1_000:]])
    known = set(pieces(before))
    fresh = [piece for piece in pieces(after) if piece not in known]
    assert sum(map(len, fresh)) < len(after) // 5


LONG = st.sampled_from(
    [
        *KINDS,
        *("\n" + size * " " for size in (4, 49, 50, 51, 120)),
        *((string.digits * 40)[:size] for size in (3, 299, 300, 301, 302)),
    ]
)


@settings(max_examples=examples(500))
@given(
    st.lists(LONG, max_size=12).map("".join).map(well_formed),
    st.sampled_from(["o200k_base", "cl100k_base"]),
)
@example("½" + "7" * 302 + "٣", "o200k_base")
def test_a_simplified_text_has_the_tokens_of_the_given_one(text, name):
    encoding = ENCODINGS.encoding(name)
    simple, more = simplify(text)
    assert count(encoding, simple) + more == count(encoding, text)


@pytest.mark.parametrize("name", VOCABULARIES)
def test_what_simplifying_rests_on(name):
    ranks = read_ranks(SHIPPED, name)
    assert not [token for token in ranks if re.search(rb"\n +\Z|\n {50}", token)]
    assert all(b"%03d" % number in ranks for number in range(1_000))
    assert b"x" in ranks


def test_lines_of_blanks_and_long_numbers_are_simplified():
    text = "a\n" + 3 * (60 * " " + "\n") + "7" * 1_000
    simple, more = simplify(text)
    assert len(simple) < 220
    assert more == 987 // 3 - 3


def test_a_text_within_the_limit_stays_whole():
    assert list(chunks("a" * LIMIT)) == ["a" * LIMIT]


def test_ordinary_text_is_cut_without_changing_the_count(encoding):
    source = "".join(map(inspect.getsource, (argparse, inspect, random, string)))
    prose = re.sub(r"\W+", " ", source)
    minified = re.sub(r"\s+", "", source)
    windows = source.replace("\n", "\r\n")
    for text in (source, prose, minified, windows):
        pieces = list(chunks(text, 1000, 2000))
        assert len(pieces) > 50
        assert sum(count(encoding, piece) for piece in pieces) == count(encoding, text)


RUNS = {
    "blanks": " ",
    "letters": string.ascii_lowercase,
    "capitals and letters": string.ascii_letters,
    "digits": string.digits,
    "marks": "=-*#!.<>",
    "white space": " \t\n\r",
    "Chinese": [chr(code) for code in range(0x4E00, 0x9FA5)],
    "emoji": [chr(code) for code in range(0x1F300, 0x1F600)],
    "words without blanks": ["the", "Function", "ing", "over", "count", "er"],
}


@pytest.mark.parametrize("kind", RUNS)
def test_a_forced_cut_moves_the_count_by_three_at_most(encoding, kind):
    chance = random.Random(kind)
    for _ in range(300):
        text = "".join(chance.choices(RUNS[kind], k=chance.randrange(2, 200)))
        cut = chance.randrange(1, len(text))
        parts = count(encoding, text[:cut]) + count(encoding, text[cut:])
        assert abs(parts - count(encoding, text)) <= 3


def test_surrogate_pairs_are_joined_and_lone_ones_replaced():
    assert well_formed("\ud83d\ude00 \ud83d! \ude00") == "😀 \ufffd! \ufffd"
    assert well_formed("\ufeffplain \x00 中") == "\ufeffplain \x00 中"


def test_a_forced_cut_does_not_fall_where_a_safe_one_is_near():
    text = "a" * 15 + " " + "b" * 15
    assert list(chunks(text, 10, 20)) == ["a" * 15, " " + "b" * 15]
