"""What a person reads of a regular expression."""

import pytest

from plimsoll.text.plain_patterns import plain_pattern


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("total_load", "total_load"),
        (r"\b(def|class)\s+(total_load)\b", "total_load"),
        (r"\b(def|class)\s+\w*(budget)\w*|^\w*(budget)\w*\s*=", "budget…"),
        ("load|cargo", "load, cargo"),
        (r"^\s*$", r"^\s*$"),
    ],
)
def test_a_pattern_is_shown_by_its_words(pattern: str, words: str):
    assert plain_pattern(pattern) == words
