"""The server's own state, and the trust in a folder."""

from typing import Literal

from pydantic import StrictBool
from typing_extensions import TypeAliasType

from plimsoll.lsp.protocol.wire import Wire

StatusKind = TypeAliasType("StatusKind", Literal["ok", "busy", "warning", "error"])


class StoreStatus(Wire):
    """Where the store is, and its size."""

    path: str
    bytes: int


class StatusWarning(Wire):
    """Something that needs a person, and what to do about it."""

    code: str
    message: str
    remedy: str | None = None


class StatusResult(Wire):
    """What runs here; `model` is `provider/name`, `sessions` the number in the store."""

    version: str
    model: str
    provider: str
    store: StoreStatus
    sessions: int
    warnings: tuple[StatusWarning, ...]


class DidChangeStatusParams(Wire):
    """The server's state for a status bar; `command` is the id of a command that helps."""

    kind: StatusKind | str
    message: str
    command: str | None = None


class DidChangeTrustParams(Wire):
    """The user has trusted a folder, or no longer does."""

    workspace_folder: str
    trusted: StrictBool
