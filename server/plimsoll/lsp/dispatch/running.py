"""The requests that are being answered: found by id or by progress token, cancelled once."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field

from plimsoll.lsp.dispatch.envelope import RequestId

Task = asyncio.Task[object]


@dataclass(slots=True)
class Run:
    """One request under way; its task may take its time to end after a cancel."""

    task: Task
    tokens: tuple[RequestId, ...]
    cancelled: bool = field(default=False)


class Running:
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
