"""How long providers ask to be waited for, in every spelling that is known."""

from datetime import UTC, datetime

import pytest

from plimsoll.providers.http.asked_waits import (
    is_lasting,
    limit_reset,
    retry_after,
    shown_wait,
    wait_in,
    wait_in_words,
)

NOW = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("message", "seconds"),
    [
        ("Please try again in 1m3.2s. Visit the console.", 63.2),
        ("Rate limit reached. Please try again in 20s.", 20.0),
        ("Please try again in 250ms.", 0.25),
        ("Limit 30000, Used 29000, Requested 5000. Please try again in 12.1s.", 12.1),
        ("Please retry after 26 seconds.", 26.0),
        ("Please retry in 12.4s.", 12.4),
        ("please try again after 1 seconds", 1.0),
        ("Please wait 3 seconds and try again", 3.0),
        ("Your limit resets in 2 hours and 5 minutes", 7500.0),
        ("Retry-After: 7", 7.0),
        ("Try again in about 1 minute", 60.0),
        ("try again in 1h2m", 3720.0),
        ("Try again in 5s, or, as a guest, try again in 90s.", 90.0),
        ("Try again in 90s, or, as a member, try again in 5s.", 90.0),
        ("Try again in 2 days", 172_800.0),
        ("Try again in 0.5 s", 0.5),
        ("Try again in 999999999", 999_999_999.0),
        ("Try again in 1000000000", None),
        ("Please try again later.", None),
        ("The limit resets at 2026-11-22 10:00.", None),
        ("I tried 5 times.", None),
        ("", None),
    ],
)
def test_words(message: str, seconds: float | None):
    assert wait_in_words(message) == seconds


@pytest.mark.parametrize(
    ("error", "seconds"),
    [
        ({"error": {"details": [{"retryDelay": "17.5s"}]}}, 17.5),
        ([{"error": {"details": [{"retryDelay": {"seconds": 17, "nanos": 500_000_000}}]}}], 17.5),
        ({"error": {"retry_after_ms": 250}}, 0.25),
        ({"error": {"metadata": {"headers": {"Retry-After": "8"}}}}, 8.0),
        ({"error": {"resets_in_seconds": 90}}, 90.0),
        ({"retry_after": 5, "details": [{"retry_after": 90}, {"retry_after": 7}]}, 90.0),
        ({"retryDelay": {"nanos": 5}}, None),
        ({"retryDelay": {"seconds": "3"}}, 3.0),
        ({"retry_after": 0}, 0.0),
        ({"retry_after": float("inf")}, None),
        ({"retry_after": "1m3s"}, 63.0),
        ({"error": {"retry_after": "soon"}}, None),
        ({"error": {"retry_after": -1}}, None),
        ({"error": {"retry_after": True}}, None),
        ("no object", None),
    ],
)
def test_fields(error: object, seconds: float | None):
    assert wait_in(error) == seconds


def test_no_wait_is_read_deeper_than_any_server_writes_one():
    error: object = {"retry_after": 7}
    for _ in range(7):
        error = [error]
    assert wait_in(error) == 7.0
    assert wait_in([error]) is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        (
            {
                "x-ratelimit-limit-requests": "100",
                "x-ratelimit-remaining-requests": "99",
                "x-ratelimit-reset-requests": "1s",
                "x-ratelimit-limit-tokens": "30000",
                "x-ratelimit-remaining-tokens": "200",
                "x-ratelimit-reset-tokens": "6m0s",
            },
            360.0,
        ),
        (
            {
                "anthropic-ratelimit-tokens-remaining": "0",
                "anthropic-ratelimit-tokens-reset": "2026-11-21T12:00:17Z",
                "anthropic-ratelimit-requests-limit": "50",
                "anthropic-ratelimit-requests-remaining": "49",
                "anthropic-ratelimit-requests-reset": "2026-11-21T12:00:50Z",
            },
            17.0,
        ),
        ({"x-ratelimit-reset": "1795262405000"}, 5.0),
        ({"x-ratelimit-reset": "1795262405"}, 5.0),
        ({"ratelimit-reset": "9"}, 9.0),
        ({"ratelimitbysize-reset": "15"}, 15.0),
        ({"x-ratelimit-reset-requests": "120ms"}, 0.12),
        ({"x-ratelimit-reset": "Sat, 21 Nov 2026 12:00:30 GMT"}, 30.0),
        ({"x-ratelimit-reset-tokens": "soon"}, None),
        # Both are spent: the later one counts.
        ({"x-ratelimit-reset-requests": "5s", "x-ratelimit-reset-tokens": "7s"}, 7.0),
        # How much is left says nothing without how much there was.
        (
            {"x-ratelimit-remaining-a": "9", "x-ratelimit-reset-a": "5s", "ratelimit-reset": "2"},
            2.0,
        ),
        ({"x-ratelimit-remaining": "9", "ratelimit": "5s"}, None),
        ({"reset-after": "5s"}, None),
        ({"x-ratelimit-limit-tokens": "30000"}, None),
        ({}, None),
    ],
)
def test_resets(headers: dict[str, str], seconds: float | None):
    assert limit_reset(headers, NOW) == seconds


@pytest.mark.parametrize(
    ("error", "message", "lasts"),
    [
        ({"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}, "retry in 38s", True),
        ({"quotaId": "GenerateRequestsPerMinutePerProjectPerModel"}, "retry in 38s", False),
        ({}, "Rate limit exceeded: free-models-per-day.", True),
        ({}, "You reached your daily limit.", True),
        ({}, "Limit of requests per day (RPD): 10000. Please try again in 8.64s.", False),
        ({}, "Too many requests per minute.", False),
    ],
)
def test_a_limit_of_a_day_is_told_from_one_of_a_minute(error: object, message: str, lasts: bool):
    assert is_lasting(error, message) is lasts


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (7, "7 s"),
        (179, "179 s"),
        (180, "3 min"),
        (864.5, "14 min"),
        (10_799, "180 min"),
        (10_800, "3 h"),
        (86_400, "24 h"),
        (172_799, "48 h"),
        (172_800, "2 days"),
        (1e6, "12 days"),
    ],
)
def test_a_wait_is_written_for_people(seconds: float, shown: str):
    assert shown_wait(seconds) == shown


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("20", 20.0),
        ("1.5", 1.5),
        ("20s", 20.0),
        (str(int(NOW.timestamp()) + 30), 30.0),
        (str(int(NOW.timestamp()) - 30), 0.0),
        (str(int(NOW.timestamp() * 1000) + 1500), 1.5),
        ("999999999", 999_999_999.0),
        ("1m", 60.0),
        ("2026-11-21T12:00:30Z", 30.0),
        (" 2026-11-21T12:00:30 ", 30.0),
        ("2026-11-21T11:00:00Z", 0.0),
        ("Sat, 21 Nov 2026 12:00:30 GMT", 30.0),
        ("Sat, 21 Nov 2026 11:00:00 GMT", 0.0),
        ("9" * 400, None),
        ("-1", None),
        ("soon", None),
        ("", None),
    ],
)
def test_a_wait_in_a_header_is_so_long_or_until_then(value: str, seconds: float | None):
    assert retry_after({"retry-after": value}, NOW) == seconds


@pytest.mark.parametrize("name", ["retry-after-ms", "x-ms-retry-after-ms"])
def test_a_wait_in_milliseconds_is_more_exact_than_one_in_seconds(name: str):
    assert retry_after({"retry-after": "2", name: "1500"}, NOW) == 1.5
    assert retry_after({"retry-after": "2", name: "soon"}, NOW) == 2.0
    assert retry_after({}, NOW) is None
