"""Renders messages, frames and pins for the view: in their form, in the head or at the tail."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from plimsoll.context.log.entries import (
    FRONT,
    Framed,
    ItemState,
    Origin,
    Pinned,
    Refer,
    Replace,
    Restore,
    Said,
    Slot,
)
from plimsoll.context.log.messages import (
    Part,
    PartKind,
    Role,
    ToolChoice,
    frame_item,
    part_item,
    part_items,
    pin_item,
    schema_of,
)
from plimsoll.context.view.ledger import Ledger, slot_of
from plimsoll.context.view.view import (
    EnteredFrame,
    Form,
    Forms,
    Group,
    RenderedItem,
    RenderedMessage,
    rendered_message,
)
from plimsoll.text.lines import version_of


def cut_hash(content: str) -> str:
    """Derive the hash of a truncated content, for a `Refer` to that form."""
    return f"{content}:cut"


class Bases:
    """An index of the contents that groups show verbatim, and of the groups that point to them."""

    def __init__(self) -> None:
        self._hash_of: dict[str, str] = {}
        self._holders: dict[str, set[int]] = {}
        self._referrers: dict[str, set[int]] = {}

    def add_contents(self, said: Said) -> None:
        """Register the contents of a new message's results."""
        for number, part in enumerate(said.parts):
            if part.kind is PartKind.RESULT:
                self._hash_of[part_item(said.id, number)] = version_of(part.text)

    def holders(self, content: str) -> frozenset[int]:
        """Return the indices of the groups that show a content verbatim."""
        return frozenset(self._holders.get(content, ()))

    def holds(self, refer: Refer, index: int) -> bool:
        """Tell whether a group before this one shows the content referred to verbatim."""
        return any(other < index for other in self._holders.get(refer.base, ()))

    def watch(self, index: int, contents: Iterable[str]) -> None:
        """Let `update` report this group when an earlier group gains or loses these contents."""
        for content in contents:
            self._referrers.setdefault(content, set()).add(index)

    def update(self, index: int, before: frozenset[str], now: frozenset[str]) -> set[int]:
        """Set the contents that a group shows; return the later groups whose pointers change."""
        if now == before:
            return set()
        changed = now ^ before
        for found in changed:
            holders = self._holders.setdefault(found, set())
            (holders.add if found in now else holders.discard)(index)
        touched = (self._referrers.get(found, set()) for found in changed)
        return {other for others in touched for other in others if other > index}

    def name_of(self, shown: RenderedItem) -> str | None:
        """Return the hash by which pointers name an item; none in a form they cannot name."""
        content = self._hash_of.get(shown.item)
        if content is None or shown.state is ItemState.VERBATIM:
            return content
        return cut_hash(content) if shown.state is ItemState.TRUNCATED else None


def bases_of(group: Group, forms: Forms) -> Iterator[str]:
    """Yield the contents that a group's pointers refer to, those under a newer form too."""
    for said in group.visible:
        for item in part_items(said.id, said.parts):
            for _, form in forms.get(item, ()):
                if isinstance(form, Refer):
                    yield form.base


def group_lines(
    group: Group,
    lines_before: Iterable[RenderedMessage],
    forms: Forms,
    bases: Bases,
    ledger: Ledger,
) -> tuple[RenderedMessage, ...]:
    """Render a group's messages: each call with exactly one result, in the order of the calls.

    A line whose forms did not change is taken from ``lines_before``.
    """
    standing = {line.id: line for line in lines_before}
    lines: list[RenderedMessage] = []
    # The contents that the group shows before each message.
    here: set[str] = set()
    for said, closing in pair_results(group.visible):
        items = part_items(said.id, said.parts)
        chosen = [_newest_form(forms, bases, item, index=group.index, here=here) for item in items]
        line = standing.get(said.id)
        if line is None or not _shows_forms(line, chosen, closing):
            shown = tuple(
                _render_item(said, number, form=form, closing=closing, ledger=ledger)
                for number, form in enumerate(chosen)
            )
            line = rendered_message(
                said.id, said.role, shown=shown, group=group.id, turn=group.turn, closing=closing
            )
        lines.append(line)
        here.update(name for shown in line.shown if (name := bases.name_of(shown)))
    return tuple(lines)


