"""The question that a tool call waits for."""

from typing import Literal

from typing_extensions import TypeAliasType

from plimsoll.lsp.protocol.content import ToolCall
from plimsoll.lsp.protocol.wire import Wire

PermissionKind = TypeAliasType(
    "PermissionKind", Literal["allowOnce", "allowSession", "rejectOnce", "rejectSession"]
)
PermissionOutcome = TypeAliasType("PermissionOutcome", Literal["selected", "cancelled"])


class PermissionOption(Wire):
    """One answer that a person can give."""

    option_id: str
    name: str
    kind: PermissionKind | str


class RequestPermissionParams(Wire):
    """The call that wants to run, and the answers to choose from."""

    session_id: str
    turn_id: str
    tool_call: ToolCall
    options: tuple[PermissionOption, ...]


class RequestPermissionResult(Wire):
    """The answer: anything but a selected option that allows is a rejection."""

    outcome: PermissionOutcome | str
    option_id: str | None = None
    reason: str | None = None
