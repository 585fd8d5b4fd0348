"""Relative dates become absolute; quoted text and names stay."""

from datetime import date

import pytest

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
