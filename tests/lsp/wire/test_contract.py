import json
from pathlib import Path
from typing import Any

import pytest

from lsp.wire.examples import SCHEMA

CONTRACT = json.loads(Path(__file__).with_name("contract_v1.json").read_text(encoding="utf-8"))


def breaks(contract: dict[str, Any], schema: dict[str, Any]) -> list[str]:
    """Where the schema is no mere addition to the contract."""
    found = [name for name in contract["methods"] if name not in schema["x-methods"]]
    for name, method in contract["methods"].items():
        found += [
            f"{name} {key}"
            for key, value in method.items()
            if schema["x-methods"].get(name, {}).get(key) != value
        ]
    for name, members in contract["choices"].items():
        missing = set(members) - set(schema["$defs"].get(name, {}).get("enum", ()))
        found += [f"{name} {member}" for member in sorted(missing)]
    for name, fields in contract["fields"].items():
        found += [f"{name} {text}" for text in broken_fields(name, fields, schema["$defs"])]
    return found


def broken_fields(name: str, fields: dict[str, Any], definitions: dict[str, Any]) -> list[str]:
    """A field that is gone or has another type; one that a client must send but did not before."""
    body = definitions.get(name, {})
    now = body.get("properties", {})
    required = set(body.get("required", ()))
    before = {field for field, entry in fields.items() if entry["required"]}
    newly = required - before if name.endswith("Params") else before - required
    changed = [field for field, entry in fields.items() if entry["type"] != now.get(field)]
    return changed + [f"{field} required" for field in sorted(newly)]


def test_the_wire_only_adds_to_version_1():
    assert breaks(CONTRACT, SCHEMA) == []


@pytest.mark.parametrize(
    ("path", "broken"),
    [
        (("$defs", "Meter", "properties", "used"), ["Meter used"]),
        (("x-methods", "plimsoll/status", "kind"), ["plimsoll/status kind"]),
    ],
)
def test_what_is_taken_away_is_found(path, broken):
    schema = json.loads(json.dumps(SCHEMA))
    *way, last = path
    place = schema
    for key in way:
        place = place[key]
    del place[last]

    assert breaks(CONTRACT, schema) == broken


def test_a_new_required_param_is_found():
    schema = json.loads(json.dumps(SCHEMA))
    schema["$defs"]["SessionForkParams"]["required"].append("messageId")

    assert breaks(CONTRACT, schema) == ["SessionForkParams messageId required"]
