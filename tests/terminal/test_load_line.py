"""The load line in words and as a bar."""

import io
import re
from dataclasses import replace

import pytest

from plimsoll.context.budget import Meter, Zone, budget_for, zone_for
from plimsoll.terminal.line_editing.line_editor import STYLE
from plimsoll.terminal.offers import status_pieces
from plimsoll.terminal.report import bar, load_line, short, show_meter
from plimsoll.terminal.screen import Screen


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


@pytest.mark.parametrize(
    ("used", "zone", "style", "code"),
    [
        (50_000, Zone.OK, "green", "32"),
        (90_000, Zone.WARNING, "yellow", "33"),
        (98_000, Zone.COMPACT, "red", "31"),
        (111_000, Zone.BLOCKING, "bold red", "31"),
    ],
)
def test_it_is_yellow_from_the_warning_mark_and_red_from_the_compact_mark(used, zone, style, code):
    load = meter(used)
    assert load.zone is zone
    assert {style for piece, style in bar(load) if piece == "█"} == {style}
    [(words, name), _] = status_pieces(load, "m", "edit")
    assert (words, name) == (load_line(load), f"load-{zone}")
    found = STYLE.get_attrs_for_style_str(f"class:{name}").color
    assert found == {"32": "ansigreen", "33": "ansiyellow", "31": "ansired"}[code]


class Terminal(io.StringIO):
    """A stream that says that a person looks at it."""

    def isatty(self) -> bool:
        return True


def shown(monkeypatch, stream: io.StringIO, used: int = 98_000, **variables: str) -> str:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"TERM": "xterm", **variables}.items():
        monkeypatch.setenv(name, value)
    show_meter(meter(used), Screen(stream, io.StringIO()))
    return stream.getvalue()


def test_colours_are_for_terminals_that_want_them(monkeypatch):
    words = load_line(meter(98_000))
    assert f"\x1b[1;31m{words}" in shown(monkeypatch, Terminal())
    assert f"\x1b[1;33m{load_line(meter(90_000))}" in shown(monkeypatch, Terminal(), 90_000)
    bare = shown(monkeypatch, Terminal(), NO_COLOR="1")
    assert words in bare
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]m", bare)
    assert shown(monkeypatch, io.StringIO()) == f"{words}\n"
