"""Messages on the wire as agents and models exchange them, and places in files."""

import json
from pathlib import Path
from typing import assert_never

from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import ATTACHED, Message, Part, PartKind, Role, ToolSchema
from plimsoll.context.view.fold import Fold
from plimsoll.errors import InvalidInput, NotFound
from plimsoll.folders import path_in
from plimsoll.lsp.wire import content as wire
from plimsoll.lsp.wire.content import Position, Range
from plimsoll.session.commands.slash import escape_prompt
from plimsoll.session.ports.content import (
    Content,
    Excerpt,
    FileRef,
    ImageData,
    PromptText,
    RepositoryChanges,
    Selection,
)
from plimsoll.session.transfer.incoming import Incoming, IncomingCall


def incoming(message: wire.RawMessage) -> Incoming:
    """Convert a message of another agent; its files and selections are text already."""
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
        case wire.TextPart() | wire.SelectionPart() | wire.ExcerptPart():
            return Part(kind=PartKind.TEXT, text=part.text)
        case wire.ImagePart():
            return Part(kind=PartKind.IMAGE, text=part.data, name=part.mime_type)
        case wire.FilePart():
            return Part(kind=PartKind.TEXT, text=part.uri)
        case wire.ChangesPart():
            # Nobody says a prompt here, and what is changed now was not what the message meant.
            return Part(kind=PartKind.TEXT, text="@changes")
        case _:
            assert_never(part)


def raw_message(message: Message) -> wire.RawMessage:
    """Convert a message to its wire form, as a model sees it."""
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


def content_part(content: Content) -> wire.ContentPart:
    """Convert a part of a prompt back to the content part that a client sent."""
    match content:
        case PromptText():
            return _sent_text(content)
        case FileRef():
            return wire.FilePart(uri=content.path.as_uri(), range=range_of(content.lines))
        case ImageData():
            return wire.ImagePart(mime_type=content.mime_type, data=content.data)
        case Selection():
            found = range_of(content.lines)
            assert found is not None
            return wire.SelectionPart(uri=content.path.as_uri(), range=found, text=content.text)
        case Excerpt():
            return wire.ExcerptPart(title=content.title, text=content.text)
        case RepositoryChanges():
            return wire.ChangesPart()
        case _:
            assert_never(content)


def _sent_text(content: PromptText) -> wire.TextPart:
    shown = content.with_text(escape_prompt(content.text))
    return wire.TextPart(text=shown.text, pasted=shown.told_ranges)


def contents_of(fold: Fold, message: str, root: Path) -> tuple[Content, ...]:
    """Return the content parts of a person's message as they were sent, to be sent again.

    Raises:
        NotFound: There is no such message of a person.
    """
    index = fold.index_of(message)
    said = fold.entries[index] if index is not None else None
    if not isinstance(said, Said) or said.role is not Role.USER:
        raise NotFound("message", message, remedy="Load the session to see its messages.")
    return tuple(_content_of(part, root) for part in said.parts)


def _content_of(part: Part, root: Path) -> Content:
    path = path_in(part.source.uri) if part.source is not None else None
    lines = part.source.lines if part.source is not None else None
    if part.kind is PartKind.IMAGE:
        return ImageData(part.name or "", part.text) if path is None else FileRef(path)
    if part.kind not in ATTACHED:
        return PromptText(part.text, part.pasted)
    name = part.attached or "attachment"
    if part.kind is PartKind.FILE:
        return FileRef(root / name if path is None else path, lines)
    text = part.text.removeprefix(f"[attached {name}]\n").removesuffix(f"\n[end of {name}]")
    if path is None:
        return Excerpt(name, text)
    return Selection(path, lines or (1, 1), text)


def tool_schema(schema: ToolSchema) -> wire.ToolSchema:
    """Convert a tool's schema as the model gets it."""
    return wire.ToolSchema(
        name=schema.name, description=schema.description, parameters=dict(schema.parameters)
    )


def path_of(uri: str) -> Path:
    """Return the path of a file URI; raises InvalidInput."""
    path = path_in(uri)
    if path is None:
        raise InvalidInput(f"{uri!r} is not a file on this machine.", remedy="Name a local file.")
    return path


def range_of(lines: tuple[int, int] | None) -> Range | None:
    """Convert lines from 1, both included, to a range whose end is exclusive."""
    if lines is None:
        return None
    return Range(
        start=Position(line=lines[0] - 1, character=0), end=Position(line=lines[1], character=0)
    )


def lines_of(selected: Range | None) -> tuple[int, int] | None:
    """Convert a range to lines from 1, both included; a last line not entered does not count."""
    if selected is None:
        return None
    entered = selected.end.character > 0 or selected.end.line == selected.start.line
    last = selected.end.line + 1 if entered else selected.end.line
    return (selected.start.line + 1, last)
