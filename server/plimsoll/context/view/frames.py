"""Where frames and pins stand: in the head, or at the place where they entered.

Law 5: a stable prefix is money. What is new enters at the tail and moves to the head with the next
big step, which pays for a new prefix anyway; until then an older version stays where it stood.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from plimsoll.context.log.entries import FRONT, Framed, ItemState, Pinned, Slot
from plimsoll.context.log.item_ids import frame_item, pin_item
from plimsoll.context.log.messages import Part, PartKind, Role, ToolChoice
from plimsoll.context.view.groups import EnteredFrame
from plimsoll.context.view.ledger import Ledger
from plimsoll.context.view.view import RenderedItem, RenderedMessage, rendered_message

TOOL_PREFIX = "tools."
TOOL_CHOICE = "toolChoice"
"""The slot that says whether tools may be called; it is a field of the request, not text."""
HEAD_ORDER = ("system", "mode", "instructions", "memories", "recall", "pins", "tasks")


@dataclass(frozen=True, slots=True)
class Head:
    """What stands before the conversation."""

    text: tuple[RenderedItem, ...]
    tools: tuple[RenderedItem, ...]
    choice: ToolChoice


@dataclass(frozen=True, slots=True)
class FramePlacement:
    """What decides where a note stands."""

    pins: Mapping[str, Pinned]
    """Those that were not taken away."""
    newest: Mapping[str, Framed]
    """The newest frame of each slot."""
    big_step: int
    """The log index of the last live big step, or -1."""

    def settled(self, note: EnteredFrame) -> bool:
        """Whether the note stands before the conversation."""
        return note.head or (note.index < self.big_step and not _quotes(note.entry))

    def alive(self, entry: Framed | Pinned) -> bool:
        """Whether the note stands anywhere."""
        if isinstance(entry, Pinned):
            return entry.id in self.pins
        newest = self.newest[entry.slot]
        if entry.text is None or newest.text is None:
            return False
        # One that was put into the head replaces the older ones wherever they stand.
        return entry is newest or newest.place == "tail"


def head_of(notes: Iterable[EnteredFrame], standing: FramePlacement, ledger: Ledger) -> Head:
    """The frames and pins that stand before the conversation, in the order of the request."""
    frames: dict[str, Framed] = {}
    pins: list[Pinned] = []
    for note in notes:
        if not standing.settled(note) or not standing.alive(note.entry) or _quotes(note.entry):
            continue
        if isinstance(note.entry, Framed):
            frames[note.entry.slot] = note.entry
        else:
            pins.append(note.entry)
    tools = tuple(
        _frame(frames[slot], standing, ledger) for slot in frames if slot.startswith(TOOL_PREFIX)
    )
    choice = frames.pop(TOOL_CHOICE, None)
    shown = {
        slot: [_frame(entry, standing, ledger)]
        for slot, entry in frames.items()
        if not slot.startswith(TOOL_PREFIX)
    }
    shown["pins"] = [pin_shown(pin, ledger) for pin in pins]
    ordered = (each for slot in sorted(shown, key=_rank) for each in shown[slot])
    return Head(tuple(ordered), tools, "none" if choice and choice.text == "none" else "auto")


def front_of(
    notes: Iterable[EnteredFrame], standing: FramePlacement, ledger: Ledger
) -> tuple[RenderedMessage, ...]:
    """The lines of quotes from other times, which stand first in the conversation."""
    return tuple(
        _line(note.entry, standing, ledger)
        for note in notes
        if note.head and _quotes(note.entry) and standing.alive(note.entry)
    )


def notes_of(
    notes: Sequence[EnteredFrame], standing: FramePlacement, ledger: Ledger
) -> tuple[RenderedMessage, ...]:
    """The lines of the notes that still stand where they entered."""
    return tuple(
        _line(note.entry, standing, ledger)
        for note in notes
        if not standing.settled(note) and standing.alive(note.entry)
    )


def pin_text(pin: Pinned) -> str:
    """A pin as the model reads it; its text stands byte for byte."""
    return f"[pinned {pin.number}] {pin.text}"


def pin_shown(pin: Pinned, ledger: Ledger) -> RenderedItem:
    """A pin as an item of the request."""
    text = pin_text(pin)
    part = Part(kind=PartKind.TEXT, text=text)
    return RenderedItem(
        item=pin_item(pin.id),
        slot=Slot.PINS,
        part=part,
        state=ItemState.VERBATIM,
        tokens=ledger.text(text),
    )


def _frame(entry: Framed, standing: FramePlacement, ledger: Ledger) -> RenderedItem:
    text = entry.text or ""
    newest = standing.newest[entry.slot] is entry
    item = frame_item(entry.slot, None if newest else entry.id)
    part = Part(kind=PartKind.TEXT, text=text, source=entry.source)
    state = ItemState.VERBATIM if entry.original is None else ItemState.TRUNCATED
    return RenderedItem(
        item=item,
        slot=entry.kind,
        part=part,
        state=state,
        tokens=ledger.text(text),
        original=entry.original,
    )


def _line(entry: Framed | Pinned, standing: FramePlacement, ledger: Ledger) -> RenderedMessage:
    if isinstance(entry, Pinned):
        return rendered_message(pin_item(entry.id), Role.USER, (pin_shown(entry, ledger),))
    return rendered_message(entry.id, Role.USER, (_frame(entry, standing, ledger),))


def _quotes(entry: Framed | Pinned) -> bool:
    return isinstance(entry, Framed) and entry.kind in FRONT


def _rank(slot: str) -> tuple[int, str]:
    """The slots of one family, such as ``instructions.docs``, stand together."""
    family = slot.partition(".")[0]
    return (HEAD_ORDER.index(family) if family in HEAD_ORDER else len(HEAD_ORDER), slot)
