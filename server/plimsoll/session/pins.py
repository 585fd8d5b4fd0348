"""The budget of pins: what must stand in every request must leave room for the rest."""

from collections.abc import Iterable

from plimsoll.context.log.entries import Pinned
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.frames import pin_shown
from plimsoll.context.view.ledger import Ledger
from plimsoll.errors import InvalidInput
from plimsoll.session.environment import Model

SHARE = 4
"""Pins never take more than this part of the effective window, whatever the setting."""


def refuse_large(pin: Pinned, fold: Fold, model: Model) -> None:
    """Refuse a pin that would take all pins of a session over their budget; see `refuse_over`."""
    refuse_over(pins_tokens((*fold.pins.values(), pin), fold.ledger), budget_of(model))


def refuse_over(tokens: int, most: int) -> None:
    """Refuse so many tokens of pins, and say by how much they are too many.

    Raises:
        InvalidInput: ``data.needsTokens`` holds the excess.
    """
    excess = tokens - most
    if excess > 0:
        raise InvalidInput(
            f"This pin would take the pins {excess:,} tokens over their {most:,}.",
            remedy="Unpin something, pin less text, or raise pins.max_tokens.",
            data={"needsTokens": excess},
        )


def pins_tokens(pins: Iterable[Pinned], ledger: Ledger) -> int:
    """Tokens that some pins take in a request."""
    return sum(pin_shown(pin, ledger).tokens for pin in pins)


def budget_of(model: Model) -> int:
    """Tokens that all pins together may take."""
    return min(model.settings.pins.max_tokens, model.budget.effective // SHARE)


def next_number(fold: Fold) -> int:
    """The number of the next pin of a session; none is given twice."""
    numbers = (entry.number for entry in fold.entries if isinstance(entry, Pinned))
    return max(numbers, default=0) + 1
