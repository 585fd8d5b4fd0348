"""The lines that replace what a cover takes out of view: its text and the decision record."""

from dataclasses import replace

from plimsoll.context.log.entries import Cover, Edited, ItemState, Slot
from plimsoll.context.log.messages import Part, PartKind, Role, decision_record_item
from plimsoll.context.view.ledger import Ledger
from plimsoll.context.view.request_messages import rendered_message
from plimsoll.context.view.view import RenderedItem, RenderedMessage


def has_text(cover: Cover) -> bool:
    """Tell whether a cover shows a text or a decision record in place of its groups."""
    return cover.text is not None or cover.decisions is not None


def has_record(edit: Edited) -> bool:
    """Tell whether an edit carries a decision record."""
    return any(isinstance(op, Cover) and op.decisions is not None for op in edit.ops)


def cover_lines(
    edit: str, cover: Cover, turn: int, ledger: Ledger, *, recording: bool
) -> tuple[RenderedMessage, ...]:
    """Render the lines of a cover; the item of its text has the id of its edit.

    ``recording``: its decision record is the one to show.
    """
    shown: list[RenderedItem] = []
    if cover.text is not None:
        shown.append(_item(edit, cover.text, Slot.SUMMARY, ItemState.SUMMARISED, ledger=ledger))
    if recording and cover.decisions is not None:
        item, form = decision_record_item(edit), ItemState.VERBATIM
        shown.append(_item(item, cover.decisions, Slot.DECISIONS, form, ledger=ledger))
    return tuple(
        rendered_message(each.item, Role.USER, (replace(each, edit=edit),), turn=turn)
        for each in shown
    )


def _item(item: str, text: str, slot: Slot, state: ItemState, *, ledger: Ledger) -> RenderedItem:
    part, tokens = Part(kind=PartKind.TEXT, text=text), ledger.text(text)
    return RenderedItem(item=item, slot=slot, part=part, state=state, tokens=tokens)
