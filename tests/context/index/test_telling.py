"""Which lines of a command's output say what came of it."""

import pytest

from plimsoll.context.index.telling import LONGEST_LINE, reported_lines

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
        ("error 1\nerror 2\nerror 3\nerror 4\nend", ["error 1", "error 3", "error 4", "end"]),
        ("built\n[exit code: 0]", ["built"]),
        (f"error {LONG}\nfine\n{LONG}", []),
        (f"error: first\n{'fine ' * 999}\nlast", ["error: first", "last"]),
        ("  indented error  \n\n", ["indented error"]),
    ],
    ids=[
        *("nothing", "its end", "failures and end", "first and last two", "no exit code"),
        *("no data", "the first from far before the end", "stripped"),
    ],
)
def test_what_is_reported(output, lines):
    assert list(reported_lines(output)) == lines
