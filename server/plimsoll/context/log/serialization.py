"""Entries as canonical JSON, one text each, for the store, exports and imports.

Defaults are left out, except for fields that an older version kept as prose: ``upgrade_fields``
fills those where they are missing. Unknown fields are ignored; an unknown kind of entry is refused.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import assert_never

from plimsoll.context.log.entries import (
    Cover,
    Edited,
    Entry,
    Framed,
    ImportOutcome,
    ItemState,
    Noted,
    Op,
    Origin,
    Passage,
    Pinned,
    Place,
    Refer,
    Replace,
    Restore,
    Rewound,
    RulesImport,
    Said,
    Scope,
    Slot,
    Stage,
    TaskItem,
    TaskStatus,
    Undone,
)
from plimsoll.context.log.json_fields import (
    Fields,
    as_fields,
    flag_field,
    list_field,
    maybe_text,
    member_field,
    number_field,
    optional_field,
    text_field,
    texts_field,
    upgrade_fields,
    wrong_field,
)
from plimsoll.context.log.messages import (
    Role,
    canonical,
    rewrite_json,
)
from plimsoll.context.log.part_json import (
    Change,
    part_fields,
    read_part,
    read_source,
    rewrite_text,
    source_fields,
    without_nulls,
)
from plimsoll.context.log.traits import NONE, Tools
from plimsoll.errors import LogInvalid

_SURROGATE = re.compile("[\ud800-\udfff]")
_PLACES: Mapping[str, Place] = {"head": "head", "tail": "tail"}
_SCOPES: Mapping[str, Scope] = {"session": "session", "workspace": "workspace"}
_OUTCOMES: Mapping[str, ImportOutcome] = {
    "followed": "followed",
    "missing": "missing",
    "refused": "refused",
    "outside": "outside",
    "met": "met",
    "tooDeep": "tooDeep",
    "tooMany": "tooMany",
}
_STATUSES: Mapping[str, TaskStatus] = {
    "pending": "pending",
    "inProgress": "inProgress",
    "completed": "completed",
    "cancelled": "cancelled",
}

# Reading 50,000 entries spends most of its time on fields: a look-up costs a tenth of Enum's call.
_ROLES = {str(role): role for role in Role}
_SLOTS = {str(slot): slot for slot in Slot}
_STAGES = {str(stage): stage for stage in Stage}
_STATES = {str(state): state for state in ItemState}
_ORIGINS = {str(origin): origin for origin in Origin}


def encode(entry: Entry, change: Change = str) -> str:
    """Encode an entry as canonical JSON; ``change`` rewrites free texts, never ids and kinds.

    The result is valid UTF-8 text even where the entry holds lone surrogates, which JSON escapes.
    """
    text = canonical(_entry_fields(entry, change))
    if text.isascii():
        return text
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def decode(text: str, tools: Tools = NONE) -> Entry:
    """Decode an entry from a JSON text; calls and results gain the traits of their tools.

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
    fields = as_fields(value, "entry")
    if fields.get("type") == "said":
        return _read_message(upgrade_fields(fields), tools)
    read = _READERS.get(text_field(fields, "type"))
    if read is None:
        raise LogInvalid(
            f"The log has an entry of the unknown type {text_field(fields, 'type')[:40]!r}.",
            remedy="Use the Plimsoll version that wrote it, or a newer one.",
        )
    return read(upgrade_fields(fields))


def _entry_fields(entry: Entry, change: Change) -> dict[str, object]:
    fields: dict[str, object] = {"id": entry.id, "at": entry.at}
    match entry:
        case Said():
            parts = [part_fields(part, change) for part in entry.parts]
            fields |= {"type": "said", "role": entry.role, "group": entry.group, "parts": parts}
            fields |= without_nulls(turn=entry.turn, origin=entry.origin)
        case Framed():
            fields |= {"type": "framed", "slot": entry.slot, "kind": entry.kind}
            fields |= without_nulls(text=rewrite_text(entry.text, change), original=entry.original)
            fields |= without_nulls(origin=entry.origin)
            fields |= {} if entry.place == "head" else {"place": entry.place}
            fields |= source_fields(entry.source, change)
            fields |= _facts_of_frame(entry, change)
        case Pinned():
            fields |= {"type": "pinned", "text": change(entry.text), "number": entry.number}
            fields |= without_nulls(item=entry.item, origin=entry.origin)
            fields |= {} if entry.scope == "session" else {"scope": entry.scope}
        case Edited():
            fields |= {"type": "edited", **_edited_fields(entry, change)}
        case Undone():
            fields |= {"type": "undone", "target": entry.target}
        case Rewound():
            fields |= {"type": "rewound", "to": entry.to} | (
                {"before": True} if entry.before else {}
            )
        case Noted():
            fields |= {"type": "noted", "what": entry.what, **without_nulls(item=entry.item)}
            fields |= {} if entry.data == "{}" else {"data": rewrite_json(entry.data, change)}
        case _:
            assert_never(entry)
    return fields


