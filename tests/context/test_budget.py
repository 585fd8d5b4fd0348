"""The marks of the load line, for every window and every setting, and the zones between them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.context.budget import (
    FULL_SCALE,
    HYSTERESIS,
    LEAST_WINDOW,
    UNKNOWN_WINDOW,
    Budget,
    BudgetSettings,
    Load,
    Zone,
    budget_for,
    meter_of,
    zone_for,
)
from plimsoll.context.log.entries import Slot

WINDOWS = st.integers(4_096, 2_000_000)
SHARES = st.floats(0.01, 1.0)
SETTINGS = st.builds(
    BudgetSettings,
    reserve_output_tokens=st.integers(1, 100_000),
    warning_buffer_tokens=st.integers(0, 200_000),
    auto_compact_buffer_tokens=st.integers(0, 200_000),
    blocking_buffer_tokens=st.integers(0, 200_000),
    warning_at=SHARES,
    compact_at=SHARES,
    blocking_at=SHARES,
)


@given(WINDOWS)
def test_the_marks_stand_in_their_order_in_every_window(window):
    budget = budget_for(window)
    assert 0 < budget.warning < budget.compact < budget.blocking < budget.effective
    assert budget.strip_descriptions < budget.warning
    assert budget.force_final < budget.blocking
    assert budget.effective + budget.reserve == budget.window == window


@given(st.integers(1_024, 2_000_000), SETTINGS)
def test_the_order_holds_for_every_setting(window, settings):
    budget = budget_for(window, settings)
    assert 0 < budget.warning <= budget.compact <= budget.blocking <= budget.effective
    assert budget.warning < budget.compact or budget.compact == 1
    assert 0 < budget.reserve < budget.window


@given(WINDOWS, WINDOWS)
def test_a_larger_window_has_no_lower_mark(one, other):
    small, large = (budget_for(size) for size in sorted((one, other)))
    assert small.effective <= large.effective
    assert small.warning <= large.warning
    assert small.compact <= large.compact
    assert small.blocking <= large.blocking
    assert small.scale_tokens(40_000) <= large.scale_tokens(40_000) <= 40_000


@pytest.mark.parametrize(
    ("window", "marks"),
    [
        (4_096, (1_024, 3_072, 2_304, 2_611, 2_979)),
        (32_768, (8_192, 24_576, 18_432, 20_889, 23_838)),
        (128_000, (16_000, 112_000, 84_000, 95_200, 108_640)),
        (200_000, (16_000, 184_000, 138_000, 156_400, 178_480)),
        (1_000_000, (16_000, 984_000, 738_000, 836_400, 954_480)),
        (2_000_000, (16_000, 1_984_000, 1_488_000, 1_686_400, 1_924_480)),
    ],
)
def test_the_marks_by_value(window, marks):
    """Reserve, effective, warning, compact, blocking."""
    found = budget_for(window)
    values = (found.reserve, found.effective, found.warning, found.compact, found.blocking)
    assert values == marks


@pytest.mark.parametrize(
    ("window", "effective"),
    [
        (None, UNKNOWN_WINDOW * 3 // 4),
        (0, UNKNOWN_WINDOW * 3 // 4),
        (1, LEAST_WINDOW * 3 // 4),
        (-5, LEAST_WINDOW * 3 // 4),
        (15_000, 11_250),
        (16_000, 12_000),
    ],
    ids=["unknown", "nought", "absurd", "negative", "below the reserve", "the reserve itself"],
)
def test_a_window_that_is_unknown_absurd_or_below_the_reserve(window, effective):
    """Crush never compacts where the window is unknown; KosmoKrator looks it up by another name."""
    assert budget_for(window).effective == effective


def test_every_buffer_and_fraction_is_a_setting():
    settings = BudgetSettings(
        reserve_output_tokens=8_000,
        warning_buffer_tokens=100_000,
        compact_at=0.6,
        blocking_at=0.9,
        strip_descriptions_at=0.3,
        force_final_at=0.8,
    )
    found = budget_for(200_000, settings)
    assert found == Budget(
        window=200_000,
        reserve=8_000,
        effective=192_000,
        warning=92_000,
        compact=115_200,
        blocking=172_800,
        strip_descriptions=57_600,
        force_final=153_600,
        scale=1.0,
    )


def test_a_mark_that_is_set_above_the_next_is_drawn_below_it():
    found = budget_for(200_000, BudgetSettings(warning_at=0.99, compact_at=0.98, blocking_at=0.5))
    assert (found.warning, found.compact, found.blocking) == (91_998, 91_999, 92_000)


@pytest.mark.parametrize(("window", "scale"), [(4_096, 3_072 / FULL_SCALE), (128_000, 1.0)])
def test_amounts_are_scaled_with_the_window(window, scale):
    found = budget_for(window)
    assert found.scale == scale
    assert found.scale_tokens(40_000) == int(40_000 * scale)
    assert found.percent(found.effective) == 100.0


BUDGET = replace(budget_for(200_000), warning=1_000, compact=2_000, blocking=3_000, effective=4_000)


@pytest.mark.parametrize(
    ("used", "before", "zone"),
    [
        (999, Zone.OK, Zone.OK),
        (1_000, Zone.OK, Zone.WARNING),
        (1_999, Zone.OK, Zone.WARNING),
        (2_000, Zone.WARNING, Zone.COMPACT),
        (3_000, Zone.OK, Zone.BLOCKING),
        (4_001, Zone.OK, Zone.BLOCKING),
        (999, Zone.WARNING, Zone.WARNING),
        (950, Zone.WARNING, Zone.WARNING),
        (949, Zone.WARNING, Zone.OK),
        (1_900, Zone.COMPACT, Zone.COMPACT),
        (1_899, Zone.COMPACT, Zone.WARNING),
        (2_850, Zone.BLOCKING, Zone.BLOCKING),
        (2_849, Zone.BLOCKING, Zone.COMPACT),
        (0, Zone.INFEASIBLE, Zone.OK),
    ],
)
def test_a_zone_is_entered_at_its_mark_and_left_five_percent_below(used, before, zone):
    assert zone_for(used, BUDGET, before) is zone


@given(WINDOWS, st.lists(st.integers(0, 120), min_size=1, max_size=30))
def test_a_load_that_trembles_around_a_mark_does_not_change_the_zone(window, steps):
    budget, zone = budget_for(window), Zone.WARNING
    for step in steps:
        share = HYSTERESIS * step / 121
        zone = zone_for(int(budget.warning * (1 - share)) + 1, budget, zone)
        assert zone is Zone.WARNING


def test_what_is_counted_is_exact_unless_it_is_said_how_far_it_may_be_off():
    load = Load(10, {Slot.USER: 10})
    assert meter_of(load, budget_for(8_192)).margin == 0
    assert meter_of(load, budget_for(8_192), basis="estimated", margin=3).margin == 3
