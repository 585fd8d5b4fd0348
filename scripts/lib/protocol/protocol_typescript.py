"""The wire as TypeScript: its types, its methods with their types, and the commands."""

import json
from collections.abc import Iterator
from typing import Any

from protocol_types import Schema, expression, reference

HEADER = "// Generated from server/plimsoll/lsp/wire by scripts/lib/protocol/generate.py.\n"

# Any other string, without swallowing the known ones: editors still complete them.
ANY_STRING = "(string & Record<never, never>)"


def types(schema: Schema) -> str:
    """Every shape of the wire, and the commands: no import, so that a webview can use it."""
    definitions = [_definition(name, body) for name, body in schema["$defs"].items()]
    return "\n".join([HEADER, *definitions, *_commands(schema)])


def methods(schema: Schema) -> str:
    """A typed request or notification for every method."""
    table = schema["x-methods"]
    names = sorted({reference(entry[side]) for entry in table.values() for side in _sides(entry)})
    return "\n".join(
        [
            HEADER,
            'import { NotificationType, RequestType } from "vscode-languageserver-protocol";',
            f'import type {{\n{_lines(names)}}} from "./protocol";',
            "",
            *[_method(name, entry) for name, entry in table.items()],
        ]
    )


def _commands(schema: Schema) -> list[str]:
    ids = {name.rpartition(".")[2]: name for name in schema["x-commands"]}
    return [
        f"export const PROTOCOL_VERSION = {schema['x-protocolVersion']};",
        "",
        "/** What `workspace/executeCommand` offers. */",
        f"export const SERVER_COMMANDS = {{\n{_entries(ids)}}} as const;",
        "",
        "/** A slash command; it is served when its `command` is, or when it has none. */",
        "export interface SlashCommand {",
        "  name: string;",
        "  arguments: string;",
        "  /** Whether it says something without arguments. */",
        "  alone: boolean;",
        "  help: string;",
        "  command?: string;",
        "}",
        "",
        "export const SLASH_COMMANDS: readonly SlashCommand[] = [",
        *[f"  {_literal(entry)}," for entry in schema["x-slashCommands"]],
        "];",
        "",
    ]


def _definition(name: str, schema: Schema) -> str:
    comment = _comment(schema.get("description"))
    if "properties" not in schema:
        return f"{comment}export type {name} = {expression(schema, ANY_STRING)};\n"
    if not schema["properties"]:
        return f"{comment}export type {name} = Record<string, never>;\n"
    return f"{comment}export interface {name} {{\n{''.join(_fields(schema))}}}\n"


def _fields(schema: Schema) -> Iterator[str]:
    required = schema.get("required", ())
    for name, body in schema["properties"].items():
        mark = "" if name in required else "?"
        yield f"  {name}{mark}: {expression(body, ANY_STRING)};\n"


def _comment(text: str | None) -> str:
    if text is None:
        return ""
    lines = text.splitlines()
    if len(lines) == 1:
        return f"/** {text} */\n"
    return "/**\n" + "".join(f" * {line}".rstrip() + "\n" for line in lines) + " */\n"


def _sides(entry: dict[str, Any]) -> list[str]:
    return [side for side in ("params", "result") if side in entry]


def _method(name: str, entry: dict[str, Any]) -> str:
    arguments = ", ".join(reference(entry[side]) for side in _sides(entry))
    if entry["kind"] == "request":
        kind, arguments = "Request", f"{arguments}, void"
    else:
        kind = "Notification"
    constant = "".join(_capital(word) for word in name.split("/")[1:]) + kind
    value = f"new {kind}Type<{arguments}>({json.dumps(name)})"
    return f"{_comment(entry['help'])}export const {constant} = {value};\n"


def _capital(word: str) -> str:
    return word[0].upper() + word[1:]


def _lines(names: list[str]) -> str:
    return "".join(f"  {name},\n" for name in names)


def _entries(values: dict[str, str]) -> str:
    return "".join(f"  {name}: {json.dumps(value)},\n" for name, value in values.items())


def _literal(values: dict[str, str]) -> str:
    return "{ " + ", ".join(f"{key}: {json.dumps(text)}" for key, text in values.items()) + " }"
