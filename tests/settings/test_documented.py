"""docs/settings.md lists every setting, with the default and the range that hold."""

import json
import re
from pathlib import Path

from plimsoll.session.ports.foreign import FOREIGN_TOOLS
from plimsoll.settings.kinds import KINDS, MCP_KINDS, default_sections
from plimsoll.settings.mcp import McpSettings
from plimsoll.settings.profiles import PROFILES
from plimsoll.tools import tool_traits

PAGE = Path(__file__).parents[2] / "docs" / "settings.md"
ROW = re.compile(r"^\| `(\w+)` \| (.*?) \| (.*?) \| .+ \|$")


def told() -> dict[tuple[str, str], tuple[str, str]]:
    """Default and range of each row, by section and name."""
    section, found = "", {}
    for line in PAGE.read_text("utf-8").splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        elif row := ROW.match(line):
            found[section, row[1]] = (row[2], row[3])
    return found


def default(section: str, name: str) -> str:
    held = McpSettings() if section == "mcp" else default_sections()[section]
    value = getattr(held, name)
    if value is None or value == "":
        return ""
    if value == ():
        return "`[]`"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def test_every_setting_is_documented_as_it_is():
    rows = told()
    known = {**KINDS, **{("mcp", name): kind for name, kind in MCP_KINDS.items()}}
    weights, _ = rows.pop(("pruning", "weights"))
    assert {name: (default, wanted) for name, (default, wanted) in rows.items()} == {
        path: (default(*path).replace("`embedded`", '`"embedded"`'), kind.wanted)
        for path, kind in known.items()
        if path[0] not in ("utility_model", "profile")
    }
    tools = {**FOREIGN_TOOLS, **tool_traits()}
    weighed = [(name, t.weight) for name, t in tools.items() if t.weight is not None]
    own = dict(sorted(weighed, key=lambda each: -each[1])) | default_sections()["pruning"].weights
    assert weights == ", ".join(f"`{tool} = {points}`" for tool, points in own.items())


def test_every_profile_is_documented_with_each_value_and_its_reason():
    _, _, page = PAGE.read_text("utf-8").partition("## profile\n")
    parts = page.partition("\n## ")[0].split("\n### ")[1:]
    told = {}
    for part in parts:
        name, _, text = part.partition("\n")
        values = re.findall(r"^\| `([\w.]+)` \| `(.+?)` \| (.+) \|$", text, re.MULTILINE)
        told[name] = [(text.strip().partition("\n")[0]), *values]
    assert told == {
        name: [
            profile.purpose,
            *((".".join(v.path), json.dumps(v.value), v.why) for v in profile.values),
        ]
        for name, profile in PROFILES.items()
        if profile.values
    }