def _shows_forms(
    line: RenderedMessage, chosen: Sequence[tuple[str, Form] | None], closing: tuple[str, ...]
) -> bool:
    """Tell whether a line already shows a message in these forms."""
    if [message.call_id for message in line.messages[1:]] != [*closing]:
        return False
    return all(map(_shows_form, line.shown, chosen))


def _shows_form(shown: RenderedItem, form: tuple[str, Form] | None) -> bool:
    if form is None or isinstance(form[1], Restore):
        return shown.edit is None
    edit, op = form[0], form[1]
    return shown.edit == edit and shown.state is _state_of(op) and shown.part.text == op.text


def pair_results(said: Sequence[Said]) -> list[tuple[Said, tuple[str, ...]]]:
    """Order messages so that results follow their calls; name each message's unanswered calls.

    A result without a call, a second result of one call, and a message that says nothing are left
    out: a provider refuses a request that carries one.
    """
    results: dict[str, Said] = {}
    for message in said:
        if message.role is Role.TOOL and message.parts:
            results.setdefault(message.parts[0].call_id or "", message)
    ordered: list[tuple[Said, tuple[str, ...]]] = []
    for message in said:
        if message.role is Role.TOOL or _is_silent(message):
            continue
        calls = [p.call_id or "" for p in message.parts if p.kind is PartKind.CALL]
        closing = tuple(call for call in calls if call not in results)
        ordered.append((message, closing))
        ordered.extend((results.pop(call), ()) for call in calls if call in results)
    return ordered


def _is_silent(said: Said) -> bool:
    """Tell whether a message has nothing but blank text or reasoning."""
    return not any(
        part.kind in (PartKind.CALL, PartKind.IMAGE)
        or (part.kind is not PartKind.REASONING and part.text.strip())
        for part in said.parts
    )


def _newest_form(
    forms: Forms, bases: Bases, item: str, *, index: int, here: set[str]
) -> tuple[str, Form] | None:
    """Find an item's newest valid form, skipping pointers whose base is not in view."""
    for edit, form in reversed(forms.get(item, ())):
        if not isinstance(form, Refer) or form.base in here or bases.holds(form, index):
            return edit, form
    return None


def _render_item(
    said: Said, number: int, form: tuple[str, Form] | None, closing: Sequence[str], ledger: Ledger
) -> RenderedItem:
    part, state, edit = said.parts[number], ItemState.VERBATIM, None
    if form is not None and isinstance(form[1], Replace | Refer):
        edit, state = form[0], _state_of(form[1])
        part = _with_text(part, form[1].text)
    tokens = ledger.part(part, first=number == 0, closing=part.call_id in closing)
    return RenderedItem(
        item=part_item(said.id, number),
        slot=slot_of(said.role, part.kind),
        part=part,
        state=state,
        tokens=tokens,
        edit=edit,
    )


def _state_of(form: Replace | Refer) -> ItemState:
    return form.state if isinstance(form, Replace) else ItemState.REFERRED


def _with_text(part: Part, text: str) -> Part:
    """Replace the text of a part; an image becomes text."""
    kind = PartKind.TEXT if part.kind is PartKind.IMAGE else part.kind
    # Field by field: a thousand results change at once, and `replace` takes longer than the rest.
    return Part(
        kind=kind,
        text=text,
        call_id=part.call_id,
        name=part.name,
        source=part.source,
        failed=part.failed,
        opaque=part.opaque,
        exit_code=part.exit_code,
        traits=part.traits,
    )


TOOL_PREFIX = "tools."
TOOL_CHOICE = "toolChoice"
"""The slot that says whether tools may be called; it is a field of the request, not text."""
# What changes stands behind what does not.
_STEADY = ("system", "environment", "brief", "instructions", "skills", "memories", "recall")
HEAD_ORDER = (*_STEADY, "mode", "pins", "tasks", "date")


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
