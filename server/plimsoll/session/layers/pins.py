"""Pins of a session and of its folder, and the budget that they must keep.

A pin of the folder is kept in its store and is an entry of the log of each of its sessions, with
the pin's id in every session, so that a copy of a log never holds it twice; its number is the
session's own, since numbers are never given twice in a session.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plimsoll.context.log.entries import Entry, Pinned
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.frames import render_pin
from plimsoll.context.view.ledger import Ledger
from plimsoll.errors import Fix, InvalidInput, NotFound
from plimsoll.memory.sharing import colleague
from plimsoll.memory.types import MemoryScope
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.entries import new_pin, new_undone
from plimsoll.session.ports.environment import Environment
from plimsoll.session.ports.model import Model
from plimsoll.session.state.session_state import SessionState
from plimsoll.storage.chosen.base import WorkspacePin

SHARE = 4
"""Pins never take more than this part of the effective window, whatever the setting."""


@dataclass(frozen=True, slots=True)
class CountedPin:
    """A pin with the tokens that it takes in a request."""

    pin: Pinned
    tokens: int


def count_pin(pin: Pinned, ledger: Ledger) -> CountedPin:
    """Count a pin as a request shows it."""
    return CountedPin(pin, render_pin(pin, ledger).tokens)


def text_of(fold: Fold, item: str) -> str:
    """Return the text of an item as it stands in the view; raises NotFound."""
    for shown in fold.view.items():
        if shown.item == item:
            return shown.part.text
    raise NotFound("item", item, remedy="The report lists the items with their ids.")


def refuse_large(pin: Pinned, fold: Fold, model: Model) -> None:
    """Refuse a pin that would take all pins of a session over their budget; see `refuse_over`."""
    refuse_over(pins_tokens((*fold.pins.values(), pin), fold.ledger), budget_of(model))


def refuse_over(tokens: int, most: int) -> None:
    """Refuse pins of so many tokens if they are over the budget.

    Raises:
        InvalidInput: ``data.needsTokens`` holds the excess.
    """
    excess = tokens - most
    if excess > 0:
        raise InvalidInput(
            f"This pin would take the pins {excess:,} tokens over their {most:,}.",
            remedy="Unpin something, pin less text, or raise pins.max_tokens.",
            fix=Fix(
                kind="setting",
                setting="pins.max_tokens",
                advice="Unpin something, pin less text, or allow more.",
            ),
            data={"needsTokens": excess},
        )


def pins_tokens(pins: Iterable[Pinned], ledger: Ledger) -> int:
    """Count the tokens that some pins take in a request."""
    return sum(count_pin(pin, ledger).tokens for pin in pins)


def budget_of(model: Model) -> int:
    """Return the tokens that all pins together may take."""
    return min(model.settings.pins.max_tokens, model.budget.effective // SHARE)


def make_pin(fold: Fold, clock: Clock, text: str | None, item: str | None) -> Pinned:
    """Make a pin of a text, or of the text of an item; raises InvalidInput, NotFound."""
    words = text if text is not None else text_of(fold, item or "")
    if not words.strip():
        raise InvalidInput("There is no text to pin.", remedy="Give a text or an item.")
    return new_pin(clock, words, next_number(fold), item=item)


def next_number(fold: Fold) -> int:
    """Return the number of the next pin of a session; none is given twice."""
    numbers = (entry.number for entry in fold.entries if isinstance(entry, Pinned))
    return max(numbers, default=0) + 1


def pin_changes(fold: Fold, pins: Sequence[WorkspacePin], clock: Clock) -> tuple[Entry, ...]:
    """Return the entries to append so that the log has the folder's present pins."""
    kept = {pin.id for pin in pins}
    gone = (pin for pin in fold.pins.values() if pin.scope == "workspace" and pin.id not in kept)
    removed = [new_undone(clock, pin.id) for pin in gone]
    fresh = [pin for pin in pins if fold.index_of(pin.id) is None]
    added = entries_of(fresh, next_number(fold), clock)
    return (*removed, *added)


def entries_of(pins: Iterable[WorkspacePin], number: int, clock: Clock) -> tuple[Pinned, ...]:
    """Return the entries of a folder's pins in a session whose next free number is ``number``.

    A colleague's says whose it is: it stands among what the person pinned.
    """
    return tuple(
        Pinned(
            id=pin.id,
            at=clock.now(),
            text=_quote_pin(pin),
            number=number + index,
            scope="workspace",
        )
        for index, pin in enumerate(pins)
    )


def _quote_pin(pin: WorkspacePin) -> str:
    name = pin.sharing.author_name
    return pin.text if name is None else f"Pinned by {colleague(name)}: {pin.text}"


async def add_pin(
    text: str, scope: MemoryScope, environment: Environment, live: Iterable[SessionState]
) -> WorkspacePin:
    """Add a pin to the folder's store; ``scope`` says who else has it.

    Raises:
        InvalidInput: There is no text, or the pins would be over their budget, for the default
            model or in a session that is open; ``data.needsTokens`` says by how much.
    """
    if not text.strip():
        raise InvalidInput("There is no text to pin.", remedy="Give a text.")
    model = await environment.models.open(environment.models.default)
    held = entries_of(await environment.store.pins.pins(), 1, environment.clock)
    pin = new_pin(environment.clock, text, len(held) + 1, scope="workspace")
    refuse_over(pins_tokens((*held, pin), model.ledger), budget_of(model))
    for state in live:
        pins = (*state.log.fold.pins.values(), pin)
        refuse_over(pins_tokens(pins, state.model.ledger), budget_of(state.model))
    return await environment.store.pins.add(pin.id, text, pin.at, scope)
