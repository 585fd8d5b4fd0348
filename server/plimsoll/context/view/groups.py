"""The units of a conversation: groups of messages, and the notes that entered between them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import assert_never

from plimsoll.context.log.entries import (
    Cover,
    Framed,
    Op,
    Pinned,
    Refer,
    Replace,
    Restore,
    Said,
    Slot,
)
from plimsoll.context.log.messages import PartKind
from plimsoll.context.view.view import RenderedItem, RenderedMessage

Form = Replace | Refer | Restore
Forms = dict[str, list[tuple[str, Form]]]
"""For each item the edits that gave it a form, oldest first."""


@dataclass(frozen=True, slots=True)
class EnteredFrame:
    """A frame or pin, and where in the log it entered."""

    entry: Framed | Pinned
    index: int
    """Of the entry in the log."""
    head: bool
    """It stood before the conversation from the beginning."""


@dataclass(slots=True, kw_only=True)
class Group:
    """Messages that stand or fall together, and the edits that decide about them."""

    id: str
    place: int
    """Its place in the conversation, from 0."""
    turn: int
    said: list[Said] = field(default_factory=list[Said])
    hidden: set[str] = field(default_factory=set[str])
    """Messages that a rewind hides."""
    covers: list[tuple[str, Cover | Restore]] = field(
        default_factory=list[tuple[str, Cover | Restore]]
    )
    notes: list[EnteredFrame] = field(default_factory=list[EnteredFrame])

    @property
    def visible(self) -> list[Said]:
        """Its messages that no rewind hides."""
        if not self.hidden:
            return self.said
        return [said for said in self.said if said.id not in self.hidden]

    @property
    def cover(self) -> tuple[str, Cover] | None:
        """The edit and the cover that keep it out of view; the newest decides."""
        if not self.covers:
            return None
        edit, op = self.covers[-1]
        return (edit, op) if isinstance(op, Cover) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledGroup:
    """A group as it stands in the next request: its lines, and what is asked of them often."""

    group: Group
    lines: tuple[RenderedMessage, ...] = ()
    results: tuple[RenderedItem, ...] = ()
    """The tool results in these lines."""
    contents: frozenset[str] = frozenset()
    """By what pointers may name what stands here."""
    slots: Mapping[Slot, int] = field(default_factory=dict[Slot, int])
    """Tokens by part of the meter."""
    tokens: int = 0

    @property
    def place(self) -> int:
        """Its place in the conversation, from 0."""
        return self.group.place


def settled_group(
    group: Group, lines: tuple[RenderedMessage, ...], name_of: Callable[[RenderedItem], str | None]
) -> SettledGroup:
    """A group as which these lines stand; ``name_of`` says how pointers name an item."""
    if not lines:
        return SettledGroup(group=group)
    shown = [each for line in lines for each in line.shown]
    results = tuple(each for each in shown if each.part.kind is PartKind.RESULT)
    slots: dict[Slot, int] = {}
    for each in shown:
        slots[each.slot] = slots.get(each.slot, 0) + each.tokens
    return SettledGroup(
        group=group,
        lines=lines,
        results=results,
        contents=frozenset(name for each in results if (name := name_of(each)) is not None),
        slots=slots,
        tokens=sum(slots.values()),
    )


def items_of(op: Op) -> tuple[str, ...]:
    """The items whose form an operation decides."""
    match op:
        case Replace() | Refer():
            return (op.item,)
        case Restore():
            return op.items
        case Cover():
            return ()
        case _:
            assert_never(op)


def groups_of(op: Op) -> tuple[str, ...]:
    """The groups whose visibility an operation decides."""
    match op:
        case Cover() | Restore():
            return op.groups
        case Replace() | Refer():
            return ()
        case _:
            assert_never(op)
