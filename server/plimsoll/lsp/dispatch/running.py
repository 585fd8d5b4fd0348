"""The requests under way: found by id or by progress token, cancelled once; and their progress."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from plimsoll.lsp.dispatch.envelope import RequestId

Task = asyncio.Task[object]
Notify = Callable[[str, object, str | None], None]
"""Takes the method, the params and the droppable key of a notification."""


@dataclass(slots=True)
class Run:
    """One request under way; its task may take its time to end after a cancel."""

    task: Task
    tokens: tuple[RequestId, ...]
    cancelled: bool = field(default=False)


class RunningRequests:
    """All requests under way."""

    def __init__(self) -> None:
        self._runs: dict[RequestId, Run] = {}
        self._by_token: dict[RequestId, RequestId] = {}

    def __contains__(self, request_id: RequestId) -> bool:
        return request_id in self._runs

    def __len__(self) -> int:
        return len(self._runs)

    def add(self, request_id: RequestId, task: Task, tokens: Iterable[RequestId]) -> None:
        """Remember a request, and the progress tokens that own its task."""
        run = Run(task, tuple(tokens))
        self._runs[request_id] = run
        self._by_token.update(dict.fromkeys(run.tokens, request_id))

    def remove(self, request_id: RequestId) -> None:
        """Forget a request that ended."""
        run = self._runs.pop(request_id)
        for token in run.tokens:
            if self._by_token.get(token) == request_id:
                del self._by_token[token]

    def cancel(self, request_id: object) -> None:
        """Cancel a request; a second cancel would tear the clean-up of the first."""
        run = self._runs.get(request_id) if isinstance(request_id, str | int) else None
        if run is not None and not run.cancelled:
            run.cancelled = True
            run.task.cancel()

    def cancel_token(self, token: object) -> bool:
        """Cancel the request that was sent with this token; whether there is one."""
        owner = self._by_token.get(token) if isinstance(token, str | int) else None
        if owner is None:
            return False
        self.cancel(owner)
        return True

    def cancel_all(self, *, except_current: bool = False) -> list[Task]:
        """Cancel every request, or every one but the caller's own; returns their tasks."""
        spared = asyncio.current_task() if except_current else None
        others = {key: run for key, run in self._runs.items() if run.task is not spared}
        for request_id in others:
            self.cancel(request_id)
        return [run.task for run in others.values()]


class Progress:
    """One progress that the client shows; silent until begun, and when there is no token."""

    def __init__(self, notify: Notify, token: RequestId | None) -> None:
        self._notify = notify
        self._token = token
        self._open = False
        self._ended = False

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
