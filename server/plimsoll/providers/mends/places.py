"""Finds the item that a refusal complains about, by its position in the request. Pure."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import cast

from plimsoll.context.log.messages import Message, Role
from plimsoll.providers.base import Request
from plimsoll.providers.http.refusals import Refusal
from plimsoll.providers.mends.conversation import CONVERSATION
from plimsoll.providers.mends.mend import Mend
from plimsoll.providers.mends.spelling import id_of_form, valid_id

PLACE = re.compile(r"\b(?:messages|input|contents)[.\[]+(\d+)\]?(?:[.\[](?:content)[.\[]+(\d+))?")
LEAST = 8
"""Least characters of an id or text by which a message is recognised in a refusal."""

_OF_RESULTS = frozenset({"tool_call_id", "tool_use_id"})
"""The fields of a row by which a result names its call, where its type does not say so."""


def item_at(
    refusal: Refusal, body: Mapping[str, object], request: Request, mends: Collection[Mend]
) -> str | None:
    """Return the item that a refusal names, by its position or by the id of a call.

    None if it names neither, or a text that nobody said. ``mends``: those applied to the body.
    """
    told = f"{refusal.field} {refusal.message}"
    found = PLACE.search(told)
    row = _row(body, int(found[1]), found[2]) if found else None
    named = (m for m in request.messages if row is not None and _is_from(m, row, mends))
    by_id = (
        m
        for m in request.messages
        if any(len(each) >= LEAST and each in told for each in _ids(m, mends))
    )
    message = next(named, None) or next(by_id, None)
    if message is None or message.framed or message.role is Role.SYSTEM or not message.items:
        return None
    return message.items[-1 if refusal.kind == "image" and message.images else 0]


def _row(body: Mapping[str, object], number: int, inner: str | None) -> object:
    rows = (body.get(name) for name in CONVERSATION)
    found = next((row for each in rows if (row := _at(each, number)) is not None), None)
    if found is None or inner is None:
        return found
    return _at(found.get("content"), int(inner)) or found


def _at(rows: object, number: int) -> Mapping[str, object] | None:
    listed = cast("list[object]", rows) if isinstance(rows, list) else []
    row = listed[number] if number < len(listed) else None
    return cast("Mapping[str, object]", row) if isinstance(row, dict) else None


def _is_from(message: Message, row: object, mends: Collection[Mend]) -> bool:
    """Tell whether a row was made of a message: by an id of a call, an image or its text."""
    told = set(_texts(row))
    # A call and its result have one id.
    if _is_result(row) == (message.call_id is not None) and told & _ids(message, mends):
        return True
    shown = any(image.data in text for image in message.images for text in told)
    return shown or bool(message.text and not message.call_id and message.text in told)


def _is_result(row: object) -> bool:
    """Tell whether a row is the result of a call, or a message with one among its parts."""
    if not isinstance(row, dict):
        return False
    fields = cast("Mapping[str, object]", row)
    own = fields.keys() & _OF_RESULTS or fields.get("type") == "function_call_output"
    parts = fields.get("content")
    listed = cast("list[object]", parts) if isinstance(parts, list) else []
    return bool(own) or any(map(_is_result, listed))


def _texts(row: object) -> Iterator[str]:
    if isinstance(row, list):
        for each in cast("list[object]", row):
            yield from _texts(each)
    elif isinstance(row, dict):
        for each in cast("Mapping[str, object]", row).values():
            yield from _texts(each)
    elif isinstance(row, str):
        yield row


def _ids(message: Message, mends: Collection[Mend]) -> set[str]:
    """Return the ids of a message's calls, in their own spelling and as sent."""
    own = {*(call.id for call in message.calls), message.call_id or ""} - {""}
    valid = {valid_id(each, characters=strict) for each in own for strict in (False, True)}
    forms = [mend.to for mend in mends if mend.way == "ids"]
    return own | valid | {id_of_form(each, form) for each in own | valid for form in forms}