def _facts_of_frame(entry: Framed, change: Change) -> dict[str, object]:
    fields: dict[str, object] = {}
    if entry.kind is Slot.MEMORIES or entry.passages:
        fields["passages"] = [
            without_nulls(lines=each.lines, memory=each.memory, heading=each.heading or None)
            for each in entry.passages
        ]
    if entry.kind is Slot.TASKS or entry.tasks:
        fields["tasks"] = [_task_fields(task, change) for task in entry.tasks]
    if entry.imports:
        fields["imports"] = [
            {
                "path": change(each.path),
                "outcome": each.outcome,
                **without_nulls(tokens=each.tokens or None),
            }
            for each in entry.imports
        ]
    return fields


def _task_fields(task: TaskItem, change: Change) -> dict[str, object]:
    own = {"title": change(task.title), "status": task.status}
    return own | without_nulls(
        children=[_task_fields(each, change) for each in task.children] or None
    )


def _edited_fields(entry: Edited, change: Change) -> dict[str, object]:
    return {
        "stage": entry.stage,
        "why": change(entry.why),
        "ops": [_op_fields(op, change) for op in entry.ops],
        "before": entry.before,
        "after": entry.after,
        **without_nulls(
            model=entry.model, spent=entry.spent or None, rewritten=entry.rewritten or None
        ),
    }


def _op_fields(op: Op, change: Change) -> dict[str, object]:
    match op:
        case Replace():
            text = change(op.text)
            whole = {"keptIn": rewrite_text(op.kept_in, change)}
            whole = whole if op.kept_in is not None or op.state is ItemState.TRUNCATED else {}
            return {"type": "replace", "item": op.item, "text": text, "state": op.state, **whole}
        case Refer():
            return {"type": "refer", "item": op.item, "base": op.base, "text": change(op.text)}
        case Cover():
            text, said = rewrite_text(op.text, change), list(map(change, op.standing)) or None
            more = without_nulls(
                text=text, standing=said, decisions=rewrite_text(op.decisions, change)
            )
            return {"type": "cover", "groups": op.groups, **more}
        case Restore():
            return {
                "type": "restore",
                **without_nulls(groups=op.groups or None, items=op.items or None),
            }
        case _:
            assert_never(op)


def _read_message(fields: Fields, tools: Tools) -> Said:
    return Said(
        id=text_field(fields, "id"),
        at=text_field(fields, "at"),
        role=member_field(fields, "role", _ROLES),
        group=text_field(fields, "group"),
        parts=tuple(
            read_part(as_fields(part, "part"), tools) for part in list_field(fields, "parts")
        ),
        turn=maybe_text(fields, "turn"),
        origin=member_field(fields, "origin", _ORIGINS),
    )


def _read_frame(fields: Fields) -> Framed:
    return Framed(
        id=text_field(fields, "id"),
        at=text_field(fields, "at"),
        slot=text_field(fields, "slot"),
        kind=member_field(fields, "kind", _SLOTS),
        text=maybe_text(fields, "text"),
        place=member_field(fields, "place", _PLACES, "head"),
        source=optional_field(fields, "source", read_source),
        original=optional_field(fields, "original", number_field),
        passages=optional_field(fields, "passages", _read_passages) or (),
        tasks=optional_field(fields, "tasks", _read_tasks) or (),
        imports=optional_field(fields, "imports", _read_imports) or (),
        origin=optional_field(fields, "origin", _read_origin),
    )


def _read_origin(fields: Fields, name: str) -> Origin:
    return member_field(fields, name, _ORIGINS)


def _read_imports(fields: Fields, name: str) -> tuple[RulesImport, ...]:
    return tuple(_read_import(as_fields(each, "import")) for each in list_field(fields, name))


