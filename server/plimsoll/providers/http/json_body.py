"""JSON of a vendor: written for it, and read with care, since nothing in it can be relied upon."""

import json
from collections.abc import Mapping
from typing import cast

from plimsoll.context.log.messages import clean
from plimsoll.errors import Fix, ProviderAnswer
from plimsoll.providers.http.site import Site, clean_quote

Json = Mapping[str, object]
EMPTY: Json = {}
Body = dict[str, object]
"""A JSON object that is being written."""


def encode_body(body: Body) -> bytes:
    """Encode the body of a request: the same object gives the same bytes, all valid Unicode."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return clean(text).encode()


def decode_event(data: str, site: Site) -> Json:
    """Decode the JSON object of an event.

    Raises:
        ProviderAnswer: The event is not a JSON object.
    """
    try:
        content: object = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _not_json_error("an event that is not JSON", data, site) from error
    if not isinstance(content, dict):
        raise _not_json_error("an event that is no object", data, site)
    return cast("Json", content)


def _not_json_error(what: str, data: str, site: Site) -> ProviderAnswer:
    return ProviderAnswer(
        f"{site.shown} sent {what}: {clean_quote(data, site)}",
        remedy="Send the message again; if it stays, check that model.base_url is the right API.",
        fix=Fix(kind="address", setting="model.base_url", advice="Send the message again."),
    )


def object_at(value: object) -> Json:
    """Return the value if it is an object, else an empty one."""
    return cast("Json", value) if isinstance(value, dict) else EMPTY


def objects_at(value: object) -> list[Json]:
    """Return the objects in a list."""
    items = cast("list[object]", value) if isinstance(value, list) else []
    return [cast("Json", item) for item in items if isinstance(item, dict)]


def text_at(value: object) -> str:
    """Return a text, or the joined texts of a list of parts."""
    if isinstance(value, str):
        return value
    if not value:
        return ""
    return "".join(part for item in objects_at(value) if isinstance(part := item.get("text"), str))


def count_at(value: object) -> int:
    """Parse a number of tokens, even as a decimal or text; 0 for anything else."""
    if isinstance(value, str) and value.isdecimal() and len(value) <= LONGEST_COUNT:
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    return int(value) if 0 < value < 10**LONGEST_COUNT else 0


LONGEST_COUNT = 12
"""Digits; a longer number is not a count of tokens."""
