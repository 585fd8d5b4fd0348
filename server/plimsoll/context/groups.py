"""The units of a conversation: groups of messages, and the notes that entered between them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from plimsoll.context.entries import Cover, Framed, Pinned, Refer, Replace, Restore, Said, Slot
from plimsoll.context.messages import Kind
from plimsoll.context.view import Line, Shown

Form = Replace | Refer | Restore
Forms = dict[str, list[tuple[str, Form]]]
"""For each item the edits that gave it a form, oldest first."""


@dataclass(frozen=True, slots=True)
class Note:
    """A frame or pin, and where in the log it entered."""

    entry: Framed | Pinned
    index: int
    """Of the entry in the log."""
    head: bool
    """It stood before the conversation from the beginning."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """The lines of a group, and what is asked of them often."""

    lines: tuple[Line, ...]
    results: tuple[Shown, ...]
    """The tool results in these lines."""
    contents: frozenset[str]
    """By what pointers may name what stands here."""
    slots: Mapping[Slot, int]
    """Tokens by part of the meter."""
    tokens: int


NOTHING = Rendered((), (), frozenset(), {}, 0)


def rendered(lines: tuple[Line, ...], name_of: Callable[[Shown], str | None]) -> Rendered:
    """Some lines as they stand in a group; ``name_of`` says how pointers name an item."""
    if not lines:
        return NOTHING
    shown = [each for line in lines for each in line.shown]
    results = tuple(each for each in shown if each.part.kind is Kind.RESULT)
    slots: dict[Slot, int] = {}
    for each in shown:
        slots[each.slot] = slots.get(each.slot, 0) + each.tokens
    contents = frozenset(name for each in results if (name := name_of(each)) is not None)
    return Rendered(lines, results, contents, slots, sum(slots.values()))


@dataclass(slots=True)
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
    notes: list[Note] = field(default_factory=list[Note])
    rendered: Rendered = NOTHING
    """As it stands in the view that was built last."""

    @property
    def lines(self) -> tuple[Line, ...]:
        """As which it stands."""
        return self.rendered.lines

    @property
    def results(self) -> tuple[Shown, ...]:
        """The tool results that stand in it."""
        return self.rendered.results

    @property
    def tokens(self) -> int:
        """Of its lines."""
        return self.rendered.tokens

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
