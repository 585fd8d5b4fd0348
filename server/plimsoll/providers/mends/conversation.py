"""The rows of a body, one for each message: their order, their ids, what may not be missing. Pure.

A row is a message of chat completions or of Anthropic, or an item of responses.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import cast

from plimsoll.providers.mends.mend import Mend
from plimsoll.providers.mends.spelling import id_of_form

Row = dict[str, object]
Rows = Sequence[Row]

READ = "(read)"
"""Stands before what a person or a note says next, where the model said nothing before it."""
BEGUN = "(The conversation goes on.)"
EMPTY_TEXT = "(empty)"
ANY_SIGNATURE = {"google": {"thought_signature": "skip_thought_signature_validator"}}
"""What Google documents for calls that another model made, and that so have no signature."""
ID_FIELDS = ("tool_call_id", "tool_use_id", "call_id")
CONVERSATION = ("messages", "input")
"""The field of a body that holds its rows."""


def bridged(rows: Rows) -> Iterator[Row]:
    """Put an answer before a user's message that stands behind a result or another one.

    Mistral demands it behind a result, and many templates of chats let the two sides alternate.
    """
    before: object = None
    for row in rows:
        if before in {"tool", "user"} and row.get("role") == "user":
            yield {"role": "assistant", "content": READ}
        yield row
        before = row.get("role")


def mended_rows(body: dict[str, object], mends: Collection[Mend]) -> dict[str, object]:
    """Return a body with its conversation as the mends say."""
    name = next((each for each in CONVERSATION if isinstance(body.get(each), list)), None)
    if name is None:
        return body
    rows = cast("list[Row]", body[name])
    for mend in mends:
        rows = list(_MENDED[mend.way](rows, mend)) if mend.way in _MENDED else rows
    return {**body, name: rows}


def _in_turns(rows: Rows, mend: Mend) -> Iterator[Row]:
    """Let the other side say a word where one speaks twice; the user begins and ends."""
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


def _joined(one: object, other: object) -> object:
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
    """Send system texts as the developer's or the user's; one that precedes a user's joins it."""
    held: Row | None = None
    for row in rows:
        if _is_system(row):
            told = {**row, "role": mend.to}
            held = told if held is None else {**held, "content": _joined(*_both(held, told))}
            continue
        if held is None:
            yield row
        elif mend.to == "user" == row.get("role"):
            yield {**row, "content": _joined(*_both(held, row))}
        else:
            yield from (held, row)
        held = None
    if held is not None:
        yield held


def _both(one: Row, other: Row) -> tuple[object, object]:
    return one["content"], other["content"]


def _filled(rows: Rows, mend: Mend) -> Iterator[Row]:
    """Put a word where a message says nothing."""
    del mend
    for row in rows:
        content = row.get("content", EMPTY_TEXT)
        if isinstance(content, list):
            parts = [_filled_part(part) for part in cast("list[object]", content)]
            yield {**row, "content": parts}
        elif content is None or (isinstance(content, str) and not content.strip()):
            yield {**row, "content": EMPTY_TEXT}
        elif row.get("output") == "":
            yield {**row, "output": EMPTY_TEXT}
        else:
            yield row


def _filled_part(part: object) -> object:
    if not isinstance(part, dict):
        return part
    fields = cast("Row", part)
    blank = [name for name in ("text", "content") if fields.get(name) == ""]
    return {**fields, **dict.fromkeys(blank, EMPTY_TEXT)}


def _given(rows: Rows, mend: Mend) -> Iterator[Row]:
    """Let calls carry what a server wants with each of them."""
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
        yield cast("Row", respelled(row, lambda call_id: id_of_form(call_id, mend.to)))


def respelled(value: object, spell: Callable[[str], str]) -> object:
    """Spell every id of a call anew: of calls and of their results, in any dialect."""
    if isinstance(value, list):
        return [respelled(each, spell) for each in cast("list[object]", value)]
    if not isinstance(value, dict):
        return value
    fields = cast("Row", value)
    own = fields.get("type") in {"function", "tool_use"}
    found = {
        name: spell(each)
        for name, each in fields.items()
        if isinstance(each, str) and (name in ID_FIELDS or (name == "id" and own))
    }
    inner = {n: respelled(fields[n], spell) for n in ("content", "tool_calls") if n in fields}
    return {**fields, **inner, **found}


_MENDED: dict[str, Callable[[Rows, Mend], Iterator[Row]]] = {
    "turns": _in_turns,
    "system": _system_as,
    "filled": _filled,
    "give": _given,
    "ids": _with_ids,
}
