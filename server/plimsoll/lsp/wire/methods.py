"""The one list of methods: a method of the wire is one entry here.

From it come the names, what `initialize` offers, the JSON schema, docs/wire.md and the client's
TypeScript; `features` serves the requests. The models are named, not imported: pydantic takes a
fifth of the start-up, and `initialize` is answered from this list before it is loaded.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Final, Literal, cast

if TYPE_CHECKING:
    from plimsoll.lsp.wire.base import Wire

PROTOCOL_VERSION: Final = 1

Direction = Literal["clientToServer", "serverToClient"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A method of the wire; ``takes`` and ``gives`` name models of this folder as `file.Class`."""

    name: str
    takes: str
    gives: str | None
    help: str
    direction: Direction

    @property
    def params(self) -> type[Wire]:
        """The model of its params."""
        return _model(self.takes)

    @property
    def result(self) -> type[Wire] | None:
        """The model of its result; a notification has none."""
        return None if self.gives is None else _model(self.gives)

    @property
    def kind(self) -> Literal["request", "notification"]:
        """A request is answered, a notification is not."""
        return "notification" if self.gives is None else "request"


def _model(name: str) -> type[Wire]:
    file, _, model = name.partition(".")
    return cast("type[Wire]", getattr(import_module(f"plimsoll.lsp.wire.{file}"), model))


def _request(name: str, takes: str, gives: str, text: str) -> Method:
    return Method(name=name, takes=takes, gives=gives, help=text, direction="clientToServer")


def _notification(name: str, takes: str, text: str) -> Method:
    return Method(name=name, takes=takes, gives=None, help=text, direction="serverToClient")


def _by_name(methods: Iterable[Method]) -> dict[str, Method]:
    return {method.name: method for method in methods}


