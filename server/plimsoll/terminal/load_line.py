"""The load line as text: how full the context is, and where the three marks stand."""

from collections.abc import Mapping

from plimsoll.context.budget import Zone
from plimsoll.context.meter import Meter

COLOURS: Mapping[Zone, str] = {
    Zone.OK: "green",
    Zone.WARNING: "yellow",
    Zone.COMPACT: "dark_orange",
    Zone.BLOCKING: "red",
    Zone.INFEASIBLE: "bold red",
}
WIDTH = 40
"""Characters of the bar."""


def short(tokens: int) -> str:
    """A number of tokens as people say it: 940, 3.4k, 112k, 1.0M."""
    if tokens < 1_000:
        return str(tokens)
    if tokens < 9_950:
        return f"{tokens / 1_000:.1f}k"
    return f"{tokens / 1_000:.0f}k" if tokens < 999_500 else f"{tokens / 1_000_000:.1f}M"


def load_line(meter: Meter) -> str:
    """``⊖ 49% · 55k of 112k · ok``, with the error band of an estimate."""
    percent = meter.budget.percent(meter.used)
    band = f" ± {short(meter.margin)}" if meter.margin else ""
    full = short(meter.budget.effective)
    return f"⊖ {percent:.0f}% · {short(meter.used)}{band} of {full} · {meter.zone}"


def bar(meter: Meter, width: int = WIDTH) -> tuple[tuple[str, str], ...]:
    """The bar in pieces with their styles: what is loaded, what is free, and the marks."""
    budget = meter.budget
    marks = {
        min(width - 1, width * mark // budget.effective)
        for mark in (budget.warning, budget.compact, budget.blocking)
    }
    filled = min(width, -(-width * meter.used // budget.effective))
    colour = COLOURS[meter.zone]
    return tuple(
        ("│", "bold") if at in marks else ("█", colour) if at < filled else ("░", "dim")
        for at in range(width)
    )
