"""Net gain: when, and from where on, a reduction pays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.context.index.net_gain import (
    Horizon,
    Prices,
    PrunePoint,
    best_cut,
    gain_of,
    pays,
    turns_to_come,
)

PRICES = Prices(0.1, 1.25)


@pytest.mark.parametrize(
    ("requests", "turns"), [(0, 0), (1, 1), (8, 8), (10, 10), (11, 10.5), (40, 25), (400, 205)]
)
def test_what_has_lasted_lasts_half_as_long_again(requests, turns):
    assert turns_to_come(requests) == turns


def test_the_gain_is_what_is_not_read_again_less_what_is_written_anew():
    assert gain_of(1_000, 200, 20, PRICES) == pytest.approx(0.1 * 20 * 1_000 - 1.15 * 200)


@pytest.mark.parametrize(("rewritten", "clear"), [(1_000, True), (1_159, True), (1_160, False)])
def test_a_gain_must_be_clear(rewritten, clear):
    """At 1.15 a rewritten token, half more than the cost: 1,159 tokens at most for 2,000 saved."""
    assert pays(1_000, rewritten, 20, PRICES, 0.5) is clear


def places(*rows):
    """Rows of (tokens from here on, freed), both cached."""
    return [PrunePoint(behind, freed, cached=True) for behind, freed in rows]


ROOM = 10**9


def cut(found, turns=20, least=1, room=ROOM, pace=1.0):
    return best_cut(found, Horizon(turns, room, pace), PRICES, ratio=0.5, least=least)


def test_a_large_result_near_the_end_pays_and_a_small_one_deep_in_the_prefix_does_not():
    found = cut(places((50_000, 500), (4_000, 3_000)))
    assert found is not None
    assert (found.start, found.freed, found.rewritten) == (1, 3_000, 1_000)


def test_what_pays_enough_takes_all_that_stands_behind_it_along():
    found = cut(places((50_000, 30_000), (4_000, 200)))
    assert found is not None
    assert (found.start, found.freed, found.rewritten) == (0, 30_200, 19_800)


def test_too_small_a_step_is_not_made():
    assert cut(places((4_000, 3_000)), least=3_001) is None
    assert cut(places((4_000, 3_000)), least=3_000) is not None


def test_with_a_cold_cache_everything_pays_from_the_first_place_on():
    found = cut([PrunePoint(0, 300, cached=False), PrunePoint(0, 300, cached=False)], turns=1)
    assert found is not None
    assert (found.start, found.rewritten) == (0, 0)


def test_nothing_pays_where_reading_is_free_or_nothing_comes():
    found = places((4_000, 3_000))
    free = Prices(0, 1.25)
    assert best_cut(found, Horizon(20, ROOM, 1.0), free, ratio=0.5, least=1) is None
    assert cut(found, turns=0) is None
    assert cut([]) is None


def test_what_is_freed_puts_the_mark_off():
    """At the mark all would go anyway; with 3,000 tokens less it comes three requests later."""
    near = Horizon(20, 500, 1_000)
    assert (near.after(0), near.after(3_000), near.after(90_000)) == (0.5, 3.5, 20)
    found = cut(places((3_200, 3_000)), room=0, pace=1_000)
    assert found is not None
    assert found.gain == pytest.approx(gain_of(3_000, 200, 3, PRICES))
    assert cut(places((4_000, 3_000)), room=0, pace=1_000) is None


@given(
    st.lists(st.tuples(st.integers(0, 5_000), st.integers(0, 5_000)), min_size=1, max_size=12),
    st.integers(1, 200),
)
def test_no_other_cut_gains_more(rows, turns):
    """Against every cut tried by itself; what stays is at least what the gaps hold."""
    found: list[PrunePoint] = []
    behind = 0
    for stays, freed in reversed(rows):
        behind += stays + freed
        found.insert(0, PrunePoint(behind, freed, cached=True))
    chosen = cut(found, turns)
    best = 0.0
    for start in range(len(rows)):
        freed = sum(row[1] for row in rows[start:])
        anew = sum(row[0] for row in rows[start:])
        if freed and pays(freed, anew, turns, PRICES, 0.5):
            best = max(best, gain_of(freed, anew, turns, PRICES))
    assert (chosen.gain if chosen else 0.0) == pytest.approx(best)
