"""Pins of the folder: kept in its store, and an entry of the log of each of its sessions.

The entry has the pin's id in every session, so that a copy of a log never holds it twice; its
number is the session's own, since numbers are never given twice in a session.
"""

from collections.abc import Iterable, Sequence

from plimsoll.context.log.entries import Entry, Pinned, Undone
from plimsoll.context.view.fold import Fold
from plimsoll.errors import InvalidInput
from plimsoll.session.clock import Clock
from plimsoll.session.environment import Environment
from plimsoll.session.pins import budget_of, next_number, pins_tokens, refuse_over
from plimsoll.session.session_state import SessionState
from plimsoll.storage.base import WorkspacePin


def pin_changes(fold: Fold, pins: Sequence[WorkspacePin], clock: Clock) -> tuple[Entry, ...]:
    """What must be appended so that the log holds the folder's pins as they are now."""
    kept = {pin.id for pin in pins}
    gone = (pin for pin in fold.pins.values() if pin.scope == "workspace" and pin.id not in kept)
    removed = [Undone(clock.new_id("u"), clock.now(), pin.id) for pin in gone]
    fresh = [pin for pin in pins if fold.index_of(pin.id) is None]
    added = entries_of(fresh, next_number(fold), clock)
    return (*removed, *added)


def entries_of(pins: Iterable[WorkspacePin], number: int, clock: Clock) -> tuple[Pinned, ...]:
    """The entries of a folder's pins in a session whose next free number is ``number``."""
    return tuple(
        Pinned(id=pin.id, at=clock.now(), text=pin.text, number=number + place, scope="workspace")
        for place, pin in enumerate(pins)
    )


def as_session_pins(entries: Iterable[Entry], pins: Iterable[WorkspacePin]) -> tuple[Entry, ...]:
    """Entries of another folder's log: pins that are not of this folder become the session's."""
    ours = {pin.id for pin in pins}
    return tuple(_own(entry, ours) if isinstance(entry, Pinned) else entry for entry in entries)


async def add_pin(
    text: str, environment: Environment, live: Iterable[SessionState]
) -> WorkspacePin:
    """Keep one more pin of the folder.

    Raises:
        InvalidInput: There is no text, or the pins would be over their budget, for the default
            model or in a session that is open; ``data.needsTokens`` says by how much.
    """
    if not text.strip():
        raise InvalidInput("There is no text to pin.", remedy="Give a text.")
    model = await environment.models.open(environment.models.default)
    held = entries_of(await environment.store.pins.pins(), 1, environment.clock)
    name, now = environment.clock.new_id("p"), environment.clock.now()
    pin = Pinned(id=name, at=now, text=text, number=len(held) + 1, scope="workspace")
    refuse_over(pins_tokens((*held, pin), model.ledger), budget_of(model))
    for state in live:
        pins = (*state.log.fold.pins.values(), pin)
        refuse_over(pins_tokens(pins, state.model.ledger), budget_of(state.model))
    return await environment.store.pins.add(name, text, now)


def _own(pin: Pinned, ours: set[str]) -> Pinned:
    if pin.scope == "session" or pin.id in ours:
        return pin
    return Pinned(id=pin.id, at=pin.at, text=pin.text, number=pin.number, item=pin.item)
