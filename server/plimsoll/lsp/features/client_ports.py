"""What a session asks of the editor: decisions, open documents, what became of a moved folder."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

from plimsoll.app.app import App
from plimsoll.errors import PlimsollError
from plimsoll.lsp.dispatch.client_requests import QUESTION_SECONDS, ClientSilent
from plimsoll.lsp.features.convert.calls import tool_call
from plimsoll.lsp.features.convert.permission_options import DECISIONS, permission_options
from plimsoll.lsp.server import PlimsollServer
from plimsoll.lsp.wire import methods
from plimsoll.lsp.wire.base import dump
from plimsoll.lsp.wire.updates import RequestPermissionParams, RequestPermissionResult
from plimsoll.session.ports.asker import Decision
from plimsoll.session.ports.events import CallShown
from plimsoll.tools.display import visible_diff

PRESENT_SECONDS = 4.0
"""How long a window that is there may take to answer."""
WARNING = 2
"""LSP's MessageType.Warning."""


class ClientWindow:
    """Tells whether the client has a window that somebody can see."""

    def __init__(self, server: PlimsollServer) -> None:
        self._server = server
        self.tells = False
        """Whether the client answers that question."""

    async def is_present(self) -> bool:
        """Ask the client whether its window is there; false only if it can answer and does not."""
        if not self.tells:
            return True
        try:
            await self._server.request(methods.WINDOW_PRESENT.name, {}, PRESENT_SECONDS)
        except ClientSilent:
            return False
        except PlimsollError as error:
            log.warning("the client did not say whether its window is there: %s", error.message)
        return True


class ClientAsker:
    """The ``Asker`` port over the client."""

    def __init__(self, server: PlimsollServer, seconds: Callable[[], float]) -> None:
        self._server = server
        self._seconds = seconds
        self.permission = False
        """Whether the client takes ``requestPermission``."""
        self.plans = False
        """Whether a person can edit a plan there."""

    async def ask(self, session_id: str, turn: str, call: CallShown) -> Decision:
        """Ask for a decision; silence, an error or a dismissed question is a rejection."""
        try:
            if self.permission:
                return await self._request(session_id, turn, call)
            return await self._message(call)
        except PlimsollError as error:
            return Decision(allowed=False, reason=error.message, by="nobody")

    async def _request(self, session_id: str, turn: str, call: CallShown) -> Decision:
        params = RequestPermissionParams(
            session_id=session_id,
            turn_id=turn,
            tool_call=tool_call(call),
            options=permission_options(call),
        )
        raw = await self._server.request(
            methods.SESSION_REQUEST_PERMISSION.name, dump(params), self._seconds()
        )
        answer = RequestPermissionResult.model_validate(raw or {"outcome": "cancelled"})
        if answer.outcome != "selected":
            return Decision(allowed=False, reason=answer.reason, by="nobody")
        found = DECISIONS.get(answer.option_id or "", DECISIONS["rejectOnce"])
        edited = answer.edited_plan if self.plans else None
        return replace(
            found,
            reason=answer.reason,
            edited=edited,
            kept=answer.kept_files,
            kept_hunks=answer.kept_hunks,
        )

    async def _message(self, shown: CallShown) -> Decision:
        call = tool_call(shown)
        detail = call.detail
        diff = visible_diff(detail.diff) if detail and detail.diff else None
        what = (detail.command or diff or detail.address or detail.plan) if detail else None
        each = detail.asked_each_time if detail else None
        why = f"Asked each time, because of {each}." if each else None
        kept_from = detail.confinement.summary if detail and detail.confinement else None
        again = shown.asked_again
        message = "\n\n".join(filter(None, (call.title, what, kept_from, why, again)))
        options = permission_options(shown)
        actions = [{"title": option.name} for option in options]
        raw = await self._server.request(
            "window/showMessageRequest",
            {"type": WARNING, "message": message, "actions": actions},
            self._seconds(),
        )
        title = cast("Mapping[str, object]", raw).get("title") if isinstance(raw, Mapping) else None
        chosen = next((option for option in options if option.name == title), None)
        return DECISIONS[chosen.option_id] if chosen else Decision(allowed=False, by="nobody")


TAKE_OVER = "Take over"
NOT_NOW = "Not now"
INFO = 3
"""LSP's MessageType.Info."""

log = logging.getLogger(__name__)


class MovedFolders:
    """Asks once for each folder whether it was moved; no answer means no."""

    def __init__(self, server: PlimsollServer, app: Callable[[], App]) -> None:
        self._server = server
        self._app = app
        self._asked: dict[Path, asyncio.Task[None]] = {}

    def offer(self, root: Path) -> None:
        """Ask whether a folder is one that no longer exists, moved; if so, take its data over."""
        if root not in self._asked:
            self._asked[root] = asyncio.create_task(self._offer(root))

    async def close(self) -> None:
        """Stop asking."""
        for asking in self._asked.values():
            asking.cancel()
        if self._asked:
            await asyncio.wait(self._asked.values())

    async def _offer(self, root: Path) -> None:
        try:
            for old in await self._app().projects.moved_from(root):
                if await self._ask_whether_moved(root, old):
                    await self._app().projects.link(root.as_uri(), old.as_uri())
        except PlimsollError as error:
            log.warning("nothing was taken over: %s", error.message)

    async def _ask_whether_moved(self, root: Path, old: Path) -> bool:
        message = (
            f"{root.name} looks like {old}, which is gone. Was it moved? Then the sessions, "
            "memories and pins of the old folder can go on in this one."
        )
        actions = [{"title": TAKE_OVER}, {"title": NOT_NOW}]
        asked = {"type": INFO, "message": message, "actions": actions}
        answer = await self._server.request("window/showMessageRequest", asked, QUESTION_SECONDS)
        if not isinstance(answer, Mapping):
            return False
        return cast("Mapping[str, object]", answer).get("title") == TAKE_OVER
