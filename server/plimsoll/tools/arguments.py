"""Arguments checked against a tool's own schema, with messages that a model can act on.

The part of JSON Schema that our schemas use: type, enum, minimum, maximum, minLength, maxLength,
items, properties, required. Unknown names are always refused.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from plimsoll.context.log.messages import ToolSchema
from plimsoll.errors import ToolFailed

Schema = Mapping[str, object]


def check_arguments(schema: ToolSchema, arguments: Mapping[str, object]) -> dict[str, object]:
    """Check the arguments against the schema; an optional one that is null is left out.

    Raises:
        ToolFailed: With every problem at once and the accepted names.
    """
    problems = list(_object_problems(schema.parameters, arguments, ""))
    if problems:
        names = ", ".join(_signature(schema.parameters))
        told = "; ".join(problems)
        raise ToolFailed(f"Bad arguments for {schema.name}: {told}. It takes {{{names}}}.")
    return {name: value for name, value in arguments.items() if value is not None}


def _signature(schema: Schema) -> Iterator[str]:
    required = _names(schema.get("required"))
    for name in _properties(schema):
        yield name if name in required else f"{name}?"


def _object_problems(schema: Schema, value: Mapping[str, object], at: str) -> Iterator[str]:
    properties = _properties(schema)
    required = _names(schema.get("required"))
    for name in required:
        if value.get(name) is None:
            yield f"{at}{name} is missing"
    for name, item in value.items():
        if name not in properties:
            yield f"there is no {at}{name}"
        elif item is not None:
            yield from _problems(properties[name], item, f"{at}{name}")


def _problems(schema: Schema, value: object, at: str) -> Iterator[str]:
    wanted = str(schema.get("type", "object"))
    if not _TYPES[wanted](value):
        yield f"{at} must be {_ARTICLE[wanted]}, not {_abbreviate(value)}"
    elif "enum" in schema and value not in cast(Sequence[object], schema["enum"]):
        options = ", ".join(map(str, cast(Sequence[object], schema["enum"])))
        yield f"{at} must be one of {options}, not {_abbreviate(value)}"
    else:
        yield from _DEEPER[wanted](schema, value, at)


def _string_problems(schema: Schema, value: object, at: str) -> Iterator[str]:
    text = cast(str, value)
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        yield f"{at} holds half a character (a lone surrogate)"
    shortest, longest = schema.get("minLength"), schema.get("maxLength")
    if isinstance(shortest, int) and len(text) < shortest:
        yield f"{at} must not be empty" if shortest == 1 else f"{at} needs {shortest} characters"
    if isinstance(longest, int) and len(text) > longest:
        yield f"{at} has {len(text)} characters, more than {longest}"


def _number_problems(schema: Schema, value: object, at: str) -> Iterator[str]:
    number = cast(float, value)
    lowest, highest = schema.get("minimum"), schema.get("maximum")
    if isinstance(lowest, (int, float)) and number < lowest:
        yield f"{at} must be at least {lowest}, not {number}"
    if isinstance(highest, (int, float)) and number > highest:
        yield f"{at} must be at most {highest}, not {number}"


def _array_problems(schema: Schema, value: object, at: str) -> Iterator[str]:
    items = cast(Schema, schema.get("items", {}))
    for index, item in enumerate(cast(Sequence[object], value)):
        yield from _problems(items, item, f"{at}[{index}]")


def _nested_problems(schema: Schema, value: object, at: str) -> Iterator[str]:
    yield from _object_problems(schema, cast(Mapping[str, object], value), f"{at}.")


def _no_problems(_schema: Schema, _value: object, _at: str) -> Iterator[str]:
    yield from ()


_TYPES: Mapping[str, Callable[[object], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}
_ARTICLE: Mapping[str, str] = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "array": "an array",
    "object": "an object",
}
_DEEPER: Mapping[str, Callable[[Schema, object, str], Iterator[str]]] = {
    "string": _string_problems,
    "integer": _number_problems,
    "number": _number_problems,
    "boolean": _no_problems,
    "array": _array_problems,
    "object": _nested_problems,
}


def _properties(schema: Schema) -> Mapping[str, Schema]:
    return cast(Mapping[str, Schema], schema.get("properties", {}))


def _names(value: object) -> Sequence[str]:
    return cast(Sequence[str], value or ())


def _abbreviate(value: object) -> str:
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
