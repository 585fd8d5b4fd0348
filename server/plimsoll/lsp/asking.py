"""Questions to the person at the editor; whoever cannot be asked has not allowed it."""

from collections.abc import Callable, Mapping
from typing import cast

from plimsoll.errors import PlimsollError
from plimsoll.lsp.convert.messages import tool_call
from plimsoll.lsp.protocol import names
from plimsoll.lsp.protocol.content import ToolCall
from plimsoll.lsp.protocol.permissions import (
    PermissionOption,
    RequestPermissionParams,
    RequestPermissionResult,
)
from plimsoll.lsp.protocol.wire import dump
from plimsoll.lsp.server import PlimsollServer
from plimsoll.session.environment import Decision
from plimsoll.session.events import CallShown

OPTIONS = (
    PermissionOption(option_id="allowOnce", name="Allow once", kind="allowOnce"),
    PermissionOption(option_id="allowSession", name="Allow for this session", kind="allowSession"),
    PermissionOption(option_id="rejectOnce", name="Reject", kind="rejectOnce"),
    PermissionOption(
        option_id="rejectSession", name="Reject for this session", kind="rejectSession"
    ),
)
DECISIONS: Mapping[str, Decision] = {
    "allowOnce": Decision(allowed=True),
    "allowSession": Decision(allowed=True, for_session=True),
    "rejectOnce": Decision(allowed=False),
    "rejectSession": Decision(allowed=False, for_session=True),
}
WARNING = 2
"""LSP's MessageType.Warning."""


class ClientAsker:
    """The ``Asker`` port over the client."""

    def __init__(self, server: PlimsollServer, seconds: Callable[[], float]) -> None:
        self._server = server
        self._seconds = seconds
        self.permission = False
        """Whether the client takes ``requestPermission``."""

    async def ask(self, session_id: str, turn: str, call: CallShown) -> Decision:
        """The decision; silence, an error or a dismissed question is a rejection."""
        shown = tool_call(call)
        try:
            if self.permission:
                return await self._request(session_id, turn, shown)
            return await self._message(shown)
        except PlimsollError as error:
            return Decision(allowed=False, reason=error.message)

    async def _request(self, session_id: str, turn: str, call: ToolCall) -> Decision:
        params = RequestPermissionParams(
            session_id=session_id, turn_id=turn, tool_call=call, options=OPTIONS
        )
        raw = await self._server.request(
            names.SESSION_REQUEST_PERMISSION, dump(params), self._seconds()
        )
        answer = RequestPermissionResult.model_validate(raw or {"outcome": "cancelled"})
        if answer.outcome != "selected":
            return Decision(allowed=False, reason=answer.reason)
        found = DECISIONS.get(answer.option_id or "", DECISIONS["rejectOnce"])
        return Decision(found.allowed, found.for_session, answer.reason)

    async def _message(self, call: ToolCall) -> Decision:
        detail = call.detail
        what = (detail.command or detail.diff or detail.address) if detail else None
        message = f"{call.title}\n\n{what}" if what else call.title
        actions = [{"title": option.name} for option in OPTIONS]
        raw = await self._server.request(
            "window/showMessageRequest",
            {"type": WARNING, "message": message, "actions": actions},
            self._seconds(),
        )
        title = cast("Mapping[str, object]", raw).get("title") if isinstance(raw, Mapping) else None
        chosen = next((option for option in OPTIONS if option.name == title), None)
        return DECISIONS[chosen.option_id] if chosen else Decision(allowed=False)
