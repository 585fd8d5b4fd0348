"""The values of the view: items, lines and groups. It reads nothing but the log (law 1)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from plimsoll.context.log.entries import (
    Cover,
    Edited,
    Entry,
    Framed,
    ItemState,
    Op,
    Pinned,
    Refer,
    Replace,
    Restore,
    RulesImport,
    Said,
    Slot,
)
from plimsoll.context.log.messages import (
    Message,
    Part,
    PartKind,
    Role,
    ToolChoice,
    ToolSchema,
    part_item,
)

IMAGE_TOKENS = 1_100
"""Tokens of an image: what current vision models charge for one of about 1000 x 1000 pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedItem:
    """One item of the next request, in its present form."""

    item: str
    slot: Slot
    part: Part
    """The part with the text of its present form."""
    state: ItemState
    tokens: int
    edit: str | None = None
    """The id of the edit that gave it its form; none while it is verbatim."""
    original: int | None = None
    """Tokens of the whole file, for a frame that shows only its beginning."""
    imports: tuple[RulesImport, ...] = ()
    """The files that a frame's rules file imports."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedMessage:
    """One message of the view."""

    id: str
    role: Role
    shown: tuple[RenderedItem, ...]
    group: str | None = None
    """The id of its group; none for frames, pins and summaries."""
    turn: int = 0
    """Number of the user message that this follows, from 1."""
    messages: tuple[Message, ...] = ()
    """The message as it is sent, and an answer to each of its calls that has no result."""

    @property
    def tokens(self) -> int:
        """Tokens of all its items."""
        return sum(shown.tokens for shown in self.shown)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The next request, before it is rendered."""

    head: tuple[RenderedItem, ...]
    """Frames and pins that stand before the conversation, in the order of the request."""
    tools: tuple[RenderedItem, ...]
    lines: tuple[RenderedMessage, ...]
    tokens: int
    """The sum over all items."""
    by_slot: Mapping[Slot, int] = field(default_factory=dict[Slot, int])
    tool_choice: ToolChoice = "auto"
    schemas: tuple[ToolSchema, ...] = ()
    """The parsed schemas of the tools."""

    def items(self) -> Iterator[RenderedItem]:
        """Yield every item of the request, in its order."""
        yield from self.tools
        yield from self.head
        for line in self.lines:
            yield from line.shown


Form = Replace | Refer | Restore
Forms = dict[str, list[tuple[str, Form]]]
"""For each item the edits that gave it a form, oldest first."""


@dataclass(frozen=True, slots=True)
class EnteredFrame:
    """A frame or pin, and where in the log it entered."""

    entry: Framed | Pinned
    index: int
    """The index of the entry in the log."""
    head: bool
    """Whether it entered before the conversation, not at its tail."""


@dataclass(slots=True, kw_only=True)
class Group:
    """Messages that stay or leave together, and the edits that cover them.

    Fields that few groups use start as a shared empty value: a long session has 10,000 groups, and
    a list for each would be one more object for the garbage collector to walk.
    """

    id: str
    index: int
    """Its position in the conversation, from 0."""
    turn: int
    said: list[Said] = field(default_factory=list[Said])
    hidden: frozenset[str] = frozenset()
    """Ids of the messages that a rewind hides."""
    covers: tuple[tuple[str, Cover | Restore], ...] = ()
    notes: tuple[EnteredFrame, ...] = ()

    @property
    def visible(self) -> list[Said]:
        """Its messages that no rewind hides."""
        if not self.hidden:
            return self.said
        return [said for said in self.said if said.id not in self.hidden]

    @property
    def cover(self) -> tuple[str, Cover] | None:
        """The newest cover, with its edit's id, if the group is covered."""
        if not self.covers:
            return None
        edit, op = self.covers[-1]
        return (edit, op) if isinstance(op, Cover) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedGroup:
    """A group as rendered for the next request: its lines, and facts derived from them."""

    group: Group
    lines: tuple[RenderedMessage, ...] = ()
    results: tuple[RenderedItem, ...] = ()
    """The tool results in these lines."""
    sources: tuple[RenderedItem, ...] = ()
    """The items in these lines that stem from outside of the session, as from a file."""
    contents: frozenset[str] = frozenset()
    """The hashes by which pointers can name the results in these lines."""
    slots: Mapping[Slot, int] = field(default_factory=dict[Slot, int])
    """Tokens by part of the meter."""
    tokens: int = 0

    @property
    def index(self) -> int:
        """Its position in the conversation, from 0."""
        return self.group.index


def rendered_group(
    group: Group, lines: tuple[RenderedMessage, ...], name_of: Callable[[RenderedItem], str | None]
) -> RenderedGroup:
    """Build the group that these lines show; ``name_of`` says how pointers name an item."""
    if not lines:
        return RenderedGroup(group=group)
    shown = [each for line in lines for each in line.shown]
    results = tuple(each for each in shown if each.part.kind is PartKind.RESULT)
    slots: dict[Slot, int] = {}
    for each in shown:
        slots[each.slot] = slots.get(each.slot, 0) + each.tokens
    return RenderedGroup(
        group=group,
        lines=lines,
        results=results,
        sources=tuple(each for each in shown if each.part.source is not None),
        contents=frozenset(name for each in results if (name := name_of(each)) is not None),
        slots=slots,
        tokens=sum(slots.values()),
    )


def items_of(op: Op) -> tuple[str, ...]:
    """Return the items whose form an operation decides."""
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
    """Return the groups whose visibility an operation decides."""
    match op:
        case Cover() | Restore():
            return op.groups
        case Replace() | Refer():
            return ()
        case _:
            assert_never(op)


def standing_parts(entries: Sequence[Entry]) -> Iterator[Part]:
    """Yield the parts of new messages with the replacements made by edits among the entries."""
    edits = (entry for entry in entries if isinstance(entry, Edited))
    ops = (op for edit in edits for op in edit.ops if isinstance(op, Replace))
    texts = {op.item: op.text for op in ops}
    for said in (entry for entry in entries if isinstance(entry, Said)):
        for number, part in enumerate(said.parts):
            text = texts.get(part_item(said.id, number))
            yield part if text is None else replace(part, text=text)
