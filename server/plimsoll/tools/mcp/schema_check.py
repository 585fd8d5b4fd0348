"""Arguments checked against a server's own JSON Schema, with messages that a model can act on.

What is not known of JSON Schema is let pass: the server checks too.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

Schema = Mapping[str, object]
_MOST_TOLD = 8
_DEEPEST = 24
_TYPES: Mapping[str, Callable[[object], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: (
        (isinstance(value, int) and not isinstance(value, bool))
        or (isinstance(value, float) and value.is_integer())
    ),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}


def problems_of(schema: Schema, arguments: Mapping[str, object]) -> list[str]:
    """Return what is wrong with the arguments of a call, at most a few things."""
    found: list[str] = []
    for problem in _problems(schema, arguments, "", 0):
        found.append(problem)
        if len(found) == _MOST_TOLD:
            break
    return found


def without_nulls(schema: Schema, arguments: Mapping[str, object]) -> dict[str, object]:
    """Return the arguments without those that are null, optional, and may not be null."""
    properties, required = _properties(schema), _list(schema.get("required"))
    return {
        name: value
        for name, value in arguments.items()
        if value is not None
        or name in required
        or not list(_problems(_schema(properties.get(name)), None, name, 1))
    }


def signature(schema: Schema) -> str:
    """Name the arguments that a schema takes, an optional one with a question mark."""
    required = _list(schema.get("required"))
    names = (name if name in required else f"{name}?" for name in _properties(schema))
    return f"{{{', '.join(names)}}}"


def _problems(schema: Schema, value: object, at: str, depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        return
    types = schema.get("type")
    wanted = [types] if isinstance(types, str) else [str(each) for each in _list(types)]
    known = [each for each in wanted if each in _TYPES]
    if known and not any(_TYPES[each](value) for each in known):
        yield f"{at or 'arguments'} must be {' or '.join(known)}, not {_short(value)}"
        return
    if "enum" in schema and value not in _list(schema["enum"]):
        options = ", ".join(_short(each) for each in _list(schema["enum"])[:20])
        yield f"{at} must be one of {options}, not {_short(value)}"
    elif "const" in schema and value != schema["const"]:
        yield f"{at} must be {_short(schema['const'])}, not {_short(value)}"
    yield from _choice_problems(schema, value, at, depth)
    if isinstance(value, str):
        yield from _bounds(schema, len(value), ("minLength", "maxLength"), f"the length of {at}")
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from _bounds(schema, value, ("minimum", "maximum"), at)
    elif isinstance(value, list):
        yield from _array_problems(schema, cast("list[object]", value), at, depth)
    elif isinstance(value, Mapping):
        yield from _object_problems(schema, cast("Mapping[str, object]", value), at, depth)


def _choice_problems(schema: Schema, value: object, at: str, depth: int) -> Iterator[str]:
    for part in _list(schema.get("allOf")):
        yield from _problems(_schema(part), value, at, depth + 1)
    for word in ("anyOf", "oneOf"):
        choices = [_schema(each) for each in _list(schema.get(word))]
        tried = [list(_problems(choice, value, at, depth + 1)) for choice in choices]
        if tried and all(tried):
            yield min(tried, key=len)[0]


def _array_problems(schema: Schema, value: list[object], at: str, depth: int) -> Iterator[str]:
    yield from _bounds(schema, len(value), ("minItems", "maxItems"), f"the length of {at}")
    items = _schema(schema.get("items"))
    for index, item in enumerate(value):
        yield from _problems(items, item, f"{at}[{index}]", depth + 1)


def _object_problems(
    schema: Schema, value: Mapping[str, object], at: str, depth: int
) -> Iterator[str]:
    properties, inside = _properties(schema), f"{at}." if at else ""
    for name in _list(schema.get("required")):
        if name not in value:
            yield f"{inside}{name} is missing"
    more = schema.get("additionalProperties")
    for name, item in value.items():
        if name in properties:
            yield from _problems(_schema(properties[name]), item, f"{inside}{name}", depth + 1)
        elif more is False:
            yield f"there is no {inside}{name[:80]}"
        elif isinstance(more, Mapping):
            yield from _problems(cast(Schema, more), item, f"{inside}{name[:80]}", depth + 1)


def _bounds(schema: Schema, size: float, names: tuple[str, str], what: str) -> Iterator[str]:
    lowest, highest = (schema.get(name) for name in names)
    if isinstance(lowest, (int, float)) and size < lowest:
        yield f"{what} must be at least {lowest}, not {size}"
    if isinstance(highest, (int, float)) and size > highest:
        yield f"{what} must be at most {highest}, not {size}"


def _properties(schema: Schema) -> Mapping[str, object]:
    found = schema.get("properties")
    return cast("Mapping[str, object]", found) if isinstance(found, Mapping) else {}


def _schema(value: object) -> Schema:
    return cast(Schema, value) if isinstance(value, Mapping) else {}


def _list(value: object) -> Sequence[object]:
    return cast("Sequence[object]", value) if isinstance(value, (list, tuple)) else ()


def _short(value: object) -> str:
    text = json.dumps(value, default=str)
    return text if len(text) <= 60 else f"{text[:60]}…"
