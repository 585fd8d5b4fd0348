"""Asks the person for permission through the client, showing exactly what a call will do."""

from collections.abc import Callable, Mapping
from pathlib import Path

from plimsoll.acp.convert.calls import tool_call
from plimsoll.acp.convert.content import as_mapping
from plimsoll.acp.convert.forms import fill_form, message_of, schema_of
from plimsoll.acp.peer import Peer
from plimsoll.errors import PlimsollError
from plimsoll.lsp.features.convert.permission_options import DECISIONS, permission_options
from plimsoll.lsp.transport.bodies import member
from plimsoll.lsp.wire.updates import PermissionOption
from plimsoll.session.ports.asker import Decision
from plimsoll.session.ports.events import CallShown

REQUEST_PERMISSION, ELICIT = "session/request_permission", "elicitation/create"
KINDS: Mapping[str, str] = {
    "allowOnce": "allow_once",
    "allowSession": "allow_always",
    "allowAlways": "allow_always",
    "rejectOnce": "reject_once",
    "rejectSession": "reject_always",
}
IN_SESSION = ", in this session."
"""Ends what an option covers, and is said by its name already."""
OWN = "plimsoll"
"""The key of ``_meta`` under which stands what ACP has no word for."""


class AcpAsker:
    """The ``Asker`` port over a client of ACP."""

    def __init__(
        self,
        client: Peer,
        root_of: Callable[[str], Path],
        seconds: Callable[[], float],
        fills_forms: Callable[[], bool],
    ) -> None:
        """``root_of``: the folder of a session; ``seconds``: how long an answer may take."""
        self._client = client
        self._fills_forms = fills_forms
        self._root_of = root_of
        self._seconds = seconds

    async def ask(self, session_id: str, turn: str, call: CallShown) -> Decision:
        """Ask for a decision; silence, an error or a dismissed question is a rejection."""
        del turn
        try:
            if call.is_form and self._fills_forms():
                return await self._ask_by_form(session_id, call)
            return await self._ask_permission(session_id, call)
        except PlimsollError as error:
            return Decision(allowed=False, reason=error.message, by="nobody")

    async def _ask_by_form(self, session_id: str, call: CallShown) -> Decision:
        form = (call.intent.proposal if call.intent else None) or ""
        params = {
            "sessionId": session_id,
            "mode": "form",
            "message": message_of(form) or call.title,
            "requestedSchema": schema_of(form),
        }
        answer = await self._client.ask(ELICIT, params, self._seconds())
        action = member(answer, "action")
        if action != "accept":
            return Decision(allowed=False, by="person" if action == "decline" else "nobody")
        return Decision(allowed=True, edited=fill_form(form, as_mapping(member(answer, "content"))))

    async def _ask_permission(self, session_id: str, call: CallShown) -> Decision:
        options = permission_options(call)
        params = {
            "sessionId": session_id,
            "toolCall": tool_call(call, self._root_of(session_id)),
            **_list_options(options),
        }
        answer = await self._client.ask(REQUEST_PERMISSION, params, self._seconds())
        outcome = member(answer, "outcome")
        chosen = member(outcome, "optionId")
        if member(outcome, "outcome") != "selected" or not isinstance(chosen, str):
            return Decision(allowed=False, by="nobody")
        offered = {option.option_id for option in options}
        return DECISIONS[chosen] if chosen in offered else DECISIONS["rejectOnce"]


def _list_options(options: tuple[PermissionOption, ...]) -> dict[str, object]:
    """List one option of each kind, since clients map kinds to buttons; the others are ours."""
    first: dict[str, PermissionOption] = {}
    for option in options:
        first.setdefault(KINDS[option.kind], option)
    more = [option for option in options if option not in first.values()]
    listed = [
        {"optionId": option.option_id, "name": _name(option), "kind": kind}
        for kind, option in first.items()
    ]
    if not more:
        return {"options": listed}
    named = [{"optionId": option.option_id, "name": option.name} for option in more]
    return {"options": listed, "_meta": {OWN: {"options": named}}}


def _name(option: PermissionOption) -> str:
    """Name an option with all that it covers: clients show nothing else of it."""
    scope = option.scope.removesuffix(IN_SESSION) if option.scope else ""
    return f"{option.name}: {scope[:1].lower()}{scope[1:]}" if scope else option.name
