"""Entries as canonical JSON: one text an entry, in the store, in exports and in imports.

A field with its default value is left out. Fields that are not known are ignored when read, so an
older version reads what a newer one wrote; an unknown kind of entry is refused, because a log
with holes would fold into another view.
"""

import json
import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TypeVar, assert_never, cast

from plimsoll.context.entries import (
    Cover,
    Edited,
    Entry,
    Framed,
    Noted,
    Op,
    Pinned,
    Place,
    Refer,
    Replace,
    Restore,
    Rewound,
    Said,
    Scope,
    Slot,
    Stage,
    State,
    Undone,
)
from plimsoll.context.messages import Kind, Part, Role, Source, canonical
from plimsoll.errors import LogInvalid

Change = Callable[[str], str]
Fields = Mapping[str, object]
Name = TypeVar("Name", bound=StrEnum)
Value = TypeVar("Value")

_SURROGATE = re.compile("[\ud800-\udfff]")
_PLACES: Mapping[str, Place] = {"head": "head", "tail": "tail"}
_SCOPES: Mapping[str, Scope] = {"session": "session", "workspace": "workspace"}

# Reading 50,000 entries spends most of its time on fields: a look-up costs a tenth of Enum's call.
_ROLES = {str(role): role for role in Role}
_KINDS = {str(kind): kind for kind in Kind}
_SLOTS = {str(slot): slot for slot in Slot}
_STAGES = {str(stage): stage for stage in Stage}
_STATES = {str(state): state for state in State}


def _unchanged(text: str) -> str:
    return text


def encode(entry: Entry, change: Change = _unchanged) -> str:
    """The canonical JSON of an entry; ``change`` rewrites its free texts, never ids and kinds.

    The result is valid UTF-8 text even where the entry holds lone surrogates, which JSON escapes.
    """
    text = canonical(_entry_fields(entry, change))
    if text.isascii():
        return text
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def decode(text: str) -> Entry:
    """The entry of a JSON text.

    Raises:
        LogInvalid: It is no JSON object, of an unknown type, or a field has the wrong shape.
    """
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LogInvalid(
            "An entry of the log is not valid JSON.",
            remedy="Export the log again; a cut or edited line cannot be read.",
        ) from error
    fields = _as_fields(value, "entry")
    read = _READERS.get(_text(fields, "type"))
    if read is None:
        raise LogInvalid(
            f"The log has an entry of the unknown type {_text(fields, 'type')[:40]!r}.",
            remedy="Use the Plimsoll version that wrote it, or a newer one.",
        )
    return read(fields)


def _entry_fields(entry: Entry, change: Change) -> dict[str, object]:
    fields: dict[str, object] = {"id": entry.id, "at": entry.at}
    match entry:
        case Said():
            parts = [_part_fields(part, change) for part in entry.parts]
            fields |= {"type": "said", "role": entry.role, "group": entry.group, "parts": parts}
            fields |= _present(turn=entry.turn)
        case Framed():
            fields |= {"type": "framed", "slot": entry.slot, "kind": entry.kind}
            fields |= _present(text=_changed(entry.text, change), original=entry.original)
            fields |= {} if entry.place == "head" else {"place": entry.place}
            fields |= _source_fields(entry.source, change)
        case Pinned():
            fields |= {"type": "pinned", "text": change(entry.text), "number": entry.number}
            fields |= _present(item=entry.item)
            fields |= {} if entry.scope == "session" else {"scope": entry.scope}
        case Edited():
            fields |= {"type": "edited", **_edited_fields(entry, change)}
        case Undone():
            fields |= {"type": "undone", "target": entry.target}
        case Rewound():
            fields |= {"type": "rewound", "to": entry.to}
        case Noted():
            fields |= {"type": "noted", "what": entry.what, **_present(item=entry.item)}
            fields |= {} if entry.data == "{}" else {"data": change(entry.data)}
        case _:
            assert_never(entry)
    return fields


