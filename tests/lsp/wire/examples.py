"""One full example of every shape, made from the JSON Schema alone."""

from typing import Any

from plimsoll.lsp.wire.schema import json_schema

Schema = dict[str, Any]
SCHEMA: Schema = json_schema()
"""That of the whole wire; it takes a second to make."""

PLAIN = {"string": "text", "integer": 3, "number": 0.5, "boolean": True, "null": None}


def example(schema: Schema, definitions: dict[str, Schema], depth: int = 3) -> Any:
    """A value with every field given, as deep as `depth` references into itself."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return example(definitions[name], definitions, depth - 1)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    for union in ("oneOf", "anyOf"):
        if union in schema:
            return example(schema[union][0], definitions, depth)
    return _typed(schema, definitions, depth)


def _typed(schema: Schema, definitions: dict[str, Schema], depth: int) -> Any:
    kind = schema.get("type")
    if "prefixItems" in schema:
        return [example(each, definitions, depth) for each in schema["prefixItems"]]
    if kind == "array":
        return [example(schema["items"], definitions, depth)] if depth > 0 else []
    if kind == "object":
        fields = schema.get("properties", {})
        return {name: example(body, definitions, depth) for name, body in fields.items()}
    return PLAIN.get(kind, "anything")
