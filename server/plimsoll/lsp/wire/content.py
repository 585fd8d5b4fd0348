"""Messages: their content parts, the form that models see, and the form that a chat shows."""

import json
from typing import Annotated, Any, Literal, cast

from pydantic import Field, field_validator, model_validator
from typing_extensions import TypeAliasType

from plimsoll.context.log.messages import object_in
from plimsoll.lsp.wire.base import Wire

Role = TypeAliasType("Role", Literal["system", "user", "assistant", "tool"])
Origin = TypeAliasType("Origin", Literal["person", "editor", "import", "subagent"])
ItemState = TypeAliasType(
    "ItemState",
    Literal[
        "verbatim",
        "truncated",
        "referred",
        "superseded",
        "pruned",
        "summarised",
        "evicted",
        "trimmed",
    ],
)
ToolKind = TypeAliasType(
    "ToolKind", Literal["read", "edit", "search", "execute", "fetch", "memory", "other", "address"]
)
ToolStatus = TypeAliasType(
    "ToolStatus", Literal["pending", "waiting", "running", "completed", "failed", "rejected"]
)
HeldBack = TypeAliasType("HeldBack", Literal["files", "network"])
Rung = TypeAliasType("Rung", Literal["bubblewrap", "landlock", "seatbelt", "none"])
Coverage = TypeAliasType("Coverage", Literal["full", "partial", "none"])
SpendScope = TypeAliasType("SpendScope", Literal["turn", "session"])
SpendUnit = TypeAliasType("SpendUnit", Literal["tokens", "money"])
PartType = TypeAliasType(
    "PartType", Literal["text", "reasoning", "toolCall", "toolResult", "image", "notice"]
)


class Position(Wire):
    """A place in a document: line and character from 0, in UTF-16 units unless negotiated."""

    line: int
    character: int


class Range(Wire):
    """A range of a document; the end is exclusive."""

    start: Position
    end: Position


class TextPart(Wire):
    """Plain text; `pasted` tells what of it was pasted, from and to in UTF-16 units.

    With it, an empty list too, all else is what the person typed: rules in it hold at once, and
    nothing in a paste is the person's word. Without it nobody said, and the looks of the text
    decide. What is changed of a paste, and what is typed inside one, counts as pasted.
    """

    type: Literal["text"] = "text"
    text: str
    pasted: tuple[tuple[int, int], ...] | None = None


class FilePart(Wire):
    """A file, or its lines in `range`; the server reads it when it accepts the prompt.

    Of a folder of the workspace it lists the files, with the first lines of some.
    """

    type: Literal["file"] = "file"
    uri: str
    range: Range | None = None


class ImagePart(Wire):
    """An image: PNG, JPEG, GIF or WebP, at most 3,750,000 bytes; `data` is base64.

    A prompt with one is refused where the model is known to see none.
    """

    type: Literal["image"] = "image"
    mime_type: str
    data: str


class SelectionPart(Wire):
    """A selection of an editor with its text as it stood when it was sent."""

    type: Literal["selection"] = "selection"
    uri: str
    range: Range
    text: str


class ExcerptPart(Wire):
    """A text that an editor shows and that is no file's: its problems, the output of a terminal."""

    type: Literal["excerpt"] = "excerpt"
    title: str
    text: str


class ChangesPart(Wire):
    """What is changed in the folder's git repository; the server reads it as the prompt is said.

    The names of staged, unstaged and untracked files, and as much of the diffs as fits; without
    the content of files that by their names hold secrets. It becomes an excerpt.
    """

    type: Literal["changes"] = "changes"


ContentPart = TypeAliasType(
    "ContentPart",
    Annotated[
        TextPart | FilePart | ImagePart | SelectionPart | ExcerptPart | ChangesPart,
        Field(discriminator="type"),
    ],
)


class ItemTokens(Wire):
    """An item of the context with its title and its tokens."""

    id: str
    title: str
    tokens: int


