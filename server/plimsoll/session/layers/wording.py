"""Writes a load, a count of tokens and a title as people and models read them."""

from plimsoll.context.budget import Meter
from plimsoll.memory.fence import quote_line


def short(tokens: int) -> str:
    """Write tokens as people read them: 950, 55.3k, 1.2M."""
    if tokens < 1_000:
        return str(tokens)
    return f"{tokens / 1_000:.1f}k" if tokens < 1_000_000 else f"{tokens / 1_000_000:.1f}M"


def load_line(meter: Meter) -> str:
    """Write the load in one line."""
    exact = "counted" if meter.margin == 0 else f"estimated, ±{short(meter.margin)}"
    percent = meter.budget.percent(meter.used)
    return (
        f"{percent:.0f}% · {short(meter.used)} of {short(meter.budget.effective)} tokens · "
        f"{meter.zone.value} · {exact}"
    )


def title_markdown(title: str) -> str:
    """Escape a title so that it marks nothing up."""
    line = quote_line(title)
    return "".join(f"\\{letter}" if letter in "\\`*[]<|" else letter for letter in line)