def _edited_fields(entry: Edited, change: Change) -> dict[str, object]:
    return {
        "stage": entry.stage,
        "why": change(entry.why),
        "ops": [_op_fields(op, change) for op in entry.ops],
        "before": entry.before,
        "after": entry.after,
        **_present(model=entry.model, spent=entry.spent or None, rewritten=entry.rewritten or None),
    }


def _op_fields(op: Op, change: Change) -> dict[str, object]:
    match op:
        case Replace():
            text = change(op.text)
            return {"type": "replace", "item": op.item, "text": text, "state": op.state}
        case Refer():
            return {"type": "refer", "item": op.item, "base": op.base, "text": change(op.text)}
        case Cover():
            text = _present(text=_changed(op.text, change))
            return {"type": "cover", "groups": op.groups, **text}
        case Restore():
            return {
                "type": "restore",
                **_present(groups=op.groups or None, items=op.items or None),
            }
        case _:
            assert_never(op)


def _part_fields(part: Part, change: Change) -> dict[str, object]:
    fields: dict[str, object] = {"kind": part.kind, "text": change(part.text)}
    fields |= _present(
        callId=part.call_id,
        name=_changed(part.name, change),
        failed=part.failed or None,
        opaque=_changed(part.opaque, change),
    )
    return fields | _source_fields(part.source, change)


def _source_fields(source: Source | None, change: Change) -> dict[str, object]:
    if source is None:
        return {}
    uri = change(source.uri)
    return {"source": {"uri": uri, **_present(lines=source.lines, version=source.version)}}


def _present(**fields: object) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not None}


def _changed(text: str | None, change: Change) -> str | None:
    return None if text is None else change(text)


def _said(fields: Fields) -> Said:
    return Said(
        id=_text(fields, "id"),
        at=_text(fields, "at"),
        role=_member(fields, "role", _ROLES),
        group=_text(fields, "group"),
        parts=tuple(_part(_as_fields(part, "part")) for part in _array(fields, "parts")),
        turn=_maybe_text(fields, "turn"),
    )


def _framed(fields: Fields) -> Framed:
    place = _maybe_text(fields, "place") or "head"
    if place not in _PLACES:
        raise _wrong("place", '"head" or "tail"')
    return Framed(
        id=_text(fields, "id"),
        at=_text(fields, "at"),
        slot=_text(fields, "slot"),
        kind=_member(fields, "kind", _SLOTS),
        text=_maybe_text(fields, "text"),
        place=_PLACES[place],
        source=_optional(fields, "source", _source),
        original=_optional(fields, "original", _number),
    )


def _pinned(fields: Fields) -> Pinned:
    scope = _maybe_text(fields, "scope") or "session"
    if scope not in _SCOPES:
        raise _wrong("scope", '"session" or "workspace"')
    return Pinned(
        id=_text(fields, "id"),
        at=_text(fields, "at"),
        text=_text(fields, "text"),
        number=_number(fields, "number"),
        item=_maybe_text(fields, "item"),
        scope=_SCOPES[scope],
    )


def _edited(fields: Fields) -> Edited:
    return Edited(
        id=_text(fields, "id"),
        at=_text(fields, "at"),
        stage=_member(fields, "stage", _STAGES),
        why=_text(fields, "why"),
        ops=tuple(_op(_as_fields(op, "op")) for op in _array(fields, "ops")),
        before=_number(fields, "before"),
        after=_number(fields, "after"),
        model=_maybe_text(fields, "model"),
        spent=_optional(fields, "spent", _number) or 0,
        rewritten=_optional(fields, "rewritten", _number) or 0,
    )


def _undone(fields: Fields) -> Undone:
    return Undone(_text(fields, "id"), _text(fields, "at"), _text(fields, "target"))


def _rewound(fields: Fields) -> Rewound:
    return Rewound(_text(fields, "id"), _text(fields, "at"), _text(fields, "to"))


def _noted(fields: Fields) -> Noted:
    data = _maybe_text(fields, "data")
    return Noted(
        id=_text(fields, "id"),
        at=_text(fields, "at"),
        what=_text(fields, "what"),
        item=_maybe_text(fields, "item"),
        data="{}" if data is None else data,
    )


