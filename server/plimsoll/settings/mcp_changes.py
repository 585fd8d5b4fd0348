"""Changes of a person's MCP servers in their own settings file."""

from collections.abc import Mapping
from pathlib import Path

from plimsoll.errors import InvalidInput, NotFound
from plimsoll.settings.layers import Layer
from plimsoll.settings.mcp import McpSettings
from plimsoll.settings.sources import config_path, file_layer, merge
from plimsoll.settings.writing import Value, remove_from_config, write_config


def add_server(name: str, server: McpSettings, path: Path | None = None) -> None:
    """Write a server into the person's file.

    Raises:
        InvalidInput: There is one of this name.
        SettingsInvalid: It cannot be used so, or the file cannot be changed.
    """
    path = path or config_path()
    values = _values(server)
    written = {key: value for key, value in values.items() if value is not None}
    merge([Layer("The new server", {"mcp": {name: {"enabled": True, **written}}})])
    if name in servers_in(path):
        raise InvalidInput(
            f"There is an MCP server {name} already.",
            remedy=f"Choose another name, or take it out first: plimsoll mcp remove {name}.",
        )
    write_config(path, f"mcp.{name}", values)


def remove_server(name: str, path: Path | None = None) -> None:
    """Take a server out of the person's file; raises NotFound or SettingsInvalid."""
    path = path or config_path()
    _require(name, path)
    remove_from_config(path, f"mcp.{name}")


def switch_server(name: str, *, enabled: bool, path: Path | None = None) -> None:
    """Switch a server on or off in the person's file; raises NotFound or SettingsInvalid."""
    path = path or config_path()
    _require(name, path)
    write_config(path, f"mcp.{name}", {"enabled": None if enabled else False})


def switch_tool(name: str, tool: str, *, enabled: bool, path: Path | None = None) -> None:
    """Switch a tool of a server on or off; raises NotFound or SettingsInvalid."""
    path = path or config_path()
    off = [one for one in _require(name, path).off_tools if one != tool]
    kept = off if enabled else sorted([*off, tool])
    write_config(path, f"mcp.{name}", {"off_tools": kept or None})


def servers_in(path: Path) -> Mapping[str, McpSettings]:
    """Return the servers of a settings file; raises SettingsInvalid."""
    return merge([file_layer(path)]).mcp


def _require(name: str, path: Path) -> McpSettings:
    found = servers_in(path).get(name)
    if found is None:
        raise NotFound("MCP server", name, remedy=f"{path} has none of this name.")
    return found


def _values(server: McpSettings) -> Mapping[str, Value]:
    return {
        "command": server.command or None,
        "args": list(server.args) or None,
        "env": server.env or None,
        "url": server.url,
        "headers": server.headers or None,
        "client_id": server.client_id or None,
        "client_secret": server.client_secret or None,
        "enabled": None if server.enabled else False,
        "off_tools": list(server.off_tools) or None,
    }
