"""What `/cost` says: tokens and money of a session by purpose and model, and together."""

from collections.abc import Sequence

from plimsoll.session.asking.spending import shown_amount
from plimsoll.session.ports.prices import CostOf, Tokens
from plimsoll.session.state.account import Spending
from plimsoll.session.state.cost import CostRow

NOTHING = "No model has been asked in this session."
OWN_COUNT = (
    "{own:,} of these tokens are our own count: the provider reported nothing that can be right, "
    "or the answer was cut off."
)
UNPRICED = (
    "A row without a price has none that is known: prices are those of a model at its own vendor."
)


def cost_markdown(rows: Sequence[CostRow], spent: Spending, cost_of: CostOf) -> str:
    """Write a table of a session's tokens, with their cost as far as prices are known."""
    total = spent.tokens
    if not rows and not total.input + total.output:
        return NOTHING
    lines = [
        "| purpose | model | input | of it cached | output | about |",
        "|---|---|---:|---:|---:|---:|",
    ]
    money = [cost_of(row.model, Tokens(row.input, row.cached, row.output)) for row in rows]
    for row, cost in zip(rows, money, strict=True):
        tokens = f"{row.input:,} | {row.cached:,} | {row.output:,}"
        lines.append(f"| {row.purpose} | {row.model} | {tokens} | {_dollars(cost)} |")
    together = f"{total.input:,} | {total.cached:,} | {total.output:,}"
    lines.append(f"| **together** | | {together} | {_dollars(spent.money)} |")
    if None in (*money, spent.money):
        lines += ["", UNPRICED]
    if own := sum(row.estimated for row in rows):
        lines += ["", OWN_COUNT.format(own=own)]
    return "\n".join(lines)


def _dollars(cost: float | None) -> str:
    return "" if cost is None else shown_amount(cost, "dollars")
