"""Answers that join a session with its meter."""

from typing import Literal

from typing_extensions import TypeAliasType

from plimsoll.lsp.protocol.content import RawMessage, ToolSchema
from plimsoll.lsp.protocol.context import Meter, Receipt
from plimsoll.lsp.protocol.sessions import SessionInfo
from plimsoll.lsp.protocol.wire import Wire

ToolChoice = TypeAliasType("ToolChoice", Literal["auto", "none"])


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
