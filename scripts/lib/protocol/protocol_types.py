"""A JSON Schema of the wire as a type expression: TypeScript, and what docs/wire.md prints."""

import json
from collections.abc import Callable
from typing import Any

Schema = dict[str, Any]

PRIMITIVES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}


def reference(schema: Schema) -> str:
    """The name that a `$ref` points to."""
    return schema["$ref"].rpartition("/")[2]


def expression(schema: Schema, any_string: str) -> str:
    """The type of a schema; `any_string` is what an open choice adds to its members.

    Raises:
        ValueError: The schema has a form that no model of the wire has had so far.
    """
    for key, render in RENDERERS.items():
        if key in schema:
            return render(schema, any_string)
    if not schema.keys() - {"default", "description"}:
        return "unknown"
    raise ValueError(f"no type for {json.dumps(schema)}")


def _const(schema: Schema, _: str) -> str:
    return json.dumps(schema["const"])


def _enum(schema: Schema, _: str) -> str:
    return " | ".join(json.dumps(member) for member in schema["enum"])


def _reference(schema: Schema, _: str) -> str:
    return reference(schema)


def _one_of(schema: Schema, any_string: str) -> str:
    return " | ".join(expression(member, any_string) for member in schema["oneOf"])


def _any_of(schema: Schema, any_string: str) -> str:
    members = schema["anyOf"]
    is_open = members[-1] == {"type": "string"} and any("$ref" in each for each in members)
    closed = members[:-1] if is_open else members
    names = [expression(member, any_string) for member in closed]
    return " | ".join([*names, any_string] if is_open else names)


def _typed(schema: Schema, any_string: str) -> str:
    kind = schema["type"]
    if "prefixItems" in schema:
        return f"[{', '.join(expression(each, any_string) for each in schema['prefixItems'])}]"
    if kind == "array":
        return f"{_grouped(expression(schema['items'], any_string))}[]"
    if kind == "object":
        return "Record<string, unknown>"
    return "null" if kind == "null" else PRIMITIVES[kind]


def _grouped(text: str) -> str:
    return f"({text})" if " | " in text else text


# Asked in this order: a constant also has a type, a reference may have a default beside it.
RENDERERS: dict[str, Callable[[Schema, str], str]] = {
    "const": _const,
    "enum": _enum,
    "$ref": _reference,
    "oneOf": _one_of,
    "anyOf": _any_of,
    "type": _typed,
}
