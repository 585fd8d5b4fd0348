"""Names: what counts as one, which come first in a note, and how often each stands in view."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import LEDGER
from context.logs import logs
from examples import examples
from plimsoll.context.index.names import (
    MOST_OF_TEXT,
    NameIndex,
    name_tokens,
    names_in,
    names_tokens,
    note_words,
    without_bare,
    words_of,
)
from plimsoll.context.stages.placeholders import by_relevance, fitted
from plimsoll.context.view.fold import Fold


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("see server/x.py and ./a/b", ["server/x.py", "./a/b"]),
        ("self.pkg_roots.get(x)", ["self.pkg_roots.get"]),
        (
            "load_index HTTPServer camelCase MAX_SIZE",
            ["load_index", "HTTPServer", "camelCase", "MAX_SIZE"],
        ),
        ("def run(self):", ["run"]),
        ("issue #1234, 404, 0xdeadbeef, 3f2a9bc", ["#1234", "404", "0xdeadbeef", "3f2a9bc"]),
        ("see https://x.org/a-b, then (git://y.org/c)", ["https://x.org/a-b", "git://y.org/c"]),
        ("on 2025-07-08, at 2025-07-09T00:19:31", ["2025-07-08", "2025-07-09"]),
        ("the words of a sentence", []),
        ("a_b a_b a_b", ["a_b"]),
        ("x" * 500 + "_y", []),
        ("100\tload_x\n 1100→\ty_1\n120\t\n130 of 140\t", ["load_x", "y_1", "130", "140"]),
        ("", []),
    ],
)
def test_what_is_a_name(text, names):
    assert list(names_in(text)) == names


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("src/a.py:123: error", ["src/a.py", "123"]),
        ("listens on 127.0.0.1:8080, port 9090", ["8080", "9090"]),
        ("exit code 137, errno=104, HTTP/1.1 404 Not Found", ["137", "104", "HTTP/1.1", "404"]),
        ("123:def run():\n124-    pass", ["123", "run", "124"]),
        ("* 3f2a9bc Mend the lock\n4f2a9bc Mend it", ["3f2a9bc", "4f2a9bc"]),
        ("[main 3f2a9bc] Mend the lock\n 1 file changed, 104 insertions", ["3f2a9bc"]),
        ("commit 3f2a9bc1d4\nDate: 1700000000", ["3f2a9bc1d4"]),
        ("10:00:00.123 id=deadbeef1 took 4567 ms of 5000, load_x", ["load_x"]),
        ("the words of a sentence", []),
    ],
)
def test_a_number_or_hash_tells_something_where_it_is_an_address(text, kept):
    assert list(without_bare(names_in(text), text)) == kept


def test_of_data_without_end_a_bounded_part_is_read():
    data = " ".join(f"name_{number:06}" for number in range(MOST_OF_TEXT + 20_000))
    first = list(names_in(data))
    assert MOST_OF_TEXT <= len(first) < MOST_OF_TEXT + 10_000
    assert first[0] == "name_000000"
    assert len(words_of(data)) < MOST_OF_TEXT + 10_000
    # What counts is how many there are, not how far into a text one stands.
    repeated = "name_1 " * (MOST_OF_TEXT + 20_000) + "last_name"
    assert list(names_in(repeated)) == ["name_1", "last_name"]
    assert words_of(repeated) == {"name", "last"}


@pytest.mark.parametrize("separator", ["\n", " ", ",", "\n 12\t"])
def test_a_long_text_has_the_names_of_its_parts(separator):
    parts = [f"load_{number}.part({number + 100})" for number in range(6_000)]
    whole = {name: None for part in parts for name in names_in(part)}
    assert list(names_in(separator.join(parts))) == list(whole)


@given(st.text(max_size=300))
def test_each_name_stands_in_the_text(text):
    assert all(name in text for name in names_in(text))


def test_the_words_of_a_name():
    assert words_of("self._pkgRoots.get_HTTP 404") == {"self", "pkg", "roots", "get", "http", "404"}


def test_names_of_which_people_spoke_come_first_and_else_in_order():
    names = ["zeta_one", "alpha_two", "root_path", "pkg_roots"]
    assert by_relevance(names, {"pkg", "roots", "path"}) == [
        "pkg_roots",
        "root_path",
        "zeta_one",
        "alpha_two",
    ]


def test_a_name_within_another_is_not_repeated():
    assert fitted(["a_b", "x.a_b.c", "a_b.c"], 100) == ["x.a_b.c"]


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("self.pkg_roots.get", 5),
        ("mod_489", 3),
        ("load_entry_004", 4),
        ("a68021f77081321a", 8),
        ("src/zebra.py", 4),
        ("1234567", 4),
    ],
)
def test_how_many_tokens_a_name_takes(name, tokens):
    """Beside each the count of o200k_base."""
    assert abs(name_tokens(name) - tokens) <= 1


def test_names_end_where_the_room_does():
    names = [f"name_{n}" for n in range(100)]
    kept = fitted(names, 10)
    assert kept == names[: len(kept)]
    assert 0 < sum(map(name_tokens, kept)) <= 10
    assert fitted(names, 0) == []


@settings(max_examples=examples(200))
@given(logs())
def test_the_count_of_standing_words_grows_with_the_log_as_from_nothing(entries):
    fold = Fold(LEDGER)
    for entry in entries:
        fold.append(entry)
        fold.standing(fold.words)
    anew = Fold(LEDGER, entries)
    assert dict(fold.standing(fold.words)) == dict(anew.standing(anew.words))


def test_words_of_notes_are_whole_and_of_any_script():
    assert note_words("The parser_state of Straße, naïve 日本語の文章, x86 and a fit reader") == (
        "Straße",
        "naïve",
        "日本語の文章",
        "reader",
    )
    assert note_words("a" * 25 + " bbbb " + "c" * 24) == ("bbbb", "c" * 24)


@settings(max_examples=examples(200))
@given(logs())
def test_the_count_of_standing_names_grows_with_the_log_as_from_nothing(entries):
    fold = Fold(LEDGER)
    for entry in entries:
        fold.append(entry)
        fold.standing(fold.names)
    anew = Fold(LEDGER, entries)
    assert dict(fold.standing(fold.names)) == dict(anew.standing(anew.names))
    shown = {
        name
        for each in anew.view.items()
        if each not in anew.view.tools
        for name in NameIndex().of(each.part.text)
    }
    assert set(anew.standing(anew.names)) == shown


@given(st.lists(st.text("aZ_/.9f:é", min_size=1, max_size=12), max_size=8))
def test_names_weigh_together_what_each_weighs(names):
    assert names_tokens(names) == sum(map(name_tokens, names))


LINE_NUMBER_OR_RUN = re.compile(
    r"^ *\d+[\t→]|(?:\b[a-z]{2,9}://)?[\w#/~.][\w/~.-]*\(?", re.MULTILINE
)
"""Runs as they stand in a text, found one after the other."""
NAME = re.compile(
    r"(?:[a-z]+:/)?(?:[\w.~-]*/)+[\w.-]*\w|\b\d{4}-\d\d-\d\d(?!\d)"
    r"|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[A-Za-z]+_\w+|_+[A-Za-z]\w*"
    r"|[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[A-Z]{2,}[a-z]\w+"
    r"|[A-Za-z_]\w{2,}(?=\()|\b[A-Z][A-Z0-9_]{3,}\b"
    r"|#\d{2,}|\b\d{3,}\b|\b0x[0-9a-fA-F]{4,}\b|\b[0-9a-f]{7,40}\b"
)


def names_one_by_one(text):
    runs = (run for run in LINE_NUMBER_OR_RUN.findall(text) if run[-1] not in "\t→")
    return tuple(dict.fromkeys(name for run in runs for name in NAME.findall(run)))


PIECES = st.sampled_from(
    [
        *"aZ_/.-~#(9é\t→\n \r|:",
        "12",
        "345",
        "://",
        "http",
        "abcdefghij",
        "\N{NO-BREAK SPACE}",
        "\x1c",
    ]
)


@settings(max_examples=examples(400))
@given(st.lists(PIECES, max_size=40).map("".join))
def test_reading_each_run_once_finds_what_reading_one_by_one_does(text):
    assert names_in(text) == names_one_by_one(text)
    assert words_of(text) == {
        w.lower() for w in re.findall(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}(?![a-z])|\d{3,}", text)
    }
    words = re.findall(r"(?<!\w)[^\W\d_]{4,24}(?!\w)", text)
    assert note_words(text) == tuple(dict.fromkeys(words))


@pytest.mark.parametrize("between", ["\n", " ", "|", ""])
def test_a_text_that_is_read_in_pieces_has_the_names_of_the_whole(between):
    parts = [f"{n}\tload_{n} a/{n}.py {n}→x_{n}" for n in range(3_000)]
    text = between.join(parts)
    assert names_in(text) == names_one_by_one(text)
