"""The one place where entries of a log are made: each has its id and its time from the clock."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypedDict, TypeVar, Unpack

from plimsoll.context.log.entries import (
    Edited,
    Framed,
    Noted,
    Origin,
    Passage,
    Pinned,
    Place,
    Rewound,
    RulesImport,
    Scope,
    Slot,
    Source,
    TaskItem,
    Undone,
)
from plimsoll.context.log.messages import canonical
from plimsoll.context.pipeline.proposal import Proposal, as_edit
from plimsoll.session.ports.clock import Clock

Copied = TypeVar("Copied", Framed, Noted)


class FrameFields(TypedDict, total=False):
    """The optional fields of a frame; see ``Framed``."""

    place: Place
    source: Source | None
    original: int | None
    passages: tuple[Passage, ...]
    tasks: tuple[TaskItem, ...]
    imports: tuple[RulesImport, ...]
    origin: Origin | None


class PinFields(TypedDict, total=False):
    """The optional fields of a pin; see ``Pinned``."""

    item: str | None
    scope: Scope


def new_note(
    clock: Clock, what: str, data: Mapping[str, object] | None = None, item: str | None = None
) -> Noted:
    """Make a note, of an item or of the session; ``data`` is kept as canonical JSON."""
    name, now = clock.new_id("n"), clock.now()
    return Noted(id=name, at=now, what=what, item=item, data=canonical(data or {}))


def new_frame(
    clock: Clock, slot: str, kind: Slot, text: str | None, **fields: Unpack[FrameFields]
) -> Framed:
    """Make a frame; a frame without a text removes its slot from the view."""
    return Framed(id=clock.new_id("f"), at=clock.now(), slot=slot, kind=kind, text=text, **fields)


def new_pin(clock: Clock, text: str, number: int, **fields: Unpack[PinFields]) -> Pinned:
    """Make a pin."""
    return Pinned(id=clock.new_id("p"), at=clock.now(), text=text, number=number, **fields)


def renew(entry: Copied, clock: Clock) -> Copied:
    """Copy an entry with a new id and the present time, for another log or to replace itself."""
    prefix = "f" if isinstance(entry, Framed) else "n"
    return replace(entry, id=clock.new_id(prefix), at=clock.now())


def new_edit(proposal: Proposal, clock: Clock, at: str | None = None) -> Edited:
    """Make the edit of a proposal; ``at``: the time of the message with which it comes, if any."""
    return as_edit(proposal, clock.new_id("e"), at or clock.now())


def new_rewound(clock: Clock, to: str, *, before: bool) -> Rewound:
    """Make the rewind that hides all messages after a message, or that message as well."""
    return Rewound(clock.new_id("w"), clock.now(), to, before)


def new_undone(clock: Clock, target: str) -> Undone:
    """Make the entry that undoes an edit, a pin or a rewind."""
    return Undone(clock.new_id("u"), clock.now(), target)
