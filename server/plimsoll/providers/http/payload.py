"""Decoded JSON of a provider, read with care: nothing in it can be relied upon."""

import json
from collections.abc import Mapping
from typing import cast

from plimsoll.errors import ProviderAnswer
from plimsoll.providers.http.faults import Site, quoted

Json = Mapping[str, object]
EMPTY: Json = {}


def decoded(data: str, site: Site) -> Json:
    """The object that an event holds.

    Raises:
        ProviderAnswer: It holds none.
    """
    try:
        content: object = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _broken("an event that is no JSON", data, site) from error
    if not isinstance(content, dict):
        raise _broken("an event that is no object", data, site)
    return cast("Json", content)


def _broken(what: str, data: str, site: Site) -> ProviderAnswer:
    return ProviderAnswer(
        f"{site.shown} sent {what}: {quoted(data, site)}",
        remedy="Send the message again; if it stays, check that model.base_url is the right API.",
    )


def object_at(value: object) -> Json:
    """An object, or an empty one."""
    return cast("Json", value) if isinstance(value, dict) else EMPTY


def objects_at(value: object) -> list[Json]:
    """The objects of a list."""
    items = cast("list[object]", value) if isinstance(value, list) else []
    return [cast("Json", item) for item in items if isinstance(item, dict)]


def text_at(value: object) -> str:
    """A text, or the texts of a list of parts."""
    if isinstance(value, str):
        return value
    return "".join(part for item in objects_at(value) if isinstance(part := item.get("text"), str))


def count_at(value: object) -> int:
    """A number of tokens; 0 for anything that is none."""
    return value if isinstance(value, int) and value > 0 else 0
