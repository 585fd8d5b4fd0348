"""The server of the page: it listens on 127.0.0.1 alone, and lets nobody in without a word."""

import asyncio
import logging
from http import HTTPStatus
from typing import Any

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from plimsoll.view.admission import Admission, ShownSession, is_own_page
from plimsoll.view.browser import Browser
from plimsoll.view.pages import PageFile, read_page, safety_headers

HOST = "127.0.0.1"
SOCKET_PATH = "/socket"
PROTOCOL = Subprotocol("plimsoll-view")
"""What a page speaks; beside it stands the word that lets it in."""
LARGEST_REQUEST = 64 * 1024
"""Bytes of what a page may ask at once."""
CLOSE_SECONDS = 1.0
"""How long a browser may take to say goodbye when the process ends, and to be served until then."""


log = logging.getLogger(__name__)


class ViewServer:
    """Serves the page and its connections, from ``start`` until ``close``."""

    def __init__(self) -> None:
        self._admission = Admission()
        self._files: dict[str, PageFile] = {}
        self._server: Server | None = None
        self._own = ""
        self._attending: set[asyncio.Task[Any]] = set()

    async def start(self) -> None:
        """Listen on a free port of the loopback; raises OSError."""
        self._files = await asyncio.to_thread(read_page)
        self._server = await serve(
            self._attend,
            HOST,
            0,
            process_request=self._look_at,
            subprotocols=[PROTOCOL],
            compression=None,
            server_header=None,
            max_size=LARGEST_REQUEST,
            close_timeout=CLOSE_SECONDS,
            logger=_silent(),
        )
        port = next(iter(self._server.sockets)).getsockname()[1]
        self._own = f"{HOST}:{port}"

    def address(self, shown: ShownSession) -> str:
        """Return an address that shows a session to the first browser that opens it.

        The token stands behind the ``#``: browsers send that to no server.
        """
        return f"http://{self._own}/#{self._admission.issue(shown)}"

    async def close(self) -> None:
        """Say goodbye to the browsers, break off what they ask for, and listen no more."""
        if self._server is not None:
            self._server.close()
            if self._attending:
                await asyncio.wait(self._attending, timeout=CLOSE_SECONDS)
            for task in self._attending:
                # A page asked for what waits for a model: nobody is there to be answered.
                task.cancel()
            await self._server.wait_closed()

    def _look_at(self, _connection: ServerConnection, request: Request) -> Response | None:
        """Answer a request for a file, or refuse it; None lets a page open its connection."""
        headers = request.headers
        if not is_own_page(self._own, headers.get_all("Host"), headers.get_all("Origin")):
            return self._refuse(HTTPStatus.FORBIDDEN)
        if request.path != SOCKET_PATH:
            found = self._files.get(request.path)
            return self._refuse(HTTPStatus.NOT_FOUND) if found is None else self._serve(found)
        if not headers.get_all("Origin") or not self._admission.knows(_word(headers)):
            return self._refuse(HTTPStatus.FORBIDDEN)
        return None

    def _serve(self, found: PageFile) -> Response:
        return self._response(HTTPStatus.OK, found)

    def _refuse(self, status: HTTPStatus) -> Response:
        return self._response(status, PageFile("text/plain", f"{status.phrase}\n".encode()))

    def _response(self, status: HTTPStatus, told: PageFile) -> Response:
        headers = Headers(
            {
                **safety_headers(self._own),
                "Content-Type": told.content_type,
                "Content-Length": str(len(told.body)),
                "Connection": "close",
            }
        )
        return Response(status.value, status.phrase, headers, told.body)

    async def _attend(self, socket: ServerConnection) -> None:
        """Serve a connection; ``close`` breaks that off."""
        task = asyncio.current_task()
        assert task is not None
        self._attending.add(task)
        try:
            await self._serve_page(socket)
        finally:
            self._attending.discard(task)

    async def _serve_page(self, socket: ServerConnection) -> None:
        request = socket.request
        admitted = self._admission.admit(_word(request.headers)) if request is not None else None
        if admitted is None:
            # Somebody else came with the same token at the same moment.
            await socket.close(1008)
            return
        shown, key = admitted
        try:
            session = shown.project.live.get(shown.session_id)
            session = session or await shown.project.load(shown.session_id)
            await Browser(socket, shown, session).serve(key)
        except Exception:
            # The library's own log is silent.
            log.exception("a page of the view was not served")
            raise


def _word(headers: Headers) -> str:
    """Return the token or key that a page sends as a WebSocket protocol; empty if there is none.

    A browser lets a page set no other header of such a request.
    """
    offered = ",".join(headers.get_all("Sec-WebSocket-Protocol")).split(",")
    words = [each.strip() for each in offered]
    return words[1] if len(words) == 2 and words[0] == PROTOCOL else ""


def _silent() -> logging.Logger:
    """Return a logger that writes nothing: it would quote the requests, words and all."""
    logger = logging.getLogger(f"{__name__}.connections")
    logger.disabled = True
    return logger
