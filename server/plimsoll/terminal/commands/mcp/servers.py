"""`plimsoll mcp add`, `list` and `remove`: the person's own MCP servers."""

import os
import re
from argparse import Namespace
from collections.abc import Mapping, Sequence

from plimsoll.errors import InvalidInput
from plimsoll.rules import mcp_servers
from plimsoll.settings import config_path
from plimsoll.settings.mcp import McpSettings
from plimsoll.settings.mcp_changes import add_server, remove_server
from plimsoll.terminal.opening import settings_of
from plimsoll.terminal.screen import Screen
from plimsoll.tools.ports.mcp import McpServer

HEADS = ("name", "state", "what runs or is reached", "variables")


def add(options: Namespace, screen: Screen) -> int:
    """Write a server into the person's settings file."""
    server = _server(options)
    add_server(options.name, server)
    screen.line(f"Added to {config_path()}: {options.name} ({server.runs()}).")
    tell_missing({options.name: server}, screen)
    return 0


def remove(options: Namespace, screen: Screen) -> int:
    """Take a server out of the person's settings file."""
    remove_server(options.name)
    screen.line(f"Taken out of {config_path()}: {options.name}.")
    return 0


def show(options: Namespace, screen: Screen) -> int:
    """List the servers, without the values of their variables."""
    settings = settings_of(options)
    for one in mcp_servers(settings.mcp, os.environ):
        server = settings.mcp[one.name]
        if options.json:
            screen.object(_as_object(one, server))
    if not options.json:
        rows = [
            (
                one.name,
                _state(one),
                settings.mcp[one.name].runs(),
                _list_variables(settings.mcp[one.name]),
            )
            for one in mcp_servers(settings.mcp, os.environ)
        ]
        screen.table("MCP servers", HEADS, rows)
    return 0


def tell_missing(servers: Mapping[str, McpSettings], screen: Screen) -> None:
    """Say which variables have to be set before servers can be used."""
    for one in mcp_servers(servers, os.environ):
        if one.missing:
            screen.note(
                f"! {one.name} is not started before this is set: {_list_missing(one)}.", "yellow"
            )


def _list_missing(one: McpServer) -> str:
    return ", ".join(one.missing)


def _state(one: McpServer) -> str:
    if not one.enabled:
        return "off"
    return f"needs {_list_missing(one)}" if one.missing else "on"


def _list_variables(server: McpSettings) -> str:
    return ", ".join((*server.env, *server.headers))


def _as_object(one: McpServer, server: McpSettings) -> Mapping[str, object]:
    return {
        "name": one.name,
        "enabled": one.enabled,
        "command": [server.command, *server.args] if server.command else [],
        "url": server.url,
        "env": list(server.env),
        "headers": list(server.headers),
        "clientId": server.client_id or None,
        "missing": list(one.missing),
        "offTools": list(server.off_tools),
    }


def _server(options: Namespace) -> McpSettings:
    words: Sequence[str] = options.target
    words = words[1:] if words[:1] == ["--"] else words
    if not words:
        raise InvalidInput(
            "There is nothing to start and no address.",
            remedy="Write plimsoll mcp add NAME COMMAND ARGUMENT…, or plimsoll mcp add NAME URL.",
        )
    if words[0].startswith("-"):
        raise InvalidInput(
            f"{words[0][:80]!r} is no program.", remedy="Write options before the name."
        )
    if re.match(r"https?://", words[0]):
        if len(words) > 1:
            raise InvalidInput("An address has no arguments.", remedy="Name --header before it.")
        return McpSettings(
            url=words[0],
            headers=dict(map(_header, options.header)),
            client_id=options.client_id,
            client_secret=_reference(options.client_secret_env),
        )
    if options.client_id or options.client_secret_env:
        raise InvalidInput(
            "A program takes no --client-id.", remedy="It is for a server at an address."
        )
    command, *args = words
    return McpSettings(command=command, args=tuple(args), env=dict(map(_variable, options.env)))


def _reference(name: str) -> str:
    return f"${{{name}}}" if name else ""


def _variable(text: str) -> tuple[str, str]:
    """Read ``NAME=VALUE``, or ``NAME`` alone for the person's own variable of that name."""
    name, separator, value = text.partition("=")
    return name, value if separator else _reference(name)


def _header(text: str) -> tuple[str, str]:
    name, separator, value = text.partition(":")
    if not separator:
        raise InvalidInput(f"{text[:80]!r} is no header.", remedy="Write --header 'NAME: VALUE'.")
    return name.strip(), value.strip()
