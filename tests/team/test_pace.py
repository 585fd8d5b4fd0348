"""When a team's server is asked: at once at first, then by use, and seldom while it is away."""

import pytest

from plimsoll.team.pace import Pace


def test_it_is_asked_at_once_and_then_every_half_minute_while_somebody_works():
    pace = Pace(used_at=100.0)
    assert pace.seconds_left(100.0, sending=False) == 0.0
    asked = pace.note_asking(100.0).note_answer()
    assert asked.seconds_left(110.0, sending=False) == 20.0
    assert asked.seconds_left(130.0, sending=False) == 0.0


def test_a_folder_that_nobody_uses_is_looked_after_every_five_minutes():
    pace = Pace(used_at=0.0).note_asking(1_000.0).note_answer()
    assert pace.seconds_left(1_000.0, sending=False) == 300.0


def test_work_brings_a_look_soon_but_no_look_for_each_word():
    pace = Pace(used_at=0.0).note_asking(100.0).note_answer().note_use(101.0)
    assert pace.seconds_left(101.0, sending=False) == 4.0
    assert pace.seconds_left(200.0, sending=False) < 0
    assert pace.note_asking(200.0).seconds_left(200.0, sending=False) == 30.0


def test_a_change_is_sent_at_once_with_those_of_the_same_moment():
    pace = Pace(used_at=0.0).note_asking(100.0).note_answer()
    assert pace.seconds_left(100.0, sending=True) == pytest.approx(0.2)


def test_leases_are_kept_in_time_while_a_session_is_open():
    pace = Pace(used_at=0.0).note_asking(1_000.0).note_answer()
    assert pace.seconds_left(1_000.0, sending=False, holding=True) == 10.0
    assert pace.seconds_left(1_000.0, sending=True, holding=True) == pytest.approx(0.2)
    # Of a server that is away no lease can be kept.
    assert pace.note_failure().seconds_left(1_000.0, sending=False, holding=True) == 5.0
    assert (
        pace.note_failure()
        .note_failure()
        .note_failure()
        .seconds_left(1_000.0, sending=False, holding=True)
        == 20.0
    )


def test_a_server_that_is_away_is_asked_ever_more_seldom_also_to_be_sent_something():
    pace, pauses = Pace(used_at=0.0), []
    for _ in range(9):
        pace = pace.note_asking(0.0).note_failure()
        pauses.append(pace.seconds_left(0.0, sending=True))
    assert pauses == [5.0, 10.0, 20.0, 40.0, 80.0, 160.0, 300.0, 300.0, 300.0]
    # Whoever works there, or has given another password, waits no longer than usual.
    assert pace.note_use(0.0).seconds_left(0.0, sending=True) == 30.0
    assert pace.note_answer().seconds_left(0.0, sending=False) == 30.0