def _read_import(fields: Fields) -> RulesImport:
    outcome = member_field(fields, "outcome", _OUTCOMES)
    tokens = optional_field(fields, "tokens", number_field) or 0
    return RulesImport(text_field(fields, "path"), outcome, tokens)


def _read_passages(fields: Fields, name: str) -> tuple[Passage, ...]:
    return tuple(_read_passage(as_fields(each, "passage")) for each in list_field(fields, name))


def _read_passage(fields: Fields) -> Passage:
    lines = number_field(fields, "lines")
    if lines < 1:
        raise wrong_field("lines", "a number from 1")
    heading = optional_field(fields, "heading", flag_field) or False
    return Passage(lines, maybe_text(fields, "memory"), heading)


def _read_tasks(fields: Fields, name: str) -> tuple[TaskItem, ...]:
    return tuple(_read_task(as_fields(each, "task")) for each in list_field(fields, name))


def _read_task(fields: Fields) -> TaskItem:
    title, status = text_field(fields, "title"), member_field(fields, "status", _STATUSES)
    return TaskItem(title, status, optional_field(fields, "children", _read_tasks) or ())


def _read_pin(fields: Fields) -> Pinned:
    return Pinned(
        id=text_field(fields, "id"),
        at=text_field(fields, "at"),
        text=text_field(fields, "text"),
        number=number_field(fields, "number"),
        item=maybe_text(fields, "item"),
        scope=member_field(fields, "scope", _SCOPES, "session"),
        origin=optional_field(fields, "origin", _read_origin),
    )


def _read_edit(fields: Fields) -> Edited:
    return Edited(
        id=text_field(fields, "id"),
        at=text_field(fields, "at"),
        stage=member_field(fields, "stage", _STAGES),
        why=text_field(fields, "why"),
        ops=tuple(_read_op(as_fields(op, "op")) for op in list_field(fields, "ops")),
        before=number_field(fields, "before"),
        after=number_field(fields, "after"),
        model=maybe_text(fields, "model"),
        spent=optional_field(fields, "spent", number_field) or 0,
        rewritten=optional_field(fields, "rewritten", number_field) or 0,
    )


def _read_undo(fields: Fields) -> Undone:
    return Undone(text_field(fields, "id"), text_field(fields, "at"), text_field(fields, "target"))


def _read_rewind(fields: Fields) -> Rewound:
    before = optional_field(fields, "before", flag_field) or False
    return Rewound(
        text_field(fields, "id"), text_field(fields, "at"), text_field(fields, "to"), before
    )


def _read_note(fields: Fields) -> Noted:
    data = maybe_text(fields, "data")
    return Noted(
        id=text_field(fields, "id"),
        at=text_field(fields, "at"),
        what=text_field(fields, "what"),
        item=maybe_text(fields, "item"),
        data="{}" if data is None else data,
    )


_READERS: Mapping[str, Callable[[Fields], Entry]] = {
    "framed": _read_frame,
    "pinned": _read_pin,
    "edited": _read_edit,
    "undone": _read_undo,
    "rewound": _read_rewind,
    "noted": _read_note,
}


def _read_replace(fields: Fields) -> Replace:
    state = member_field(fields, "state", _STATES)
    kept_in = maybe_text(fields, "keptIn")
    return Replace(text_field(fields, "item"), text_field(fields, "text"), state, kept_in)


def _read_refer(fields: Fields) -> Refer:
    return Refer(text_field(fields, "item"), text_field(fields, "base"), text_field(fields, "text"))


def _read_cover(fields: Fields) -> Cover:
    standing = optional_field(fields, "standing", texts_field) or ()
    groups, text = texts_field(fields, "groups"), maybe_text(fields, "text")
    return Cover(groups, text, standing, maybe_text(fields, "decisions"))


def _read_restore(fields: Fields) -> Restore:
    groups = optional_field(fields, "groups", texts_field)
    return Restore(groups or (), optional_field(fields, "items", texts_field) or ())


_OPS: Mapping[str, Callable[[Fields], Op]] = {
    "replace": _read_replace,
    "refer": _read_refer,
    "cover": _read_cover,
    "restore": _read_restore,
}


def _read_op(fields: Fields) -> Op:
    read = _OPS.get(text_field(fields, "type"))
    if read is None:
        raise wrong_field("type", f"one of {', '.join(_OPS)}")
    return read(fields)
