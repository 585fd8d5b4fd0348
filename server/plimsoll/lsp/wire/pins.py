"""What a person set for a folder: pins, which every request has, and what is always allowed."""

from typing import Literal, Self

from pydantic import Field, model_validator
from typing_extensions import TypeAliasType

from plimsoll.lsp.wire.base import Wire

PinScope = TypeAliasType("PinScope", Literal["session", "workspace", "mine", "team"])
LastingKind = TypeAliasType("LastingKind", Literal["command", "firstWords", "edits"])


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
    unasked in exactly its words, `firstWords` with what may follow them, `edits` below a folder.
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
