"""Names: what counts as one, and how often each stands in view."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import LEDGER
from context.logs import logs
from examples import examples
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.index.names import (
    MOST_OF_TEXT,
    NameIndex,
    names_in,
    words_of,
)
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
    # Line numbers count too: so many lines are read, whatever stands in them.
    listed = "".join(f"{number}\tname_1\n" for number in range(MOST_OF_TEXT + 20_000))
    assert list(names_in(f"{listed}last_name")) == ["name_1"]


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


@settings(max_examples=examples(200))
@given(logs())
def test_the_count_of_standing_names_grows_with_the_log_as_from_nothing(entries):
    indexes = Indexes(Fold(LEDGER))
    for entry in entries:
        indexes.fold.append(entry)
        indexes.name_counts_in_view()
    anew = Indexes(Fold(LEDGER, entries))
    assert dict(indexes.name_counts_in_view()) == dict(anew.name_counts_in_view())
    shown = {
        name
        for each in anew.fold.view.items()
        if each not in anew.fold.view.tools
        for name in NameIndex().of(each.part.text)
    }
    assert set(anew.name_counts_in_view()) == shown


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


@pytest.mark.parametrize("between", ["\n", " ", "|", ""])
def test_a_text_that_is_read_in_pieces_has_the_names_of_the_whole(between):
    parts = [f"{n}\tload_{n} a/{n}.py {n}→x_{n}" for n in range(3_000)]
    text = between.join(parts)
    assert names_in(text) == names_one_by_one(text)
