"""The budget of pins: what must stand in every request must leave room for the rest."""

from plimsoll.context.entries import Pinned, Slot
from plimsoll.context.fold import Fold
from plimsoll.context.frames import pin_shown
from plimsoll.errors import InvalidInput
from plimsoll.session.environment import Model


def refuse_large(pin: Pinned, fold: Fold, model: Model) -> None:
    """Refuse a pin that would take all pins over their budget, and say by how much.

    Raises:
        InvalidInput: ``data.needsTokens`` holds the excess.
    """
    most = min(model.knobs.pins.max_tokens, model.budget.effective // 4)
    held = fold.view.by_slot.get(Slot.PINS, 0)
    excess = held + pin_shown(pin, fold.ledger).tokens - most
    if excess > 0:
        raise InvalidInput(
            f"This pin would take the pins {excess:,} tokens over their {most:,}.",
            remedy="Unpin something, pin less text, or raise pins.max_tokens.",
            data={"needsTokens": excess},
        )
