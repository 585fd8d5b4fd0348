"""The load line in words and as a bar."""

from dataclasses import replace

import pytest

from plimsoll.context.budget import Meter, Zone, budget_for, zone_for
from plimsoll.terminal.report import bar, load_line, short


def meter(used: int, window: int = 128_000) -> Meter:
    budget = budget_for(window)
    return Meter(
        used=used, budget=budget, zone=zone_for(used, budget), parts={}, basis="counted", margin=0
    )


@pytest.mark.parametrize(
    ("tokens", "told"),
    [
        (0, "0"),
        (999, "999"),
        (1_000, "1.0k"),
        (9_949, "9.9k"),
        (9_950, "10k"),
        (112_000, "112k"),
        (999_499, "999k"),
        (999_500, "1.0M"),
    ],
)
def test_tokens_are_told_short(tokens, told):
    assert short(tokens) == told


def test_the_line_says_percent_tokens_and_zone():
    assert load_line(meter(55_000)) == "⊖ 49% · 55k of 112k · ok"
    assert load_line(meter(90_000)) == "⊖ 80% · 90k of 112k · warning"
    assert load_line(replace(meter(55_000), margin=8_250)) == "⊖ 49% · 55k ± 8.2k of 112k · ok"


def drawn(load: Meter) -> str:
    return "".join(piece for piece, _ in bar(load, 20))


def test_the_bar_shows_load_and_marks():
    assert drawn(meter(0)) == "░░░░░░░░░░░░░░░│░│░│"
    assert drawn(meter(56_000)).startswith("█" * 10 + "░")
    assert drawn(meter(1)).startswith("█░")
    full = drawn(meter(120_000))
    assert set(full) == {"█", "│"}
    assert len(full) == 20


def test_the_bar_has_the_colour_of_its_zone():
    styles = {style for piece, style in bar(meter(111_000)) if piece == "█"}
    assert styles == {"red"}
    assert meter(111_000).zone is Zone.BLOCKING
