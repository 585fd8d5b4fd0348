"""Renders the messages of a group: each item in its form, each call with exactly one result."""

from collections.abc import Iterable, Sequence

from plimsoll.context.log.entries import (
    ItemState,
    Refer,
    Replace,
    Restore,
    Said,
)
from plimsoll.context.log.messages import (
    Part,
    PartKind,
    Role,
    part_item,
    part_items,
)
from plimsoll.context.view.bases import Bases
from plimsoll.context.view.ledger import Ledger, slot_of
from plimsoll.context.view.request_messages import rendered_message
from plimsoll.context.view.view import Form, Forms, Group, RenderedItem, RenderedMessage


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