class RawToolCall(Wire):
    """A tool call as the model made it.

    `arguments` is always an object. If the model sent anything else, it is empty and
    `rawArguments` holds the text that was sent.
    """

    id: str
    name: str
    arguments: dict[str, Any]
    raw_arguments: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _take_other_forms(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        return _with_object_arguments(_lift_function(cast("dict[str, Any]", value)))


class RawMessage(Wire):
    """A message as a model sees it; snake_case names are taken on input too.

    `exitCode` is there in the result of a command that has ended.
    """

    id: str | None = None
    item_ids: tuple[str, ...] | None = None
    role: Role
    content: str | tuple[ContentPart, ...]
    reasoning: str | None = None
    tool_calls: tuple[RawToolCall, ...] | None = None
    tool_call_id: str | None = None
    name: str | None = None
    exit_code: int | None = None

    @field_validator("content", mode="before")
    @classmethod
    def _take_null(cls, value: Any) -> Any:
        # Chat completion logs write null where an assistant only calls tools.
        return "" if value is None else value


class ToolSchema(Wire):
    """A tool as the model is told about it; `parameters` is a JSON Schema."""

    name: str
    description: str
    parameters: dict[str, Any]


class Location(Wire):
    """A file, or a range of it."""

    uri: str
    range: Range | None = None


class Confinement(Wire):
    """What a command is kept from: by which sandbox, how far, and in one line for people.

    `coverage` is `full` where it can change only the folder and reach only what is shown, `partial`
    where the sandbox covers less, `none` where it can do all that the person can. `network` tells
    whether it can reach the network, `registries` whether package registries alone.
    """

    rung: Rung | str
    coverage: Coverage | str
    network: bool
    registries: bool | None = None
    summary: str


class SpendQuestion(Wire):
    """What is asked before a limit is passed; `next` is what the next request takes at least.

    In tokens or, with the unit `money`, in US dollars.
    """

    scope: SpendScope | str
    unit: SpendUnit | str
    limit: float
    spent: float
    next: float


class AddressQuestion(Wire):
    """What is asked before a session goes to an address at which it was not held, for people."""

    known: str
    now: str


class MadeFile(Wire):
    """A protected file or folder that a command made, and that is aside until a person keeps it.

    `path` is below the workspace, a folder's with a slash at its end; `diff` shows what is in it,
    all of it if `whole`; `why` says why its name is protected.
    """

    path: str
    why: str
    diff: str
    whole: bool


class ProposedHunk(Wire):
    """One place of a proposed change: the lines that go, and the text that comes there.

    `range` begins and ends at the beginning of a line of the text as it is; it is empty where
    lines are added alone. Hidden characters of `newText` are escapes, as in the diff.
    """

    range: Range
    new_text: str


class ToolCallDetail(Wire):
    """The exact effect of a call: the command, the unified diff, the address, or the plan's text.

    `how` says in words how the command is run: `Run with network`. `askedEachTime` says why no
    answer for the session covers it, `askedAgain` why what was allowed for good does not cover it
    any more, `confinement` what the command is kept from. With `spend` it is no call of a tool but
    the question whether more may be spent, and with `addressChange`, of
    the kind `address`, whether all of the session may be sent elsewhere. With `made` it is the
    question whether protected files are kept that a command has made; `diff` shows all of them.
    `hunks` are the places of the change of one file, in order; the answer to the question can keep
    some of them. Once a part was kept, `diff` is what was made.
    """

    command: str | None = None
    how: str | None = None
    diff: str | None = None
    address: str | None = None
    plan: str | None = None
    asked_each_time: str | None = None
    asked_again: str | None = None
    confinement: Confinement | None = None
    spend: SpendQuestion | None = None
    address_change: AddressQuestion | None = None
    made: tuple[MadeFile, ...] | None = None
    hunks: tuple[ProposedHunk, ...] | None = None


class AgentView(Wire):
    """A subagent: the session in which it works, its kind, and what it is called for.

    While it works, `doing` is the title of its last call, and `tokens` what its requests took.
    `isolated`: it works in a git worktree of its own, and what it changes is brought in at the end.
    """

    session_id: str
    kind: str
    description: str
    doing: str | None = None
    tokens: int | None = None
    isolated: bool | None = None


class ToolCall(Wire):
    """A tool call as a person sees it, in the chat and when it asks for permission.

    Where a subagent asks, `sessionId` and `turnId` of the question are those of the session that a
    person began, which shows the call too; the `title` says who asks, and so does `agent`. In
    `session/load` a call of the tool `subagent` has the `agent` that it began.
    """

    id: str
    item_id: str
    name: str
    title: str
    arguments: dict[str, Any]
    kind: ToolKind | str
    detail: ToolCallDetail | None = None
    locations: tuple[Location, ...]
    agent: AgentView | None = None


class Counts(Wire):
    """How much a search found, or a read brought.

    `matches` are the lines that match, of a search of lines; `files` those in which they stand, or
    that were found by name; `searched` those that were looked through in vain, where that is known;
    `lines` were read. With `more` there may be more: the search was stopped, or had enough.
    """

    matches: int | None = None
    files: int | None = None
    searched: int | None = None
    lines: int | None = None
    more: bool | None = None


class MessagePart(Wire):
    """One item of a message, as a chat shows it; `failed` marks a result that is an error.

    `exitCode` and `milliseconds` are those of the command whose result it is, `counts` how much a
    search found or a read brought. `attached` names what went along with a prompt, as
    `src/a.py:3-5`; written words have none.
    """

    item_id: str
    type: PartType | str
    text: str | None = None
    tool_call: ToolCall | None = None
    state: ItemState | str
    failed: bool | None = None
    exit_code: int | None = None
    milliseconds: int | None = None
    counts: Counts | None = None
    attached: str | None = None


class MessageView(Wire):
    """A message as a chat shows it; `at` is RFC 3339 UTC.

    `origin` tells where it comes from: the person, the editor's own agent, an import, a subagent.
    """

    id: str
    role: Role | str
    turn_id: str
    at: str
    parts: tuple[MessagePart, ...]
    origin: Origin | str | None = None


def _lift_function(call: dict[str, Any]) -> dict[str, Any]:
    """Lift name and arguments of a chat completion's call, which stand under `function`."""
    function = call.get("function")
    return {**call, **function} if isinstance(function, dict) else call


def _with_object_arguments(call: dict[str, Any]) -> dict[str, Any]:
    sent = call.get("arguments")
    if sent is None or isinstance(sent, dict):
        return call
    text = sent if isinstance(sent, str) else json.dumps(sent, ensure_ascii=False)
    parsed = object_in(text)
    if parsed is not None:
        return {**call, "arguments": parsed}
    return {**call, "arguments": {}, "raw_arguments": text}
