"""Random refusals: no session is stranded, no second prompt meets what the first one met."""

import random

import pytest

from plimsoll.storage.rows_file import RowsFile
from providers.mends.refusing import play

CASES = 300


@pytest.mark.parametrize("seed", [26])
def test_no_refusal_strands_a_session(seed: int, tmp_path):
    for number in range(CASES):
        chance = random.Random(f"{seed}-{number}")
        rows = RowsFile(tmp_path / f"{number}.json", lambda _: None)
        outcome = play(chance, rows if number % 2 else None)
        assert (number, outcome.again, outcome.missing) == (number, 0, [])
        assert len(outcome.told) == len(set(outcome.told))
