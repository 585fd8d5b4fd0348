"""One conversation: to open, list, prompt, cancel, rewind, fork and delete it."""

from typing import Literal

from pydantic import Field, StrictBool
from typing_extensions import TypeAliasType

from plimsoll.lsp.wire.base import Wire
from plimsoll.lsp.wire.content import ContentPart, RawMessage, ToolSchema
from plimsoll.lsp.wire.context import Meter, Receipt, Spending

Mode = TypeAliasType("Mode", Literal["edit", "plan", "ask"])
Purpose = TypeAliasType(
    "Purpose", Literal["turn", "compaction", "extraction", "subagent", "commitMessage"]
)
When = TypeAliasType("When", Literal["steer", "after"])
ToolChoice = TypeAliasType("ToolChoice", Literal["auto", "none"])


class SessionInfo(Wire):
    """A session: times are RFC 3339 UTC, `model` is `provider/name`.

    While `heldBy` names another process, or another machine of the person's, that one writes the
    session and this server only follows it: what would change it answers `busy`. It is told to
    clients that give a `windowName`, of the session that is open. With it comes the `state`:
    whether a turn runs in that process.

    In a list, `state` says so of every session that is open in this server: a turn runs, or it asks
    the person something. There `unread` says whether something was said in it since this client
    showed it, which it does from `session/new` or `session/load` on until it asks for another one
    so. The server keeps that in memory: what nobody has opened since its start is not unread.

    In a list, `elsewhere` names the machine of the person's that has the session, which is not
    here: `session/load` brings it, and answers `storeUnavailable` while the team's server is away.

    `address` is where its answers come from, by a person's word or as it began; `machine` the id of
    the machine that alone is meant by it. Without: it was sent nowhere yet.

    With `agent` it is the session of a subagent of that kind, which `parentId` has called; once a
    person goes on with it, it is one like others.
    """

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
    held_by: str | None = None
    state: Literal["idle", "running", "asking"] | None = None
    agent: str | None = None
    unread: bool | None = None
    address: str | None = None
    machine: str | None = None
    elsewhere: str | None = None


class SessionParams(Wire):
    """The session that the request is about."""

    session_id: str


class FileResult(Wire):
    """What became of a file that the agent had changed.

    `why` tells why a file was left as it is. Of one that was put back it tells why it may not be as
    it was at the message: somebody may have changed it before the agent's first edit.
    """

    uri: str
    action: Literal["restored", "removed", "left"]
    why: str | None = None


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


class SessionTakeOverResult(Wire):
    """The session, which is written here from now on; updates have a `seq` above this one."""

    session: SessionInfo
    seq: int


class SessionListParams(Wire):
    """The folder whose sessions are listed, newest first.

    With `parentId`: the sessions of the subagents that this one has called, in their order; they
    stand in no other list.
    """

    workspace_folder: str
    limit: int | None = Field(default=None, ge=1)
    parent_id: str | None = None


class SessionListResult(Wire):
    """Sessions, newest first, those on the person's other machines among them."""

    sessions: tuple[SessionInfo, ...]


class SessionLoadParams(Wire):
    """The session to load; without an id, the latest one of the folder."""

    workspace_folder: str
    session_id: str | None = None


class SessionPromptParams(SessionParams):
    """The prompt; a first text part such as `/compact` is a slash command.

    `when` says what becomes of it while a turn runs: `steer` goes in before the next model request
    of that turn, `after` is a turn of its own once that has ended. Without it: `busy`.
    `acceptAddress` is a person's word that the session may go wherever it is set to go now.
    """

    content: tuple[ContentPart, ...] = Field(min_length=1)
    when: When | None = None
    accept_address: bool | None = None


class SessionPromptResult(Wire):
    """The turn that was accepted; its progress and its end come as notifications.

    With `queuedId` the prompt stands in the queue, and `turnId` is the turn that runs.
    """

    turn_id: str
    queued_id: str | None = None


class SessionPromptContentParams(SessionParams):
    """The message of a person whose content is asked for."""

    message_id: str


class SessionPromptContentResult(Wire):
    """What was sent with it: files by their addresses, images, selections and excerpts whole.

    What is known to be secret is blanked there, as everywhere in a session.
    """

    content: tuple[ContentPart, ...]


class QueuedPrompt(Wire):
    """A prompt that waits for its time; `content` is what was sent."""

    queued_id: str
    when: When | str
    content: tuple[ContentPart, ...]


class SessionUnqueueParams(SessionParams):
    """The prompt to take back; `queuedNotFound` once it was said or given back."""

    queued_id: str


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
    """The message to go back to; all that came after it is taken out of view.

    `restoreFiles`: files that the agent's edits changed since are put back as they were then. Where
    it is given, true or false, a notice of what was done stands among what `session/load` shows.
    `before`: the message, which must be a prompt, is taken out of view too.
    """

    message_id: str
    restore_files: bool | None = None
    before: StrictBool = False


class SessionRewindResult(Wire):
    """The session, and the `editId` by which `context/undo` takes the rewind back.

    Where files were to be put back: what became of each, and how many `commands` ran since, of
    which nothing is undone. A file that was as it was then already is not named.
    """

    session: SessionInfo
    edit_id: str
    files: tuple[FileResult, ...] | None = None
    commands: int | None = None


class SessionCheckpointParams(SessionParams):
    """The message that a person may go back to."""

    message_id: str


class SessionCheckpointResult(Wire):
    """What going back with `restoreFiles` would do, and how many `commands` ran since."""

    files: tuple[FileResult, ...]
    commands: int


class SessionRenameParams(SessionParams):
    """The new title, of one line and at most 200 characters."""

    title: str = Field(min_length=1)


class SessionSearchParams(Wire):
    """The words to find, in any case and order, as parts of words too; at most 20 sessions."""

    workspace_folder: str
    query: str = Field(min_length=1)
    limit: int | None = Field(default=None, ge=1)


class SessionMatch(Wire):
    """A session that was found, with what stands around the first of the words.

    `messageId` and `role` are those of the newest message with all words; where the title has them
    they are left out. A message that a rewind has hidden is found too.
    """

    session: SessionInfo
    snippet: str
    message_id: str | None = None
    role: str | None = None


class SessionSearchResult(Wire):
    """What was found, the best first."""

    matches: tuple[SessionMatch, ...]


class SessionForkParams(SessionParams):
    """The message after which to fork; without one, the end of the session."""

    message_id: str | None = None


class Usage(Wire):
    """Tokens of model requests for one purpose.

    Of `input`, `cached` were read from the provider's cache and `written` were written to it;
    `writtenHour` is the part of `written` that is kept for an hour. Of `input` and `output`
    together `estimated` are our own count, where nothing was reported that can be right.
    """

    purpose: Purpose | str
    model: str
    input: int
    cached: int
    output: int
    written: int | None = None
    written_hour: int | None = None
    estimated: int | None = None
    money: float | None = None


class SessionCommitMessageParams(SessionParams):
    """A session, whose model and limits hold, and how the message begins."""

    beginning: str | None = None


class SessionCommitMessageResult(Wire):
    """A commit message; `staged` is false where it is for all changes, as nothing is staged."""

    message: str
    staged: bool


class SessionCostResult(Wire):
    """The usage of a session, a row for each purpose and model, and what it comes to."""

    rows: tuple[Usage, ...]
    total: Spending | None = None


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
