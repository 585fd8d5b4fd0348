"""Which lines of a command's output say what came of it."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plimsoll.context.index import telling
from plimsoll.context.index.telling import (
    LONGEST_LINE,
    first_failure,
    is_failure,
    reported_lines,
    telling_failure,
    telling_lines,
)

LONG = "x" * (LONGEST_LINE + 1)


@pytest.mark.parametrize(
    ("output", "lines"),
    [
        ("", []),
        ("one\ntwo\n34 passed in 2.1s\n", ["34 passed in 2.1s"]),
        (
            "a\nValueError: x\nb\nFAILED t.py::y\n1 failed\n",
            ["ValueError: x", "FAILED t.py::y", "1 failed"],
        ),
        (
            "error 1\nerror 2\nerror 3\nerror 4\nthe end",
            ["error 1", "error 3", "error 4", "the end"],
        ),
        ("built all\n[exit code: 0]", ["built all"]),
        ("built\n</output>", []),
        (f"error {LONG}\nfine\n{LONG}", []),
        (f"error: first\n{'fine ' * 999}\nat last", ["error: first", "at last"]),
        ("  indented error  \n\n", ["indented error"]),
    ],
    ids=[
        *(
            "nothing",
            "its end",
            "failures and end",
            "first and last two",
            "no exit code",
            "no markup",
        ),
        *("no data", "the first from far before the end", "stripped"),
    ],
)
def test_what_is_reported(output, lines):
    assert list(reported_lines(output)) == lines


LONG_S, DOTLESS = "\N{LATIN SMALL LETTER LONG S}", "\N{LATIN SMALL LETTER DOTLESS I}"
PIECES = st.sampled_from(
    [
        *("error", "ERR", "stderr", "Failed", "failover", "FAIL", "FatAl", "ValueError", "fails"),
        *("exceptional", "SomeException", "PANIC", "✗", "✘", "undefined", "x", *telling._FOLDED),
        *(f"a{LONG_S}{LONG_S}ert", f"fa{DOTLESS}l", "assertion", "denied", "unresolved"),
        *("\n", "\n", " ", " ", "\r\n", "_", "."),
    ]
)


@given(st.lists(PIECES, max_size=30).map("".join), st.sampled_from([0, 1, 50]))
@example(f"a{LONG_S}{LONG_S}ert", 50)
@example(f"fa{DOTLESS}l", 50)
def test_the_first_failure_is_the_one_that_the_pattern_finds(text, looks):
    found = telling._FAILURE.search(text)
    before, telling._MOST_LOOKS = telling._MOST_LOOKS, looks
    try:
        assert first_failure(text) == (None if found is None else found.start())
    finally:
        telling._MOST_LOOKS = before
    assert is_failure(text) is (found is not None)


def test_many_lines_that_only_look_like_failures_do_not_hide_one():
    lines = [f"stderr {number}" for number in range(telling._MOST_LOOKS * 2)]
    text = "\n".join([*lines, "an error"])
    assert first_failure(text) == text.index("error", len("\n".join(lines)))


TRACEBACK = (
    "Traceback (most recent call last):\n  File \"a.py\"\nKeyError: 'a'\nValueError: b\ndone now"
)


@pytest.mark.parametrize(
    ("output", "line"),
    [
        ("", ""),
        ("built\nerror: no such file\nerror: gave up\nat last", "error: no such file"),
        (TRACEBACK, "ValueError: b"),
        ("compiled\n2 problems found\n", "2 problems found"),
        ("2 problems found\n[1 more line was cut]", ""),
        (f"error: {LONG}\nend", f"error: {LONG}"[:LONGEST_LINE]),
        ("ended", ""),
    ],
    ids=[
        *("nothing", "the first", "the last of a traceback", "the verdict", "no notice"),
        *("the start of a long one", "no mere word"),
    ],
)
def test_one_line_explains_a_failure(output, line):
    assert telling_failure(output) == line


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (set(), [2]),
        ({"hull"}, [2, 0, 3]),
        ({"hull", "keel"}, [3, 2, 0]),
        ({"mast"}, [2]),
    ],
    ids=["a failure alone", "a rare one first", "more words first", "a word of no line"],
)
def test_lines_are_told_by_how_rare_what_they_hold_is(words, found):
    lines = ["the hull", "the sail", "error", "keel and hull"]
    assert telling_lines(lines, frozenset(words)) == found
