"""Net gain: when a reduction pays."""

import pytest

from plimsoll.context.index.net_gain import Horizon, Prices, pays, turns_to_come

PRICES = Prices(0.1, 1.25)


@pytest.mark.parametrize(
    ("requests", "turns"), [(0, 0), (1, 1), (8, 8), (10, 10), (11, 10.5), (40, 25), (400, 205)]
)
def test_what_has_lasted_lasts_half_as_long_again(requests, turns):
    assert turns_to_come(requests) == turns


@pytest.mark.parametrize(("rewritten", "clear"), [(1_000, True), (1_159, True), (1_160, False)])
def test_a_gain_must_be_clear(rewritten, clear):
    """At 1.15 a rewritten token, half more than the cost: 1,159 tokens at most for 2,000 saved."""
    assert pays(1_000, rewritten, 20, PRICES, 0.5) is clear


@pytest.mark.parametrize("turns", [1, 20])
def test_with_a_cold_cache_all_pays_and_where_reading_is_free_nothing(turns):
    assert pays(1, 0, turns, PRICES, 0.5)
    assert not pays(1_000, 0, turns, Prices(0, 1.25), 0.5)
    assert not pays(1_000, 0, 0, PRICES, 0.5)


def test_what_is_freed_puts_the_mark_off():
    """At the mark all would go anyway; with 3,000 tokens less it comes three requests later."""
    near = Horizon(20, 500, 1_000)
    assert (near.after(0), near.after(3_000), near.after(90_000)) == (0.5, 3.5, 20)
