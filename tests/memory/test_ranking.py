"""What a memory weighs beside its words."""

from datetime import datetime, timedelta

from memory.samples import AT, memory
from plimsoll.memory.ranking import weight


def after(days: float) -> float:
    """Weigh a memory that was made or last used so many days ago."""
    at = datetime.fromisoformat(AT) + timedelta(days=days)
    return weight(memory(), at.isoformat(), frozenset())


def test_age_takes_little_in_a_week_and_most_of_what_it_can_in_a_quarter_of_a_year():
    new, old = after(0), after(10_000)
    assert new - after(7) < (new - old) / 5
    assert new - after(90) > (new - old) / 2
    # However old it is, what fits much better by its words still comes first.
    assert old > new * 0.75


def test_a_memory_of_a_clock_that_runs_ahead_is_new():
    assert after(-30) == after(0)