REQUESTS: Final = _by_name(
    (
        _request(
            "plimsoll/session/new",
            "sessions.SessionNewParams",
            "sessions.SessionNewResult",
            "Opens a new session in a folder.",
        ),
        _request(
            "plimsoll/session/list",
            "sessions.SessionListParams",
            "sessions.SessionListResult",
            "Lists the sessions of a folder, newest first.",
        ),
        _request(
            "plimsoll/session/load",
            "sessions.SessionLoadParams",
            "sessions.SessionLoadResult",
            "Loads a session with its conversation; without an id, the latest of the folder.",
        ),
        _request(
            "plimsoll/session/delete",
            "sessions.SessionParams",
            "base.Empty",
            "Deletes a session with its texts; forks keep their copies.",
        ),
        _request(
            "plimsoll/session/prompt",
            "sessions.SessionPromptParams",
            "sessions.SessionPromptResult",
            "Says something to the agent; answers on acceptance, the turn follows as updates.",
        ),
        _request(
            "plimsoll/session/cancel",
            "sessions.SessionParams",
            "sessions.SessionCancelResult",
            "Cancels the running turn; answers when nothing more can take effect.",
        ),
        _request(
            "plimsoll/session/setMode",
            "sessions.SessionSetModeParams",
            "sessions.SessionResult",
            "Sets what tools may do: `edit` all, `plan` reading only, `ask` none.",
        ),
        _request(
            "plimsoll/session/setModel",
            "sessions.SessionSetModelParams",
            "sessions.SessionSetModelResult",
            "Sets the model, as `provider/name`.",
        ),
        _request(
            "plimsoll/session/rewind",
            "sessions.SessionRewindParams",
            "sessions.SessionRewindResult",
            "Goes back to a message: what came after goes, reductions too; pins stay. "
            "`plimsoll/context/undo` takes the `editId` until something new is said.",
        ),
        _request(
            "plimsoll/session/fork",
            "sessions.SessionForkParams",
            "sessions.SessionResult",
            "Copies a session, up to a message, into a new one with `parentId`.",
        ),
        _request(
            "plimsoll/session/cost",
            "sessions.SessionParams",
            "sessions.SessionCostResult",
            "Sums what the session used, by purpose and model.",
        ),
        _request(
            "plimsoll/session/append",
            "sessions.SessionAppendParams",
            "sessions.SessionAppendResult",
            "Adds messages of an editor's own agent loop, all or none; no model is called. Role "
            "`system` is refused, a result answers an open call, the same `id` twice is one "
            "message.",
        ),
        _request(
            "plimsoll/session/view",
            "sessions.SessionParams",
            "sessions.SessionViewResult",
            "Shows the exact next request; writes nothing.",
        ),
        _request(
            "plimsoll/context/meter",
            "reductions.ContextMeterParams",
            "context.Meter",
            "Measures the next request, with the unsent prompt when it is given.",
        ),
        _request(
            "plimsoll/context/report",
            "reductions.ContextReportParams",
            "context.ContextReport",
            "Reports everything that the next request carries, or that of an earlier turn carried.",
        ),
        _request(
            "plimsoll/context/preview",
            "reductions.ContextPreviewParams",
            "reductions.ReceiptResult",
            "Shows what a reduction would do; changes nothing, calls no model.",
        ),
        _request(
            "plimsoll/context/compact",
            "reductions.ContextCompactParams",
            "reductions.ReceiptResult",
            "Compacts now; answers when it is done, and reports progress on `workDoneToken`.",
        ),
        _request(
            "plimsoll/context/undo",
            "reductions.EditParams",
            "reductions.ReceiptResult",
            "Takes a reduction back; `notUndoable` with `needsTokens` if it no longer fits.",
        ),
        _request(
            "plimsoll/context/evict",
            "reductions.ItemsParams",
            "reductions.ReceiptResult",
            "Takes items out; a tool result leaves its placeholder, anything else takes its group.",
        ),
        _request(
            "plimsoll/context/restore",
            "reductions.ItemsParams",
            "reductions.ReceiptResult",
            "Brings items back to their full text.",
        ),
        _request(
            "plimsoll/context/diff",
            "reductions.EditParams",
            "reductions.ContextDiffResult",
            "The view before and after a reduction, for a diff editor.",
        ),
        _request(
            "plimsoll/context/postpone",
            "reductions.ContextPostponeParams",
            "base.Empty",
            "Answers a planned automatic compaction: later, or not in this session.",
        ),
        _request(
            "plimsoll/context/explain",
            "reductions.ContextExplainParams",
            "reductions.MarkdownResult",
            "Says why an item is here, or where it went.",
        ),
        _request(
            "plimsoll/context/export",
            "sessions.SessionParams",
            "reductions.ContextExportResult",
            "The log of a session with its texts.",
        ),
        _request(
            "plimsoll/context/import",
            "reductions.ContextImportParams",
            "sessions.SessionResult",
            "Makes a session of an exported log: the same view but for our own frames.",
        ),
        _request(
            "plimsoll/pin/add", "pins.PinAddParams", "pins.PinResult", "Pins a text or an item."
        ),
        _request(
            "plimsoll/pin/list",
            "pins.PinOwner",
            "pins.PinListResult",
            "Lists pins, numbered from 1.",
        ),
        _request(
            "plimsoll/pin/remove",
            "pins.PinRemoveParams",
            "base.Empty",
            "Removes a pin; its number is never given again in the session.",
        ),
        _request(
            "plimsoll/memory/list",
            "memories.MemoryListParams",
            "memories.MemoriesResult",
            "Lists the memories of a folder.",
        ),
        _request(
            "plimsoll/memory/search",
            "memories.MemorySearchParams",
            "memories.MemoriesResult",
            "Searches the memories of a folder, best first.",
        ),
        _request(
            "plimsoll/memory/add",
            "memories.MemoryAddParams",
            "memories.MemoryResult",
            "Adds a memory, or refuses with `memoryRefused`.",
        ),
        _request(
            "plimsoll/memory/update",
            "memories.MemoryUpdateParams",
            "memories.MemoryResult",
            "Changes the fields of a memory that are given.",
        ),
        _request(
            "plimsoll/memory/forget",
            "memories.MemoryForgetParams",
            "base.Empty",
            "Hides a memory at once, also from live sessions; `purge` removes its text for good.",
        ),
        _request(
            "plimsoll/memory/restore",
            "memories.MemoryParams",
            "memories.MemoryResult",
            "Undoes `plimsoll/memory/forget`.",
        ),
        _request(
            "plimsoll/memory/review",
            "memories.MemoryReviewParams",
            "memories.MemoryReviewResult",
            "Accepts or rejects a memory of the inbox.",
        ),
        _request(
            "plimsoll/memory/export",
            "memories.WorkspaceParams",
            "reductions.MarkdownResult",
            "The memories of a folder, for a person.",
        ),
        _request(
            "plimsoll/memory/audit",
            "memories.MemoryAuditParams",
            "memories.MemoryAuditResult",
            "Every change of the memories of a folder.",
        ),
        _request(
            "plimsoll/project/link",
            "memories.ProjectLinkParams",
            "base.Empty",
            "Takes over the store of a folder that was moved; only on the user's word.",
        ),
        _request(
            "plimsoll/store/salvage",
            "store.StoreParams",
            "store.StoreSalvageResult",
            "Saves what can be read of a folder's damaged store into a new one; only on the "
            "user's word.",
        ),
        _request(
            "plimsoll/store/useMemory",
            "store.StoreParams",
            "base.Empty",
            "Keeps the sessions of a folder in memory until the server ends, where its store "
            "cannot be used.",
        ),
        _request(
            "plimsoll/store/forget",
            "store.StoreForgetParams",
            "store.StoreForgetResult",
            "Shows what is kept of a folder, or of all, and deletes it when it is `confirmed`.",
        ),
        _request(
            "plimsoll/model/setKey",
            "service.ModelSetKeyParams",
            "base.Empty",
            "Hands over a provider's key; it stays in memory and goes to that address alone.",
        ),
        _request(
            "plimsoll/model/list",
            "models.ModelListParams",
            "models.ModelListResult",
            "Lists the models that an address serves, with their windows; asks that server.",
        ),
        _request(
            "plimsoll/model/test",
            "models.ModelTestParams",
            "models.ModelTestResult",
            "Sends a model one small request, and says what came.",
        ),
        _request(
            "plimsoll/status",
            "base.Empty",
            "service.StatusResult",
            "What runs here, and what needs attention.",
        ),
    )
)
"""Requests from client to server, in the order of the documentation; all are served."""

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
SESSION_UPDATE: Final = _notification(
    "plimsoll/session/update",
    "updates.SessionUpdateParams",
    "Something happened in a session.",
)
CONTEXT_DID_CHANGE: Final = _notification(
    "plimsoll/context/didChange",
    "reductions.ContextDidChangeParams",
    "The meter moved; at most ten a second.",
)
MEMORY_DID_CHANGE: Final = _notification(
    "plimsoll/memory/didChange",
    "memories.MemoryDidChangeParams",
    "The memories of a folder changed.",
)
DID_CHANGE_STATUS: Final = _notification(
    "plimsoll/didChangeStatus",
    "service.DidChangeStatusParams",
    "The server's state changed.",
)

CLIENT_NOTIFICATIONS: Final = _by_name((DID_CHANGE_TRUST,))
"""Notifications from client to server."""

SERVER_REQUESTS: Final = _by_name((SESSION_REQUEST_PERMISSION,))
"""Requests from server to client."""

NOTIFICATIONS: Final = _by_name(
    (SESSION_UPDATE, CONTEXT_DID_CHANGE, MEMORY_DID_CHANGE, DID_CHANGE_STATUS)
)
"""Notifications from server to client."""

METHODS: Final = {**REQUESTS, **CLIENT_NOTIFICATIONS, **SERVER_REQUESTS, **NOTIFICATIONS}
"""Every method, by its name."""
