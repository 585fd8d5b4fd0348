"""Pins: text that stands in every request and that no stage takes away."""

from typing import Literal, Self

from pydantic import Field, model_validator
from typing_extensions import TypeAliasType

from plimsoll.lsp.wire.base import Wire

PinScope = TypeAliasType("PinScope", Literal["session", "workspace"])


class Pin(Wire):
    """A pin; its number is never given twice in a session, or, listed for a folder, in that."""

    id: str
    number: int
    text: str
    scope: PinScope | str
    tokens: int
    item_id: str | None = None


class PinOwner(Wire):
    """Whose pins are meant: a session's, or a workspace folder's."""

    session_id: str | None = None
    workspace_folder: str | None = None

    @model_validator(mode="after")
    def _one_owner(self) -> Self:
        if self.session_id is None and self.workspace_folder is None:
            raise ValueError("sessionId or workspaceFolder is needed")
        return self


class PinAddParams(PinOwner):
    """What to pin: a text, or an item of the context; in the folder where no session is named."""

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
    """Pins, numbered from 1."""

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
