"""Mends the tools that a server lists, so that one odd tool takes no other along.

The library refuses a whole list of tools for the sake of one whose schema is none, and the answer
of a tool that does not keep to the schema it has for its answers, after the tool has acted.
"""

from collections.abc import Mapping
from typing import Any, cast

import mcp_types as types


def mend(message: types.JSONRPCMessage) -> types.JSONRPCMessage:
    """Return a message with the tools that it lists as the library takes them."""
    if not isinstance(message, types.JSONRPCResponse) or "tools" not in message.result:
        return message
    listed: object = message.result["tools"]
    if not isinstance(listed, list):
        return message
    tools = [mended for one in cast("list[object]", listed) if (mended := _mended(one))]
    return message.model_copy(update={"result": {**message.result, "tools": tools}})


def _mended(sent: object) -> dict[str, Any] | None:
    if not isinstance(sent, Mapping):
        return None
    tool = dict(cast("Mapping[str, Any]", sent))
    if not isinstance(tool.get("name"), str):
        return None
    for name, kind in (("description", str), ("title", str), ("annotations", Mapping)):
        if not isinstance(tool.get(name), kind):
            tool.pop(name, None)
    for name in ("outputSchema", "icons", "execution", "_meta"):
        tool.pop(name, None)
    schema = tool.get("inputSchema")
    given = dict(cast("Mapping[str, Any]", schema)) if isinstance(schema, Mapping) else {}
    properties = given.get("properties")
    if properties is not None and not isinstance(properties, Mapping):
        del given["properties"]
    tool["inputSchema"] = {**given, "type": "object"}
    return tool
