"""The offer to a person whose folder was moved: to take over what is kept of its old path."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

from plimsoll.app import App
from plimsoll.errors import PlimsollError
from plimsoll.lsp.outbound import QUESTION_SECONDS
from plimsoll.lsp.server import PlimsollServer

TAKE_OVER = "Take over"
NOT_NOW = "Not now"
INFO = 3
"""LSP's MessageType.Info."""

log = logging.getLogger(__name__)


class MovedFolders:
    """Asks once for each folder, in any editor; silence takes nothing over."""

    def __init__(self, server: PlimsollServer, app: Callable[[], App]) -> None:
        self._server = server
        self._app = app
        self._asked: dict[Path, asyncio.Task[None]] = {}

    def offer(self, root: Path) -> None:
        """Ask about a folder that looks like one that is gone, and do what the person says."""
        if root not in self._asked:
            self._asked[root] = asyncio.create_task(self._offer(root))

    async def close(self) -> None:
        """Ask no more."""
        for asking in self._asked.values():
            asking.cancel()
        if self._asked:
            await asyncio.wait(self._asked.values())

    async def _offer(self, root: Path) -> None:
        try:
            for old in await self._app().moved_from(root):
                if await self._wanted(root, old):
                    await self._app().link(root.as_uri(), old.as_uri())
        except PlimsollError as error:
            log.warning("nothing was taken over: %s", error.message)

    async def _wanted(self, root: Path, old: Path) -> bool:
        message = (
            f"{root.name} looks like {old}, which is gone. Was it moved? Then it can take over "
            "what is kept of it: sessions, memories and pins."
        )
        actions = [{"title": TAKE_OVER}, {"title": NOT_NOW}]
        asked = {"type": INFO, "message": message, "actions": actions}
        answer = await self._server.request("window/showMessageRequest", asked, QUESTION_SECONDS)
        if not isinstance(answer, Mapping):
            return False
        return cast("Mapping[str, object]", answer).get("title") == TAKE_OVER
