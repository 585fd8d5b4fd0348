"""The requests about a session, from client to server."""

from __future__ import annotations

from typing import Final

from plimsoll.lsp.wire.methods.method import by_name, request

SESSION_REQUESTS: Final = by_name(
    (
        request(
            "plimsoll/session/new",
            "sessions.SessionNewParams",
            "sessions.SessionNewResult",
            "Opens a new session in a folder.",
        ),
        request(
            "plimsoll/session/list",
            "sessions.SessionListParams",
            "sessions.SessionListResult",
            "Lists the sessions of a folder, newest first.",
        ),
        request(
            "plimsoll/session/load",
            "sessions.SessionLoadParams",
            "updates.SessionLoadResult",
            "Loads a session with its conversation; without an id, the latest of the folder.",
        ),
        request(
            "plimsoll/session/takeOver",
            "sessions.SessionParams",
            "sessions.SessionTakeOverResult",
            "Takes over writing a session from another process; `busy` while a turn of it runs.",
        ),
        request(
            "plimsoll/session/delete",
            "sessions.SessionParams",
            "base.Empty",
            "Deletes a session with its texts; forks keep their copies.",
        ),
        request(
            "plimsoll/session/prompt",
            "sessions.SessionPromptParams",
            "sessions.SessionPromptResult",
            "Says something to the agent; answers on acceptance, the turn follows as updates.",
        ),
        request(
            "plimsoll/session/promptContent",
            "sessions.SessionPromptContentParams",
            "sessions.SessionPromptContentResult",
            "Gives back what a person sent with a message, to be changed and sent again.",
        ),
        request(
            "plimsoll/session/unqueue",
            "sessions.SessionUnqueueParams",
            "base.Empty",
            "Takes back a prompt that waits for the running turn, before it is said.",
        ),
        request(
            "plimsoll/session/cancel",
            "sessions.SessionParams",
            "sessions.SessionCancelResult",
            "Cancels the running turn; answers when nothing more can take effect.",
        ),
        request(
            "plimsoll/session/setMode",
            "sessions.SessionSetModeParams",
            "sessions.SessionResult",
            "Sets what tools may do: `edit` all, `plan` reading only, `ask` none.",
        ),
        request(
            "plimsoll/session/setModel",
            "sessions.SessionSetModelParams",
            "sessions.SessionSetModelResult",
            "Sets the model, as `provider/name`.",
        ),
        request(
            "plimsoll/session/rewind",
            "sessions.SessionRewindParams",
            "sessions.SessionRewindResult",
            "Goes back to a message: what came after goes, reductions too; pins stay. "
            "`plimsoll/context/undo` takes the `editId` until something new is said.",
        ),
        request(
            "plimsoll/session/checkpoint",
            "sessions.SessionCheckpointParams",
            "sessions.SessionCheckpointResult",
            "Tells what going back to a message would do to files; changes nothing.",
        ),
        request(
            "plimsoll/session/fork",
            "sessions.SessionForkParams",
            "sessions.SessionResult",
            "Copies a session, up to a message, into a new one with `parentId`.",
        ),
        request(
            "plimsoll/session/rename",
            "sessions.SessionRenameParams",
            "sessions.SessionResult",
            "Gives a session another title.",
        ),
        request(
            "plimsoll/session/search",
            "sessions.SessionSearchParams",
            "sessions.SessionSearchResult",
            "Finds the sessions of a folder in whose title, or in one of whose messages, all words "
            "of the query stand: a title before a message, then the newest first.",
        ),
        request(
            "plimsoll/session/commitMessage",
            "sessions.SessionCommitMessageParams",
            "sessions.SessionCommitMessageResult",
            "Writes a commit message for what is staged; asks the model beside the conversation.",
        ),
        request(
            "plimsoll/session/cost",
            "sessions.SessionParams",
            "sessions.SessionCostResult",
            "Sums what the session used, by purpose and model.",
        ),
        request(
            "plimsoll/session/append",
            "sessions.SessionAppendParams",
            "sessions.SessionAppendResult",
            "Adds messages of an editor's own agent loop, all or none; no model is called. Role "
            "`system` is refused, a result answers an open call, the same `id` twice is one "
            "message.",
        ),
        request(
            "plimsoll/session/view",
            "sessions.SessionParams",
            "sessions.SessionViewResult",
            "Shows the exact next request; writes nothing.",
        ),
    )
)