_READERS: Mapping[str, Callable[[Fields], Entry]] = {
    "said": _said,
    "framed": _framed,
    "pinned": _pinned,
    "edited": _edited,
    "undone": _undone,
    "rewound": _rewound,
    "noted": _noted,
}


def _replace(fields: Fields) -> Replace:
    state = _member(fields, "state", _STATES)
    return Replace(_text(fields, "item"), _text(fields, "text"), state)


def _refer(fields: Fields) -> Refer:
    return Refer(_text(fields, "item"), _text(fields, "base"), _text(fields, "text"))


def _cover(fields: Fields) -> Cover:
    return Cover(_texts(fields, "groups"), _maybe_text(fields, "text"))


def _restore(fields: Fields) -> Restore:
    groups = _optional(fields, "groups", _texts)
    return Restore(groups or (), _optional(fields, "items", _texts) or ())


_OPS: Mapping[str, Callable[[Fields], Op]] = {
    "replace": _replace,
    "refer": _refer,
    "cover": _cover,
    "restore": _restore,
}


def _op(fields: Fields) -> Op:
    read = _OPS.get(_text(fields, "type"))
    if read is None:
        raise _wrong("type", f"one of {', '.join(_OPS)}")
    return read(fields)


def _part(fields: Fields) -> Part:
    return Part(
        kind=_member(fields, "kind", _KINDS),
        text=_text(fields, "text"),
        call_id=_maybe_text(fields, "callId"),
        name=_maybe_text(fields, "name"),
        source=_optional(fields, "source", _source),
        failed=_optional(fields, "failed", _flag) or False,
        opaque=_maybe_text(fields, "opaque"),
    )


def _source(fields: Fields, name: str) -> Source:
    source = _as_fields(fields[name], name)
    lines = _optional(source, "lines", _lines)
    return Source(_text(source, "uri"), lines, _maybe_text(source, "version"))


def _lines(fields: Fields, name: str) -> tuple[int, int]:
    match _array(fields, name):
        case [int(first), int(last)]:
            return (first, last)
        case _:
            raise _wrong(name, "two numbers")


def _wrong(name: str, expected: str) -> LogInvalid:
    return LogInvalid(
        f"An entry of the log has a field {name!r} that is not {expected}.",
        remedy="Export the log again; an edited line cannot be read.",
    )


def _as_fields(value: object, name: str) -> Fields:
    if isinstance(value, dict):
        return cast("dict[str, object]", value)
    raise _wrong(name, "a JSON object")


def _optional(fields: Fields, name: str, read: Callable[[Fields, str], Value]) -> Value | None:
    return None if fields.get(name) is None else read(fields, name)


def _text(fields: Fields, name: str) -> str:
    value = fields.get(name)
    if isinstance(value, str):
        return value
    raise _wrong(name, "a text")


def _maybe_text(fields: Fields, name: str) -> str | None:
    value = fields.get(name)
    if value is None or isinstance(value, str):
        return value
    raise _wrong(name, "a text")


def _number(fields: Fields, name: str) -> int:
    value = fields.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise _wrong(name, "a whole number")


def _flag(fields: Fields, name: str) -> bool:
    value = fields.get(name)
    if isinstance(value, bool):
        return value
    raise _wrong(name, "true or false")


def _array(fields: Fields, name: str) -> list[object]:
    value = fields.get(name)
    if isinstance(value, list):
        return cast("list[object]", value)
    raise _wrong(name, "a list")


def _texts(fields: Fields, name: str) -> tuple[str, ...]:
    values = _array(fields, name)
    texts = tuple(value for value in values if isinstance(value, str))
    if len(texts) < len(values):
        raise _wrong(name, "a list of texts")
    return texts


def _member(fields: Fields, name: str, members: Mapping[str, Name]) -> Name:
    member = members.get(_text(fields, name))
    if member is not None:
        return member
    raise _wrong(name, f"one of {', '.join(members)}")
