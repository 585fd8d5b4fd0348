"""The table of methods: what each takes and answers, and who sends it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from plimsoll.lsp.protocol import (
    context,
    memories,
    models,
    names,
    permissions,
    pins,
    reductions,
    sessions,
    status,
    updates,
    views,
)
from plimsoll.lsp.protocol.wire import Empty, Wire

Direction = Literal["clientToServer", "serverToClient"]


@dataclass(frozen=True, slots=True)
class Method:
    """One method of the wire; a notification has no result."""

    name: str
    params: type[Wire]
    result: type[Wire] | None
    help: str
    direction: Direction = "clientToServer"

    @property
    def kind(self) -> Literal["request", "notification"]:
        """Whether it is answered."""
        return "notification" if self.result is None else "request"


def _table(methods: Iterable[Method]) -> dict[str, Method]:
    return {method.name: method for method in methods}


_SESSION = (
    Method(
        names.SESSION_NEW,
        sessions.SessionNewParams,
        sessions.SessionNewResult,
        "Opens a new session in a folder.",
    ),
    Method(
        names.SESSION_LIST,
        sessions.SessionListParams,
        sessions.SessionListResult,
        "Lists the sessions of a folder, newest first.",
    ),
    Method(
        names.SESSION_LOAD,
        sessions.SessionLoadParams,
        sessions.SessionLoadResult,
        "Loads a session with its conversation; without an id, the latest of the folder.",
    ),
    Method(
        names.SESSION_DELETE,
        sessions.SessionParams,
        Empty,
        "Deletes a session with its texts; forks keep their copies.",
    ),
    Method(
        names.SESSION_PROMPT,
        sessions.SessionPromptParams,
        sessions.SessionPromptResult,
        "Says something to the agent; answers on acceptance, the turn follows as updates.",
    ),
    Method(
        names.SESSION_CANCEL,
        sessions.SessionParams,
        sessions.SessionCancelResult,
        "Cancels the running turn; answers when nothing more can take effect.",
    ),
    Method(
        names.SESSION_SET_MODE,
        sessions.SessionSetModeParams,
        sessions.SessionResult,
        "Sets what tools may do: `edit` all, `plan` reading only, `ask` none.",
    ),
    Method(
        names.SESSION_SET_MODEL,
        sessions.SessionSetModelParams,
        views.SessionSetModelResult,
        "Sets the model, as `provider/name`.",
    ),
    Method(
        names.SESSION_REWIND,
        sessions.SessionRewindParams,
        sessions.SessionRewindResult,
        "Goes back to a message: what came after goes, reductions too; pins stay. "
        "`plimsoll/context/undo` takes the `editId` until something new is said.",
    ),
    Method(
        names.SESSION_FORK,
        sessions.SessionForkParams,
        sessions.SessionResult,
        "Copies a session, up to a message, into a new one with `parentId`.",
    ),
    Method(
        names.SESSION_COST,
        sessions.SessionParams,
        sessions.SessionCostResult,
        "Sums what the session used, by purpose and model.",
    ),
    Method(
        names.SESSION_APPEND,
        sessions.SessionAppendParams,
        sessions.SessionAppendResult,
        "Adds messages of an editor's own agent loop, all or none; no model is called. "
        "Role `system` is refused, a result answers an open call, the same `id` twice is one "
        "message.",
    ),
    Method(
        names.SESSION_VIEW,
        sessions.SessionParams,
        views.SessionViewResult,
        "Shows the exact next request; writes nothing.",
    ),
)

_CONTEXT = (
    Method(
        names.CONTEXT_METER,
        reductions.ContextMeterParams,
        context.Meter,
        "Measures the next request, with the unsent prompt when it is given.",
    ),
    Method(
        names.CONTEXT_REPORT,
        reductions.ContextReportParams,
        context.ContextReport,
        "Reports everything that the next request carries, or that of an earlier turn carried.",
    ),
    Method(
        names.CONTEXT_PREVIEW,
        reductions.ContextPreviewParams,
        reductions.ReceiptResult,
        "Shows what a reduction would do; changes nothing, calls no model.",
    ),
    Method(
        names.CONTEXT_COMPACT,
        reductions.ContextCompactParams,
        reductions.ReceiptResult,
        "Compacts now; answers when it is done, and reports progress on `workDoneToken`.",
    ),
    Method(
        names.CONTEXT_UNDO,
        reductions.EditParams,
        reductions.ReceiptResult,
        "Takes a reduction back; `notUndoable` with `needsTokens` if it no longer fits.",
    ),
    Method(
        names.CONTEXT_EVICT,
        reductions.ItemsParams,
        reductions.ReceiptResult,
        "Takes items out; a tool result leaves its placeholder, anything else takes its group.",
    ),
    Method(
        names.CONTEXT_RESTORE,
        reductions.ItemsParams,
        reductions.ReceiptResult,
        "Brings items back to their full text.",
    ),
    Method(
        names.CONTEXT_DIFF,
        reductions.EditParams,
        reductions.ContextDiffResult,
        "The view before and after a reduction, for a diff editor.",
    ),
    Method(
        names.CONTEXT_POSTPONE,
        reductions.ContextPostponeParams,
        Empty,
        "Answers a planned automatic compaction: later, or not in this session.",
    ),
    Method(
        names.CONTEXT_EXPLAIN,
        reductions.ContextExplainParams,
        reductions.MarkdownResult,
        "Says why an item is here, or where it went.",
    ),
    Method(
        names.CONTEXT_EXPORT,
        sessions.SessionParams,
        reductions.ContextExportResult,
        "The log of a session with its texts.",
    ),
    Method(
        names.CONTEXT_IMPORT,
        reductions.ContextImportParams,
        sessions.SessionResult,
        "Makes a session of an exported log: the same view, and no permission comes along.",
    ),
)

_PIN = (
    Method(names.PIN_ADD, pins.PinAddParams, pins.PinResult, "Pins a text or an item."),
    Method(names.PIN_LIST, pins.PinOwner, pins.PinListResult, "Lists pins, numbered from 1."),
    Method(
        names.PIN_REMOVE,
        pins.PinRemoveParams,
        Empty,
        "Removes a pin; its number is never given again in the session.",
    ),
)

_MEMORY = (
    Method(
        names.MEMORY_LIST,
        memories.MemoryListParams,
        memories.MemoriesResult,
        "Lists the memories of a folder.",
    ),
    Method(
        names.MEMORY_SEARCH,
        memories.MemorySearchParams,
        memories.MemoriesResult,
        "Searches the memories of a folder, best first.",
    ),
    Method(
        names.MEMORY_ADD,
        memories.MemoryAddParams,
        memories.MemoryResult,
        "Adds a memory, or refuses with `memoryRefused`.",
    ),
    Method(
        names.MEMORY_UPDATE,
        memories.MemoryUpdateParams,
        memories.MemoryResult,
        "Changes the fields of a memory that are given.",
    ),
    Method(
        names.MEMORY_FORGET,
        memories.MemoryForgetParams,
        Empty,
        "Hides a memory at once, also from live sessions; `purge` removes its text for good.",
    ),
    Method(
        names.MEMORY_RESTORE,
        memories.MemoryParams,
        memories.MemoryResult,
        "Undoes `plimsoll/memory/forget`.",
    ),
    Method(
        names.MEMORY_REVIEW,
        memories.MemoryReviewParams,
        memories.MemoryReviewResult,
        "Accepts or rejects a memory of the inbox.",
    ),
    Method(
        names.MEMORY_EXPORT,
        memories.WorkspaceParams,
        reductions.MarkdownResult,
        "The memories of a folder, for a person.",
    ),
    Method(
        names.MEMORY_AUDIT,
        memories.MemoryAuditParams,
        memories.MemoryAuditResult,
        "Every change of the memories of a folder.",
    ),
)

_SERVER = (
    Method(
        names.PROJECT_LINK,
        memories.ProjectLinkParams,
        Empty,
        "Takes over the store of a folder that was moved; only on the user's word.",
    ),
    Method(
        names.MODEL_SET_KEY,
        models.ModelSetKeyParams,
        Empty,
        "Hands over a provider's key; it is kept in memory alone.",
    ),
    Method(names.STATUS, Empty, status.StatusResult, "What runs here, and what needs attention."),
)

REQUESTS: Final = _table((*_SESSION, *_CONTEXT, *_PIN, *_MEMORY, *_SERVER))
"""Requests from client to server."""

CLIENT_NOTIFICATIONS: Final = _table(
    (
        Method(
            names.DID_CHANGE_TRUST,
            status.DidChangeTrustParams,
            None,
            "The user has trusted a folder, or no longer does.",
        ),
    )
)
"""Notifications from client to server."""

SERVER_REQUESTS: Final = _table(
    (
        Method(
            names.SESSION_REQUEST_PERMISSION,
            permissions.RequestPermissionParams,
            permissions.RequestPermissionResult,
            "Asks whether a tool call may run; unanswered for 5 minutes it is rejected.",
            "serverToClient",
        ),
    )
)
"""Requests from server to client."""

NOTIFICATIONS: Final = _table(
    Method(name, params, None, text, "serverToClient")
    for name, params, text in (
        (names.SESSION_UPDATE, updates.SessionUpdateParams, "Something happened in a session."),
        (
            names.CONTEXT_DID_CHANGE,
            reductions.ContextDidChangeParams,
            "The meter moved; at most ten a second.",
        ),
        (
            names.MEMORY_DID_CHANGE,
            memories.MemoryDidChangeParams,
            "The memories of a folder changed.",
        ),
        (names.DID_CHANGE_STATUS, status.DidChangeStatusParams, "The server's state changed."),
    )
)
"""Notifications from server to client."""

METHODS: Final = {**REQUESTS, **CLIENT_NOTIFICATIONS, **SERVER_REQUESTS, **NOTIFICATIONS}
"""Every method of ours."""
