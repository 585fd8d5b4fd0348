"""Applies mends to the messages of a body: their order, ids, and required fields. Pure.

A row is a message of chat completions or of Anthropic, or an item of responses.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import cast

from plimsoll.providers.mends.mend import Mend
from plimsoll.providers.mends.spelling import id_of_form

Row = dict[str, object]
Rows = Sequence[Row]

READ = "(read)"
"""The assistant's message that is inserted between two turns of the user."""
BEGUN = "(The conversation goes on.)"
EMPTY_TEXT = "(empty)"
ANY_SIGNATURE = {"google": {"thought_signature": "skip_thought_signature_validator"}}
"""Google's documented placeholder signature for calls that another model made."""
ID_FIELDS = ("tool_call_id", "tool_use_id", "call_id")
CONVERSATION = ("messages", "input")
"""The field of a body with the messages."""


def bridge_turns(rows: Rows) -> Iterator[Row]:
    """Insert an assistant's message between a result or user message and a user message.

    Mistral requires it after a result, and many chat templates require alternating roles.
    """
    before: object = None
    for row in rows:
        if before in {"tool", "user"} and row.get("role") == "user":
            yield {"role": "assistant", "content": READ}
        yield row
        before = row.get("role")


def mend_rows(body: dict[str, object], mends: Collection[Mend]) -> dict[str, object]:
    """Apply mends to the conversation in a body."""
    name = next((each for each in CONVERSATION if isinstance(body.get(each), list)), None)
    if name is None:
        return body
    rows = cast("list[Row]", body[name])
    for mend in mends:
        rows = list(_MENDED[mend.way](rows, mend)) if mend.way in _MENDED else rows
    return {**body, name: rows}


def _alternate(rows: Rows, mend: Mend) -> Iterator[Row]:
    """Insert messages so that roles alternate, beginning and ending with the user."""
    del mend
    before: object = None
    for row in rows:
        role = row.get("role")
        if role == "user" == before:
            yield {"role": "assistant", "content": READ}
        elif role == "assistant" and before in {None, "system", "developer", "assistant"}:
            yield {"role": "user", "content": BEGUN}
        yield row
        before = role if not row.get("tool_calls") else "calls"
    if before == "assistant":
        yield {"role": "user", "content": BEGUN}


def _join(one: object, other: object) -> object:
    if isinstance(one, str) and isinstance(other, str):
        return f"{one}\n\n{other}"
    return [*_parts(one), *_parts(other)]


def _parts(content: object) -> list[object]:
    if isinstance(content, list):
        return cast("list[object]", content)
    return [{"type": "text", "text": content}]


def _is_system(row: Row) -> bool:
    return row.get("role") in {"system", "developer"}


def _system_as(rows: Rows, mend: Mend) -> Iterator[Row]:
    """Send system texts in the developer's or user's role, merged with a next user message."""
    held: Row | None = None
    for row in rows:
        if _is_system(row):
            told = {**row, "role": mend.to}
            held = told if held is None else {**held, "content": _join(*_both(held, told))}
            continue
        if held is None:
            yield row
        elif mend.to == "user" == row.get("role"):
            yield {**row, "content": _join(*_both(held, row))}
        else:
            yield from (held, row)
        held = None
    if held is not None:
        yield held


def _both(one: Row, other: Row) -> tuple[object, object]:
    return one["content"], other["content"]


def _fill_empty(rows: Rows, mend: Mend) -> Iterator[Row]:
    """Insert a word into messages without text."""
    del mend
    for row in rows:
        content = row.get("content", EMPTY_TEXT)
        if isinstance(content, list):
            parts = [_fill_part(part) for part in cast("list[object]", content)]
            yield {**row, "content": parts}
        elif content is None or (isinstance(content, str) and not content.strip()):
            yield {**row, "content": EMPTY_TEXT}
        elif row.get("output") == "":
            yield {**row, "output": EMPTY_TEXT}
        else:
            yield row


def _fill_part(part: object) -> object:
    if not isinstance(part, dict):
        return part
    fields = cast("Row", part)
    blank = [name for name in ("text", "content") if fields.get(name) == ""]
    return {**fields, **dict.fromkeys(blank, EMPTY_TEXT)}


def _add_required(rows: Rows, mend: Mend) -> Iterator[Row]:
    """Add the field that a server requires beside each call."""
    for row in rows:
        calls = row.get("tool_calls")
        if not isinstance(calls, list):
            yield row
        elif mend.what == "extra_content":
            each = (call for call in cast("list[Row]", calls))
            yield {**row, "tool_calls": [{"extra_content": ANY_SIGNATURE, **c} for c in each]}
        else:
            yield row if mend.what in row else {**row, mend.what: ""}


def _with_ids(rows: Rows, mend: Mend) -> Iterator[Row]:
    for row in rows:
        yield cast("Row", respell_ids(row, lambda call_id: id_of_form(call_id, mend.to)))


def respell_ids(value: object, spell: Callable[[str], str]) -> object:
    """Rewrite the id of every call and result, in any dialect."""
    if isinstance(value, list):
        return [respell_ids(each, spell) for each in cast("list[object]", value)]
    if not isinstance(value, dict):
        return value
    fields = cast("Row", value)
    own = fields.get("type") in {"function", "tool_use"}
    found = {
        name: spell(each)
        for name, each in fields.items()
        if isinstance(each, str) and (name in ID_FIELDS or (name == "id" and own))
    }
    inner = {n: respell_ids(fields[n], spell) for n in ("content", "tool_calls") if n in fields}
    return {**fields, **inner, **found}


_MENDED: dict[str, Callable[[Rows, Mend], Iterator[Row]]] = {
    "turns": _alternate,
    "system": _system_as,
    "filled": _fill_empty,
    "give": _add_required,
    "ids": _with_ids,
}
