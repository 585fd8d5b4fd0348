"""The wire as docs/wire.md: what the author of a client reads."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from protocol_types import Schema, expression, reference

from plimsoll.lsp.wire.failures import ERROR_CODES

HEADER = "<!-- Generated from server/plimsoll/lsp/wire by scripts/lib/protocol/generate.py. -->\n"

TEMPLATE = Path(__file__).with_name("wire.template.md")

AREAS = {
    "session": "Sessions",
    "context": "Context",
    "pin": "Pins",
    "memory": "Memories",
}
REMAINING_AREA = "Project, models and status"


def document(schema: Schema) -> str:
    """The whole page: the template with a section of the schema at every marker."""
    text = TEMPLATE.read_text(encoding="utf-8")
    for marker, section in _sections(schema).items():
        text = text.replace(f"<!-- {marker} -->", section)
    return HEADER + "\n" + text.rstrip() + "\n"


def _sections(schema: Schema) -> dict[str, str]:
    methods: dict[str, Any] = schema["x-methods"]
    from_client = _select(methods, "notification", "clientToServer")
    to_client = _select(methods, "request", "serverToClient")
    notifications = _select(methods, "notification", "serverToClient")
    codes = ((f"{code}", text) for code, text in ERROR_CODES.items())
    return {
        "version": str(schema["x-protocolVersion"]),
        "requests": _requests(schema, _select(methods, "request", "clientToServer")),
        "client notifications": _method_table(schema, from_client),
        "server requests": _method_table(schema, to_client),
        "notifications": _method_table(schema, notifications),
        "error codes": _table(("code", "when"), codes),
        "error kinds": _table(("kind", "when"), _quoted(schema["x-errorKinds"].items())),
        "commands": _table(("command", "method", "does"), _command_rows(schema)),
        "slash commands": _table(("command", "does"), _slash_rows(schema)),
        "choices": _table(("choice", "members"), _choice_rows(schema)),
        "shapes": "\n".join(_shapes(schema)),
    }


def _select(methods: dict[str, Any], kind: str, direction: str) -> dict[str, Any]:
    return {
        name: entry
        for name, entry in methods.items()
        if entry["kind"] == kind and entry["direction"] == direction
    }


def _requests(schema: Schema, methods: dict[str, Any]) -> str:
    areas: dict[str, dict[str, Any]] = {}
    for name, entry in methods.items():
        area = AREAS.get(name.split("/")[1], REMAINING_AREA)
        areas.setdefault(area, {})[name] = entry
    return "\n".join(
        f"### {area}\n\n{_method_table(schema, entries)}" for area, entries in areas.items()
    )


def _method_table(schema: Schema, methods: dict[str, Any]) -> str:
    sides = [
        side for side in ("params", "result") if any(side in each for each in methods.values())
    ]
    rows = (
        (f"`{name}`", *(_signature(schema, entry[side]) for side in sides), entry["help"])
        for name, entry in methods.items()
    )
    return _table(("method", *sides, "does"), rows)


def _signature(schema: Schema, where: Schema) -> str:
    """The fields of params or a result; a shape with a name of its own is linked instead."""
    name = reference(where)
    fields = _fields(schema["$defs"][name])
    if name in _named_shapes(schema):
        return _link(name)
    return "`{" + ", ".join(fields) + "}`"


def _fields(definition: Schema) -> list[str]:
    required = definition.get("required", ())
    return [
        _field(name + ("" if name in required else "?"), expression(body, "string"))
        for name, body in definition["properties"].items()
    ]


def _field(name: str, kind: str) -> str:
    return name if kind in {"string", "number"} else f"{name}: {kind}"


def _named_shapes(schema: Schema) -> list[str]:
    """Definitions that are more than the params or the result of a method."""
    suffixes = ("Params", "Result", "Owner")
    return [
        name
        for name, body in schema["$defs"].items()
        if body.get("properties")
        and (not name.endswith(suffixes) or name in {"SendParams", "CommandResult"})
    ]


def _shapes(schema: Schema) -> Iterator[str]:
    for name, body in schema["$defs"].items():
        if "oneOf" in body:
            yield f"### {name}\n"
            yield f"One of {', '.join(_link(reference(each)) for each in body['oneOf'])}.\n"
    for name in _named_shapes(schema):
        yield from _shape(name, schema["$defs"][name])


def _shape(name: str, body: Schema) -> Iterator[str]:
    required = body.get("required", ())
    lines = [
        f"  {field}{'' if field in required else '?'}: {expression(kind, 'string')};"
        for field, kind in body["properties"].items()
    ]
    yield f"### {name}\n"
    yield body["description"] + "\n"
    yield "\n".join(["```ts", "{", *lines, "}", "```", ""])


def _link(name: str) -> str:
    return f"[`{name}`](#{name.lower()})"


def _choice_rows(schema: Schema) -> Iterator[tuple[str, str]]:
    for name, body in schema["$defs"].items():
        if "enum" in body:
            yield f"`{name}`", ", ".join(f"`{member}`" for member in body["enum"])


def _command_rows(schema: Schema) -> Iterator[tuple[str, str, str]]:
    for name, entry in schema["x-commands"].items():
        method = f"`{entry['method']}`" if entry["method"] else ""
        yield f"`{name}`", method, entry["help"]


def _slash_rows(schema: Schema) -> Iterator[tuple[str, str]]:
    for slash in schema["x-slashCommands"]:
        yield f"`/{slash['name']} {slash['arguments']}".rstrip() + "`", slash["help"]


def _quoted(rows: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    return ((f"`{name}`", text) for name, text in rows)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [_row(head), _row(("---",) * len(head)), *map(_row, rows)]
    return "\n".join(lines) + "\n"


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
