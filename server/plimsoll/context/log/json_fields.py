"""Reads the fields of an entry's JSON with their types, and fills what old logs lack.

`upgrade_fields` is the one place that derives fields from texts of older versions and other agents.
Entries of today always carry these fields, even empty ones, so that a text that only looks like one
of ours is never taken for a fact.
"""

import re
from collections.abc import Callable, Mapping
from typing import TypeVar, cast

from plimsoll.context.log.call_end import CallEnd
from plimsoll.context.log.entries import Origin
from plimsoll.context.log.messages import ATTACHED
from plimsoll.errors import LogInvalid
from plimsoll.text.lines import lines_of

Fields = Mapping[str, object]
Value = TypeVar("Value")


def wrong_field(name: str, expected: str) -> LogInvalid:
    """Build the error for a field of the wrong type."""
    return LogInvalid(
        f"An entry of the log has a field {name!r} that is not {expected}.",
        remedy="Export the log again; an edited line cannot be read.",
    )


def as_fields(value: object, name: str) -> Fields:
    """Check that a value is a JSON object; raises LogInvalid, as all functions here do."""
    if isinstance(value, dict):
        return cast("dict[str, object]", value)
    raise wrong_field(name, "a JSON object")


def optional_field(fields: Fields, name: str, read: Callable[[Fields, str], Value]) -> Value | None:
    """Read a field that may be missing or null."""
    return None if fields.get(name) is None else read(fields, name)


def text_field(fields: Fields, name: str) -> str:
    """Read a text."""
    value = fields.get(name)
    if isinstance(value, str):
        return value
    raise wrong_field(name, "a text")


def maybe_text(fields: Fields, name: str) -> str | None:
    """Read a text that may be missing or null."""
    value = fields.get(name)
    if value is None or isinstance(value, str):
        return value
    raise wrong_field(name, "a text")


def number_field(fields: Fields, name: str) -> int:
    """Read a whole number."""
    value = fields.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise wrong_field(name, "a whole number")


def flag_field(fields: Fields, name: str) -> bool:
    """Read true or false."""
    value = fields.get(name)
    if isinstance(value, bool):
        return value
    raise wrong_field(name, "true or false")


def list_field(fields: Fields, name: str) -> list[object]:
    """Read a list."""
    value = fields.get(name)
    if isinstance(value, list):
        return cast("list[object]", value)
    raise wrong_field(name, "a list")


def texts_field(fields: Fields, name: str) -> tuple[str, ...]:
    """Read a list of texts."""
    values = list_field(fields, name)
    texts = tuple(value for value in values if isinstance(value, str))
    if len(texts) < len(values):
        raise wrong_field(name, "a list of texts")
    return texts


def member_field(
    fields: Fields, name: str, members: Mapping[str, Value], missing: str | None = None
) -> Value:
    """Read one of several names; ``missing`` is the default of an absent field."""
    given = text_field(fields, name) if missing is None else maybe_text(fields, name) or missing
    member = members.get(given)
    if member is not None:
        return member
    raise wrong_field(name, f"one of {', '.join(members)}")


IMPORTED = "imported."
"""The prefix of the turn ids of an import, by which older logs mark one."""

_EXIT_MARKS = ("[exit code: ", "<returncode>")
_EXIT_CODE = re.compile(r"\[exit code: (-?\d+)\]|<returncode>(-?\d+)</returncode>")
_KEPT_IN = re.compile(r"The whole is in (\S[^\n]*?): use grep or file_read on it\.\]")
_TOLD = re.compile(r"- (\S+), \d{4}-\d\d-\d\d, ")
_ATTACHED = re.compile(r"\[attached ([^\n]*)\]\n")
_DECLINED = re.compile(
    r"The user declined this call\.(?: Reason: (.*?))?(?:\n\n\[This call has failed .*)?\Z",
    re.DOTALL,
)
_ENDS = {
    "[stopped by the user]": CallEnd.STOPPED,
    "[interrupted: the agent did not come to its end]": CallEnd.INTERRUPTED,
    "[not run: the turn was stopped, as the model was in a loop]": CallEnd.NOT_RUN,
}
"""The exact results by which an older version marked calls that did not run to their end."""
_TASK_MARKS = {"[ ]": "pending", "[~]": "inProgress", "[x]": "completed", "[-]": "cancelled"}


def upgrade_fields(fields: Fields) -> Fields:
    """Fill the fields of a stored entry that an older version did not write.

    A field of the wrong type stays as it is, for the reader to refuse.
    """
    upgrade = _UPGRADES.get(str(fields.get("type")))
    return fields if upgrade is None else upgrade(fields)


def exit_note(code: int) -> str:
    """Format the last line of a command's output, which gives its exit code."""
    return f"[exit code: {code}]"


