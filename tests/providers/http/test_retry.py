from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.providers.http.asked_waits import retry_after
from plimsoll.providers.http.retries import RetryPolicy, retry_wait

NOW = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "120"}, 120.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Sat, 21 Nov 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Sat, 21 Nov 2026 12:00:30 -0000"}, 30.0),
        ({"retry-after": "Sat, 21 Nov 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "1e9"}, None),
        ({"retry-after": "."}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "tomorrow"}, None),
        ({"retry-after": "Sat, 99 Nov 2026 12:00:30 GMT"}, None),
    ],
)
def test_what_a_provider_asks_for(headers: dict[str, str], seconds: float | None):
    assert retry_after(headers, NOW) == seconds


@given(st.integers(1, 20), st.none() | st.floats(0, 60), st.floats(0, 1))
def test_a_wait_is_near_what_was_asked_and_ends(tried: int, asked: float | None, chance: float):
    policy = RetryPolicy()
    wait = retry_wait(policy, tried, asked, chance)
    if tried >= policy.tries:
        assert wait is None
    elif asked:
        assert wait is not None
        assert asked <= wait <= asked * 1.1 + 1e-9
    else:
        assert wait is not None
        assert 0 < wait <= policy.first_wait * 2 ** (tried - 1)


def test_a_provider_that_asks_for_too_much_is_not_waited_for():
    assert retry_wait(RetryPolicy(), 1, 61, 0.5) is None


def test_a_wait_of_nought_does_not_use_up_the_tries_at_once():
    waits = [retry_wait(RetryPolicy(), tried, 0.0, 0.0) for tried in range(1, 5)]
    assert waits == [0.25, 0.5, 1.0, 2.0]
