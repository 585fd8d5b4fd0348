"""Applies mends to the fields of a body: left out, renamed or limited. Pure."""

from collections.abc import Collection, Iterator, Mapping
from typing import cast

from plimsoll.providers.mends.mend import Mend

Body = dict[str, object]

OUTPUT_FIELDS = ("max_tokens", "max_completion_tokens", "max_output_tokens")
"""The dialects' names for the most tokens of an answer."""
OPTIONAL = frozenset(
    {
        *("stream_options", "tool_choice", "prompt_cache_key", "store", "include", "strict"),
        *("cache_control", "ttl", "detail", "phase", "reasoning_content", "reasoning"),
        *("reasoning_text", "reasoning_opaque", "reasoning_details", "extra_content"),
        *("thought_signature", "thinking_blocks", "provider_specific_fields", "signature"),
        *OUTPUT_FIELDS,
    }
)
"""Optional fields of a request; fields of tool schemas are added to them."""
OF_SCHEMAS = frozenset({"type", "properties", "items", "enum"})
"""Required fields of a schema."""
NAMED = frozenset({"properties", "$defs", "definitions", "patternProperties"})
"""Places in a schema whose keys are chosen names, not fields."""
SCHEMAS = frozenset({"parameters", "input_schema"})


def sent_fields(body: Mapping[str, object]) -> frozenset[str]:
    """Return the optional fields that a body has."""
    plain = {name for name in _names(body) if name in OPTIONAL}
    inner = {name for schema in _schemas(body) for name in _names(schema)} - OF_SCHEMAS
    return frozenset(plain | inner)


def sent_number(body: Mapping[str, object], names: Collection[str]) -> int | None:
    """Return the number in the first of these fields that a body has."""
    found = (body.get(name) for name in names)
    return next((each for each in found if isinstance(each, int)), None)


def mend_body(body: Body, mends: Collection[Mend]) -> Body:
    """Apply mends to the fields of a body."""
    for mend in mends:
        if mend.way == "spell" and mend.what in body:
            body = {mend.to if name == mend.what else name: each for name, each in body.items()}
    for mend in mends:
        if mend.way == "cap":
            body = {name: _cap(name, each, int(mend.to)) for name, each in body.items()}
    gone = frozenset(mend.what for mend in mends if mend.way == "omit")
    return cast("Body", _without(body, gone)) if gone else body


def _cap(name: str, value: object, most: int) -> object:
    limits = name in OUTPUT_FIELDS and isinstance(value, int)
    return min(value, most) if limits and isinstance(value, int) else value


def _without(value: object, gone: frozenset[str], *, named: bool = False) -> object:
    """Remove the fields ``gone`` at any depth, except where keys are names, as of parameters."""
    if isinstance(value, list):
        return [_without(each, gone) for each in cast("list[object]", value)]
    if not isinstance(value, dict):
        return value
    members = cast("dict[str, object]", value)
    return {
        name: each
        if _is_given(name, each)
        else _without(each, gone, named=not named and name in NAMED)
        for name, each in members.items()
        if named or name not in gone
    }


def _is_given(name: str, value: object) -> bool:
    """Tell whether a value is the arguments of a call, which must not be changed."""
    return name in {"input", "arguments"} and isinstance(value, dict)


def _names(value: object, *, named: bool = False) -> Iterator[str]:
    if isinstance(value, list):
        for each in cast("list[object]", value):
            yield from _names(each)
    elif isinstance(value, dict):
        for name, each in cast("dict[str, object]", value).items():
            if not named:
                yield name
            if name not in SCHEMAS and not _is_given(name, each):
                yield from _names(each, named=not named and name in NAMED)


def _schemas(value: object) -> Iterator[object]:
    if isinstance(value, list):
        for each in cast("list[object]", value):
            yield from _schemas(each)
    elif isinstance(value, dict):
        for name, each in cast("dict[str, object]", value).items():
            if name in SCHEMAS:
                yield each
            elif name in {"tools", "function"}:
                yield from _schemas(each)