def exit_code_in(output: str) -> int | None:
    """Find the exit code that an output reports in its last or first line."""
    for part in (output[-400:], output[:200]):
        if any(mark in part for mark in _EXIT_MARKS) and (found := _EXIT_CODE.findall(part)):
            return int(found[-1][0] or found[-1][1])
    return None


def _upgrade_message(fields: Fields) -> Fields:
    if "origin" not in fields:
        fields = _upgrade_parts(
            {**fields, "origin": _derive_origin(fields.get("turn"))}, _upgrade_result
        )
    upgrade = _UPGRADES_OF_PARTS.get(str(fields.get("role")))
    return fields if upgrade is None else _upgrade_parts(fields, upgrade)


def _upgrade_parts(fields: Fields, upgrade: Callable[[Fields], Fields]) -> Fields:
    parts = fields.get("parts")
    if not isinstance(parts, list):
        return fields
    return {**fields, "parts": [_each(part, upgrade) for part in cast("list[object]", parts)]}


def _derive_origin(turn: object) -> Origin:
    if not isinstance(turn, str):
        return Origin.EDITOR
    return Origin.IMPORT if turn.startswith(IMPORTED) else Origin.PERSON


def _upgrade_attachment(part: Fields) -> Fields:
    text = part.get("text")
    if str(part.get("kind")) not in ATTACHED or "attached" in part or not isinstance(text, str):
        return part
    found = _ATTACHED.match(text)
    return {**part, "attached": found[1] if found else None}


def _upgrade_end(part: Fields) -> Fields:
    text = part.get("text")
    if part.get("kind") != "result" or "ended" in part or not isinstance(text, str):
        return part
    # What ran printed what it liked, and has an exit code: no words of a person stand in it.
    refused = part.get("failed") and part.get("exitCode") is None
    declined = _DECLINED.match(text) if refused else None
    if declined is None:
        return {**part, "ended": _ENDS.get(text, CallEnd.RAN)}
    return {
        **part,
        "ended": CallEnd.DECLINED,
        "rejection": {"by": "person", "reason": declined[1]},
    }


def _upgrade_result(part: Fields) -> Fields:
    text = part.get("text")
    if part.get("kind") != "result" or not isinstance(text, str):
        return part
    code = exit_code_in(text)
    return part if code is None else {**part, "exitCode": code}


def _upgrade_frame(fields: Fields) -> Fields:
    text, kind = fields.get("text"), fields.get("kind")
    if not isinstance(text, str):
        return fields
    if kind == "memories" and "passages" not in fields:
        return {**fields, "passages": _split_passages(text.split("\n"))}
    if kind == "tasks" and "tasks" not in fields:
        return {**fields, "tasks": [_parse_task(line) for line in list(lines_of(text))[1:]]}
    return fields


def _split_passages(lines: list[str]) -> list[dict[str, object]]:
    """Split a frame of memories into passages, each begun by a line with our mark and an id."""
    found: list[dict[str, object]] = []
    sizes: list[int] = []
    for number, line in enumerate(lines):
        memory = _TOLD.match(line)
        last = found[-1] if found else None
        if memory:
            found.append({"memory": memory[1]})
        elif line == "" and "".join(lines[number + 1 : number + 2]).startswith("## "):
            found.append({"heading": True})
        elif last is None or not _continues_passage(last, sizes[-1], line):
            found.append({})
        else:
            sizes[-1] += 1
            continue
        sizes.append(1)
    return [{**each, "lines": size} for each, size in zip(found, sizes, strict=True)]


def _continues_passage(last: Fields, size: int, line: str) -> bool:
    """Tell whether a line continues the passage before it."""
    if "memory" in last:
        return line.startswith("  ")
    return "heading" not in last or size == 1


def _parse_task(line: str) -> dict[str, object]:
    return {"status": _TASK_MARKS.get(line[:3], "pending"), "title": line[4:]}


def _upgrade_edit(fields: Fields) -> Fields:
    ops = fields.get("ops")
    if not isinstance(ops, list):
        return fields
    return {**fields, "ops": [_each(op, _upgrade_op) for op in cast("list[object]", ops)]}


def _upgrade_op(op: Fields) -> Fields:
    text = op.get("text")
    if op.get("state") != "truncated" or "keptIn" in op or not isinstance(text, str):
        return op
    found = _KEPT_IN.search(text)
    return {**op, "keptIn": found[1] if found else None}


def _each(value: object, upgrade: Callable[[Fields], Fields]) -> object:
    return upgrade(cast("dict[str, object]", value)) if isinstance(value, dict) else value


_UPGRADES_OF_PARTS: Mapping[str, Callable[[Fields], Fields]] = {
    "user": _upgrade_attachment,
    "tool": _upgrade_end,
}
"""The upgrades of a message's parts, by the message's role."""
_UPGRADES: Mapping[str, Callable[[Fields], Fields]] = {
    "said": _upgrade_message,
    "framed": _upgrade_frame,
    "edited": _upgrade_edit,
}
