"""Updates of a session, told apart by `kind`, and the question whether a call may run."""

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from plimsoll.lsp.wire.base import Wire
from plimsoll.lsp.wire.content import AgentView, Counts, HeldBack, MessageView, ToolCall, ToolStatus
from plimsoll.lsp.wire.context import Receipt
from plimsoll.lsp.wire.failures import Failure
from plimsoll.lsp.wire.sessions import QueuedPrompt, SessionInfo, Usage

NoticeLevel = TypeAliasType("NoticeLevel", Literal["info", "warning", "error"])
StopReason = TypeAliasType(
    "StopReason",
    Literal[
        "endTurn",
        "maxTokens",
        "cancelled",
        "contextLimit",
        "refused",
        "error",
        "loop",
        "stepLimit",
        "spendLimit",
        "interrupted",
        "rejected",
    ],
)
WaitReason = TypeAliasType(
    "WaitReason", Literal["connecting", "loading", "firstToken", "rateLimited", "retrying"]
)
RejectedBy = TypeAliasType("RejectedBy", Literal["person", "earlier", "nobody"])
PermissionKind = TypeAliasType(
    "PermissionKind",
    Literal["allowOnce", "allowSession", "allowAlways", "rejectOnce", "rejectSession"],
)
PermissionOutcome = TypeAliasType("PermissionOutcome", Literal["selected", "cancelled"])
TaskStatus = TypeAliasType("TaskStatus", Literal["pending", "inProgress", "completed", "cancelled"])


class TurnStarted(Wire):
    """A turn began."""

    kind: Literal["turnStarted"] = "turnStarted"
    turn_id: str


class TextDelta(Wire):
    """More text of a message."""

    kind: Literal["textDelta"] = "textDelta"
    turn_id: str
    message_id: str
    text: str


class ReasoningDelta(Wire):
    """More reasoning of a message."""

    kind: Literal["reasoningDelta"] = "reasoningDelta"
    turn_id: str
    message_id: str
    text: str


class Waiting(Wire):
    """Nothing of the answer has come for a while, and why; over with the next of it.

    `attempt` of `attempts` is the try that comes next, at `retryAt` (RFC 3339, as `since`). The
    `turnId` is empty where a summary is waited for that was asked for (`/compact`,
    `plimsoll/context/compact`): it is over with the command or the request.
    """

    kind: Literal["waiting"] = "waiting"
    turn_id: str
    model: str | None = None
    reason: WaitReason | str
    since: str
    attempt: int | None = None
    attempts: int | None = None
    retry_at: str | None = None


class ToolCallStarted(Wire):
    """The model called a tool."""

    kind: Literal["toolCall"] = "toolCall"
    turn_id: str
    tool_call: ToolCall


class Rejection(Wire):
    """Who declined a call: a person now, one earlier in the session, or nobody as none answered."""

    by: RejectedBy | str
    reason: str | None = None


class ToolCallUpdated(Wire):
    """A call has a new status; `output` is for people, `itemId` the item of its result.

    `heldBack` of a command that failed in its sandbox: what it may have failed to reach, a guess.
    `rejection` of a call that was rejected: who declined it, and why. `agent` is the subagent that
    the call began; while that works, `output` is one line on what it does. While a command runs,
    `output` is its last ten lines so far, at most four times a second. `since` is when the call
    began to run, RFC 3339 UTC; `exitCode` and `milliseconds` are those of a command that has ended,
    `counts` how much a search found or a read brought.
    `keptFiles` are the protected files that a command made and a person kept, `asideFiles` those
    that nobody kept.
    """

    kind: Literal["toolUpdate"] = "toolUpdate"
    turn_id: str
    tool_call_id: str
    status: ToolStatus | str
    output: str | None = None
    item_id: str | None = None
    since: str | None = None
    exit_code: int | None = None
    milliseconds: int | None = None
    counts: Counts | None = None
    held_back: HeldBack | str | None = None
    rejection: Rejection | None = None
    agent: AgentView | None = None
    kept_files: tuple[str, ...] | None = None
    aside_files: tuple[str, ...] | None = None


class MessageAdded(Wire):
    """A message is complete and stands in the log."""

    kind: Literal["message"] = "message"
    message: MessageView


class Notice(Wire):
    """A message of the server, not of the model; `data` is the result of a command.

    Where the text names settings between backticks, as `model.context_window`, `data.settings`
    lists them: a client can show its own names and link them. `data.undo` is the `editId` by which
    the rewind that it tells of can be undone. `command` is the slash command that it answers, as it
    was typed.
    """

    kind: Literal["notice"] = "notice"
    turn_id: str | None = None
    markdown: str
    level: NoticeLevel | str
    data: Any = None
    command: str | None = None


class Task(Wire):
    """One task of the agent's list."""

    title: str
    status: TaskStatus | str
    children: "tuple[Task, ...] | None" = None


class TasksChanged(Wire):
    """The whole task list of the agent, after a change."""

    kind: Literal["tasks"] = "tasks"
    tasks: tuple[Task, ...]


