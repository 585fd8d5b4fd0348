"""Messages on the wire: what is sent to us, what a model sees, what a chat shows."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import assert_never
from urllib.parse import unquote, urlparse

from plimsoll.context.log.entries import ItemState, Said
from plimsoll.context.log.messages import Message, Part, PartKind, Role, ToolSchema, part_item
from plimsoll.context.log.traits import ToolTraits
from plimsoll.context.report.titles import call_words
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.view import RenderedItem
from plimsoll.errors import InvalidInput
from plimsoll.lsp.wire import content as wire
from plimsoll.lsp.wire.content import Position, Range
from plimsoll.lsp.wire.sessions import SessionInfo
from plimsoll.session.content import Content, FileRef, ImageData, PromptText, Selection
from plimsoll.session.events import CallShown
from plimsoll.session.transfer.incoming import Incoming, IncomingCall
from plimsoll.storage.base import SessionRecord
from plimsoll.tools.base import AnyTool, Location
from plimsoll.tools.display import visible_line

TYPE_OF_KIND: Mapping[PartKind, str] = {
    PartKind.TEXT: "text",
    PartKind.REASONING: "reasoning",
    PartKind.CALL: "toolCall",
    PartKind.RESULT: "toolResult",
    PartKind.IMAGE: "image",
    PartKind.FILE: "text",
    PartKind.SELECTION: "text",
}


def session_info(record: SessionRecord) -> SessionInfo:
    """A session in a list."""
    return SessionInfo(
        id=record.id,
        title=record.title,
        workspace_folder=record.workspace,
        mode=record.mode,
        model=record.model,
        created_at=record.created_at,
        updated_at=record.updated_at,
        turns=record.turns,
        parent_id=record.parent_id,
        preview=record.preview,
    )


def contents(parts: Iterable[wire.ContentPart]) -> list[Content]:
    """What a person sends."""
    return [_content(part) for part in parts]


def _content(part: wire.ContentPart) -> Content:
    match part:
        case wire.TextPart():
            return PromptText(part.text)
        case wire.FilePart():
            return FileRef(path_of(part.uri), lines_of(part.range))
        case wire.ImagePart():
            return ImageData(part.mime_type, part.data)
        case wire.SelectionPart():
            lines = lines_of(part.range) or (1, 1)
            return Selection(path_of(part.uri), lines, part.text)
        case _:
            assert_never(part)


def incoming(message: wire.RawMessage) -> Incoming:
    """A message of another agent; its files and selections are text already."""
    given = message.content
    parts = [Part(kind=PartKind.TEXT, text=given)] if isinstance(given, str) and given else []
    if not isinstance(given, str):
        parts = [_incoming_part(part) for part in given]
    calls = tuple(
        IncomingCall(call.id, call.name, call.arguments, call.raw_arguments)
        for call in message.tool_calls or ()
    )
    return Incoming(
        role=Role(message.role),
        parts=tuple(parts),
        calls=calls,
        call_id=message.tool_call_id,
        name=message.name,
        id=message.id,
        reasoning=message.reasoning,
        exit_code=message.exit_code,
    )


def _incoming_part(part: wire.ContentPart) -> Part:
    match part:
        case wire.TextPart() | wire.SelectionPart():
            return Part(kind=PartKind.TEXT, text=part.text)
        case wire.ImagePart():
            return Part(kind=PartKind.IMAGE, text=part.data, name=part.mime_type)
        case wire.FilePart():
            return Part(kind=PartKind.TEXT, text=part.uri)
        case _:
            assert_never(part)


def raw_message(message: Message) -> wire.RawMessage:
    """A message as a model sees it."""
    images = [wire.ImagePart(mime_type=i.mime_type, data=i.data) for i in message.images]
    text = [wire.TextPart(text=message.text)] if message.text else []
    calls = tuple(
        wire.RawToolCall(
            id=c.id, name=c.name, arguments=json.loads(c.arguments), raw_arguments=c.raw
        )
        for c in message.calls
    )
    return wire.RawMessage(
        id=message.id,
        item_ids=message.items,
        role=message.role.value,
        content=(*text, *images) if images else message.text,
        reasoning=message.reasoning,
        tool_calls=calls or None,
        tool_call_id=message.call_id,
        name=message.name,
    )


def tool_schema(schema: ToolSchema) -> wire.ToolSchema:
    """A tool as the model is told of it."""
    return wire.ToolSchema(
        name=schema.name, description=schema.description, parameters=dict(schema.parameters)
    )


def tool_call(call: CallShown) -> wire.ToolCall:
    """A call as a person sees it; the detail is exactly what will happen."""
    intent = call.intent
    arguments = json.loads(call.arguments)
    detail = None
    if intent is not None and (intent.command or intent.diff):
        detail = wire.ToolCallDetail(command=intent.command, diff=intent.diff)
    return wire.ToolCall(
        id=call.id,
        item_id=call.item,
        name=call.name,
        title=intent.title if intent else earlier_title(call.name, call.traits, arguments),
        arguments=arguments,
        kind=call.traits.kind,
        detail=detail,
        locations=tuple(_location(each) for each in intent.locations) if intent else (),
    )


def earlier_title(name: str, traits: ToolTraits, arguments: Mapping[str, object]) -> str:
    """The title of a call of which nothing can be prepared any more, as its tool begins it."""
    verb, about = call_words(name, traits, arguments)
    return f"{verb} {visible_line(about, limit=120)}" if about else verb


def _location(found: Location) -> wire.Location:
    return wire.Location(uri=found.path.as_uri(), range=range_of(found.lines))


def conversation(fold: Fold, tools: Mapping[str, AnyTool]) -> tuple[wire.MessageView, ...]:
    """The whole conversation as a chat shows it: reduced items too, each with its state."""
    shown = {each.item: each for each in fold.view.items()}
    return tuple(
        message_view(said, shown, tools, covered=group.cover is not None)
        for group in fold.groups
        for said in group.visible
    )


def message_view(
    said: Said,
    shown: Mapping[str, RenderedItem],
    tools: Mapping[str, AnyTool],
    *,
    covered: bool = False,
) -> wire.MessageView:
    """One message as a chat shows it, with its whole text."""
    out = ItemState.SUMMARISED if covered else ItemState.VERBATIM
    parts = tuple(
        _message_part(part_item(said.id, number), part, shown=shown, out=out, tools=tools)
        for number, part in enumerate(said.parts)
    )
    return wire.MessageView(
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
    out: ItemState,
    tools: Mapping[str, AnyTool],
) -> wire.MessagePart:
    found = shown.get(item)
    tool = tools.get(part.name or "")
    call = None
    if part.kind is PartKind.CALL:
        traits = tool.traits if tool else part.traits
        call = tool_call(
            CallShown(
                id=part.call_id or "",
                item=item,
                name=part.name or "",
                arguments=part.text,
                traits=traits,
            )
        )
    return wire.MessagePart(
        item_id=item,
        type=TYPE_OF_KIND[part.kind],
        text=None if part.kind is PartKind.CALL else (found.part.text if found else part.text),
        tool_call=call,
        state=found.state if found else out,
        failed=part.failed or None,
    )


def draft_text(parts: Sequence[wire.ContentPart]) -> str:
    """The text of an unsent prompt, for counting."""
    return "\n".join(part.text for part in parts if isinstance(part, wire.TextPart))


def path_of(uri: str) -> Path:
    """The path of a file URI; raises InvalidInput."""
    parsed = urlparse(uri)
    if parsed.scheme != "file":
        raise InvalidInput(f"{uri!r} is not a file on this machine.", remedy="Name a local file.")
    return Path(unquote(parsed.path))


def range_of(lines: tuple[int, int] | None) -> Range | None:
    """Lines from 1, both included, as a range whose end is exclusive."""
    if lines is None:
        return None
    return Range(
        start=Position(line=lines[0] - 1, character=0), end=Position(line=lines[1], character=0)
    )


def lines_of(selected: Range | None) -> tuple[int, int] | None:
    """A range as lines from 1, both included; a last line that is not entered does not count."""
    if selected is None:
        return None
    entered = selected.end.character > 0 or selected.end.line == selected.start.line
    last = selected.end.line + 1 if entered else selected.end.line
    return (selected.start.line + 1, last)
