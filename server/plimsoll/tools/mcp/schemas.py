"""Simplifies a server's JSON Schema to one of bounded size that every provider takes. Pure.

What is left out makes a schema wider, never narrower: a call that the server would take is not
refused here.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

MOST_CHARACTERS = 20_000
"""Of a schema as JSON; a larger one loses its descriptions, then all but the names."""
MOST_SENT = 200_000
"""Of a schema as the server sent it; of a larger one only the names are read."""
_DEEPEST = 12
_MOST_NODES = 2_000
_CHARACTERS_OF_NODE = 1_000
"""So many more of a node count as one more: references can repeat one without end."""
_MOST_KEYWORDS = 100
_LONGEST_REFERENCE = 500
_CHOICES = ("anyOf", "oneOf", "allOf")
_OF_ONE = ("items", "contains", "propertyNames")
_KEPT = frozenset(
    {
        *("type", "title", "description", "enum", "const", "default", "examples", "format"),
        *("pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum"),
        *("exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems", "minProperties"),
        *("maxProperties", "required"),
    }
)
_TYPES = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})
Schema = dict[str, object]


def simplify(sent: object) -> Schema:
    """Return a schema of an object, without references, booleans and a choice at the top."""
    if _is_huge(sent):
        return _names_alone(_mapping(sent))
    whole = _Simplifier(sent).object_schema()
    if _size(whole) <= MOST_CHARACTERS:
        return whole
    bare = _without_words(whole)
    return bare if _size(bare) <= MOST_CHARACTERS else _names_alone(whole)


class _Simplifier:
    """Simplifies one schema, whose definitions its references name."""

    def __init__(self, sent: object) -> None:
        self._root = sent
        self._left = _MOST_NODES

    def object_schema(self) -> Schema:
        found = self._simplify(self._root, 0)
        merged = _merge_choices(found)
        properties = _mapping(merged.get("properties"))
        required = [name for name in _names(merged.get("required")) if name in properties]
        kept = {name: merged[name] for name in ("description", "title") if name in merged}
        result: Schema = {"type": "object", **kept, "properties": properties}
        if required:
            result["required"] = required
        if merged.get("additionalProperties") is False:
            result["additionalProperties"] = False
        return result

    def _simplify(self, sent: object, depth: int) -> Schema:
        self._left -= 1
        # Also a boolean becomes any: what is forbidden by one, the server refuses.
        schema = self._resolve(_mapping(sent) if depth <= _DEEPEST and self._left > 0 else {})
        result: Schema = {name: schema[name] for name in schema if name in _KEPT}
        _keep_known_types(result)
        self._left -= _size(result) // _CHARACTERS_OF_NODE
        if "properties" in schema:
            named = _mapping(schema["properties"])
            result["properties"] = {
                name: self._simplify(one, depth + 1)
                for name, one in named.items()
                if one is not False
            }
        for name in _OF_ONE:
            if name in schema and not isinstance(schema[name], bool):
                result[name] = self._simplify(schema[name], depth + 1)
        if "prefixItems" in schema and "items" not in result:
            result["items"] = {}
        for name in _CHOICES:
            if choices := _sequence(schema.get(name)):
                result[name] = [self._simplify(one, depth + 1) for one in choices]
        if "additionalProperties" in schema:
            more = schema["additionalProperties"]
            plain = isinstance(more, bool)
            result["additionalProperties"] = more if plain else self._simplify(more, depth + 1)
        return result

    def _resolve(self, schema: Mapping[str, object]) -> Mapping[str, object]:
        """Put what a reference names in its place; a chain of them ends."""
        for _ in range(_DEEPEST):
            reference = schema.get("$ref")
            if not isinstance(reference, str):
                return schema
            self._left -= 1
            beside = {name: value for name, value in schema.items() if name != "$ref"}
            schema = {**_mapping(self._look_up(reference)), **beside}
        return {name: value for name, value in schema.items() if name != "$ref"}

    def _look_up(self, reference: str) -> object:
        if not reference.startswith("#") or len(reference) > _LONGEST_REFERENCE or self._left <= 0:
            return {}
        found = self._root
        for step in reference[1:].split("/")[1:]:
            if not isinstance(found, Mapping):
                return {}
            name = step.replace("~1", "/").replace("~0", "~")
            found = cast("Mapping[str, object]", found).get(name)
        schema = cast("Mapping[str, object]", found if isinstance(found, Mapping) else {})
        # No schema has so many keywords: it would be copied for each reference.
        return schema if len(schema) <= _MOST_KEYWORDS else {}


def _merge_choices(schema: Schema) -> Schema:
    """Merge the alternatives at the top (``anyOf`` and others) into the schema itself."""
    properties = dict(_mapping(schema.get("properties")))
    required = set(_names(schema.get("required")))
    closed = schema.get("additionalProperties")
    for kind in _CHOICES:
        choices = [_merge_choices(_mapping(one)) for one in _sequence(schema.get(kind))]
        for name, value in _properties_of(choices, whole=kind == "allOf").items():
            properties.setdefault(name, value)
        each = [frozenset(_names(one.get("required"))) for one in choices]
        if each:
            needed = frozenset[str].union if kind == "allOf" else frozenset[str].intersection
            required |= needed(*each)
            closed = None
    ordered = [name for name in properties if name in required]
    rest = {name: value for name, value in schema.items() if name not in _CHOICES}
    merged: Schema = {**rest, "properties": properties, "required": ordered}
    merged["additionalProperties"] = closed
    return merged


def _properties_of(choices: Sequence[Schema], *, whole: bool) -> dict[str, object]:
    """Join the properties of choices; ``whole``: all choices hold, so one of each name will do."""
    named = [_mapping(one.get("properties")) for one in choices]
    joined: dict[str, object] = {}
    for name in dict.fromkeys(name for one in named for name in one):
        schemas = [one[name] for one in named if name in one]
        different = [one for at, one in enumerate(schemas) if one not in schemas[:at]]
        if len(schemas) < len(named) and {} not in different:
            # In a choice that does not name it, it may be anything.
            different.append({})
        joined[name] = different[0] if whole or len(different) == 1 else {"anyOf": different}
    return joined


def _keep_known_types(schema: Schema) -> None:
    named = schema.get("type")
    known = [one for one in (_sequence(named) or [named]) if isinstance(one, str) and one in _TYPES]
    if not known:
        schema.pop("type", None)
    elif not isinstance(named, str):
        schema["type"] = known
    if "required" in schema:
        schema["required"] = _names(schema["required"])
    if "enum" in schema and not _sequence(schema["enum"]):
        del schema["enum"]


def _without_words(schema: object) -> Schema:
    dropped = {"description", "title", "examples", "default"}

    def strip(value: object, *, is_schema: bool) -> object:
        if isinstance(value, Mapping):
            entries = cast("Mapping[str, object]", value).items()
            return {
                name: strip(one, is_schema=not is_schema or name != "properties")
                for name, one in entries
                if not is_schema or name not in dropped
            }
        if isinstance(value, list):
            return [strip(one, is_schema=is_schema) for one in cast("list[object]", value)]
        return value

    return cast("Schema", strip(schema, is_schema=True))


def _names_alone(schema: Schema) -> Schema:
    properties, size = dict[str, object](), 0
    for name in _mapping(schema.get("properties")):
        size += len(name) + 10
        if size > MOST_CHARACTERS // 2:
            break
        properties[name] = {}
    required = [name for name in _names(schema.get("required")) if name in properties]
    return {"type": "object", "properties": properties, "required": required}


def _is_huge(sent: object) -> bool:
    try:
        return len(json.dumps(sent, ensure_ascii=False, default=str)) > MOST_SENT
    except RecursionError:
        return True


def _size(schema: Mapping[str, object]) -> int:
    return len(json.dumps(schema, ensure_ascii=False, default=str))


def _mapping(value: object) -> dict[str, Any]:
    return dict(cast("Mapping[str, Any]", value)) if isinstance(value, Mapping) else {}


def _sequence(value: object) -> Sequence[object]:
    return cast("Sequence[object]", value) if isinstance(value, list | tuple) else ()


def _names(value: object) -> list[str]:
    return [name for name in _sequence(value) if isinstance(name, str)]