class ReductionMade(Wire):
    """A stage reduced the context."""

    kind: Literal["reduction"] = "reduction"
    receipt: Receipt


class ReductionPlanned(Wire):
    """An automatic compaction is near, in about `inTurns` turns; `context/postpone` answers it."""

    kind: Literal["reductionPlanned"] = "reductionPlanned"
    receipt: Receipt
    in_turns: int | None = None


class UsageReported(Usage):
    """What the provider reported for one model request."""

    kind: Literal["usage"] = "usage"
    turn_id: str


class SessionChanged(Wire):
    """The session's own data changed; after `/new` and `/resume` it is another session."""

    kind: Literal["sessionChanged"] = "sessionChanged"
    session: SessionInfo


class TurnEnded(Wire):
    """A turn ended; `error` is there if it failed.

    Before `loop`, `stepLimit` and `spendLimit` comes a notice that says why and how to go on.
    Before `rejected` too: the person did not let the session go to another address, so nothing was
    sent. `interrupted`: its process ended while it ran; only `session/load` says so.
    """

    kind: Literal["turnEnded"] = "turnEnded"
    turn_id: str
    stop_reason: StopReason | str
    error: Failure | None = None


class Queued(Wire):
    """The queue has changed: `entries` is all that stands in it, in the order of its time.

    `said` of those that were there are said now, as the `message` before, and durable. `returned`
    were given back since the turn was cancelled or failed; a client puts them into its composer.
    The queue stands in memory alone: until one of both lists names a prompt, the client keeps its
    text, and puts it back when the server ends without a word.
    """

    kind: Literal["queued"] = "queued"
    entries: tuple[QueuedPrompt, ...]
    said: tuple[str, ...] = ()
    returned: tuple[QueuedPrompt, ...] = ()


HookDecision = TypeAliasType(
    "HookDecision", Literal["deny", "ask", "changed", "block", "postpone", "said", "failed"]
)


class HookRan(Wire):
    """A hook of the person's has run: the beginning of its command, and what it decided.

    `said`: it only had words for the model; `failed`: it did not work and decided nothing. The
    `turnId` is empty where it ran for no turn.
    """

    kind: Literal["hook"] = "hook"
    turn_id: str
    event: str
    name: str
    decision: HookDecision | str | None = None
    milliseconds: int


SessionUpdate = TypeAliasType(
    "SessionUpdate",
    Annotated[
        TurnStarted
        | TextDelta
        | ReasoningDelta
        | Waiting
        | ToolCallStarted
        | ToolCallUpdated
        | MessageAdded
        | Notice
        | TasksChanged
        | ReductionMade
        | ReductionPlanned
        | UsageReported
        | SessionChanged
        | TurnEnded
        | Queued
        | HookRan,
        Field(discriminator="kind"),
    ],
)


class SessionUpdateParams(Wire):
    """An update of a session; `seq` grows by one for each, a gap means that some were left out."""

    session_id: str
    seq: int
    update: SessionUpdate


class ShownEarlier(Wire):
    """A notice, or the end of a turn that did not end well, as it was shown at `at`.

    It stands behind the message `afterMessageId`; without one, before all of them.
    """

    at: str
    after_message_id: str | None = None
    update: Annotated[Notice | TurnEnded, Field(discriminator="kind")]


class UnfinishedAnswer(Wire):
    """An answer that is being written: what has come of it; the deltas to come go on from there."""

    turn_id: str
    message_id: str
    text: str
    reasoning: str


class SessionLoadResult(Wire):
    """The session and its conversation; the next update of it has a `seq` above this one.

    `shown` are notices, answers of slash commands and failed ends of turns, in their order.
    `runningTurnId` is the turn that runs in this server, `answer` what it is saying, which is no
    message yet, `queued` what waits for its end, `tasks` the agent's list.
    """

    session: SessionInfo
    messages: tuple[MessageView, ...]
    seq: int
    shown: tuple[ShownEarlier, ...] = ()
    running_turn_id: str | None = None
    answer: UnfinishedAnswer | None = None
    queued: tuple[QueuedPrompt, ...] = ()
    tasks: tuple[Task, ...] = ()


class PermissionOption(Wire):
    """An answer that a person can give to a permission request; `scope` says what it covers."""

    option_id: str
    name: str
    kind: PermissionKind | str
    scope: str | None = None


class RequestPermissionParams(Wire):
    """The call that wants to run, and the answers to choose from."""

    session_id: str
    turn_id: str
    tool_call: ToolCall
    options: tuple[PermissionOption, ...]


class RequestPermissionResult(Wire):
    """The answer: anything but a selected option that allows is a rejection.

    `editedPlan` is a plan as the person changed it before they accepted it; it counts for a client
    with the capability `plans`. `keptFiles` answers a question with `made`: the paths of the files
    that are kept; without it all of them are.
    """

    outcome: PermissionOutcome | str
    option_id: str | None = None
    reason: str | None = None
    edited_plan: str | None = None
    kept_files: tuple[str, ...] | None = None
    kept_hunks: tuple[int, ...] | None = None
