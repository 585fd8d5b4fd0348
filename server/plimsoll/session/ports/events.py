"""What a session says while it works; frozen, so that whoever hears it can keep it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from plimsoll.context.budget import Meter
from plimsoll.context.index.calls import object_of
from plimsoll.context.log.call_end import Rejection
from plimsoll.context.log.counts import Counts
from plimsoll.context.log.entries import Said, TaskItem
from plimsoll.context.log.traits import ToolTraits
from plimsoll.context.report.receipts import Receipt
from plimsoll.context.report.titles import call_words
from plimsoll.errors import PlimsollError
from plimsoll.providers.base import Usage, WaitReason
from plimsoll.session.ports.content import Content
from plimsoll.storage.base import SessionRecord
from plimsoll.text.first_words import first_words
from plimsoll.tools.ports.hooks import HookDecision, HookEvent
from plimsoll.tools.ports.intent import AnyIntent, HeldBack
from plimsoll.tools.ports.made import MadeFile
from plimsoll.tools.ports.permission import PermissionScope

StopReason = Literal[
    "endTurn",
    "maxTokens",
    "cancelled",
    "contextLimit",
    "refusal",
    "error",
    "loop",
    "stepLimit",
    "spendLimit",
    "interrupted",
    "rejected",
]
CallStatus = Literal["pending", "waiting", "running", "completed", "failed", "rejected"]
Level = Literal["info", "warning", "error"]
When = Literal["steer", "after"]
"""When a queued prompt is said: before the next request of the turn, or as its own turn."""
Purpose = Literal["turn", "compaction", "extraction", "subagent", "commitMessage"]
LONGEST_TITLE = 150
"""Characters of a call's title; a client shows it on one line."""


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A turn has begun."""

    turn: str


@dataclass(frozen=True, slots=True)
class TextArrived:
    """More text of the answer that is being written."""

    turn: str
    message: str
    text: str


@dataclass(frozen=True, slots=True)
class ReasoningArrived:
    """More reasoning of the answer that is being written."""

    turn: str
    message: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitLasted:
    """A model is waited for, and why; the wait ends with its next text, or with the turn."""

    turn: str
    """Empty for a summary that a person asked for."""
    model: str
    """The model's name."""
    reason: WaitReason
    since: str
    """RFC 3339, as ``retry_at``."""
    attempt: int | None = None
    """The try that comes next, from 1, where another one comes."""
    attempts: int | None = None
    retry_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendQuestion:
    """The question before a spend limit is passed; in tokens or in US dollars."""

    scope: Literal["turn", "session"]
    unit: Literal["tokens", "money"]
    limit: float
    spent: float
    next: float
    """What the next request takes at least."""


@dataclass(frozen=True, slots=True)
class AddressQuestion:
    """The question before a session is sent to a new address."""

    known: str
    """Where it was held, in words for people."""
    now: str


