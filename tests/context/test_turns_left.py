"""How many turns are left, judged by the last ones."""

import pytest

from builders import CountedLog, user
from plimsoll.context.budget import TurnLoads, budget_for, turns_left
from plimsoll.session.ports.clock import CountedClock
from plimsoll.session.ports.events import TurnEnded
from plimsoll.session.state.shown import turn_note

BUDGET = budget_for(4_000)
CLOCK = CountedClock()


def after(*loads: int) -> list:
    return [turn_note(TurnEnded(f"t{n}", "endTurn"), load, CLOCK) for n, load in enumerate(loads)]


@pytest.mark.parametrize(
    ("loads", "used", "left"),
    [
        ((), 500, None),
        ((500,), 500, None),
        ((500, 700, 1_300), 1_300, None),
        ((500, 600, 800, 1_100), 1_100, (2_550 - 1_100) // 200),
        ((500, 600, 800, 1_100, 2_500), 2_500, 0),
        ((500, 510, 1_500, 1_510, 1_520), 1_520, (2_550 - 1_520) // 10),
        ((100, 2_000, 300, 500, 700), 700, (2_550 - 700) // 200),
        ((900, 700, 500), 500, None),
        ((500, 500, 500, 500), 500, None),
        ((1, 901, *range(910, 1_000, 10)), 990, (2_550 - 990) // 10),
        ((500, 700), 2_550, 0),
        ((), 2_900, 0),
    ],
    ids=[
        "no turn",
        "one turn",
        "two steps are no pace",
        "the one in the middle",
        "the larger of two in the middle",
        "one long turn says little",
        "a compaction between is no growth",
        "it only shrinks",
        "it stands still",
        "no more than the last nine",
        "there",
        "past it without a pace",
    ],
)
def test_turns_left_from_the_last_turns(loads, used, left):
    entries = [user("u1", "Hello"), *after(*loads), user("u2", "Hello")]
    assert turns_left(TurnLoads().of(entries), used, BUDGET) == left


def test_of_a_log_that_grows_only_what_is_new_is_read():
    log, loads = CountedLog([user("u1", "Hello"), *after(100, 300)]), TurnLoads()
    assert loads.of(log) == (100, 300)
    log.read = 0
    log += after(900)
    assert (loads.of(log), loads.of(log)) == ((100, 300, 900), (100, 300, 900))
    assert log.read == 1


def test_of_another_log_nothing_that_was_read_counts():
    loads = TurnLoads()
    assert loads.of(after(100, 300)) == (100, 300)
    assert loads.of(after(500)) == (500,)
