"""MCP servers as the wire has them."""

from plimsoll.lsp.wire.outside import mcp as wire
from plimsoll.session.commands.servers.prompts import NamedPrompt, named_prompts
from plimsoll.session.mcp.attached import can_be_named
from plimsoll.settings.mcp import McpSettings
from plimsoll.settings.mcp_import import FoundServer
from plimsoll.tools.display import escape_hidden
from plimsoll.tools.ports.mcp import McpOffer, McpResource, McpTool

LONGEST_DESCRIPTION, LONGEST_ADDRESS = 200, 1_000
"""Characters of a description, and of the address of a resource that is offered."""
MOST_OFFERED = 100
"""Prompts, and resources, of one server."""


def server(offer: McpOffer, settings: McpSettings | None, tokens: int) -> wire.McpServer:
    """Convert a server; ``settings``: as the person wrote it, with its references."""
    return wire.McpServer(
        name=offer.server.name,
        state=offer.state,
        runs=what_runs(settings) if settings is not None else "",
        tools=tuple(map(_tool, offer.tools)),
        prompts=len(offer.prompts),
        resources=len(offer.resources),
        tokens=tokens,
        missing=offer.server.missing,
        signs_in=offer.server.url is not None,
        offers=_offers(offer) if offer.server.enabled and offer.state != "off" else None,
        error=offer.error,
        remedy=offer.remedy,
    )


def _tool(tool: McpTool) -> wire.McpTool:
    return wire.McpTool(
        name=tool.name,
        description=_line(tool.description),
        enabled=tool.enabled,
        claims_reading=tool.claims_reading,
    )


def _offers(offer: McpOffer) -> wire.McpOffers:
    resources = [each for each in offer.resources if _is_offered(each)]
    return wire.McpOffers(
        prompts=tuple(map(_prompt, named_prompts([offer])[:MOST_OFFERED])),
        resources=tuple(map(_resource, resources[:MOST_OFFERED])),
    )


def _prompt(prompt: NamedPrompt) -> wire.McpOfferedPrompt:
    return wire.McpOfferedPrompt(
        name=_line(prompt.name.partition(":")[2]),
        description=_line(prompt.description) or None,
        hint=_line(prompt.usage) or None,
    )


def _is_offered(resource: McpResource) -> bool:
    is_short = len(resource.uri) <= LONGEST_ADDRESS
    return is_short and can_be_named(resource) and escape_hidden(resource.uri) == resource.uri


def _resource(resource: McpResource) -> wire.McpOfferedResource:
    return wire.McpOfferedResource(
        uri=resource.uri,
        name=_line(resource.name) or None,
        description=_line(resource.description) or None,
    )


def _line(text: str) -> str:
    """Put a server's text on one short line, with hidden characters made visible."""
    return escape_hidden(" ".join(text.split())[:LONGEST_DESCRIPTION])


def found_server(found: FoundServer, *, known: bool) -> wire.McpFoundServer:
    """Convert a server of another program's file."""
    return wire.McpFoundServer(
        name=found.name,
        runs=what_runs(found.server) if found.server is not None else None,
        notes=found.notes,
        known=known,
    )


def what_runs(settings: McpSettings) -> str:
    """Return a server's command line or address, with hidden characters made visible."""
    return escape_hidden(settings.runs())
