"""One conversation: to open, list, prompt, cancel, rewind, fork and delete it."""

from typing import Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from plimsoll.lsp.wire.base import Wire
from plimsoll.lsp.wire.content import ContentPart, MessageView, RawMessage, ToolSchema
from plimsoll.lsp.wire.context import Meter, Receipt

Mode = TypeAliasType("Mode", Literal["edit", "plan", "ask"])
Purpose = TypeAliasType("Purpose", Literal["turn", "compaction", "extraction", "subagent"])
ToolChoice = TypeAliasType("ToolChoice", Literal["auto", "none"])


class SessionInfo(Wire):
    """A session in a list: times are RFC 3339 UTC, `model` is `provider/name`."""

    id: str
    title: str
    workspace_folder: str
    mode: Mode | str
    model: str
    created_at: str
    updated_at: str
    turns: int
    parent_id: str | None = None
    preview: str


class SessionParams(Wire):
    """The session that the request is about."""

    session_id: str


class SessionResult(Wire):
    """The session as it is now."""

    session: SessionInfo


class SessionNewParams(Wire):
    """The folder of the new session; mode and model default to the settings."""

    workspace_folder: str
    mode: Mode | None = None
    model: str | None = None


class SessionNewResult(Wire):
    """The new session; the next update of it has a `seq` above this one."""

    session: SessionInfo
    seq: int


class SessionListParams(Wire):
    """The folder whose sessions are listed, newest first."""

    workspace_folder: str
    limit: int | None = Field(default=None, ge=1)


class SessionListResult(Wire):
    """Sessions, newest first."""

    sessions: tuple[SessionInfo, ...]


class SessionLoadParams(Wire):
    """The session to load; without an id, the latest one of the folder."""

    workspace_folder: str
    session_id: str | None = None


class SessionLoadResult(Wire):
    """The session and its conversation; the next update of it has a `seq` above this one."""

    session: SessionInfo
    messages: tuple[MessageView, ...]
    seq: int


class SessionPromptParams(SessionParams):
    """The prompt; a first text part such as `/compact` is a slash command."""

    content: tuple[ContentPart, ...] = Field(min_length=1)


class SessionPromptResult(Wire):
    """The turn that was accepted; its progress and its end come as notifications."""

    turn_id: str


class SessionCancelResult(Wire):
    """Tells whether a turn ran; sent once nothing of that turn can take effect any more."""

    cancelled: bool


class SessionSetModeParams(SessionParams):
    """The mode to set; it counts from the next model request on."""

    mode: Mode


class SessionSetModelParams(SessionParams):
    """The model to set, as `provider/name`."""

    model: str


class SessionRewindParams(SessionParams):
    """The message to go back to; all that came after it is taken out of view."""

    message_id: str


class SessionRewindResult(Wire):
    """The session, and the `editId` by which `context/undo` takes the rewind back."""

    session: SessionInfo
    edit_id: str


class SessionForkParams(SessionParams):
    """The message after which to fork; without one, the end of the session."""

    message_id: str | None = None


class Usage(Wire):
    """Tokens of model requests for one purpose.

    Of `input`, `cached` were read from the provider's cache and `written` were written to it;
    `writtenHour` is the part of `written` that is kept for an hour.
    """

    purpose: Purpose | str
    model: str
    input: int
    cached: int
    output: int
    written: int | None = None
    written_hour: int | None = None
    money: float | None = None


class SessionCostResult(Wire):
    """The usage of a session, a row for each purpose and model."""

    rows: tuple[Usage, ...]


class SessionAppendParams(SessionParams):
    """Messages of an editor's own agent loop; either all are appended or none."""

    messages: tuple[RawMessage, ...] = Field(min_length=1)


class SessionAppendResult(Wire):
    """The ids of the messages, in their order; a message sent twice keeps its id."""

    message_ids: tuple[str, ...]


class SessionSetModelResult(Wire):
    """The session with its new model, and the meter against that model's window."""

    session: SessionInfo
    meter: Meter


class SessionViewResult(Wire):
    """The exact next request, with the edits that the pre-flight would add now in `pending`."""

    messages: tuple[RawMessage, ...]
    tools: tuple[ToolSchema, ...]
    tool_choice: ToolChoice | str
    meter: Meter
    pending: tuple[Receipt, ...]
