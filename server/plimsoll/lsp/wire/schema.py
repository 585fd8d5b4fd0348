"""The wire as one JSON Schema document with a table of methods."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic.json_schema import (
    GenerateJsonSchema,
    JsonSchemaMode,
    JsonSchemaValue,
    models_json_schema,
)
from pydantic_core import core_schema
from typing_extensions import override

from plimsoll.lsp.wire.base import Wire
from plimsoll.lsp.wire.commands import COMMANDS, SLASH_COMMANDS, SlashCommand
from plimsoll.lsp.wire.failures import ERROR_KINDS, ErrorData
from plimsoll.lsp.wire.methods import METHODS, NOTIFICATIONS, PROTOCOL_VERSION
from plimsoll.lsp.wire.methods.method import Method
from plimsoll.lsp.wire.service import (
    CommandResult,
    InitializationOptions,
    PlimsollServerCapabilities,
    SendParams,
)

_References = Mapping[tuple[Any, JsonSchemaMode], JsonSchemaValue]

# Models that cross the wire outside of our own methods: in initialize, commands and errors.
_BESIDE_METHODS: tuple[tuple[type[Wire], JsonSchemaMode], ...] = (
    (InitializationOptions, "validation"),
    (PlimsollServerCapabilities, "serialization"),
    (SendParams, "validation"),
    (CommandResult, "serialization"),
    (ErrorData, "serialization"),
)


class _Schema(GenerateJsonSchema):
    """Makes schemas as the wire means them: null is absent, a tag is always there."""

    @override
    def field_title_should_be_set(self, schema: Any) -> bool:
        """Return false: titled fields would each become a type of their own in generated code."""
        return False

    @override
    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        """Drop null from the schema: a field that may be None is a field that may be absent."""
        return self.generate_inner(schema["schema"])

    @override
    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        """Keep the default in the schema, unless that is absence or the only value there is."""
        inner = self.generate_inner(schema["schema"])
        if schema.get("default") is None or "const" in inner:
            return inner
        return super().default_schema(schema)

    @override
    def field_is_required(
        self,
        field: core_schema.ModelField | core_schema.DataclassField | core_schema.TypedDictField,
        total: bool,
    ) -> bool:
        """Tell whether a field is required: as declared, and the tag of a union always."""
        return _is_tag(field["schema"]) or super().field_is_required(field, total)


def json_schema() -> dict[str, Any]:
    """Build the schema: `x-protocolVersion`, `x-methods`, commands, error kinds and `$defs`."""
    refs, document = models_json_schema(
        list(dict.fromkeys(_models())),
        ref_template="#/$defs/{model}",
        title="PlimsollProtocol",
        schema_generator=_Schema,
    )
    return {
        "$schema": _Schema.schema_dialect,
        "title": document["title"],
        "x-protocolVersion": PROTOCOL_VERSION,
        "x-methods": {name: _entry(method, refs) for name, method in METHODS.items()},
        "x-commands": {
            command.id: {"method": command.method, "help": command.help}
            for command in COMMANDS.values()
        },
        "x-slashCommands": [_slash_entry(slash) for slash in SLASH_COMMANDS],
        "x-errorKinds": dict(ERROR_KINDS),
        "$defs": document["$defs"],
    }


def _models() -> Iterator[tuple[type[Wire], JsonSchemaMode]]:
    for method in METHODS.values():
        yield method.params, _params_mode(method)
        if method.result is not None:
            yield method.result, "serialization"
    yield from _BESIDE_METHODS


def _params_mode(method: Method) -> JsonSchemaMode:
    """Describe as written what the server sends, and as read what it receives."""
    return "serialization" if method in NOTIFICATIONS.values() else "validation"


def _entry(method: Method, refs: _References) -> dict[str, Any]:
    entry = {
        "direction": method.direction,
        "kind": method.kind,
        "help": method.help,
        "params": refs[method.params, _params_mode(method)],
    }
    if method.result is not None:
        entry["result"] = refs[method.result, "serialization"]
    return entry


def _slash_entry(slash: SlashCommand) -> dict[str, str | bool]:
    entry: dict[str, str | bool] = {
        "name": slash.name,
        "arguments": slash.arguments,
        "alone": slash.alone,
        "help": slash.help,
    }
    return entry if slash.command is None else {**entry, "command": slash.command}


def _is_tag(schema: Any) -> bool:
    inner = schema.get("schema", {})
    return inner.get("type") == "literal" and len(inner["expected"]) == 1
