"""Work-done progress: begin, report, end; never more than one begin and one end."""

import asyncio
import itertools
import os
from collections.abc import Callable

from plimsoll.errors import PlimsollError
from plimsoll.lsp.dispatch.client_requests import CONFIGURATION_SECONDS, ClientRequests
from plimsoll.lsp.dispatch.envelope import RequestId

Notify = Callable[[str, object, str | None], None]
"""Takes the method, the params and the droppable key of a notification."""


class Progress:
    """One progress that the client shows; silent until begun, and when there is no token."""

    def __init__(self, notify: Notify, token: RequestId | None) -> None:
        self._notify = notify
        self._token = token
        self._open = False
        self._ended = False

    @property
    def token(self) -> RequestId | None:
        """The token on the wire."""
        return self._token

    def begin(self, title: str, *, cancellable: bool = False) -> None:
        """Show it, unless it has ended meanwhile."""
        if self._open or self._ended:
            return
        self._open = True
        self._send({"kind": "begin", "title": title, "cancellable": cancellable})

    def report(self, message: str, percentage: int | None = None) -> None:
        """Say how far it is; a client that reads slowly sees the newest report alone."""
        if not self._open or self._ended:
            return
        part = {} if percentage is None else {"percentage": percentage}
        self._send({"kind": "report", "message": message, **part}, f"progress:{self._token!r}")

    def end(self, message: str | None = None) -> None:
        """Take it away; the second time nothing happens."""
        if self._open and not self._ended:
            self._send({"kind": "end"} if message is None else {"kind": "end", "message": message})
        self._ended = True

    def _send(self, value: dict[str, object], droppable_key: str | None = None) -> None:
        if self._token is not None:
            params = {"token": self._token, "value": value}
            self._notify("$/progress", params, droppable_key)


class ServerProgress:
    """The progresses that the server created, with what to do when the client cancels one."""

    def __init__(self, notify: Notify, requests: ClientRequests) -> None:
        self._notify = notify
        self._requests = requests
        self._numbers = itertools.count(1)
        self._cancels: dict[RequestId, Callable[[], None]] = {}
        self._creations: set[asyncio.Task[None]] = set()

    def start(self, title: str, on_cancel: Callable[[], None] | None) -> Progress:
        """Create one and begin it as soon as the client agrees; waits for nothing."""
        token = f"plimsoll-{os.getpid()}-{next(self._numbers)}"
        progress = _Created(self._notify, token, lambda: self._cancels.pop(token, None))
        if on_cancel is not None:
            self._cancels[token] = on_cancel
        creation = asyncio.get_running_loop().create_task(
            self._create(progress, token, title, on_cancel is not None)
        )
        self._creations.add(creation)
        creation.add_done_callback(self._creations.discard)
        return progress

    def cancel(self, token: object) -> bool:
        """Call what was given for this token; whether it is one of ours."""
        on_cancel = self._cancels.pop(token, None) if isinstance(token, str | int) else None
        if on_cancel is None:
            return False
        on_cancel()
        return True

    async def _create(self, progress: Progress, token: str, title: str, cancellable: bool) -> None:
        method = "window/workDoneProgress/create"
        try:
            await self._requests.ask(method, {"token": token}, CONFIGURATION_SECONDS)
        except PlimsollError:
            # A client that refuses or ignores it shows no progress; the work goes on.
            progress.end()
            return
        progress.begin(title, cancellable=cancellable)


class _Created(Progress):
    def __init__(self, notify: Notify, token: str, forget: Callable[[], object]) -> None:
        super().__init__(notify, token)
        self._forget = forget

    def end(self, message: str | None = None) -> None:
        super().end(message)
        self._forget()
