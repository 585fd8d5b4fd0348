import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.context.log.counts import Counts, counts_words
from plimsoll.context.log.messages import Part, PartKind
from plimsoll.context.log.part_json import part_fields, read_part

NUMBERS = st.none() | st.integers(0, 10**12)


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        (Counts(matches=12, files=3), "12 matches in 3 files"),
        (Counts(matches=1, files=1), "1 match in 1 file"),
        (Counts(matches=1000, files=31, more=True), "1,000 matches in 31 files so far"),
        (Counts(searched=340), "nothing in 340 files"),
        (Counts(searched=0), "nothing in 0 files"),
        (Counts(more=True), "nothing so far"),
        (Counts(files=7), "7 files"),
        (Counts(files=7, more=True), "7 files so far"),
        (Counts(files=0), "nothing"),
        (Counts(lines=1), "1 line"),
        (Counts(lines=0), "0 lines"),
    ],
)
def test_what_was_found_is_said_in_words(counts, words):
    assert counts_words(counts) == words


@given(st.builds(Counts, matches=NUMBERS, files=NUMBERS, searched=NUMBERS, lines=NUMBERS))
def test_a_part_keeps_what_was_found(counts):
    for each in (counts, Counts(files=2, more=True), None):
        part = Part(kind=PartKind.RESULT, text="", counts=each)
        assert read_part(json.loads(json.dumps(part_fields(part, str))), {}) == part
