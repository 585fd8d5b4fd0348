"""The notifications of both sides, and what the server asks of the client."""

from __future__ import annotations

from typing import Final

from plimsoll.lsp.wire.methods.method import Method, by_name, notification, question

DID_CHANGE_TRUST: Final = Method(
    name="plimsoll/didChangeTrust",
    takes="service.DidChangeTrustParams",
    gives=None,
    help="The user has trusted a folder, or no longer does.",
    direction="clientToServer",
)
SESSION_REQUEST_PERMISSION: Final = Method(
    name="plimsoll/session/requestPermission",
    takes="updates.RequestPermissionParams",
    gives="updates.RequestPermissionResult",
    help="Asks whether a tool call may run; unanswered for 5 minutes it is rejected.",
    direction="serverToClient",
)
EDITOR_SYMBOLS: Final = question(
    "plimsoll/editor/symbols",
    "editor.EditorSymbolsParams",
    "editor.EditorSymbolsResult",
    "Asks for the outline of a file, or for symbols of a folder by their name.",
)
EDITOR_DEFINITION: Final = question(
    "plimsoll/editor/definition",
    "editor.EditorPositionParams",
    "editor.EditorLocationsResult",
    "Asks where that is defined which stands at a place.",
)
EDITOR_REFERENCES: Final = question(
    "plimsoll/editor/references",
    "editor.EditorPositionParams",
    "editor.EditorLocationsResult",
    "Asks where that is used which stands at a place, its definition included.",
)
EDITOR_DIAGNOSTICS: Final = question(
    "plimsoll/editor/diagnostics",
    "editor.EditorDiagnosticsParams",
    "editor.EditorDiagnosticsResult",
    "Asks for the problems of files.",
)
EDITOR_RENAME: Final = question(
    "plimsoll/editor/rename",
    "editor.EditorRenameParams",
    "editor.EditorRenameResult",
    "Asks what a rename would change; the client changes nothing.",
)
WINDOW_PRESENT: Final = question(
    "plimsoll/window/present",
    "base.Empty",
    "base.Empty",
    "Asks for an answer that only a window gives which is there: without one, what is written "
    "here goes to another window that wants it.",
)
SESSION_UPDATE: Final = notification(
    "plimsoll/session/update",
    "updates.SessionUpdateParams",
    "Something happened in a session.",
)
CONTEXT_DID_CHANGE: Final = notification(
    "plimsoll/context/didChange",
    "reductions.ContextDidChangeParams",
    "The meter moved; at most ten a second.",
)
MEMORY_DID_CHANGE: Final = notification(
    "plimsoll/memory/didChange",
    "memories.MemoryDidChangeParams",
    "The memories of a folder changed.",
)
TEAM_DID_CHANGE: Final = notification(
    "plimsoll/team/didChange",
    "projects.TeamDidChangeParams",
    "The state of a folder's team changed.",
)
MCP_DID_CHANGE: Final = notification(
    "plimsoll/mcp/didChange",
    "outside.mcp.McpDidChangeParams",
    "An MCP server of a folder has another state, or offers something else.",
)
DID_CHANGE_STATUS: Final = notification(
    "plimsoll/didChangeStatus",
    "service.DidChangeStatusParams",
    "The server's state changed.",
)
DID_CHANGE_SETTINGS: Final = notification(
    "plimsoll/didChangeSettings",
    "base.Empty",
    "The server has taken the client's changed settings: what is asked now goes by them.",
)

CLIENT_NOTIFICATIONS: Final = by_name((DID_CHANGE_TRUST,))
"""Notifications from client to server."""

SERVER_REQUESTS: Final = by_name(
    (
        SESSION_REQUEST_PERMISSION,
        EDITOR_SYMBOLS,
        EDITOR_DEFINITION,
        EDITOR_REFERENCES,
        EDITOR_DIAGNOSTICS,
        EDITOR_RENAME,
        WINDOW_PRESENT,
    )
)
"""Requests from server to client."""

NOTIFICATIONS: Final = by_name(
    (
        SESSION_UPDATE,
        CONTEXT_DID_CHANGE,
        MEMORY_DID_CHANGE,
        TEAM_DID_CHANGE,
        MCP_DID_CHANGE,
        DID_CHANGE_STATUS,
        DID_CHANGE_SETTINGS,
    )
)
"""Notifications from server to client."""
