"""The MCP servers that a client gives a session: read as values, a bad one named. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from shlex import quote

from plimsoll.acp.convert.content import as_items, as_mapping
from plimsoll.context.log.messages import canonical
from plimsoll.context.log.traits import ToolTraits
from plimsoll.lsp.transport.bodies import member
from plimsoll.redaction.variables import secrets_of
from plimsoll.session.ports.events import CallShown
from plimsoll.settings.mcp import secret_arguments
from plimsoll.tools.display import visible_line
from plimsoll.tools.ports.intent import Intent
from plimsoll.tools.ports.mcp import McpServer


@dataclass(frozen=True, slots=True)
class GivenServers:
    """The MCP servers that a client gave, and a sentence for each one that cannot be used."""

    servers: tuple[McpServer, ...] = ()
    refused: tuple[str, ...] = ()


NO_SERVERS = GivenServers()


def given_servers(given: Sequence[object]) -> GivenServers:
    """Read the servers; a malformed one is named in a sentence, and the others are kept."""
    servers: dict[str, McpServer] = {}
    refused: list[str] = []
    for number, each in enumerate(given, start=1):
        server = _server(each)
        if isinstance(server, str):
            name = _text(each, "name") or f"number {number}"
            refused.append(f"The MCP server {name[:60]!r} is not used: {server}.")
        elif server.name in servers:
            refused.append(f"The MCP server {server.name[:60]!r} was given twice.")
        else:
            servers[server.name] = server
    return GivenServers(tuple(servers.values()), tuple(refused))


def connecting(server: McpServer) -> CallShown:
    """Make the question whether a server that a client gives may be connected."""
    told = " ".join(map(quote, server.command)) or server.url or ""
    names = ", ".join((*server.environment, *server.headers))
    given = f" It is given {names}." if names else ""
    intent = Intent(
        title=f"Connect the MCP server {visible_line(server.name, limit=60)}",
        ask=True,
        why_each_time=f"a server that the editor gives.{given}".rstrip("."),
        command=told if server.command else None,
        address=None if server.command else told,
        plan=None,
    )
    return CallShown(
        id=f"connect-{server.name}",
        item="",
        name="connect",
        arguments=canonical({"server": server.name}),
        traits=ToolTraits(kind="other", verb="Connect"),
        intent=intent,
    )


def secrets_in(server: McpServer) -> dict[str, str]:
    """Return the secrets among a server's arguments and variables, by the marker's name."""
    words = (*server.command, server.url or "")
    written: dict[str, str] = {}
    for number, (word, secret) in enumerate(zip(words, secret_arguments(words), strict=True)):
        if secret:
            written[f"argument-{number}-secret"] = word
            # Of `--token=abc` the value alone is found elsewhere.
            written[f"argument-{number}-value-secret"] = word.partition("=")[2]
    return secrets_of({**server.environment, **server.headers, **written})


def _server(given: object) -> McpServer | str:
    """Read one server; a text says why it cannot be used."""
    name, kind = _text(given, "name"), member(given, "type")
    if not name:
        return "it has no name"
    if kind == "sse":
        return "servers over SSE alone are not supported"
    if kind == "http":
        url = _text(given, "url")
        headers = _pairs(member(given, "headers"))
        if not url or headers is None:
            return "it has no address, or its headers are no names with values"
        return McpServer(name=name, url=url, headers=headers)
    command, environment = _text(given, "command"), _pairs(member(given, "env"))
    arguments = as_items(member(given, "args")) or ()
    words = [each for each in arguments if isinstance(each, str)]
    if not command or environment is None or len(words) != len(arguments):
        return "it has no command, or its arguments or variables are no texts"
    return McpServer(name=name, command=(command, *words), environment=environment)


def _pairs(given: object) -> dict[str, str] | None:
    """Read names with their values; None if they are something else."""
    if given is None:
        return {}
    listed = as_items(given)
    if listed is None:
        return None
    found: dict[str, str] = {}
    for each in listed:
        name, value = _text(each, "name"), as_mapping(each).get("value")
        if not name or not isinstance(value, str):
            return None
        found[name] = value
    return found


def _text(given: object, name: str) -> str | None:
    found = member(given, name)
    return found if isinstance(found, str) else None
