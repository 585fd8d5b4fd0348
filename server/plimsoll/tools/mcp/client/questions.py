"""Asks the person what a server asks (elicitation), and reports progress, for calls that run."""

import asyncio
import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import urlsplit

import mcp_types as types
from mcp.client.session import ClientRequestContext

from plimsoll.tools.mcp.schemas import MOST_CHARACTERS
from plimsoll.tools.ports.mcp import McpListener, McpQuestion, McpReply

PROGRESS_SECONDS = 0.3
"""The least time between two reports of progress."""
LONGEST_WORDS = 2_000


@dataclass(slots=True, kw_only=True)
class RunningCall:
    """A call that runs: who hears of it, and until when an answer is waited for."""

    listener: McpListener
    seconds: float
    """How long a server may be silent."""
    limit: asyncio.Timeout
    reported: float = 0.0
    """When progress was last reported, by the loop's clock."""
    over: bool = False
    asking: set[asyncio.Future[McpReply]] = field(default_factory=set[asyncio.Future[McpReply]])
    """The questions that the person has not answered yet."""

    def end(self) -> None:
        """Take back what is still asked: nobody waits for it any more."""
        self.over = True
        for question in self.asking:
            question.cancel()

    def wait_anew(self) -> None:
        """Count the time from now."""
        if self.over:
            return
        self.limit.reschedule(asyncio.get_running_loop().time() + self.seconds)

    async def report(self, progress: float, total: float | None, message: str | None) -> None:
        """Pass progress on, at most a few times a second."""
        now = asyncio.get_running_loop().time()
        self.wait_anew()
        done = total is not None and progress >= total
        if done or now - self.reported >= PROGRESS_SECONDS:
            self.reported = now
            self.listener.progress(_words(progress, total, message))


class ServerQuestions:
    """The calls of one server that run, the last of which its questions are taken to belong to."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._running: list[RunningCall] = []

    @contextmanager
    def during(self, call: RunningCall) -> Generator[None]:
        """Let a call's listener be asked while it runs."""
        self._running.append(call)
        try:
            yield
        finally:
            self._running.remove(call)
            call.end()

    async def ask(
        self, context: ClientRequestContext, params: types.ElicitRequestParams
    ) -> types.ElicitResult | types.ErrorData:
        """Ask the person; declined where no call runs that somebody listens to."""
        del context
        if not self._running or not _can_be_asked(params):
            return types.ElicitResult(action="decline")
        call = self._running[-1]
        # A person may think as long as they like.
        call.limit.reschedule(None)
        asking = asyncio.ensure_future(call.listener.ask(_question(self._server, params)))
        call.asking.add(asking)
        try:
            return _result(await asking)
        except asyncio.CancelledError:
            if not call.over:
                raise
            return types.ElicitResult(action="cancel")
        finally:
            call.asking.discard(asking)
            call.wait_anew()


def _can_be_asked(asked: types.ElicitRequestParams) -> bool:
    """Tell whether a question is one of a few fields, or of an address of the web."""
    if isinstance(asked, types.ElicitRequestURLParams):
        return urlsplit(asked.url).scheme in {"http", "https"}
    return len(json.dumps(asked.requested_schema)) <= MOST_CHARACTERS


def _question(server: str, asked: types.ElicitRequestParams) -> McpQuestion:
    message = asked.message[:LONGEST_WORDS]
    if isinstance(asked, types.ElicitRequestURLParams):
        return McpQuestion(server=server, message=message, url=asked.url)
    fields = cast("dict[str, object]", asked.requested_schema)
    return McpQuestion(server=server, message=message, fields=fields)


def _result(reply: McpReply) -> types.ElicitResult:
    if reply.action != "accept":
        return types.ElicitResult(action=reply.action)
    content = cast("dict[str, Any]", dict(reply.content))
    return types.ElicitResult(action="accept", content=content)


def _words(progress: float, total: float | None, message: str | None) -> str:
    counted = f"{progress:g} of {total:g}" if total else f"{progress:g}"
    return f"{message[:LONGEST_WORDS]} ({counted})" if message else counted
