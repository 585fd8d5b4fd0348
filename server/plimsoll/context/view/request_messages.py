"""The messages of a request, rendered from the view alone (law 1)."""

from collections.abc import Iterator, Sequence
from itertools import chain, groupby

from plimsoll.context.log.messages import Call, Image, Message, Part, PartKind, Role
from plimsoll.context.view.view import RenderedItem, RenderedMessage, View

INTERRUPTED = "[interrupted: this call has no result]"


def render(view: View) -> tuple[Message, ...]:
    """Render the messages of the request; the same view gives the same bytes."""
    messages: list[Message] = []
    if view.head:
        text = "\n\n".join(shown.part.text for shown in view.head)
        items = tuple(shown.item for shown in view.head)
        messages.append(Message(id="frame", role=Role.SYSTEM, text=text, items=items))
    messages.extend(chain.from_iterable([line.messages for line in view.lines]))
    closed = any(len(line.messages) > 1 for line in view.lines)
    return tuple(_in_call_order(messages) if closed else messages)


def _in_call_order(messages: Sequence[Message]) -> Iterator[Message]:
    """Yield the messages with the answers to a message's calls in the order of the calls."""
    order: dict[str | None, int] = {}
    for answers, run in groupby(messages, lambda message: message.role is Role.TOOL):
        if answers:
            yield from sorted(run, key=lambda message: order[message.call_id])
            continue
        for message in run:
            order = {call.id: index for index, call in enumerate(message.calls)}
            yield message


def rendered_message(
    name: str,
    role: Role,
    shown: tuple[RenderedItem, ...],
    group: str | None = None,
    turn: int = 0,
    closing: tuple[str, ...] = (),
) -> RenderedMessage:
    """Build a line with its messages; ``closing`` names the calls that have no result."""
    message = _message(name, role, shown)
    if not closing:
        return RenderedMessage(
            id=name, role=role, shown=shown, group=group, turn=turn, messages=(message,)
        )
    names = {each.part.call_id: each.part.name for each in shown}
    closed = tuple(
        Message(
            id=f"{name}.{call}", role=Role.TOOL, text=INTERRUPTED, call_id=call, name=names[call]
        )
        for call in closing
    )
    return RenderedMessage(
        id=name, role=role, shown=shown, group=group, turn=turn, messages=(message, *closed)
    )


def _message(name: str, role: Role, shown: tuple[RenderedItem, ...]) -> Message:
    if len(shown) == 1 and shown[0].part.kind is PartKind.RESULT:
        part, items = shown[0].part, (shown[0].item,)
        return Message(
            id=name, role=role, text=part.text, items=items, call_id=part.call_id, name=part.name
        )
    texts = [each.part.text for each in shown if each.part.kind in _TEXTS]
    reasoning = [each.part for each in shown if each.part.kind is PartKind.REASONING]
    result = next((each.part for each in shown if each.part.kind is PartKind.RESULT), None)
    return Message(
        id=name,
        role=role,
        text="\n\n".join(texts),
        items=tuple(each.item for each in shown),
        reasoning="\n".join(part.text for part in reasoning) or None,
        signature=reasoning[-1].opaque if reasoning else None,
        calls=tuple(_call(each.part) for each in shown if each.part.kind is PartKind.CALL),
        call_id=result.call_id if result else None,
        name=result.name if result else None,
        images=tuple(_image(each.part) for each in shown if each.part.kind is PartKind.IMAGE),
    )


_TEXTS = frozenset({PartKind.TEXT, PartKind.RESULT, PartKind.FILE, PartKind.SELECTION})


def _call(part: Part) -> Call:
    return Call(part.call_id or "", part.name or "", part.text, part.opaque)


def _image(part: Part) -> Image:
    return Image(part.name or "image/png", part.text)
