"""Renders frames and pins: in the head of a request, or at the tail where they entered."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from plimsoll.context.log.entries import FRONT, Framed, ItemState, Origin, Pinned, Slot
from plimsoll.context.log.messages import (
    Part,
    PartKind,
    Role,
    ToolChoice,
    frame_item,
    pin_item,
    schema_of,
)
from plimsoll.context.view.ledger import Ledger
from plimsoll.context.view.request_messages import rendered_message
from plimsoll.context.view.view import EnteredFrame, RenderedItem, RenderedMessage

TOOL_PREFIX = "tools."
TOOL_CHOICE = "toolChoice"
"""The slot that says whether tools may be called; it is a field of the request, not text."""
# What changes stands behind what does not.
_TOLD = ("brief", "agent", "instructions", "skills", "agents", "mcp")
HEAD_ORDER = (
    *("system", "environment", *_TOLD, "memories", "recall"),
    *("mode", "pins", "tasks", "date"),
)


def is_readable(frame: Framed) -> bool:
    """Tell whether a request can carry a frame.

    The frame of a tool must hold a schema; one that becomes a message must not be empty.
    """
    if frame.text is None:
        return True
    if frame.slot.startswith(TOOL_PREFIX):
        return schema_of(frame.text) is not None
    return bool(frame.text.strip()) or (frame.place == "head" and not _is_quote(frame))


@dataclass(frozen=True, slots=True)
class Head:
    """The frames, pins and tools before the conversation."""

    text: tuple[RenderedItem, ...]
    tools: tuple[RenderedItem, ...]
    choice: ToolChoice


@dataclass(frozen=True, slots=True)
class FramePlacement:
    """Decides where the view shows a frame or pin, and whether at all."""

    pins: Mapping[str, Pinned]
    """The live pins by id."""
    newest: Mapping[str, Framed]
    """The newest frame of each slot."""
    big_step: int
    """The log index of the last live big step, or -1."""

    def in_head(self, note: EnteredFrame) -> bool:
        """Tell whether a frame or pin belongs before the conversation."""
        return note.head or (note.index < self.big_step and not _is_quote(note.entry))

    def in_view(self, entry: Framed | Pinned) -> bool:
        """Tell whether a frame or pin is still shown anywhere."""
        if isinstance(entry, Pinned):
            return entry.id in self.pins
        newest = self.newest[entry.slot]
        if entry.text is None or newest.text is None:
            return False
        # A new frame in the head replaces all older ones of its slot.
        return entry is newest or newest.place == "tail"


def head_of(notes: Iterable[EnteredFrame], standing: FramePlacement, ledger: Ledger) -> Head:
    """Render the frames and pins before the conversation, in the order of the request."""
    frames: dict[str, Framed] = {}
    pins: list[Pinned] = []
    for note in notes:
        if not standing.in_head(note) or not standing.in_view(note.entry) or _is_quote(note.entry):
            continue
        if isinstance(note.entry, Framed):
            frames[note.entry.slot] = note.entry
        else:
            pins.append(note.entry)
    tools = tuple(
        _render_frame(frames[slot], standing, ledger)
        for slot in frames
        if slot.startswith(TOOL_PREFIX)
    )
    choice = frames.pop(TOOL_CHOICE, None)
    shown = {
        slot: [_render_frame(entry, standing, ledger)]
        for slot, entry in frames.items()
        if not slot.startswith(TOOL_PREFIX)
    }
    shown["pins"] = [render_pin(pin, ledger) for pin in pins]
    ordered = (each for slot in sorted(shown, key=_rank) for each in shown[slot])
    return Head(tuple(ordered), tools, "none" if choice and choice.text == "none" else "auto")


def front_of(
    notes: Iterable[EnteredFrame], standing: FramePlacement, ledger: Ledger
) -> tuple[RenderedMessage, ...]:
    """Render the quotes from other sessions, which come first in the conversation."""
    return tuple(
        _note_line(note.entry, standing, ledger)
        for note in notes
        if note.head and _is_quote(note.entry) and standing.in_view(note.entry)
    )


def notes_of(
    notes: Sequence[EnteredFrame], standing: FramePlacement, ledger: Ledger
) -> tuple[RenderedMessage, ...]:
    """Render the frames and pins that are still shown where they entered."""
    return tuple(
        _note_line(note.entry, standing, ledger)
        for note in notes
        if not standing.in_head(note) and standing.in_view(note.entry)
    )


def pin_text(pin: Pinned) -> str:
    """Format a pin for the model, its text byte for byte."""
    return f"[pinned {pin.number}] {pin.text}"


def render_pin(pin: Pinned, ledger: Ledger) -> RenderedItem:
    """Render a pin as an item of the request."""
    text = pin_text(pin)
    part = Part(kind=PartKind.TEXT, text=text)
    return RenderedItem(
        item=pin_item(pin.id),
        slot=Slot.PINS,
        part=part,
        state=ItemState.VERBATIM,
        tokens=ledger.text(text),
    )


def _render_frame(entry: Framed, standing: FramePlacement, ledger: Ledger) -> RenderedItem:
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
        tokens=ledger.frame(text, entry.kind),
        original=entry.original,
        imports=entry.imports,
    )


def _note_line(entry: Framed | Pinned, standing: FramePlacement, ledger: Ledger) -> RenderedMessage:
    if isinstance(entry, Pinned):
        return rendered_message(pin_item(entry.id), Role.USER, (render_pin(entry, ledger),))
    return rendered_message(entry.id, Role.USER, (_render_frame(entry, standing, ledger),))


def _is_quote(entry: Framed | Pinned) -> bool:
    """Tell whether a frame or pin quotes others, which the system text must never do."""
    if isinstance(entry, Pinned):
        return entry.origin is Origin.IMPORT
    return entry.kind in FRONT


def _rank(slot: str) -> tuple[int, str]:
    """Return the sort key of a slot: slots of one family, as ``instructions.docs``, go together."""
    family = slot.partition(".")[0]
    return (HEAD_ORDER.index(family) if family in HEAD_ORDER else len(HEAD_ORDER), slot)
