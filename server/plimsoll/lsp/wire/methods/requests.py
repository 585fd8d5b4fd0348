"""The requests from client to server, which ``features`` serve."""

from __future__ import annotations

from typing import Final

from plimsoll.lsp.wire.methods.mcp_requests import MCP_REQUESTS
from plimsoll.lsp.wire.methods.method import by_name, request
from plimsoll.lsp.wire.methods.session_requests import SESSION_REQUESTS

_OTHERS: Final = by_name(
    (
        request(
            "plimsoll/context/meter",
            "reductions.ContextMeterParams",
            "context.Meter",
            "Measures the next request, with the unsent prompt when it is given.",
        ),
        request(
            "plimsoll/context/report",
            "reductions.ContextReportParams",
            "context.ContextReport",
            "Reports everything that the next request carries, or that of an earlier turn carried.",
        ),
        request(
            "plimsoll/context/preview",
            "reductions.ContextPreviewParams",
            "reductions.ReceiptResult",
            "Shows what a reduction would do; changes nothing, calls no model.",
        ),
        request(
            "plimsoll/context/draftSummary",
            "reductions.ContextDraftSummaryParams",
            "reductions.SummaryDraft",
            "Asks the model for a summary and changes nothing of the context.",
        ),
        request(
            "plimsoll/context/compact",
            "reductions.ContextCompactParams",
            "reductions.ReceiptResult",
            "Compacts now; answers when it is done, and reports progress on `workDoneToken`.",
        ),
        request(
            "plimsoll/context/undo",
            "reductions.EditParams",
            "reductions.UndoResult",
            "Takes a reduction or rewind back; `notUndoable` with `needsTokens` if too large.",
        ),
        request(
            "plimsoll/context/evict",
            "reductions.ItemsParams",
            "reductions.ReceiptResult",
            "Takes items out; a tool result leaves its placeholder, anything else takes its group.",
        ),
        request(
            "plimsoll/context/restore",
            "reductions.ItemsParams",
            "reductions.ReceiptResult",
            "Brings items back to their full text.",
        ),
        request(
            "plimsoll/context/rules",
            "sessions.SessionParams",
            "reductions.RulesResult",
            "Lists the standing instructions that people typed: what holds, and what was ended.",
        ),
        request(
            "plimsoll/context/restoreRule",
            "reductions.RuleParams",
            "reductions.RuleResult",
            "Lets an instruction hold again that a later one ended; its message comes into view.",
        ),
        request(
            "plimsoll/context/diff",
            "reductions.EditParams",
            "reductions.ContextDiffResult",
            "The view before and after a reduction, for a diff editor.",
        ),
        request(
            "plimsoll/context/postpone",
            "reductions.ContextPostponeParams",
            "base.Empty",
            "Answers a planned automatic compaction: later, or not in this session.",
        ),
        request(
            "plimsoll/context/explain",
            "reductions.ContextExplainParams",
            "reductions.MarkdownResult",
            "Says why an item is here, or where it went.",
        ),
        request(
            "plimsoll/context/result",
            "reductions.ContextResultParams",
            "reductions.ContextResultResult",
            "Gives the whole text that a call brought, also where less of it is in the context.",
        ),
        request(
            "plimsoll/context/output",
            "reductions.ContextOutputParams",
            "reductions.ContextOutputResult",
            "Gives all that a command has written that still runs.",
        ),
        request(
            "plimsoll/context/export",
            "sessions.SessionParams",
            "reductions.ContextExportResult",
            "The log of a session with its texts.",
        ),
        request(
            "plimsoll/context/import",
            "reductions.ContextImportParams",
            "sessions.SessionResult",
            "Makes a session of an exported log: the same view but for our own frames.",
        ),
        request(
            "plimsoll/pin/add", "pins.PinAddParams", "pins.PinResult", "Pins a text or an item."
        ),
        request(
            "plimsoll/pin/list",
            "pins.PinOwner",
            "pins.PinListResult",
            "Lists pins, numbered from 1.",
        ),
        request(
            "plimsoll/pin/remove",
            "pins.PinRemoveParams",
            "base.Empty",
            "Removes a pin; its number is never given again in the session.",
        ),
        request(
            "plimsoll/memory/list",
            "memories.MemoryListParams",
            "memories.MemoriesResult",
            "Lists the memories of a folder.",
        ),
        request(
            "plimsoll/memory/search",
            "memories.MemorySearchParams",
            "memories.MemoriesResult",
            "Searches the memories of a folder, best first.",
        ),
        request(
            "plimsoll/memory/add",
            "memories.MemoryAddParams",
            "memories.MemoryResult",
            "Adds a memory, or refuses with `memoryRefused`.",
        ),
        request(
            "plimsoll/memory/update",
            "memories.MemoryUpdateParams",
            "memories.MemoryResult",
            "Changes the fields of a memory that are given.",
        ),
        request(
            "plimsoll/memory/forget",
            "memories.MemoryForgetParams",
            "base.Empty",
            "Hides a memory at once, also from live sessions; `purge` removes its text for good.",
        ),
        request(
            "plimsoll/memory/restore",
            "memories.MemoryParams",
            "memories.MemoryResult",
            "Undoes `plimsoll/memory/forget`.",
        ),
        request(
            "plimsoll/memory/review",
            "memories.MemoryReviewParams",
            "memories.MemoryReviewResult",
            "Accepts or rejects a memory of the inbox.",
        ),
        request(
            "plimsoll/memory/share",
            "memories.MemoryShareParams",
            "memories.MemoryResult",
            "Shares a memory with the team or the person's other machines, or keeps it private "
            "again.",
        ),
        request(
            "plimsoll/memory/export",
            "memories.WorkspaceParams",
            "reductions.MarkdownResult",
            "The memories of a folder, for a person.",
        ),
        request(
            "plimsoll/memory/import",
            "memories.MemoryImportParams",
            "memories.MemoryImportResult",
            "Puts the memories of an export into the inbox.",
        ),
        request(
            "plimsoll/memory/audit",
            "memories.MemoryAuditParams",
            "memories.MemoryAuditResult",
            "Every change of the memories of a folder.",
        ),
        request(
            "plimsoll/project/link",
            "projects.ProjectLinkParams",
            "base.Empty",
            "Takes over the store of a folder that was moved; only on the user's word.",
        ),
        request(
            "plimsoll/team/status",
            "memories.WorkspaceParams",
            "projects.TeamStatus",
            "Whether a folder shares a project with a team, and how its server does.",
        ),
        request(
            "plimsoll/team/join",
            "projects.TeamJoinParams",
            "projects.TeamStatus",
            "Takes part in a project that is there.",
        ),
        request(
            "plimsoll/team/create",
            "projects.TeamCreateParams",
            "projects.TeamStatus",
            "Makes a project on a team's server and takes part in it.",
        ),
        request(
            "plimsoll/team/leave",
            "memories.WorkspaceParams",
            "projects.TeamStatus",
            "Takes part no more: what colleagues shared leaves, one's own stays here.",
        ),
        request(
            "plimsoll/team/accept",
            "projects.TeamAcceptParams",
            "base.Empty",
            "Accepts a colleague: what waits of theirs takes effect, and so does what comes.",
        ),
        request(
            "plimsoll/team/setPassword",
            "projects.TeamSetPasswordParams",
            "projects.TeamSetPasswordResult",
            "Hands over the password for a team's server; it stays in memory and goes there alone.",
        ),
        request(
            "plimsoll/store/salvage",
            "projects.StoreParams",
            "projects.StoreSalvageResult",
            "Saves what can be read of a folder's damaged store into a new one; only on the "
            "user's word.",
        ),
        request(
            "plimsoll/store/useMemory",
            "projects.StoreParams",
            "base.Empty",
            "Keeps the sessions of a folder in memory until the server ends, where its store "
            "cannot be used.",
        ),
        request(
            "plimsoll/store/forget",
            "projects.StoreForgetParams",
            "projects.StoreForgetResult",
            "Shows what is kept of a folder, or of all, and deletes it when it is `confirmed`.",
        ),
        request(
            "plimsoll/model/setKey",
            "service.ModelSetKeyParams",
            "base.Empty",
            "Hands over a provider's key; it stays in memory and goes to that address alone.",
        ),
        request(
            "plimsoll/model/list",
            "models.ModelListParams",
            "models.ModelListResult",
            "Lists the models that an address serves, with their windows; asks that server.",
        ),
        request(
            "plimsoll/model/test",
            "models.ModelTestParams",
            "models.ModelTestResult",
            "Sends a model one small request, and says what came. One that answers is connected.",
        ),
        request(
            "plimsoll/model/connected",
            "models.ModelConnectedParams",
            "models.ModelConnectedResult",
            "Lists the models of all addresses that were connected; a dead one holds nothing up.",
        ),
        request(
            "plimsoll/model/forget",
            "models.ModelForgetParams",
            "base.Empty",
            "Takes an address out of the list of those that were connected.",
        ),
        request(
            "plimsoll/skill/list", "context.SkillOwner", "context.SkillsResult", "Lists the skills."
        ),
        request(
            "plimsoll/skill/set", "context.SkillSwitch", "context.SkillsResult", "Switches a skill."
        ),
        request(
            "plimsoll/custom/list",
            "pins.CustomOwner",
            "pins.CustomResult",
            "Lists the custom commands and agents.",
        ),
        request(
            "plimsoll/custom/set",
            "pins.CustomSwitch",
            "pins.CustomResult",
            "Switches a custom command or agent.",
        ),
        request(
            "plimsoll/custom/expand",
            "pins.CustomExpandParams",
            "pins.CustomExpandResult",
            "Makes the prompt of a custom command, or of an MCP server by `SERVER:PROMPT`, for a "
            "person to see; sends nothing.",
        ),
        request(
            "plimsoll/hunk/list",
            "hunks.HunkOwner",
            "hunks.HunksResult",
            "Lists what the agent wrote that nobody has kept, undone or edited, hunk by hunk.",
        ),
        request(
            "plimsoll/hunk/keep",
            "hunks.HunkChoice",
            "hunks.HunksResult",
            "Keeps hunks: they are listed no more, and no file changes.",
        ),
        request(
            "plimsoll/hunk/undo",
            "hunks.HunkChoice",
            "hunks.HunksResult",
            "Undoes hunks, through the editor where a file is open; the model is told.",
        ),
        request(
            "plimsoll/permission/list",
            "pins.PermissionOwner",
            "pins.PermissionsResult",
            "Lists what is always allowed in a folder.",
        ),
        request(
            "plimsoll/permission/remove",
            "pins.PermissionRemoveParams",
            "pins.PermissionResult",
            "Takes back what was always allowed: it is asked about again.",
        ),
        request(
            "plimsoll/status", "base.Empty", "service.StatusResult", "What runs, and what is wrong."
        ),
    )
)
REQUESTS: Final = {**SESSION_REQUESTS, **_OTHERS, **MCP_REQUESTS}
"""Requests from client to server, in the order of the documentation; all are served."""
