"""The requests about MCP servers."""

from __future__ import annotations

from typing import Final

from plimsoll.lsp.wire.methods.method import by_name, request

MCP_REQUESTS: Final = by_name(
    (
        request(
            "plimsoll/mcp/list",
            "outside.mcp.McpOwner",
            "outside.mcp.McpServersResult",
            "Lists the MCP servers that the person configured; starts none.",
        ),
        request(
            "plimsoll/mcp/add",
            "outside.mcp.McpAddParams",
            "outside.mcp.McpServersResult",
            "Adds a server to the person's own settings; only on the user's word.",
        ),
        request(
            "plimsoll/mcp/remove",
            "outside.mcp.McpServerOwner",
            "outside.mcp.McpServersResult",
            "Takes a server out of the person's own settings.",
        ),
        request(
            "plimsoll/mcp/setServer",
            "outside.mcp.McpServerSwitch",
            "outside.mcp.McpServersResult",
            "Switches a server on or off.",
        ),
        request(
            "plimsoll/mcp/setTool",
            "outside.mcp.McpToolSwitch",
            "outside.mcp.McpServersResult",
            "Switches a tool of a server on or off.",
        ),
        request(
            "plimsoll/mcp/restart",
            "outside.mcp.McpServerOwner",
            "outside.mcp.McpServersResult",
            "Ends a server and starts it anew, also one that failed; answers when it is there.",
        ),
        request(
            "plimsoll/mcp/authorize",
            "outside.mcp.McpServerOwner",
            "outside.mcp.McpServersResult",
            "Logs in at a server: the client is asked to show the page; answers when it is done.",
        ),
        request(
            "plimsoll/mcp/found",
            "outside.mcp.McpOwner",
            "outside.mcp.McpFoundResult",
            "Lists the servers in files of other programs, without taking any over.",
        ),
        request(
            "plimsoll/mcp/takeOver",
            "outside.mcp.McpTakeOverParams",
            "outside.mcp.McpServersResult",
            "Takes servers over from another program's file; only on the user's word, who has seen "
            "what will run.",
        ),
    )
)
"""What is asked of servers and changed of them, by name."""
