"""What a person set for a folder: pins, what is always allowed, and custom commands and agents."""

from typing import Literal, Self

from pydantic import Field, StrictBool, model_validator
from typing_extensions import TypeAliasType

from plimsoll.lsp.wire.base import Wire

PinScope = TypeAliasType("PinScope", Literal["session", "workspace", "mine", "team"])
CustomSource = TypeAliasType("CustomSource", Literal["person", "folder"])
CustomKind = TypeAliasType("CustomKind", Literal["command", "agent"])
LastingKind = TypeAliasType("LastingKind", Literal["command", "firstWords", "edits", "tool"])


class Pin(Wire):
    """A pin; its number is never used again in its session, or, if listed for a folder, there.

    One of the scope `mine` or `team` is a pin of the folder that the person's other machines, or
    the team, have too. `authorName` is the colleague who shared it.
    """

    id: str
    number: int
    text: str
    scope: PinScope | str
    tokens: int
    item_id: str | None = None
    author_name: str | None = None


class PinOwner(Wire):
    """The session or the workspace folder whose pins the request is about."""

    session_id: str | None = None
    workspace_folder: str | None = None

    @model_validator(mode="after")
    def _one_owner(self) -> Self:
        if self.session_id is None and self.workspace_folder is None:
            raise ValueError("sessionId or workspaceFolder is needed")
        return self


class PinAddParams(PinOwner):
    """The text or the item to pin; in the folder if no session is named."""

    text: str | None = Field(default=None, min_length=1)
    item_id: str | None = None
    scope: PinScope | None = None

    @model_validator(mode="after")
    def _one_content(self) -> Self:
        if (self.text is None) == (self.item_id is None):
            raise ValueError("exactly one of text and itemId is needed")
        return self


class PinResult(Wire):
    """The new pin."""

    pin: Pin


class PinListResult(Wire):
    """The pins, numbered from 1."""

    pins: tuple[Pin, ...]


class PinRemoveParams(Wire):
    """The pin to remove, by id, or by its number in a session or folder."""

    pin_id: str | None = None
    number: int | None = Field(default=None, ge=1)
    session_id: str | None = None
    workspace_folder: str | None = None

    @model_validator(mode="after")
    def _one_pin(self) -> Self:
        if (self.pin_id is None) == (self.number is None):
            raise ValueError("exactly one of pinId and number is needed")
        return self


class LastingPermission(Wire):
    """What is always allowed in a folder; its number is never used again there.

    `what` names it and `covers` says how far it reaches, both in words for people. A `command` runs
    unasked in exactly its words, `firstWords` with what may follow them, `edits` below a
    folder, `tool` a tool of an MCP server.
    """

    number: int
    kind: LastingKind | str
    what: str
    covers: str
    at: str


class PermissionOwner(PinOwner):
    """The session or the workspace folder whose permissions the request is about."""


class PermissionsResult(Wire):
    """What is always allowed, by number; `note` says where that counts."""

    permissions: tuple[LastingPermission, ...]
    note: str


class PermissionRemoveParams(PermissionOwner):
    """The permission to take back, by its number."""

    number: int = Field(ge=1)


class PermissionResult(Wire):
    """What is asked about again."""

    permission: LastingPermission


class CustomCommand(Wire):
    """A custom command, the person's own or the folder's; `tokens`: of its text, once it is sent.

    `path` is that of its file, for people. One with a `problem`, in words that follow the path,
    cannot be used.
    """

    name: str
    description: str
    argument_hint: str | None = None
    source: CustomSource | str
    path: str
    tokens: int
    enabled: bool
    problem: str | None = None


class CustomAgent(Wire):
    """A custom agent, the person's own or the folder's; `tokens`: of its line in each request.

    `shortened`: its description is cut there, for all of them take more than 2 % of the window.
    `tools`: the only ones that it may use, never more than whoever calls it. `model`: the one that
    it asks for, if the person has set it. `unknown`: what of its file means nothing here.
    `path` and `problem` are those of a custom command.
    """

    name: str
    description: str
    source: CustomSource | str
    path: str
    tokens: int
    enabled: bool
    shortened: bool = False
    tools: tuple[str, ...] | None = None
    model: str | None = None
    unknown: tuple[str, ...] = ()
    problem: str | None = None


class CustomOwner(Wire):
    """The session whose folder's custom commands and agents are meant."""

    session_id: str


class CustomSwitch(CustomOwner):
    """The switch of one; it holds in all sessions of the folder, also in later ones."""

    kind: CustomKind
    name: str
    enabled: StrictBool


class CustomResult(Wire):
    """All custom commands and agents; those of the folder only while it is trusted."""

    commands: tuple[CustomCommand, ...]
    agents: tuple[CustomAgent, ...] = ()


class CustomExpandParams(CustomOwner):
    """A custom command as it was typed: its name and what stood behind it."""

    name: str
    arguments: str = ""


class CustomExpandResult(Wire):
    """The prompt of a custom command, for a person to see and send; nothing was sent.

    `pasted`: what of it is the file's, in UTF-16 units; it goes with the prompt. `remarks`: what of
    the file has no effect, for people.
    """

    text: str
    pasted: tuple[tuple[int, int], ...]
    remarks: tuple[str, ...] = ()
