"""Requests about the context: to measure, report, preview, compact, undo, evict and explain."""

from typing import Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from plimsoll.lsp.wire.base import Wire
from plimsoll.lsp.wire.content import ContentPart
from plimsoll.lsp.wire.context import Meter, Receipt, StageName
from plimsoll.lsp.wire.sessions import FileResult, SessionInfo, SessionParams

Detail = TypeAliasType("Detail", Literal["list", "detail"])
Strategy = TypeAliasType("Strategy", Literal["auto", "digest", "model"])
Postponement = TypeAliasType("Postponement", Literal["later", "session"])


class ContextMeterParams(SessionParams):
    """The session to measure, and the prompt that is being written."""

    draft: tuple[ContentPart, ...] | None = None


class ContextReportParams(SessionParams):
    """The report to make: `list` leaves the items out, `turnId` shows the context of that turn."""

    detail: Detail = "list"
    draft: tuple[ContentPart, ...] | None = None
    turn_id: str | None = None
    offset: int | None = Field(default=None, ge=0)
    limit: int | None = Field(default=None, ge=1)


class ContextPreviewParams(SessionParams):
    """The stage to preview; without one, the next automatic reduction."""

    stage: StageName | None = None


class ContextCompactParams(SessionParams):
    """The way to compact; `workDoneToken` gets the progress and can cancel it.

    `summary` is put in place as it stands: it must only be smaller than what it replaces.
    `untilMessageId` is the last message that leaves. `anyway`: a model is asked also where its
    summary could free no more than 2 % of the window; else that is an error with `couldFree`.
    """

    instructions: str | None = None
    strategy: Strategy = "auto"
    anyway: bool = False
    summary: str | None = None
    until_message_id: str | None = None
    work_done_token: int | str | None = None


class ContextDraftSummaryParams(SessionParams):
    """What the summary is to cover, and what is wanted of it."""

    until_message_id: str | None = None
    instructions: str | None = None
    work_done_token: int | str | None = None


class SummaryDraft(Wire):
    """A summary to be read and edited, for `plimsoll/context/compact` with the same message.

    `kept` will stand beside it, from the log. It must have fewer than `mostTokens`. `missed`: what
    the checks of a model's summary object to. Without `model` nobody wrote it: headings alone.
    """

    text: str
    kept: str
    until_message_id: str
    tokens: int
    most_tokens: int
    missed: tuple[str, ...]
    model: str | None = None
    tokens_spent: int | None = None


class UndoResult(Wire):
    """What was taken back: a reduction, with its `receipt`, or a rewind, with the `session`.

    The session is as it is now; `files` are there where undoing the rewind brought files back.
    """

    receipt: Receipt | None = None
    session: SessionInfo | None = None
    files: tuple[FileResult, ...] | None = None


class ReceiptResult(Wire):
    """The receipt of a reduction that was made, or that would be made.

    `missed`: what the checks of a model's summary object to in the one that was given.
    """

    receipt: Receipt
    missed: tuple[str, ...] | None = None


class EditParams(SessionParams):
    """A reduction of a session; `editId` is the id of its receipt."""

    edit_id: str


class ItemsParams(SessionParams):
    """Items of a session's context."""

    item_ids: tuple[str, ...] = Field(min_length=1)


class ContextDiffResult(Wire):
    """The view before and after a reduction, as Markdown for a diff editor."""

    before: str
    after: str


class ContextPostponeParams(SessionParams):
    """How long to put off a planned automatic compaction."""

    until: Postponement


class ContextExplainParams(SessionParams):
    """The item to explain."""

    item_id: str


class ContextResultParams(SessionParams):
    """The item of a result, as `toolUpdate.itemId` names it."""

    item_id: str


class ContextResultResult(Wire):
    """The result as it was kept: whole, with what is known to be secret blanked."""

    text: str


class ContextOutputParams(SessionParams):
    """The call of a command that runs, as `toolUpdate.toolCallId` names it."""

    tool_call_id: str


class ContextOutputResult(Wire):
    """All that the command has written so far, with what is known to be secret blanked."""

    text: str


class MarkdownResult(Wire):
    """Text for a person, in Markdown."""

    markdown: str


class ContextExportResult(Wire):
    """The log of a session with its texts, one JSON object a line."""

    jsonl: str


class ContextImportParams(Wire):
    """An exported log, and the folder that the new session is bound to."""

    workspace_folder: str
    jsonl: str


class ContextDidChangeParams(Wire):
    """The load changed; sent at most ten times a second."""

    session_id: str
    meter: Meter


class Rule(Wire):
    """A standing instruction of a session; its number never changes.

    `endedBy` has the words of the later one that ended it; without it the instruction holds.
    """

    number: int
    text: str
    message_id: str
    ended_by: str | None = None


class RulesResult(Wire):
    """What holds, then what was ended, each in the order in which it was said."""

    rules: tuple[Rule, ...]


class RuleParams(SessionParams):
    """The instruction to let hold again, by its number."""

    number: int = Field(ge=1)


class RuleResult(Wire):
    """The instruction, which holds now."""

    rule: Rule
