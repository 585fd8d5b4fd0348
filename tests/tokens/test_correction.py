"""What reports teach about a tokenizer, kind by kind of text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.tokens.correction import (
    BANDS,
    CUSHION,
    EXACT,
    LEAST,
    MOST,
    NOTHING,
    TOLERANCE,
    UNKNOWN,
    Correction,
    RawCount,
    SentCount,
    Weights,
    even,
    kinds_of,
)

tokens = st.integers(0, 10_000_000)
factors = st.floats(LEAST.tokens, MOST.tokens)
corrections = st.builds(Correction, factors.map(even), st.floats(*BANDS))
amounts = st.builds(RawCount, tokens, tokens, tokens)
SIZES = (200, 900, 400, 1_500, 700, 1_100)
"""Tokens by which a conversation grows from request to request."""


def sent(correction: Correction, text: RawCount, tools: RawCount = NOTHING) -> SentCount:
    return SentCount(correction.apply(text) + correction.apply_to_tools(tools), text, tools)


def plain(ours: int) -> SentCount:
    return SentCount(ours, RawCount(ours))


@given(tokens)
def test_the_exact_correction_changes_nothing(count):
    assert EXACT.apply(RawCount(count)) == EXACT.apply_to_tools(RawCount(count)) == count


def test_something_is_never_corrected_to_nothing():
    half = Correction(even(0.5))
    assert [half.apply(RawCount(count)) for count in (0, 1, 2, 10)] == [0, 1, 1, 5]


@given(corrections, amounts, amounts, tokens, tokens)
def test_what_is_learned_stays_within_its_limits(correction, text, tools, ours, reported):
    request = SentCount(ours, text, tools)
    for learned in (
        correction.learn_usage(request, reported),
        correction.learn_size(request, reported),
    ):
        for least, weight, most in zip(LEAST, learned.weights, MOST, strict=True):
            assert least <= weight <= most
        assert BANDS[0] <= learned.band <= BANDS[1]


@given(corrections, st.integers(-5, 0), tokens)
def test_a_report_of_nothing_teaches_nothing(correction, nothing, some):
    assert correction.learn_usage(plain(nothing), some) == correction
    assert correction.learn_usage(plain(some), nothing) == correction


def test_a_report_above_our_count_is_followed_sooner_than_one_below():
    before = Correction(even(1.0), 0.15)
    above, below = before.learn_usage(plain(1_000), 1_200), before.learn_usage(plain(1_000), 800)
    assert above.weights.tokens - 1 > 1 - below.weights.tokens > 0
    assert above.band == pytest.approx(0.4)


def test_a_report_within_tolerance_narrows_the_band_and_then_changes_nothing():
    ours = round(1_000 * (1 + CUSHION))
    settled = Correction(even(1.15), 0.15).learn_usage(plain(ours), 1_000)
    assert settled == Correction(even(1.15), BANDS[0])
    assert settled.learn_usage(plain(ours), 1_000) == settled


@given(corrections, st.floats(0.6, 1.9), st.integers(2_000, 500_000))
def test_a_steady_provider_is_learned(correction, ratio, raw):
    reported, text = round(raw * ratio), RawCount(raw)
    for _ in range(12):
        correction = correction.learn_usage(sent(correction, text), reported)
    wanted = reported * (1 + CUSHION)
    assert sent(correction, text).ours == pytest.approx(wanted, rel=2 * TOLERANCE)
    assert correction == correction.learn_usage(sent(correction, text), reported)


@pytest.mark.parametrize("tools", [0.0, 1.0, 1.3])
@pytest.mark.parametrize("foreign", [0.0, 0.5])
@pytest.mark.parametrize("digits", [0.0, 1.0])
@pytest.mark.parametrize("factor", [1.0, 1.2])
def test_no_request_behind_the_second_is_counted_five_percent_too_low(
    factor, digits, foreign, tools
):
    """A conversation of prose, then tables of numbers, then another script, then prose."""
    theirs = Correction(Weights(factor, digits, foreign, tools))
    correction, text, schemas, ratios = UNKNOWN, RawCount(), RawCount(400), []
    for kind in ((1.0, 0.02, 0.0), (1.0, 0.8, 0.0), (1.0, 0.0, 1.7), (1.0, 0.02, 0.0)):
        for size in SIZES:
            text = RawCount(*(have + round(size * k) for have, k in zip(text, kind, strict=True)))
            reported = sent(theirs, text, schemas).ours
            ours = sent(correction, text, schemas)
            ratios.append(ours.ours / reported)
            correction = correction.learn_usage(ours, reported)
    assert min(ratios[2:]) >= 0.95, [round(ratio, 3) for ratio in ratios]
    assert max(ratios[2:]) <= 1.3, [round(ratio, 3) for ratio in ratios]


@given(st.integers(1, 10**6), st.integers(1, 10**6), factors)
def test_what_cannot_be_about_the_request_changes_no_weight(raw, reported, factor):
    before = Correction(even(factor), 0.1)
    request = sent(before, RawCount(raw))
    for after in (before.learn_usage(request, reported), before.learn_size(request, reported)):
        if not before.is_plausible(request, reported):
            assert after.weights == before.weights
            assert after.band in {0.1, BANDS[1]}


def test_tools_that_are_known_to_be_left_out_are_missed_in_no_report():
    request = SentCount(233, RawCount(190), RawCount(400))
    left_out = Correction(UNKNOWN.weights._replace(tools=0.0))
    assert left_out.is_plausible(request, 212)
    assert not UNKNOWN.is_plausible(request, 212)
    # Another template may read them after all.
    assert left_out.is_plausible(request, 650)


@pytest.mark.parametrize(("ours", "reported"), [(1_000, 1_500), (1_000, 700)])
def test_a_refused_request_is_counted_right_at_once(ours, reported):
    learned = Correction(even(1.0), 0.15).learn_size(plain(ours), reported)
    assert abs(learned.apply(RawCount(ours)) - reported) <= 1


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("no digits", RawCount(9, 0, 0)),
        ("1 12 123 1234", RawCount(9, 0 + 1 + 2 + 2, 0)),
        ("größer", RawCount(9, 0, 2)),
        ("日本", RawCount(9, 0, 4)),
    ],
)
def test_what_a_text_has_by_kind(text, count):
    assert kinds_of(text, 9) == count


@given(st.text("019 x٣é", max_size=200))
def test_digits_are_counted_by_runs_of_at_most_three(text):
    runs = re.findall("[0-9]{1,3}", text)
    digits = sum(len(run) - 1 for run in runs)
    assert kinds_of(text, 9).digits == digits
    # Behind words, as in prose, runs are counted otherwise.
    assert kinds_of("words " * 100 + text, 9).digits == digits
