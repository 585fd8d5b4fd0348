"""Opens the view of a session for browsers, and loads what serves it when it is first asked for."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from plimsoll.errors import InvalidInput
from plimsoll.text.wording import how_to_install

if TYPE_CHECKING:
    from plimsoll.session.project import Project
    from plimsoll.view.server import ViewServer


class ServedViews:
    """The views of one process: one server for all of its sessions; see ``BrowserViews``."""

    def __init__(self) -> None:
        self._server: ViewServer | None = None
        self._starting = asyncio.Lock()

    async def open(self, project: Project, session_id: str) -> str:
        """Return an address at which the next browser that opens it shows a session.

        Raises:
            InvalidInput: The library for it is not installed, or nothing can listen.
        """
        async with self._starting:
            server = self._server = self._server or await _start_server()
        from plimsoll.view.admission import ShownSession

        return server.address(ShownSession(project, session_id))

    async def close(self) -> None:
        """Serve nobody any more."""
        if self._server is not None:
            await self._server.close()


async def _start_server() -> ViewServer:
    try:
        from plimsoll.view.server import ViewServer
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("websockets"):
            raise
        raise InvalidInput(
            "A browser is served by a library that is not installed.",
            remedy=f"Install the extra for it: {how_to_install('view')}.",
        ) from error
    server = ViewServer()
    try:
        await server.start()
    except OSError as error:
        raise InvalidInput(
            f"No port of this machine could be listened on: {error.strerror}."
        ) from error
    return server