@dataclass(frozen=True, slots=True)
class MadeQuestion:
    """The question whether protected files that a command made, now aside, are kept."""

    files: tuple[MadeFile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentShown:
    """A subagent as people see it, beside the call that began it or beside its own calls."""

    session: str
    """The id of its session."""
    kind: str
    description: str
    doing: str = ""
    """The title of its last call."""
    tokens: int = 0
    """What its requests took so far, in and out."""
    isolated: bool = False
    """Whether it works in a git worktree of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallShown:
    """A tool call, as people are shown it."""

    id: str
    item: str
    name: str
    arguments: str
    """Canonical JSON."""
    traits: ToolTraits
    intent: AnyIntent | None = None
    """What it would do; none when it cannot be run at all."""
    spend: SpendQuestion | None = None
    """It is no call of a tool but the question whether more may be spent."""
    address: AddressQuestion | None = None
    """It is no call of a tool but the question whether the session may go elsewhere."""
    made: MadeQuestion | None = None
    """It is no call of a tool but the question whether what a command made is kept."""
    is_form: bool = False
    """It is no call of a tool but fields of an MCP server's question, which stand in the intent's
    proposal and are filled in there."""
    agent: AgentShown | None = None
    """The subagent that makes the call, if it is none of the session's own."""
    asked_again: str | None = None
    """Why what was allowed for good does not cover it any more."""

    @property
    def always(self) -> tuple[PermissionScope, ...]:
        """The permissions that a person is offered to allow for good."""
        return tuple(each for each in self.intent.lasting if each.offered) if self.intent else ()

    @property
    def title(self) -> str:
        """The call's title for people; if it cannot be run, made of its tool and arguments."""
        if self.intent is not None:
            return self.intent.title
        verb, about = call_words(self.name, self.traits, object_of(self.arguments))
        return first_words(f"{verb} {about}", LONGEST_TITLE)


@dataclass(frozen=True, slots=True)
class CallMade:
    """The model has called a tool."""

    turn: str
    call: CallShown


@dataclass(frozen=True, slots=True, kw_only=True)
class CallChanged:
    """The status or the output of a call has changed."""

    turn: str
    call_id: str
    status: CallStatus
    output: str | None = None
    item: str | None = None
    """The item of the result."""
    since: str | None = None
    """When a call began to run that runs, as RFC 3339."""
    exit_code: int | None = None
    """The exit code of a command that has ended."""
    milliseconds: int | None = None
    """How long a command ran that has ended."""
    counts: Counts | None = None
    """How much a search found, or a read brought."""
    held_back: HeldBack | None = None
    """What a command that failed may not have reached in its sandbox."""
    kept: tuple[str, ...] = ()
    """The protected files that a command made and a person kept, by their paths in the folder."""
    aside: tuple[str, ...] = ()
    """Those that nobody kept."""
    rejection: Rejection | None = None
    agent: AgentShown | None = None
    """The subagent that the call began, and what it does now."""


@dataclass(frozen=True, slots=True)
class MessageSaid:
    """A message stands in the log."""

    said: Said


@dataclass(frozen=True, slots=True)
class NoticeGiven:
    """A notice to the person that is no part of the conversation."""

    markdown: str
    level: Level = "info"
    turn: str | None = None
    data: object = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandAnswered(NoticeGiven):
    """The answer to a slash command."""

    command: str
    """As it was typed."""


@dataclass(frozen=True, slots=True)
class SettingsNamed:
    """The data of a notice that names settings, as ``model.context_window``, between backticks."""

    settings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RewindTold:
    """The data of a notice about a rewind that can still be undone."""

    rewind: str


@dataclass(frozen=True, slots=True)
class TasksChanged:
    """The agent's task list, whole."""

    tasks: tuple[TaskItem, ...]


@dataclass(frozen=True, slots=True)
class ReductionApplied:
    """A reduction was applied or undone."""

    receipt: Receipt


@dataclass(frozen=True, slots=True)
class ReductionPlanned:
    """An automatic compaction is near; people may postpone it."""

    receipt: Receipt
    in_turns: int | None = None


@dataclass(frozen=True, slots=True)
class UsageReported:
    """The usage that a provider reported for one request."""

    turn: str
    purpose: Purpose
    model: str
    usage: Usage


@dataclass(frozen=True, slots=True)
class SessionChanged:
    """The session's title, mode, model, times or writer changed."""

    record: SessionRecord
    held_by: str | None = None
    """The other process that writes the session, which is only followed here."""
    runs_there: bool = False
    """Whether a turn of it runs in that process."""
    replaced: bool = False
    """Whether its log is another one now, so that what was shown of it must be loaded anew."""


@dataclass(frozen=True, slots=True)
class MeterMoved:
    """The load has changed."""

    meter: Meter


@dataclass(frozen=True, slots=True)
class QueuedPrompt:
    """A prompt that waits for its time."""

    id: str
    when: When
    content: tuple[Content, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueChanged:
    """The queue of prompts has changed."""

    entries: tuple[QueuedPrompt, ...]
    said: tuple[str, ...] = ()
    """The ids of those that were said now."""
    returned: tuple[QueuedPrompt, ...] = ()
    """Those that whoever sent them has again, and nobody else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HookRan:
    """A hook of the person's has run."""

    turn: str
    """Empty where it ran for no turn."""
    event: HookEvent
    name: str
    """The beginning of its command, for people."""
    decision: HookDecision | None = None
    milliseconds: int = 0


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A turn is over."""

    turn: str
    reason: StopReason
    error: PlimsollError | None = None


Event = (
    TurnStarted
    | TextArrived
    | ReasoningArrived
    | WaitLasted
    | CallMade
    | CallChanged
    | MessageSaid
    | NoticeGiven
    | TasksChanged
    | ReductionApplied
    | ReductionPlanned
    | UsageReported
    | SessionChanged
    | MeterMoved
    | QueueChanged
    | HookRan
    | TurnEnded
)

Listener = Callable[[str, Event], None]
"""Takes the session's id and what it says; called on the event loop, must not block."""
