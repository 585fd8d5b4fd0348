"""Tools of servers with names and schemas that vendors refuse: no request of ours is refused."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plimsoll.tools.mcp.naming import called_name
from product.vendors.answering import Call, Step
from product.vendors.playing import PERMISSION, staged
from providers.vendors.catalog import VENDORS
from providers.vendors.conformance import Rule, names_match

pytest.importorskip("mcp")
pytestmark = pytest.mark.slow

SCRIPTED = Path(__file__).parents[2] / "tools/mcp/scripted.py"
DIALECTS = {v.name: v for v in VENDORS if v.name in {"openai", "openai-responses", "anthropic"}}
NAMES = (
    *("repo.search", "repo/search", "a b", "é", "日本語", "🎉", "x" * 65, "x" * 200, "a:b", "a__b"),
    *("A", "a", "-", "_", ".", "..", "a\nb", "mcp__x__y", "a\tb", "call_tool"),
)
TEXT = {"type": "string"}
SCHEMAS: tuple[dict[str, Any], ...] = (
    {"type": "object", "properties": {"a": True, "b": False}, "additionalProperties": True},
    {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/A"}, "me": {"$ref": "#"}},
        "$defs": {"A": {"type": ["string", "null"]}},
    },
    {"anyOf": [{"type": "object", "properties": {"a": TEXT}}, {"type": "object"}]},
)
ODD = [
    {"name": f"{name}{place or ''}", "description": "Odd.", "inputSchema": schema}
    for place, schema in enumerate(SCHEMAS)
    for name in NAMES
]
PROGRAM = """import pathlib, runpy, sys
sys.argv = [{scripted!r}, "tools=" + pathlib.Path({tools!r}).read_text()]
runpy.run_path({scripted!r}, run_name="__main__")
"""
"""Too long for an argument of the settings."""
FIVE = 5
"""Calls of one answer."""


def tools_are_taken(body: dict[str, Any]) -> str | None:
    """Check tools as vendors do: objects without references, bare truth, or choices at the top."""
    for tool in body.get("tools") or ():
        own = tool.get("function", tool)
        schema = own.get("parameters", own.get("input_schema"))
        if not isinstance(schema, dict) or schema.get("type") != "object":
            return "tools.0.custom.input_schema.type: Input should be 'object'"
        if {"anyOf", "oneOf", "allOf", "$ref"} & {*schema} or "$ref" in json.dumps(schema):
            return "input_schema does not support oneOf, allOf, or anyOf at the top level"
        if any(isinstance(each, bool) for each in schema.get("properties", {}).values()):
            return "Invalid schema: True is not of type 'object'"
    return None


STRICT = (
    Rule(
        name="tools",
        source="report",
        check=tools_are_taken,
        broken={"tools": [{"name": "a", "input_schema": {}}]},
    ),
    Rule(
        name="names",
        source="report",
        check=names_match(r"[a-zA-Z0-9_-]{1,64}", "Invalid 'tools[0].name': {name}"),
        broken={"tools": [{"name": "a.b"}]},
    ),
)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_request_is_refused_for_a_tool_of_a_server(tmp_path: Path, dialect: str):
    assert len(ODD) == 60
    config = tmp_path / "config/plimsoll/config.toml"
    config.parent.mkdir(parents=True)
    tools, program = tmp_path / "tools.json", tmp_path / "odd.py"
    tools.write_text(json.dumps(ODD))
    program.write_text(PROGRAM.format(scripted=str(SCRIPTED), tools=str(tools)))
    command, arguments = json.dumps(sys.executable), json.dumps([str(program)])
    config.write_text(f"[mcp.odd]\ncommand = {command}\nargs = {arguments}\n")
    vendor = replace(DIALECTS[dialect], rules=(*STRICT, *DIALECTS[dialect].rules))
    with staged(tmp_path, vendor) as stage:
        asked: list[str] = []

        def answer(params: dict[str, Any]) -> dict[str, str]:
            asked.append(params["toolCall"]["title"])
            return {"outcome": "selected", "optionId": "allowOnce"}

        stage.product.responses[PERMISSION] = answer
        for at in range(0, len(ODD), FIVE):
            names = [str(tool["name"]) for tool in ODD[at : at + FIVE]]
            stage.begin()
            found = [Call("find_tools", {"query": called_name("odd", name)}) for name in names]
            called = [Call("call_tool", {"name": called_name("odd", name)}) for name in names]
            stage.turn("Go.", Step("", tuple(found)), Step("", tuple(called)))
            assert stage.vendor.needless() == []
            shown = json.dumps(stage.vendor.latest)
            assert all(called_name("odd", name) in shown for name in names)
        assert len(asked) == len(ODD)
        assert all(title.startswith("odd: ") for title in asked)
