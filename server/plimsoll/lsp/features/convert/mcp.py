"""MCP servers as the wire has them."""

from plimsoll.lsp.wire.outside import mcp as wire
from plimsoll.settings.mcp import McpSettings
from plimsoll.settings.mcp_import import FoundServer
from plimsoll.tools.display import escape_hidden
from plimsoll.tools.ports.mcp import McpOffer, McpTool

LONGEST_DESCRIPTION = 200
"""Characters of a tool's description."""


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
        error=offer.error,
        remedy=offer.remedy,
    )


def _tool(tool: McpTool) -> wire.McpTool:
    described = " ".join(tool.description.split())
    return wire.McpTool(
        name=tool.name,
        description=escape_hidden(described[:LONGEST_DESCRIPTION]),
        enabled=tool.enabled,
        claims_reading=tool.claims_reading,
    )


def found_server(found: FoundServer, *, known: bool) -> wire.McpFoundServer:
    """Convert a server of another program's file."""
    return wire.McpFoundServer(
        name=found.name,
        runs=what_runs(found.server) if found.server is not None else None,
        notes=found.notes,
        known=known,
    )


def what_runs(settings: McpSettings) -> str:
    """Return what is started or reached, with nothing hidden in it."""
    return escape_hidden(settings.runs())
