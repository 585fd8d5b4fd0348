"""How a search weighs the memories whose words match."""

import pytest

from memory.samples import memory
from plimsoll.memory.ranking import weight


def test_age_adds_or_takes_a_tenth_at_most_and_never_hides_a_memory():
    one = memory("m1", "We deploy on Tuesdays.")
    days = ("2026-11-21", "2027-01-05", "2099-01-01")
    fresh, usual, old = (weight(one, f"{day}T00:00:00.000Z", frozenset()) for day in days)

    assert fresh / usual == pytest.approx(1.1, abs=0.01)
    assert old / usual == pytest.approx(0.9, abs=0.01)
