"""A conversation as a chat shows it, on the wire: reduced items too, each with its state."""

from collections.abc import Mapping

from plimsoll.context.log.entries import ItemState, Said
from plimsoll.context.log.messages import ATTACHED, Part, PartKind, part_item
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.view import RenderedItem
from plimsoll.lsp.features.convert.calls import counts_of, tool_call
from plimsoll.lsp.wire import content
from plimsoll.session.agents.called import agents_called
from plimsoll.session.ports.events import AgentShown, CallShown

TYPE_OF_KIND: Mapping[PartKind, str] = {
    PartKind.TEXT: "text",
    PartKind.REASONING: "reasoning",
    PartKind.CALL: "toolCall",
    PartKind.RESULT: "toolResult",
    PartKind.IMAGE: "image",
    PartKind.FILE: "text",
    PartKind.SELECTION: "text",
}


def conversation(fold: Fold) -> tuple[content.MessageView, ...]:
    """Convert the conversation as a chat shows it: reduced items too, each with its state."""
    shown = {each.item: each for each in fold.view.items()}
    agents = agents_called(fold.entries)
    return tuple(
        message_view(said, shown, agents=agents, covered=group.cover is not None)
        for group in fold.groups
        for said in group.visible
    )


def message_view(
    said: Said,
    shown: Mapping[str, RenderedItem],
    *,
    agents: Mapping[str, AgentShown] = {},
    covered: bool = False,
) -> content.MessageView:
    """Convert one message as a chat shows it, with its whole text."""
    out = ItemState.SUMMARISED if covered else ItemState.VERBATIM
    parts = tuple(
        _message_part(part_item(said.id, number), part, shown=shown, agents=agents, out=out)
        for number, part in enumerate(said.parts)
    )
    return content.MessageView(
        id=said.id,
        role=said.role,
        turn_id=said.turn or "",
        at=said.at,
        parts=parts,
        origin=said.origin.value,
    )


def _message_part(
    item: str,
    part: Part,
    *,
    shown: Mapping[str, RenderedItem],
    agents: Mapping[str, AgentShown],
    out: ItemState,
) -> content.MessagePart:
    found = shown.get(item)
    call = None
    if part.kind is PartKind.CALL:
        call = tool_call(
            CallShown(
                id=part.call_id or "",
                item=item,
                name=part.name or "",
                arguments=part.text,
                traits=part.traits,
                agent=agents.get(item),
            )
        )
    return content.MessagePart(
        item_id=item,
        type=TYPE_OF_KIND[part.kind],
        text=None if part.kind is PartKind.CALL else (found.part.text if found else part.text),
        tool_call=call,
        state=found.state if found else out,
        failed=part.failed or None,
        exit_code=part.exit_code,
        milliseconds=part.milliseconds,
        counts=counts_of(part.counts),
        attached=(part.attached or "attachment") if part.kind in ATTACHED else None,
    )
