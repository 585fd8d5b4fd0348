"""The context report: every item of the next request, with the tokens that evicting it frees."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from plimsoll.context.budget import Meter
from plimsoll.context.decisions.record import HEADING
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Edited, ItemState, RulesImport, Said, Slot, Stage
from plimsoll.context.log.messages import (
    Part,
    PartKind,
    Source,
    frame_slot,
    is_first,
    is_frame,
    part_item,
)
from plimsoll.context.report.receipts import part_of
from plimsoll.context.report.titles import item_title
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.ledger import slot_of
from plimsoll.context.view.view import RenderedItem, RenderedMessage, View
from plimsoll.text.first_words import first_words

STATE_OF_STAGE: dict[Stage, ItemState] = {
    Stage.DIGEST: ItemState.SUMMARISED,
    Stage.COMPACT: ItemState.SUMMARISED,
    Stage.TRIM: ItemState.TRIMMED,
    Stage.EVICT: ItemState.EVICTED,
}
LARGE_ITEM = 10_000
"""Tokens from which the report suggests evicting a single item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportItem:
    """One item of the context, or one that has left the view."""

    id: str
    slot: Slot
    title: str
    tokens: int
    """In the next request; 0 if it is not in it."""
    original: int
    """The tokens of its full text."""
    state: ItemState
    turn: int
    pinned: bool
    source: Source | None = None
    stale: bool = False
    why: str | None = None
    call: str | None = None
    """The id that a call and its result share."""
    imports: tuple[RulesImport, ...] = ()
    """The imports of the rules file that it was read from."""


@dataclass(frozen=True, slots=True)
class FileUse:
    """A workspace file in the context, with its tokens."""

    path: str
    raw: int
    """Tokens of all that was read of it."""
    injected: int
    """Tokens of it in the next request."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A suggestion that would reduce the tokens of the next request."""

    code: str
    message: str
    saves: int
    items: tuple[str, ...] = ()
    """The items that the suggestion would remove."""


def report_items(indexes: Indexes, view: View) -> tuple[ReportItem, ...]:
    """Return the items of the request in order, then those of groups that left the view."""
    fold = indexes.fold
    stale = indexes.read_notes.stale
    pinned = {pin.item for pin in fold.pins.values() if pin.item}
    head = tuple(
        _in_view(s, 0, fold=fold, stale=stale, pinned=pinned) for s in (*view.tools, *view.head)
    )
    lines = tuple(
        _in_view(s, line.turn, fold=fold, stale=stale, pinned=pinned)
        for line in view.lines
        for s in line.shown
    )
    return (*head, *lines, *_out_of_view(fold))


def _in_view(
    shown: RenderedItem, turn: int, fold: Fold, stale: AbstractSet[str], pinned: set[str]
) -> ReportItem:
    edit = fold.edits.get(shown.edit) if shown.edit else None
    said = part_of(shown.item, fold)
    return ReportItem(
        id=shown.item,
        slot=shown.slot,
        title=item_title(*said, fold) if said else _frame_title(shown),
        tokens=shown.tokens,
        original=_original(shown, said[0] if said else None, fold),
        state=shown.state,
        turn=turn,
        pinned=shown.slot is Slot.PINS or shown.item in pinned,
        source=shown.part.source,
        stale=shown.item in stale,
        why=edit.why if edit else None,
        call=said[0].call_id if said else None,
        imports=shown.imports,
    )


def _original(shown: RenderedItem, part: Part | None, fold: Fold) -> int:
    """Return the tokens of an item's full text; a verbatim item has been counted already."""
    if shown.state is ItemState.VERBATIM:
        return shown.tokens
    if part is not None:
        return fold.ledger.part(part, first=is_first(shown.item))
    return shown.tokens if shown.original is None else shown.original


def _frame_title(shown: RenderedItem) -> str:
    if shown.slot is Slot.SUMMARY:
        return "Summary of earlier turns"
    if shown.slot is Slot.DECISIONS:
        return HEADING
    if is_frame(shown.item):
        return frame_slot(shown.item)
    return first_words(shown.part.text, 60)


def _out_of_view(fold: Fold) -> Iterable[ReportItem]:
    """Yield the items of groups that a cover keeps out of view."""
    for group in fold.groups:
        if group.cover is None:
            continue
        edit = fold.edits[group.cover[0]]
        for said in group.visible:
            yield from _covered_items(said, group.turn, edit, fold)


def _covered_items(said: Said, turn: int, edit: Edited, fold: Fold) -> Iterable[ReportItem]:
    for number, part in enumerate(said.parts):
        yield ReportItem(
            id=part_item(said.id, number),
            slot=slot_of(said.role, part.kind),
            title=item_title(part, said, fold),
            tokens=0,
            original=fold.ledger.part(part, first=number == 0),
            state=STATE_OF_STAGE.get(edit.stage, ItemState.EVICTED),
            turn=turn,
            pinned=False,
            source=part.source,
            why=edit.why,
            call=part.call_id,
        )


def file_uses(items: Sequence[ReportItem]) -> tuple[FileUse, ...]:
    """Return the workspace files among the items, the largest first."""
    raw: dict[str, int] = {}
    injected: dict[str, int] = {}
    for item in items:
        if item.source is not None:
            raw[item.source.uri] = raw.get(item.source.uri, 0) + item.original
            injected[item.source.uri] = injected.get(item.source.uri, 0) + item.tokens
    uses = (FileUse(uri, tokens, injected[uri]) for uri, tokens in raw.items())
    return tuple(sorted(uses, key=lambda use: (-use.injected, use.path)))


def advice(items: Sequence[ReportItem], meter: Meter, room: int) -> tuple[Advice, ...]:
    """Suggest how to reduce the next request, each with the tokens that it would free.

    ``room``: tokens that a compaction would free.
    """
    found: list[Advice] = []
    for item in items:
        if item.tokens >= LARGE_ITEM or item.tokens > meter.budget.effective * 0.15:
            text = f"Remove “{item.title}” when it is no longer needed."
            found.append(Advice("item.large", text, item.tokens, (item.id,)))
    stale = [item for item in items if item.stale and item.tokens]
    if stale:
        text = "Remove what was read of files that were changed since."
        saves = sum(item.tokens for item in stale)
        found.append(Advice("items.stale", text, saves, tuple(item.id for item in stale)))
    if room > 0 and meter.used >= meter.budget.warning:
        found.append(Advice("context.full", "Compact the conversation.", room))
    return tuple(found)


def line_text(line: RenderedMessage) -> str:
    """Format a line as Markdown, for the before and after of a diff."""
    body = "\n\n".join(_shown_text(shown) for shown in line.shown)
    return f"### {line.role.value} · {line.id}\n\n{body}\n"


def view_text(view: View) -> str:
    """Format a whole view as Markdown, for a diff editor."""
    head = "\n\n".join(shown.part.text for shown in view.head)
    return "\n".join([f"### system\n\n{head}\n", *(line_text(line) for line in view.lines)])


def _shown_text(shown: RenderedItem) -> str:
    if shown.part.kind is PartKind.CALL:
        return f"`{shown.part.name}` {shown.part.text}"
    if shown.part.kind is PartKind.IMAGE:
        return "[image]"
    return shown.part.text
