"""Relative dates become absolute; quoted text and names stay."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.memory.extraction.dates import make_dates_absolute

SATURDAY = date(2026, 11, 21)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("The build broke yesterday.", "The build broke 2026-11-20."),
        ("Today we moved; tomorrow we test.", "2026-11-21 we moved; 2026-11-22 we test."),
        ("since the day before yesterday", "since 2026-11-19"),
        ("decide by Friday", "decide by 2026-11-27"),
        ("done before Saturday", "done before 2026-11-21"),
        ("last Saturday", "2026-11-14"),
        ("Next Monday at ten", "2026-11-23 at ten"),
        ("last week it failed", "the week of 2026-11-09 it failed"),
        ("Release next month.", "Release 2026-12."),
        ("frozen until the end of this year", "frozen until the end of 2026"),
        ("in three days", "on 2026-11-24"),
        ("in 2 months", "in 2027-01"),
        ("two weeks ago", "2026-11-07"),
        ("12 months ago", "2025-11"),
        ("a couple of days ago", "2026-11-19"),
        ("ten days from now", "on 2026-12-01"),
    ],
)
def test_a_date_that_depends_on_today_is_fixed(said: str, kept: str) -> None:
    assert make_dates_absolute(said, SATURDAY) == kept


@pytest.mark.parametrize(
    "said",
    [
        "`today()` is called in yesterday.log",
        'He wrote "see you tomorrow" there.',
        "the field last_week is gone",
        "Retry in 3 minutes.",
        "two of three tests pass",
        "On Friday we met.",
        "",
    ],
)
def test_what_is_no_date_stays(said: str) -> None:
    assert make_dates_absolute(said, SATURDAY) == said


def test_once_is_enough() -> None:
    once = make_dates_absolute("yesterday, next week, in two days", SATURDAY)

    assert make_dates_absolute(once, date(2030, 1, 1)) == once


@pytest.mark.parametrize(
    ("count", "days"),
    [
        *(("a", 1), ("an", 1), ("a couple of", 2), ("zero", 0), ("one", 1), ("seven", 7)),
        *(("eleven", 11), ("Twelve", 12), ("0", 0), ("31", 31), ("365", 365)),
    ],
)
def test_a_number_of_days_is_read_as_a_word_or_in_digits(count: str, days: int) -> None:
    moved = {word: SATURDAY + timedelta(sign * days) for word, sign in (("ago", -1), ("ahead", 1))}
    assert make_dates_absolute(f"{count} days ago", SATURDAY) == moved["ago"].isoformat()
    assert make_dates_absolute(f"in {count} days", SATURDAY) == f"on {moved['ahead']}"


DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@given(st.dates(date(2000, 1, 1), date(2100, 1, 1)), st.integers(0, 6))
def test_a_day_of_the_week_is_the_next_or_the_last_of_its_name(today: date, wanted: int) -> None:
    def moved(text: str) -> int:
        found = date.fromisoformat(make_dates_absolute(text, today).split()[-1])
        assert found.weekday() == wanted
        return (found - today).days

    day = DAYS[wanted]
    assert -7 <= moved(f"last {day}") == moved(f"previous {day}") <= -1
    assert 1 <= moved(f"next {day}") == moved(f"this {day}") <= 7
    assert 0 <= moved(f"by {day}") == moved(f"until {day}") <= 6


@given(st.dates(date(2000, 1, 1), date(2100, 1, 1)), st.integers(0, 30))
def test_months_and_years_are_counted_over_their_ends(today: date, count: int) -> None:
    def months(text: str) -> int:
        year, month = text.rsplit(maxsplit=1)[-1].split("-")
        return int(year) * 12 + int(month) - 1

    now = today.year * 12 + today.month - 1
    assert months(make_dates_absolute(f"{count} months ago", today)) == now - count
    assert months(make_dates_absolute(f"in {count} months", today)) == now + count
    assert make_dates_absolute(f"{count} years ago", today) == str(today.year - count)
