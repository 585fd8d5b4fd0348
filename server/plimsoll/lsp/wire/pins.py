"""Pins: texts that stand in every request and that no reduction takes away."""

from typing import Literal, Self

from pydantic import Field, model_validator
from typing_extensions import TypeAliasType

from plimsoll.lsp.wire.base import Wire

PinScope = TypeAliasType("PinScope", Literal["session", "workspace"])


class Pin(Wire):
    """A pin; its number is never used again in its session, or, if listed for a folder, there."""

    id: str
    number: int
    text: str
    scope: PinScope | str
    tokens: int
    item_id: str | None = None


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
