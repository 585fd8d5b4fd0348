import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.tokens.counter import BANDS, EXACT, FACTORS, TOLERANCE, Correction

corrections = st.builds(Correction, st.floats(*FACTORS), st.floats(*BANDS))
tokens = st.integers(0, 10_000_000)


@given(tokens)
def test_the_exact_correction_changes_nothing(count):
    assert EXACT.apply(count) == count


def test_something_is_never_corrected_to_nothing():
    assert [Correction(0.5).apply(count) for count in (0, 1, 2, 10)] == [0, 1, 1, 5]


@given(corrections, tokens, tokens)
def test_what_is_learned_stays_within_its_limits(correction, ours, reported):
    learned = correction.learned(ours, reported)
    assert FACTORS[0] <= learned.factor <= FACTORS[1]
    assert BANDS[0] <= learned.band <= BANDS[1]


@given(corrections, st.integers(-5, 0), tokens)
def test_a_report_of_nothing_teaches_nothing(correction, nothing, some):
    assert correction.learned(nothing, some) == correction
    assert correction.learned(some, nothing) == correction


def test_a_report_moves_the_factor_halfway_and_the_band_to_twice_the_error():
    assert Correction(1.0, 0.15).learned(1000, 1200) == Correction(1.1, pytest.approx(0.4))


def test_a_report_within_tolerance_narrows_the_band_and_then_changes_nothing():
    settled = Correction(1.15, 0.15).learned(1000, 1019)
    assert settled == Correction(1.15, BANDS[0])
    assert settled.learned(1000, 990) == settled


@given(corrections, st.floats(0.6, 1.9), st.integers(2000, 500_000))
def test_a_steady_provider_is_learned(correction, ratio, raw):
    reported = round(raw * ratio)
    for _ in range(12):
        correction = correction.learned(correction.apply(raw), reported)
    assert correction.apply(raw) == pytest.approx(reported, rel=2 * TOLERANCE)
    assert correction == correction.learned(correction.apply(raw), reported)
